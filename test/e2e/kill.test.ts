// kill -9 of the worker, a parser, the API, the engine and their supervisor while files are being processed: every job reaches
// `done`, nothing is lost or duplicated, and no process outlives its supervisor.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Document, DocumentContent, Entity, Job, Page, Workspace } from '../../src/contract/resources.ts'
import { type Client, makeClient } from '../support/client.ts'
import { migratedDirectory } from '../support/database.ts'
import { FULL, thorough } from '../support/full.ts'
import { roles } from '../support/roles.ts'
import { processTree, type Service, startService } from '../support/service.ts'
import { isRunning } from '../support/shared-record.ts'

const EXAMPLES = 'examples'
const GIVEN = ['.pdf', '.docx']
let service: Service
let client: Client
let wanted: Map<string, string[]>
let calmId: string

// The words of a report's chart come in behind its publishing, before or after a look at its text.
const env = { KENNING_PICTURE_TEXT: 'off' }

beforeAll(async () => {
  service = await startService({ dataDir: await migratedDirectory(), env })
  client = makeClient(service.base, service.token)
  calmId = (await client.post<Workspace>('/workspaces', { name: 'calm' })).id
  const job = await client.done((await client.upload(calmId, library(CALM))).id)
  expect(job.files.filter(({ status }) => status !== 'done')).toEqual([])
  wanted = await contents(calmId, CALM)
  await client.ready(calmId)
})
afterAll(async () => {
  await service.remove()
})
// The round before may have killed it.
beforeEach(async () => {
  await patiently(() => client.get('/me'))
})

const CALM = 'k00'
let rounds = 0
/** The mark of a round: all are as long. */
const nextRound = (): string => `k${String(++rounds).padStart(2, '0')}`

/**
 * An example of some kinds, and Markdown long enough that indexing takes a while. The Markdown of every round is its
 * own, so that it is read anew; but for the round's mark all rounds say the same.
 */
function library(round: string): { name: string; bytes: Uint8Array | string }[] {
  const names = readdirSync(EXAMPLES).sort()
  const given = GIVEN.flatMap((extension) => names.find((name) => name.endsWith(extension)) ?? [])
  const sections = (no: number): string =>
    Array.from(
      { length: 60 },
      (_, i) =>
        `## Section ${i}\n\n${`Pump ${round}${no}x${i} feeds the harbour basin of Halden. `.repeat(10)}`,
    ).join('\n\n')
  const made = Array.from({ length: FULL ? 4 : 2 }, (_, no) => ({
    name: `made-${no}.md`,
    bytes: `# Manual ${no}\n\n${sections(no)}`,
  }))
  return [...made, ...given.map((name) => ({ name, bytes: readFileSync(join(EXAMPLES, name)) }))]
}

/** One that ended by itself since it was looked for, as parsers do when their worker is gone, is gone as well. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error
  }
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

/** A call that waits while the API is away: the more often it was killed, the longer (up to 10 s before it starts). */
async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries > 240) throw error
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

// They are given some 3 s (docs/decisions/0009-jobs.md), and a busy machine more; the worker took half a minute before.
async function untilGone(pids: number[]): Promise<void> {
  for (let tries = 0; tries < 200 && pids.some(isRunning); tries++) await sleep(100)
  expect(pids.filter(isRunning)).toEqual([])
}

/** The texts of every document, by title; the round's mark taken out. */
async function contents(workspaceId: string, round: string): Promise<Map<string, string[]>> {
  const { data } = await client.get<Page<Document>>(`/workspaces/${workspaceId}/documents?limit=200`)
  const found = new Map<string, string[]>()
  for (const document of data) {
    const texts: string[] = []
    let cursor: string | null | undefined = ''
    do {
      const query: string = `max_chars=60000${cursor ? `&cursor=${cursor}` : ''}`
      const page: DocumentContent = await client.get(
        `/workspaces/${workspaceId}/documents/${document.id}?${query}`,
      )
      texts.push(...page.chunks.map(({ text }) => text.replaceAll(round, '')))
      cursor = page.next_cursor
    } while (cursor)
    expect(texts.length).toBe(document.chunk_count)
    found.set(document.title, texts)
  }
  return found
}

/** The entities with their counts, as they are now; the round's mark taken out. */
async function graph(workspaceId: string, round: string): Promise<string[]> {
  const { data } = await client.get<Page<Entity>>(`/workspaces/${workspaceId}/entities?limit=200`)
  const lines = data.map(({ name, type, mention_count }) => `${name} ${type} ${mention_count}`)
  return lines.map((line) => line.replaceAll(round, '').replaceAll(round.toUpperCase(), '')).sort()
}

// The gate kills the worker.
const killed = Object.keys(roles).filter((role) => FULL || role === 'worker')
test.each(killed)('F-03: a job whose %s is killed holds the same as an undisturbed one', async (role) => {
  const round = nextRound()
  const stormy = await client.post<Workspace>('/workspaces', { name: role })
  const job = await client.upload(stormy.id, library(round))
  await untilRunning(job.id)
  const pid = await find(role)
  expect((await client.get<Job>(`/jobs/${job.id}`)).status).toBe('running')
  process.kill(pid, 'SIGKILL')
  const done = await patiently(() => client.done(job.id, 180_000))
  expect(done.files.filter(({ status }) => status !== 'done')).toEqual([])
  expect(await contents(stormy.id, round)).toEqual(wanted)
  await patiently(() => client.ready(stormy.id))
  expect(await graph(stormy.id, round)).toEqual(await graph(calmId, CALM))
  const { document_count } = await client.get<Workspace>(`/workspaces/${stormy.id}`)
  expect(document_count).toBe(wanted.size)
})

test('F-03: kill -9 of the supervisor ends all its processes, and a new start reads each file once', async () => {
  const workspace = await client.post<Workspace>('/workspaces', { name: 'orphans' })
  const round = nextRound()
  // Its parser computes without a pause, then its worker does.
  const wide = `<p>Pump ${round} feeds the harbour basin.</p>${'<div>Halden '.repeat(200_000)}`
  const job = await client.upload(workspace.id, [{ name: 'wide.html', bytes: wide }, ...library(round)])
  await untilRunning(job.id)
  await find('parser')
  const tree = processTree(service.child.pid ?? 0).map(({ pid }) => pid)
  expect(tree.length).toBeGreaterThan(4)
  process.kill(service.child.pid ?? 0, 'SIGKILL')
  await untilGone(tree)
  const again = await startService({ dataDir: service.dataDir, env })
  service = again
  client = makeClient(again.base, again.token)
  const done = await client.done(job.id, 180_000)
  expect(done.files.filter(({ status }) => status !== 'done')).toEqual([])
  const found = await contents(workspace.id, round)
  expect(found.size).toBe(wanted.size + 1)
  expect(new Map([...found].filter(([title]) => wanted.has(title)))).toEqual(wanted)
})

// The supervisor's death, above, ends the others a moment later.
thorough('F-03: a new start after kill -9 of everything at once continues where it was', async () => {
  const workspace = await client.post<Workspace>('/workspaces', { name: 'all at once' })
  const round = nextRound()
  const job = await client.upload(workspace.id, library(round))
  await untilRunning(job.id)
  expect((await client.get<Job>(`/jobs/${job.id}`)).status).toBe('running')
  for (const { pid } of processTree(service.child.pid ?? 0)) kill(pid)
  await sleep(200)
  const again = await startService({ dataDir: service.dataDir, env })
  service = again
  client = makeClient(again.base, again.token)
  const done = await client.done(job.id, 180_000)
  expect(done.files.filter(({ status }) => status !== 'done')).toEqual([])
  expect(await contents(workspace.id, round)).toEqual(wanted)
})
