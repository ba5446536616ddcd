// A small HTTP client for tests and benches: JSON in and out, uploads, waiting for a job.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Job, Workspace } from '../../src/contract/resources.ts'

export interface Reply<Body> {
  status: number
  headers: Headers
  body: Body
}

export interface Client {
  call<Body>(method: string, path: string, body?: unknown): Promise<Reply<Body>>
  /** Like `call`, but any status of 400 or more throws. */
  get<Body>(path: string): Promise<Body>
  post<Body>(path: string, body: unknown): Promise<Body>
  /** A form, such as the files of an upload. */
  form<Body>(path: string, form: FormData, headers?: Record<string, string>): Promise<Reply<Body>>
  upload(workspaceId: string, files: { name: string; bytes: Uint8Array | string }[]): Promise<Job>
  /** Polls until the job is done: its files are searchable. */
  done(jobId: string, limitMs?: number): Promise<Job>
  /** Polls until the workspace is as findable as it will be. */
  ready(workspaceId: string, limitMs?: number): Promise<void>
}

/** `token` is asked for a bearer when there is none yet and when it was refused (they last 15 minutes). */
export function makeClient(base: string, token: () => Promise<string>): Client {
  let bearer: string | undefined
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    bearer ??= await token()
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${bearer}`)
    const answer = await fetch(`${base}${path}`, { ...init, headers })
    if (answer.status !== 401) return answer
    bearer = await token()
    headers.set('authorization', `Bearer ${bearer}`)
    return fetch(`${base}${path}`, { ...init, headers })
  }
  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Reply<Body>> => {
    const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    return replyOf<Body>(await send(path, { method, ...(body !== undefined && json) }))
  }
  const form: Client['form'] = async <Body>(path: string, body: FormData, headers = {}) =>
    replyOf<Body>(await send(path, { method: 'POST', body, headers }))
  const must = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const reply = await call<Body>(method, path, body)
    if (reply.status >= 400)
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const get = <Body>(path: string): Promise<Body> => must<Body>('GET', path)
  return {
    call,
    get,
    form,
    post: (path, body) => must('POST', path, body),
    upload: async (workspaceId, files) => {
      const parts = new FormData()
      for (const { name, bytes } of files)
        parts.append('files', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), name)
      const { status, body } = await form<Job>(`/workspaces/${workspaceId}/files`, parts)
      if (status !== 202) throw new Error(`upload: ${status} ${JSON.stringify(body)}`)
      return body
    },
    done: async (jobId, limitMs = 600_000) => {
      const limit = Date.now() + limitMs
      for (;;) {
        const job = await get<Job>(`/jobs/${jobId}`)
        if (job.status === 'done') return job
        if (Date.now() > limit) throw new Error(`job ${jobId} is not done: ${JSON.stringify(job)}`)
        await sleep(200)
      }
    },
    ready: async (workspaceId, limitMs = 600_000) => {
      const limit = Date.now() + limitMs
      while (!(await get<Workspace>(`/workspaces/${workspaceId}`)).ready) {
        if (Date.now() > limit) throw new Error(`workspace ${workspaceId} is not ready`)
        await sleep(200)
      }
    },
  }
}

async function replyOf<Body>(answer: Response): Promise<Reply<Body>> {
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    body: (text ? JSON.parse(text) : undefined) as Body,
  }
}
