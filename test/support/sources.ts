// Sources of a workspace under a test's control: runs that end, or die before a call to the database, and what is then there.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Source, SourceDetails } from '../../src/contract/sources.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { claimNetworkBound, releaseWorker } from '../../src/work/queue.sql.ts'
import { bodyOf, type Person, type TestApp } from './app.ts'
import { parseBytes } from './files/parse.ts'
import { drain, killedBefore, runTask, type WorkDeps } from './ingest.ts'

/** A child for each file would take most of the time, and these tests are not about reading. */
export const inProcess: WorkDeps['parser'] = {
  parse: async ({ path, kind }) => parseBytes(kind, await readFile(path)),
}

export const textOf = (subject: string): string =>
  `# ${subject}\n\nThis page is about ${subject} and about nothing else.\n`
export const hashOf = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

const silentLog: WorkDeps['log'] = { debug() {}, info() {}, warn() {}, error() {} }

/** Runs what is due of sources, and the files that it sends; with `db` until that dies. */
export async function runDue(deps: WorkDeps, db: Db = deps.db): Promise<void> {
  for (;;) {
    const task = await claimNetworkBound(deps.db, 'outside')
    if (!task) return
    let ended = false
    const log = db === deps.db ? deps.log : silentLog
    const running = runTask({ ...deps, db, log }, task).then(() => {
      ended = true
    })
    while (!ended) {
      await drain(deps)
      await Promise.race([running, sleep(20)])
    }
    await running
    await drain(deps)
    if (db !== deps.db) return void (await releaseWorker(deps.db, 'outside'))
  }
}

/** The run dies before its n-th call to the database, and is there again as after the worker's restart. */
export const runKilled = (deps: WorkDeps, n: number): Promise<void> => runDue(deps, killedBefore(deps.db, n))

export interface SourceClient {
  workspaceId: string
  create(body: object): Promise<Source>
  /** Asks for a run, and sees it through. */
  run(source: Pick<Source, 'id'>, body?: object): Promise<SourceDetails>
  ask(source: Pick<Source, 'id'>, body?: object): Promise<void>
  get(source: Pick<Source, 'id'>): Promise<SourceDetails>
  /** Path and hash of each document. */
  documents(): Promise<[path: string, hash: string][]>
}

export async function sourceClient(app: TestApp, deps: WorkDeps, owner: Person): Promise<SourceClient> {
  const workspaceId = await app.workspace(owner)
  const token = await app.token(owner)
  const base = `/v1/workspaces/${workspaceId}`
  const at = ({ id }: Pick<Source, 'id'>): string => `${base}/sources/${id}`
  const get: SourceClient['get'] = async (source) => bodyOf(await app.send('GET', at(source), token))
  const ask: SourceClient['ask'] = async (source, body = {}) => {
    const { status } = await app.send('POST', `${at(source)}/run`, token, { body })
    if (status !== 202) throw new Error(`the run was answered ${status}`)
  }
  return {
    workspaceId,
    create: async (body) => {
      const answer = await app.send('POST', `${base}/sources`, token, { body })
      if (answer.status !== 201) throw new Error(answer.text)
      return bodyOf(answer)
    },
    ask,
    run: async (source, body) => {
      await ask(source, body)
      await runDue(deps)
      return get(source)
    },
    get,
    documents: async () => {
      const url = `${base}/scopes/${encodeURIComponent('provider:upload')}/documents?limit=200`
      const answer = await app.send('GET', url, token)
      if (answer.status === 404) return []
      const { data } = bodyOf<{ data: { path: string; version_id: string }[] }>(answer)
      return data
        .map(({ path, version_id }): [string, string] => [path, version_id])
        .sort(([a], [b]) => (a < b ? -1 : 1))
    },
  }
}
