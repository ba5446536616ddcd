// `ready` is true only when searches give the final result. Checked between any two statements of the worker, over uploads that
// create a meaning space, fill it, and arrive while it is being filled.

import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { JobProgress, SearchResults, Themes, Workspace } from '../../src/contract/resources.ts'
import { jobEvents } from '../../src/ingest/jobs.ts'
import { reindex } from '../../src/ingest/reindex.ts'
import { deleteDocument } from '../../src/ingest/remove.ts'
import { listVersions, restoreVersion } from '../../src/ingest/versions.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { EmbeddingFailed, type EmbeddingModel } from '../../src/ports/embedder/embedder.ts'
import { openEmbedder } from '../../src/ports/embedder/open.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { claimTask } from '../../src/work/queue.sql.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { EVERY, thorough } from '../support/full.ts'
import { callerOf, drain, type Files, runTask, upload, type WorkDeps } from '../support/ingest.ts'

let app: TestApp
let owner: Person
let token: string
let pool: ParserPool
let deps: WorkDeps

beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  token = await app.token(owner)
  pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  const embedder = openEmbedder(
    { choice: 'sentence', server: undefined, onnxModel: undefined, dataDir: '' },
    app.deps.log,
  )
  deps = { ...app.deps, parser: pool, embedder: async () => embedder }
})
afterAll(async () => {
  await pool.close()
  await app.close()
})
beforeEach(async () => {
  await drain(deps)
})

const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
  bodyOf<T>(await app.send(method, `/v1${path}`, token, body === undefined ? {} : { body }))
const workspaceOf = (id: string) => ask<Workspace>('GET', `/workspaces/${id}`)
const isReady = async (id: string): Promise<boolean> => (await workspaceOf(id)).ready
const progressOf = (job: { id: string }) => ask<JobProgress>('GET', `/jobs/${job.id}/progress`)

const SUBJECTS = [
  ['harbour', 'mooring', 'quay', 'vessel', 'rudder', 'pilot', 'tide', 'anchor'],
  ['orchard', 'blossom', 'grafting', 'pruning', 'harvest', 'cider', 'bee', 'frost'],
  ['kiln', 'glaze', 'clay', 'porcelain', 'firing', 'potter', 'wheel', 'slip'],
]
const PEOPLE = ['Ingrid Solheim', 'Marek Nowak', 'Aisha Rahman', 'Pierre Laurent', 'Yuki Tanaka']
const FIRMS = ['Halden Harbour Ltd', 'Orchard Lane GmbH', 'Kiln Works Inc']
const TOWNS = ['Bergen', 'Kiel', 'Porto', 'Gdansk']

/** Words of one subject, never the same twice; long enough that each section is a chunk of its own. */
const sentences = (no: number): string => {
  const words = SUBJECTS[no % SUBJECTS.length] ?? []
  const word = (i: number): string => words[(no * 5 + i * 3) % words.length] ?? ''
  const one = (i: number): string =>
    `The ${word(i)} of lot ${no}-${i} was seen beside the ${word(i + 1)} and before the ${word(i + 2)}.`
  return Array.from({ length: 16 }, (_, i) => one(i)).join(' ')
}
const facts = (no: number): string => {
  const firm = FIRMS[no % FIRMS.length]
  return `${PEOPLE[no % PEOPLE.length]} works for ${firm}. ${firm} is based in ${TOWNS[no % TOWNS.length]}.`
}
/** `count` files of ten sections, other ones for each `from`. */
const files = (from: number, count: number): Files =>
  Object.fromEntries(
    Array.from({ length: count }, (_, file) => {
      const sections = Array.from({ length: 10 }, (_, i) => (from + file) * 10 + i)
      const text = sections.map((no) => `## Part ${no}\n\n${facts(no)} ${sentences(no)}`).join('\n\n')
      return [`file-${from + file}.md`, `# Report ${from + file}\n\n${text}\n`]
    }),
  )

const QUERIES = [
  'ships that wait for the pilot',
  'Where is the firm that Ingrid Solheim works for based?',
  'pottery fired in frost',
  'Which town does Marek Nowak work in?',
]
/** What a person gets: passages by words, meaning and a second hop, the graph, and what the vectors are. */
async function holdsNow(id: string): Promise<unknown> {
  const found = []
  for (const query of QUERIES) {
    const { data } = await ask<SearchResults>('POST', `/workspaces/${id}/search`, { query, limit: 20 })
    found.push(data.map((chunk) => chunk.id))
  }
  const themes = await ask<Themes>('GET', `/workspaces/${id}/themes?limit=50`)
  const spaces = await app.deps.db.rows(sql`
    SELECT s.space_id, (
      SELECT count(*)::int FROM chunk c JOIN document d ON d.workspace_id = c.workspace_id AND d.version_id = c.version_id
      JOIN chunk_vector v ON v.workspace_id = c.workspace_id AND v.version_id = c.version_id
        AND v.chunk_no = c.chunk_no AND v.space_id = s.space_id
      WHERE c.workspace_id = ${id}) AS vectors
    FROM workspace_space s WHERE s.workspace_id = ${id} AND s.state = 'serving'`)
  const [counted] = await app.deps.db.rows<{ words: number; all: number }>(sql`
    SELECT count(*)::int AS words, sum(df)::int AS all FROM term_stat WHERE workspace_id = ${id}`)
  return { found, themes, spaces, counted }
}

/** The database, `look` called before each of its statements and transactions. */
const lookedAt = (db: Db, look: () => Promise<void>): Db => ({
  ...db,
  rows: async (statement) => {
    await look()
    return db.rows(statement)
  },
  tx: async (work) => {
    await look()
    return db.tx(work)
  },
})

/**
 * Works until nothing is left and looks at the workspace before every statement (in the gate, before every third). Returns what it held each time it became
 * ready, and how many looks said that it was not. `between` may do something before the n-th statement.
 */
async function watched(id: string, between: (no: number) => Promise<void> = async () => {}) {
  const seen: unknown[] = []
  let unready = 0
  let before = false
  let no = 0
  const look = async (): Promise<void> => {
    await between(no)
    const now = await isReady(id)
    if (now && !before) seen.push(await holdsNow(id))
    if (!now) unready++
    before = now
  }
  const next = async (): Promise<void> => {
    if (no++ % EVERY === 0) await look()
  }
  const db = lookedAt(deps.db, next)
  for (;;) {
    await next()
    const task = await claimTask(deps.db, 'calm')
    if (!task) break
    await runTask({ ...deps, db }, task)
  }
  await look()
  return { seen, unready, statements: no }
}

test('an empty workspace is ready', async () => {
  expect(await isReady(await app.workspace(owner))).toBe(true)
})

describe('at the first moment that says ready all is as it will be', () => {
  test('when a meaning space is made, when the workspace has doubled, and when a file comes on top', async () => {
    const id = await app.workspace(owner)
    for (const [from, count] of [
      [0, 6],
      [6, 8],
      [14, 1],
    ] as const) {
      await upload(deps, owner, id, files(from, count))
      expect(await isReady(id)).toBe(false)
      const { seen, unready } = await watched(id)
      expect(unready).toBeGreaterThan(20 / EVERY)
      const rested = await holdsNow(id)
      expect(seen).toEqual([rested])
    }
    const { spaces } = (await holdsNow(id)) as { spaces: { vectors: number }[] }
    expect(spaces).toMatchObject([{ vectors: expect.toSatisfy((n: number) => n >= 150) }])
  })

  thorough('when an upload comes at any moment of the work on another', async () => {
    const calm = await app.workspace(owner)
    await upload(deps, owner, calm, files(0, 6))
    const { statements } = await watched(calm)
    for (let moment = 3; moment < statements; moment += Math.ceil(statements / 6)) {
      const id = await app.workspace(owner)
      await upload(deps, owner, id, files(0, 6))
      let came = false
      const { seen } = await watched(id, async (no) => {
        if (no !== moment) return
        came = true
        await upload(deps, owner, id, files(6, 2))
      })
      expect([came, seen]).toEqual([true, [await holdsNow(id)]])
    }
  })
})

/** Runs due tasks until one of the kind has been through, as that ends well or not. */
async function through(kind: string, on: WorkDeps = deps): Promise<void> {
  for (;;) {
    // Waiting between two attempts is not what this is about.
    await deps.db.rows(sql`UPDATE task SET run_after = now() WHERE run_after > now()`)
    const task = await claimTask(deps.db, 'calm')
    if (!task) throw new Error(`no task of the kind ${kind}`)
    await runTask(on, task)
    if (task.kind === kind) return
  }
}
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

test('reading anew holds nothing back, nor does deleting; the reindexing itself goes from searchable to complete', async () => {
  const id = await app.workspace(owner)
  const { files: made } = await upload(deps, owner, id, files(0, 6))
  await drain(deps)
  const job = await reindex(deps, callerOf(owner), { workspaceId: id, documentId: undefined }, undefined)
  const states = new Set<string>()
  const { unready } = await watched(id, async () => {
    states.add((await progressOf(job)).state)
  })
  expect([unready, [...states]]).toEqual([0, ['queued', 'running', 'searchable', 'complete']])
  const documentId = (await ask<{ data: { id: string }[] }>('GET', `/workspaces/${id}/documents`)).data[0]?.id
  expect(made.length).toBe(6)
  await deleteDocument(app.deps, callerOf(owner), { workspaceId: id, documentId: documentId ?? '' })
  expect((await watched(id)).unready).toBe(0)
})

test('a version that is restored is waited for from the moment it was asked for', async () => {
  const id = await app.workspace(owner)
  const first = files(0, 6)
  const name = 'file-0.md'
  const job = await upload(deps, owner, id, first)
  await drain(deps)
  await upload(deps, owner, id, { [name]: `${first[name]}\n## Added\n\n${facts(3)}\n` })
  await drain(deps)
  const documentId =
    (await progressOf(job)).files.find(({ filename }) => filename === name)?.document_id ?? ''
  const at = { workspaceId: id, documentId }
  const { data } = await listVersions(
    app.deps,
    callerOf(owner),
    { workspaceId: id, documentId },
    {
      limit: 10,
      cursor: undefined,
    },
  )
  const versionId = data.find(({ current }) => !current)?.id ?? ''
  const restoring = await restoreVersion(app.deps, callerOf(owner), { ...at, versionId }, undefined)
  expect(await isReady(id)).toBe(false)
  const { seen } = await watched(id)
  expect(seen).toEqual([await holdsNow(id)])
  expect((await progressOf(restoring)).state).toBe('complete')
})

test('what is read anew before it was complete is waited for like what it replaces', async () => {
  const id = await app.workspace(owner)
  const job = await upload(deps, owner, id, files(0, 6))
  await through('graph')
  const again = await reindex(deps, callerOf(owner), { workspaceId: id, documentId: undefined }, undefined)
  const seen: string[] = []
  const { seen: held } = await watched(id, async () => {
    const [first, ready] = [(await progressOf(job)).state, await isReady(id)]
    if (first !== seen.at(-1)) seen.push(first)
    // Of one workspace with one upload the two say the same.
    expect(ready).toBe(first === 'complete')
  })
  expect(seen.at(-1)).toBe('complete')
  expect(held).toEqual([await holdsNow(id)])
  expect((await progressOf(again)).state).toBe('complete')
})

test('a file that failed holds nothing back; the same bytes uploaded again are complete with the first', async () => {
  const id = await app.workspace(owner)
  const job = await upload(deps, owner, id, { 'empty.md': '', 'fine.md': `# Fine\n\n${facts(1)}` })
  await through('ingest')
  await through('ingest')
  const again = await upload(deps, owner, id, { 'fine.md': `# Fine\n\n${facts(1)}` })
  for (const one of [job, again]) expect(await progressOf(one)).toMatchObject({ state: 'searchable' })
  await drain(deps)
  expect(await isReady(id)).toBe(true)
  const told = await progressOf(job)
  expect(told).toMatchObject({ status: 'done', state: 'complete', progress: 1 })
  expect(told.files.map(({ state }) => state)).toEqual(['failed', 'complete'])
  expect((await progressOf(again)).files.map(({ state }) => state)).toEqual(['complete'])
})

test('a model that is away is waited for three rounds; when it is back, until all has its vectors', async () => {
  const id = await app.workspace(owner)
  let away = true
  const model: EmbeddingModel = {
    id: 'test:away',
    batch: 4,
    dimensions: async () => 4,
    embed: async (texts) => {
      if (away) throw new EmbeddingFailed('the server is away')
      return texts.map((text) => Float32Array.from([1, text.length % 7, 0, 0]))
    },
  }
  const find = (name: string): EmbeddingModel | undefined => (name === model.id ? model : undefined)
  const on: WorkDeps = { ...deps, log: quiet, embedder: async () => ({ kind: 'model', model, find }) }
  const job = await upload(deps, owner, id, files(0, 2))
  for (let round = 1; round <= 3; round++) {
    expect(await isReady(id)).toBe(false)
    await through('embed', on)
  }
  expect([await isReady(id), (await progressOf(job)).state]).toEqual([true, 'complete'])
  away = false
  // An hour passes between two looks at the clock: the round writes one batch, and its time is up.
  const start = Date.now()
  let looks = 0
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => start + 3_600_000 * looks++)
  await through('embed', on).finally(() => clock.mockRestore())
  expect([await isReady(id), (await progressOf(job)).state]).toEqual([false, 'searchable'])
  await through('embed', on)
  expect([await isReady(id), (await progressOf(job)).state]).toEqual([true, 'complete'])
})

test('the events go on after done, and end with the one that says complete', async () => {
  const id = await app.workspace(owner)
  const job = await upload(deps, owner, id, files(0, 6))
  await through('ingest')
  const events: { event: string; data: JobProgress }[] = []
  const stream = jobEvents(deps, callerOf(owner), job.id, AbortSignal.timeout(60_000))
  const next = async (): Promise<void> => {
    const result = await stream.next()
    if (result.done) throw new Error('the events ended before the awaited one')
    events.push(result.value)
  }
  await next()
  for (let no = 1; no < 6; no++) await through('ingest')
  while (events.at(-1)?.data.status !== 'done') await next()
  expect(events.at(-1)).toMatchObject({ event: 'progress', data: { state: 'searchable' } })
  await drain(deps)
  while (events.at(-1)?.event !== 'complete') await next()
  expect(events.at(-1)?.data).toMatchObject({ status: 'done', state: 'complete', progress: 1, files: [] })
  expect((await stream.next()).done).toBe(true)
  const last = new Map(events.flatMap(({ data }) => data.files.map((file) => [file.filename, file.state])))
  expect([...last.values()]).toEqual(Array.from({ length: 6 }, () => 'complete'))
  // Opened afterwards it says both at once, the files first.
  const late = []
  for await (const { event, data } of jobEvents(deps, callerOf(owner), job.id, AbortSignal.timeout(60_000)))
    late.push([event, data.files.length])
  expect(late).toEqual([
    ['progress', 6],
    ['complete', 0],
  ])
})
