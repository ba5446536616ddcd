// kill -9 of the worker, a parser child, the API and the engine while files are in flight: every job reaches `done`,
// nothing is lost, nothing stands twice.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Document, DocumentContent, Entity, Job, Page, Workspace } from '../../src/contract/resources.ts'
import { type Client, makeClient } from '../support/client.ts'
import { type ProcessRow, processTree, type Service, startService } from '../support/service.ts'

const EXAMPLES = 'examples'
let service: Service
let client: Client

beforeAll(async () => {
  service = await startService()
  client = makeClient(service.base, service.token)
})
afterAll(async () => {
  await service.remove()
})

/** Example files, and Markdown long enough that indexing takes a while; the contents of every round are its own. */
function library(round: string): { name: string; bytes: Uint8Array | string }[] {
  const given = readdirSync(EXAMPLES)
    .filter((name) => /\.(pdf|docx|pptx|xlsx|png)$/.test(name))
    .map((name) => ({ name, bytes: readFileSync(join(EXAMPLES, name)) }))
  const sections = (no: number): string =>
    Array.from(
      { length: 80 },
      (_, i) =>
        `## Section ${i}\n\n${`Pump ${round}${no}x${i} feeds the harbour basin of Halden. `.repeat(12)}`,
    ).join('\n\n')
  const made = Array.from({ length: 6 }, (_, no) => ({
    name: `made-${no}.md`,
    bytes: `# Manual ${round} ${no}\n\n${sections(no)}`,
  }))
  return [...made, ...given].slice(0, 20)
}

const roles: Record<string, (row: ProcessRow) => boolean> = {
  worker: (row) => row.environment.includes('KENNING_CHILD=worker') && /main\.js/.test(row.command),
  parser: (row) => /ingest\/parse/.test(row.command),
  api: (row) => row.environment.includes('KENNING_CHILD=api'),
  engine: (row) => /embedded\/engine/.test(row.command),
}

/** Waits for a process of that role. */
async function find(role: string): Promise<number> {
  const is = roles[role]
  for (let tries = 0; is && tries < 400; tries++) {
    const found = processTree(service.child.pid ?? 0).find(is)
    if (found) return found.pid
    await sleep(25)
  }
  throw new Error(`no ${role} to kill`)
}

/** A call that waits while the API is away. */
async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries > 60) throw error
      await sleep(500)
    }
  }
}

/** Waits until a file of the job is under way. */
async function untilRunning(jobId: string): Promise<void> {
  let job: Job | undefined
  for (let tries = 0; tries < 500; tries++) {
    job = await client.get<Job>(`/jobs/${jobId}`)
    if (job.files.some(({ status }) => status === 'running')) return
    await sleep(20)
  }
  throw new Error(`no file is running: ${JSON.stringify(job)}`)
}

async function contents(workspaceId: string): Promise<Map<string, string[]>> {
  const { data } = await client.get<Page<Document>>(`/workspaces/${workspaceId}/documents?limit=200`)
  const found = new Map<string, string[]>()
  for (const document of data) {
    const ids: string[] = []
    let cursor: string | null | undefined = ''
    do {
      const query: string = `max_chars=60000${cursor ? `&cursor=${cursor}` : ''}`
      const page: DocumentContent = await client.get(
        `/workspaces/${workspaceId}/documents/${document.id}?${query}`,
      )
      ids.push(...page.chunks.map(({ text }) => text))
      cursor = page.next_cursor
    } while (cursor)
    expect(ids.length).toBe(document.chunk_count)
    found.set(document.title, ids)
  }
  return found
}

/** Waits until the graph stands still, then returns its entities with their counts. */
async function graph(workspaceId: string): Promise<string[]> {
  let last = ''
  for (let tries = 0; tries < 120; tries++) {
    const { data } = await client.get<Page<Entity>>(`/workspaces/${workspaceId}/entities?limit=200`)
    const now = JSON.stringify(data.map(({ name, mention_count }) => [name, mention_count]))
    if (now === last && data.length) return data.map(({ name, mention_count }) => `${name} ${mention_count}`)
    last = now
    await sleep(1500)
  }
  throw new Error('the graph does not come to rest')
}

test.each(Object.keys(roles))(
  'a job whose %s is killed holds the same as an undisturbed one',
  async (role) => {
    const files = library(role)
    const calm = await client.post<Workspace>('/workspaces', { name: `${role}, calm` })
    const first = await client.done((await client.upload(calm.id, files)).id)
    expect(first.files.filter(({ status }) => status !== 'done')).toEqual([])
    const wanted = await contents(calm.id)
    const wantedGraph = await graph(calm.id)

    const stormy = await client.post<Workspace>('/workspaces', { name: `${role}, stormy` })
    const job = await client.upload(stormy.id, files)
    await untilRunning(job.id)
    const pid = await find(role)
    expect((await client.get<Job>(`/jobs/${job.id}`)).status).toBe('running')
    process.kill(pid, 'SIGKILL')
    const done = await patiently(() => client.done(job.id, 180_000))
    expect(done.files.map(({ filename, status, error }) => ({ filename, status, error }))).toEqual(
      first.files.map(({ filename, status, error }) => ({ filename, status, error })),
    )
    expect(await contents(stormy.id)).toEqual(wanted)
    expect(await graph(stormy.id)).toEqual(wantedGraph)
    const { document_count, ready } = await client.get<Workspace>(`/workspaces/${stormy.id}`)
    expect({ document_count, ready }).toEqual({ document_count: wanted.size, ready: true })
  },
)

test('a new start after kill -9 of everything at once goes on where it was', async () => {
  const workspace = await client.post<Workspace>('/workspaces', { name: 'all at once' })
  const job = await client.upload(workspace.id, library('s'))
  await untilRunning(job.id)
  expect((await client.get<Job>(`/jobs/${job.id}`)).status).toBe('running')
  for (const { pid } of processTree(service.child.pid ?? 0)) process.kill(pid, 'SIGKILL')
  await sleep(200)
  const again = await startService({ dataDir: service.dataDir })
  service = again
  client = makeClient(again.base, again.token)
  const done = await client.done(job.id, 180_000)
  expect(done.files.filter(({ status }) => status !== 'done')).toEqual([])
  expect((await contents(workspace.id)).size).toBe(done.files.length)
})
