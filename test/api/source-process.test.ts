// A run of a source in a process of its own: what it does there ends at its limits and takes nothing with it.

import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { claimNetworkBound, insertTask, type NetworkBoundFilter } from '../../src/work/queue.sql.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { runTask, type WorkDeps } from '../support/ingest.ts'
import { closeNow, listenOnLoopback } from '../support/loopback.ts'
import { inProcess, runDue, type SourceClient, sourceClient } from '../support/sources.ts'

let app: TestApp
let owner: Person
let deps: WorkDeps
let here: SourceClient
let server: Server
let origin = ''
/** Answers that were begun and never end. */
let open: ServerResponse[] = []

beforeAll(async () => {
  server = createServer(({ url }, response) => {
    if (url === '/robots.txt') return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/html' }).flushHeaders()
    open.push(response)
  })
  origin = await listenOnLoopback(server)
  app = await testApp({
    sources: { folders: [], remotes: [], environment: { PATH: process.env.PATH ?? '' } },
  })
  owner = await app.person()
  deps = { ...app.deps, embedder: async () => ({ kind: 'none' as const }), parser: inProcess }
})
beforeEach(async () => {
  open = []
  await app.deps.db.rows(sql`DELETE FROM task`)
  here = await sourceClient(app, deps, owner)
})
afterAll(async () => {
  await app.close()
  await closeNow(server)
})

const site = () => ({ kind: 'web', addresses: [`${origin}/page`], every_minutes: null })

/** Processes that read a source for this one. */
async function children(): Promise<number[]> {
  const text = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
  const pids = text.split(' ').filter(Boolean).map(Number)
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return pids.filter((_, no) => commands[no]?.includes('sources/child/entry'))
}

const PROCESSOR_LIMITS = [
  [{ processorMs: 1, pollMs: 10 }, 'needs more than 0.001 seconds of processor time'],
  [{ idleProcessorMs: 1, pollMs: 10 }, 'without any result'],
] as const

test('a source from which nothing comes, or that needs too much memory or time, fails with a sentence', async () => {
  const limits = [
    [{ idleMs: 3000 }, 'Nothing has arrived from the source for 3 seconds'],
    [{ runMs: 1 }, 'KENNING_SOURCE_HOURS'],
    ...(process.platform === 'linux' ? PROCESSOR_LIMITS : []),
    [{ residentBytes: 2 ** 20, pollMs: 10 }, 'needs more than 1 MB of memory'],
  ] as const
  for (const [sourceLimits, says] of limits) {
    const source = await here.create(site())
    await runDue({ ...deps, sourceLimits })
    expect(await here.get(source)).toMatchObject({ state: 'failed', error: expect.stringContaining(says) })
  }
})

test.runIf(process.platform === 'linux')('a run that is cancelled ends its process', async () => {
  await here.create(site())
  const task = await claimNetworkBound(app.deps.db, 'outside')
  if (!task) throw new Error('nothing claimed')
  const stop = new AbortController()
  const running = runTask(deps, task, stop.signal)
  await expect.poll(() => open.length, { timeout: 60_000 }).toBe(1)
  expect(await children()).toHaveLength(1)
  stop.abort()
  await running
  expect(await children()).toEqual([])
})

test('a pattern that no run can use is refused; a source that has one already says so', async () => {
  const exclude = ['*.tmp', '+(*)+(*)b']
  await expect(here.create({ ...site(), exclude })).rejects.toThrow('not supported')
  const source = await here.create(site())
  const token = await app.token(owner)
  const url = `/v1/workspaces/${here.workspaceId}/sources/${source.id}`
  const answer = await app.send('PATCH', url, token, { body: { include: ['!(a)'] } })
  expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('"include","0"')])
})

test('slots are shared: two long ones a workspace, and some for those that are not known to be long', async () => {
  const { db } = app.deps
  const [first, second] = [randomUUID(), randomUUID()]
  const add = (workspaceId: string, kind: string, subject: object = {}): Promise<void> =>
    insertTask(db, { workspaceId, kind, priority: 'networkBound', subject })
  for (let no = 0; no < 3; no++) await add(first, 'source', { source_id: randomUUID() })
  await add(first, 'notice')
  await add(second, 'source', { source_id: randomUUID(), long: true })
  const kinds = ['source']
  const claim = async (filter: NetworkBoundFilter): Promise<string | undefined> => {
    const task = await claimNetworkBound(db, 'fair', filter)
    return task && `${task.kind} of ${task.workspace_id === first ? 'first' : 'second'}`
  }
  const short = { kinds, perWorkspace: 2, long: false }
  expect(await claim(short)).toBe('source of first')
  expect(await claim(short)).toBe('source of first')
  expect(await claim(short)).toBeUndefined()
  expect(await claim({ kinds, perWorkspace: 2 })).toBe('source of second')
  expect(await claim({ kinds, perWorkspace: 2 })).toBeUndefined()
  expect(await claim({ kinds: ['notice'] })).toBe('notice of first')
})

test('a slot that gives way ends the run, which is then for slots with more time', async () => {
  await here.create(site())
  const task = await claimNetworkBound(app.deps.db, 'short')
  if (!task) throw new Error('nothing claimed')
  const slot = {
    mustBeShort: true,
    isFirstOfWorkspace: true,
    onlyWrites: () => {},
    coClaim: () => {},
    reserveMemory: async () => {},
  }
  await runTask({ ...deps, timeSliceMs: 100 }, task, undefined, slot)
  const kinds = ['source']
  expect(await claimNetworkBound(app.deps.db, 'short', { kinds, long: false })).toBeUndefined()
  expect(await claimNetworkBound(app.deps.db, 'long', { kinds })).toMatchObject({ id: task.id })
})
