// Jobs beyond polling: lists, idempotency keys, reindexing, user scopes, cancelling a running parser, fairness, and the two phases
// of readiness. With the real worker where it matters, else with single tasks.

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type {
  FailedFile,
  Job,
  JobProgress,
  JobSummary,
  Page,
  Scope,
  ScopeDocument,
  Workspace,
} from '../../src/contract/resources.ts'
import { failureSentence, MISSING_GRAPH, WAITS_FOR_PARSER } from '../../src/ingest/failures.ts'
import { newJobId } from '../../src/ingest/job-id.ts'
import { getJob, getJobProgress, jobEvents } from '../../src/ingest/jobs.ts'
import { selectPace } from '../../src/ingest/progress.sql.ts'
import { ACROSS_MARK } from '../../src/ports/db/across.sql.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { ParserAway } from '../../src/reader/reader.ts'
import { claimTask } from '../../src/work/queue.sql.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { holdings } from '../support/holdings.sql.ts'
import {
  callerOf,
  drain,
  type Files,
  runTask,
  runWorker,
  settle,
  upload,
  type WorkDeps,
} from '../support/ingest.ts'
import { insertLargeJob, setFile } from '../support/rows.sql.ts'
import { multipart } from '../support/world.ts'

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
  deps = { ...app.deps, parser: pool }
})
afterAll(async () => {
  await pool.close()
  await app.close()
})

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  app.send(method, `/v1${path}`, token, { ...(body === undefined ? {} : { body }), headers })

async function get<T>(path: string): Promise<T> {
  return bodyOf<T>(await send('GET', path))
}

/** A workspace that holds these files. */
async function filled(files: Files): Promise<{ id: string; job: Job }> {
  const id = await app.workspace(owner)
  const job = await upload(deps, owner, id, files)
  await drain(deps)
  return { id, job: await get<Job>(`/jobs/${job.id}`) }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await holds()) return
    await sleep(50)
  }
  throw new Error('waited for 30 s')
}

test('a workspace lists its jobs, newest first, page by page', async () => {
  const id = await app.workspace(owner)
  const made: string[] = []
  for (let no = 0; no < 5; no++)
    made.push((await upload(deps, owner, id, { [`${no}.md`]: `Number ${no}.`, 'same.md': `No ${no}.` })).id)
  const waiting = await get<Page<JobSummary>>(`/workspaces/${id}/jobs?limit=2`)
  expect(waiting.data[0]).toMatchObject({ kind: 'upload', status: 'queued', file_count: 2, done_count: 0 })
  const listed: string[] = []
  let cursor: string | null = ''
  do {
    const page: Page<JobSummary> = await get(
      `/workspaces/${id}/jobs?limit=2${cursor ? `&cursor=${cursor}` : ''}`,
    )
    listed.push(...page.data.map((job) => job.id))
    cursor = page.next_cursor
  } while (cursor)
  expect(listed).toEqual(made.toReversed())
  await drain(deps)
  const done = await get<Page<JobSummary>>(`/workspaces/${id}/jobs`)
  expect(done.data.every(({ status, done_count }) => status === 'done' && done_count === 2)).toBe(true)
})

test('files that could not be read are listed until a later upload of their name is read', async () => {
  const { id, job } = await filled({ 'folder/broken.md': '', 'fine.md': 'Twelve berths.' })
  const failed = async () => (await get<Page<FailedFile>>(`/workspaces/${id}/failed-files`)).data
  expect(await failed()).toMatchObject([
    { job_id: job.id, filename: 'folder/broken.md', error: expect.stringContaining('The file is empty.') },
  ])
  await upload(deps, owner, id, { 'folder/broken.md': '' })
  await drain(deps)
  expect((await failed()).map(({ filename }) => filename)).toEqual(['folder/broken.md'])
  // Dismissed, until it fails again.
  const names = { filenames: ['folder/broken.md', 'of another name.md'] }
  expect((await send('POST', `/workspaces/${id}/failed-files/dismiss`, names)).status).toBe(204)
  expect(await failed()).toEqual([])
  await upload(deps, owner, id, { 'folder/broken.md': '' })
  await drain(deps)
  expect((await failed()).map(({ filename }) => filename)).toEqual(['folder/broken.md'])
  const cancelled = await upload(deps, owner, id, { 'cancelled.md': 'Nobody waits for this.' })
  expect((await send('DELETE', `/jobs/${cancelled.id}`)).status).toBe(204)
  await upload(deps, owner, id, { 'folder/broken.md': 'Now something is in it.' })
  await drain(deps)
  expect(await failed()).toEqual([])
})

test('creating a workspace with an Idempotency-Key: of many requests one creates it, another body is rejected', async () => {
  const key = { 'idempotency-key': randomUUID() }
  const create = (name: string) => send('POST', '/workspaces', { name }, key)
  const answers = await Promise.all(Array.from({ length: 8 }, () => create('Once')))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201))
  const ids = new Set(answers.map((answer) => bodyOf<Workspace>(answer).id))
  expect(ids.size).toBe(1)
  expect((await create('Another')).status).toBe(422)
  // Somebody else's key is another one, and so is the same key without its owner.
  const otherPerson = await app.person()
  const other = await app.token(otherPerson)
  const theirs = await app.send('POST', '/v1/workspaces', other, { body: { name: 'Once' }, headers: key })
  expect([theirs.status, ids.has(bodyOf<Workspace>(theirs).id)]).toEqual([201, false])
  const [made] = ids
  // Who was taken off the workspace is not told what it is called now.
  const members = sql`UPDATE member SET account_id = ${otherPerson.id} WHERE workspace_id = ${made}`
  await deps.db.rows(members)
  expect((await create('Once')).status).toBe(422)
  await deps.db.rows(sql`UPDATE member SET account_id = ${owner.id} WHERE workspace_id = ${made}`)
  expect((await send('DELETE', `/workspaces/${made}`)).status).toBe(204)
  expect((await create('Once')).status).toBe(422)
})

test('a key rejected for another upload leaves nothing; after 24 hours it can be used again', async () => {
  const id = await app.workspace(owner)
  const key = randomUUID()
  const send = (text: string) => {
    const form = multipart([{ name: 'a.md', text }])
    const headers = { ...form.headers, 'idempotency-key': key }
    return app.send('POST', `/v1/workspaces/${id}/files`, token, { ...form, headers })
  }
  const first = bodyOf<Job>(await send('One.'))
  expect(bodyOf<Job>(await send('One.')).id).toBe(first.id)
  expect((await send('Two.')).status).toBe(422)
  expect((await get<Page<JobSummary>>(`/workspaces/${id}/jobs`)).data.length).toBe(1)
  await deps.db.rows(sql`UPDATE idempotency SET created_at = now() - interval '25 hours' WHERE key = ${key}`)
  expect(bodyOf<Job>(await send('Two.')).id).not.toBe(first.id)
})

test('reindexing, or uploading the same file again, changes no id, text, graph or readiness', async () => {
  const facts = 'Ingrid Solheim works for Halden Harbour Ltd. She lives in Norway.'
  const { id } = await filled({ 'a.md': `# Berths\n\n${facts}`, 'b.csv': 'pump,days\nBW-1,12\n' })
  await settle(deps, app.deps.settings.dataDir)
  const chunks = () =>
    deps.db.rows(sql`
      SELECT c.id, c.document_id FROM chunk c JOIN document d ON d.workspace_id = c.workspace_id AND d.version_id = c.version_id
      WHERE c.workspace_id = ${id} ORDER BY c.id`)
  const { files: _, ...wanted } = await holdings(deps.db, id)
  const ids = await chunks()
  const versions = () => deps.db.rows(sql`SELECT id FROM version WHERE workspace_id = ${id} ORDER BY id`)
  const before = await versions()
  const live = () =>
    deps.db.rows<{ version_id: string }>(sql`SELECT version_id FROM document WHERE workspace_id = ${id}`)
  const serving = await live()

  const again = await upload(deps, owner, id, { 'b.csv': 'pump,days\nBW-1,12\n' })
  expect(again).toMatchObject({ status: 'queued', files: [{ filename: 'b.csv', status: 'queued' }] })
  expect(await get<Job>(`/jobs/${again.id}`)).toMatchObject({ status: 'done', files: [{ status: 'done' }] })
  expect(await versions()).toEqual(before)

  const key = { 'idempotency-key': randomUUID() }
  const job = bodyOf<Job>(await send('POST', `/workspaces/${id}/reindex`, undefined, key))
  expect([job.status, job.files.map(({ filename }) => filename).sort()]).toEqual([
    'queued',
    ['a.md', 'b.csv'],
  ])
  expect(bodyOf<Job>(await send('POST', `/workspaces/${id}/reindex`, undefined, key)).id).toBe(job.id)
  expect((await get<Workspace>(`/workspaces/${id}`)).ready).toBe(true)
  await drain(deps)
  await settle(deps, app.deps.settings.dataDir)
  const done = await get<Job>(`/jobs/${job.id}`)
  expect(done.files.map(({ status }) => status)).toEqual(['done', 'done'])
  for (const { version_id } of await live()) expect(serving).not.toContainEqual({ version_id })
  const { files: __, ...after } = await holdings(deps.db, id)
  expect(after).toEqual(wanted)
  expect(await chunks()).toEqual(ids)
})

test('a reindexing gives way to an upload, and does not bring a deleted document back', async () => {
  const { id, job } = await filled({ 'a.md': 'This is old.', 'b.md': 'Kept text.', 'c.md': 'Gone text.' })
  const idOf = (name: string) => job.files.find(({ filename }) => filename === name)?.document_id
  const whole = bodyOf<Job>(await send('POST', `/workspaces/${id}/reindex`))
  const one = bodyOf<Job>(await send('POST', `/workspaces/${id}/documents/${idOf('b.md')}/reindex`))
  await upload(deps, owner, id, { 'a.md': 'This is old. This is new.' })
  expect((await send('DELETE', `/workspaces/${id}/documents/${idOf('c.md')}`)).status).toBe(204)
  await drain(deps)
  const texts = await deps.db.rows<{ text: string }>(sql`
    SELECT c.text FROM document d JOIN chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id
    WHERE d.workspace_id = ${id} ORDER BY 1`)
  expect(texts.map(({ text }) => text)).toEqual(['Kept text.', 'This is old. This is new.'])
  const ended = await get<Job>(`/jobs/${whole.id}`)
  expect(Object.fromEntries(ended.files.map(({ filename, status }) => [filename, status]))).toEqual({
    'a.md': 'done',
    'b.md': 'done',
    'c.md': 'failed',
  })
  expect((await get<Job>(`/jobs/${one.id}`)).status).toBe('done')
})

test('deleting a document cancels what is still being read to replace it', async () => {
  const { id, job } = await filled({ 'a.md': 'Old text.' })
  const next = await upload(deps, owner, id, { 'a.md': 'New text.' }, { onConflict: 'replace' })
  const path = `/workspaces/${id}/documents/${job.files[0]?.document_id}`
  expect((await send('DELETE', path)).status).toBe(204)
  await drain(deps)
  expect((await send('GET', path)).status).toBe(404)
  expect((await get<Job>(`/jobs/${next.id}`)).files[0]?.status).toBe('failed')
})

test('a scope of a user: documents and folders, including later uploads; searched, listed, changed, deleted', async () => {
  const { id, job } = await filled({
    'legal/2024/lease.md': 'The lease of the harbour.',
    'legal/old.md': 'The old harbour.',
    'note.md': 'A note on the harbour.',
  })
  const note = job.files[2]?.document_id ?? ''
  const path = `/workspaces/${id}/scopes/${encodeURIComponent('Contracts / harbour')}`
  const put = (body: object) => send('PUT', path, body)
  const made = bodyOf<Scope>(
    await put({ description: 'What binds us', folders: ['/legal/2024/'], document_ids: [note, note] }),
  )
  expect(made).toEqual({ name: 'Contracts / harbour', document_count: 2, description: 'What binds us' })
  const found = async (scope: string): Promise<string[]> => {
    const answer = await send('POST', `/workspaces/${id}/search`, { query: 'harbour', scope })
    return bodyOf<{ data: { text: string }[] }>(answer)
      .data.map(({ text }) => text)
      .sort()
  }
  expect(await found(made.name)).toEqual(['A note on the harbour.', 'The lease of the harbour.'])
  await upload(deps, owner, id, { 'legal/2024/annex.md': 'An annex on the harbour.' })
  await drain(deps)
  expect((await found(made.name)).length).toBe(3)
  const listed = await get<Page<ScopeDocument>>(`${path}/documents`)
  expect(listed.data.map((one) => one.path).sort()).toEqual([
    'legal/2024/annex.md',
    'legal/2024/lease.md',
    'note.md',
  ])
  expect(listed.data.find((one) => one.id === note)?.version_id).toBe(
    createHash('sha256').update('A note on the harbour.').digest('hex'),
  )
  const first = await get<Page<ScopeDocument>>(`${path}/documents?limit=2`)
  const second = await get<Page<ScopeDocument>>(`${path}/documents?limit=2&cursor=${first.next_cursor}`)
  expect([...first.data, ...second.data]).toEqual(listed.data)
  expect(
    (await get<Page<ScopeDocument>>(`/workspaces/${id}/scopes/folder:legal/documents`)).data,
  ).toHaveLength(3)
  const names = (await get<Page<Scope>>(`/workspaces/${id}/scopes`)).data.map(({ name }) => name)
  expect(names).toEqual(['Contracts / harbour', 'folder:legal', 'kind:markdown', 'provider:upload'])
  expect(bodyOf<Scope>(await put({}))).toEqual({ name: 'Contracts / harbour', document_count: 0 })
  expect(await found(made.name)).toEqual([])
  const refused = await Promise.all([
    put({ document_ids: [randomUUID()] }),
    put({ folders: ['/'] }),
    send('PUT', `/workspaces/${id}/scopes/kind:mine`, {}),
    send('DELETE', `/workspaces/${id}/scopes/folder:legal`),
  ])
  expect(refused.map(({ status }) => status)).toEqual([404, 422, 422, 422])
  expect((await send('DELETE', path)).status).toBe(204)
  expect((await send('DELETE', path)).status).toBe(404)
  const gone = await send('POST', `/workspaces/${id}/search`, { query: 'harbour', scope: made.name })
  expect(gone.status).toBe(404)
})

test('any split into pages reads back the same text, tables and chunks larger than a page as well', async () => {
  const words = (no: number): string => `berth${no} pump ${'x'.repeat(no % 40)} basin`
  const rows = Array.from(
    { length: 300 },
    (_, no) => `| Berth ${no} | ${no * 7} | ${'quay '.repeat(no % 9).trim()} |`,
  )
  const parts = Array.from({ length: 200 }, (_, no) => `## Part ${no}\n\n${words(no).repeat(3)}`)
  parts.splice(70, 0, '## Dues', `| Berth | Dues | Where |\n| --- | --- | --- |\n${rows.join('\n')}`)
  parts.splice(140, 0, `Endless ${'y'.repeat(9000)}`)
  const { id, job } = await filled({ 'long.md': parts.join('\n\n') })
  const path = `/workspaces/${id}/documents/${job.files[0]?.document_id}`
  const read = async (maxChars: number): Promise<string[]> => {
    const texts: string[] = []
    let cursor: string | null | undefined
    do {
      const query: string = `max_chars=${maxChars}${cursor ? `&cursor=${cursor}` : ''}`
      const page: { chunks: { text: string }[]; has_more: boolean; next_cursor: string | null } = await get(
        `${path}?${query}`,
      )
      texts.push(...page.chunks.map((chunk) => chunk.text))
      expect(page.has_more).toBe(page.next_cursor !== null)
      cursor = page.next_cursor
    } while (cursor)
    return texts
  }
  const whole = await read(60_000)
  expect(Math.max(...whole.map(({ length }) => length))).toBeGreaterThan(2000)
  const lines = whole.flatMap((chunk) => chunk.split('\n'))
  expect(lines.filter((line) => line.startsWith('| Berth ') && !line.includes('Dues'))).toEqual(rows)
  for (let no = 0; no < 200; no++) expect(lines).toContain(words(no).repeat(3))
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2000, max: 60_000 }), async (maxChars) => {
      expect(await read(maxChars)).toEqual(whole)
    }),
    { numRuns: 10 },
  )
})

test('a 202 says queued, also for a file that exists already and for a repeated request', async () => {
  const { id } = await filled({ 'there.md': 'Berth 4 is closed.' })
  const path = `/v1/workspaces/${id}/files`
  const body = multipart([
    { name: 'there.md', text: 'Berth 4 is closed.' },
    { name: 'copy.md', text: 'Berth 4 is closed.' },
  ])
  const repeated = { ...body, headers: { ...body.headers, 'idempotency-key': randomUUID() } }
  const queued = ['there.md', 'copy.md'].map((filename) => ({ filename, status: 'queued' }))
  const first = bodyOf<Job>(await app.send('POST', path, token, repeated))
  expect(first).toEqual({ id: first.id, status: 'queued', files: queued })
  const polled = await get<Job>(`/jobs/${first.id}`)
  expect([polled.status, ...polled.files.map(({ status }) => status)]).toEqual(['done', 'done', 'done'])
  expect(polled.files[0]?.document_id).toBe(polled.files[1]?.document_id)
  expect(bodyOf<Job>(await app.send('POST', path, token, repeated))).toEqual(first)

  const empty = bodyOf<Job>(await send('POST', `/workspaces/${await app.workspace(owner)}/reindex`))
  expect(empty).toMatchObject({ status: 'queued', files: [] })
  expect((await get<Job>(`/jobs/${empty.id}`)).status).toBe('done')
})

test('searchable first, then the graph; a graph that fails for good is a warning of its file and no longer waited for', async () => {
  const id = await app.workspace(owner)
  const job = await upload(deps, owner, id, { 'a.md': 'Ingrid Solheim works for Halden Harbour Ltd.' })
  // The graph's first table refuses: whatever it tries, it fails.
  await deps.db.rows(
    sql`ALTER TABLE document_graph ADD CONSTRAINT refused CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'::uuid AND version_id IS NULL) NOT VALID`,
  )
  for (let round = 0; round < 5; round++) {
    await drain({ ...deps, log: { ...deps.log, error() {} } })
    const [state] = await deps.db.rows<{ graphs: number }>(
      sql`SELECT count(*)::int AS graphs FROM task WHERE workspace_id = ${id} AND kind = 'graph'`,
    )
    expect((await get<Job>(`/jobs/${job.id}`)).files[0]?.status).toBe('done')
    const answer = await send('POST', `/workspaces/${id}/search`, { query: 'Solheim' })
    expect(bodyOf<{ data: object[] }>(answer).data.length).toBe(1)
    const { ready } = await get<Workspace>(`/workspaces/${id}`)
    const { state: how, files: told } = await get<JobProgress>(`/jobs/${job.id}/progress`)
    expect([ready, how, told[0]?.warnings]).toEqual(
      state?.graphs === 0 ? [true, 'complete', [MISSING_GRAPH]] : [false, 'searchable', undefined],
    )
    if (state?.graphs === 0) break
    await deps.db.rows(sql`UPDATE task SET run_after = now() WHERE workspace_id = ${id}`)
  }
  await deps.db.rows(sql`ALTER TABLE document_graph DROP CONSTRAINT refused`)
  const left = await deps.db.rows(sql`SELECT kind FROM task WHERE workspace_id = ${id}`)
  expect(left).toEqual([])
})

test.each([
  ['', 2, true, 4],
  [', also when there is no room for a third large one', 3, false, 4],
  [', also when a slot is free and only the parser is busy', 3, true, 2],
])(
  'F-12: small files of other workspaces pass large ones%s; cancelling kills the parser at work',
  async (_, concurrency, hasRoom, larges) => {
    const stop = new AbortController()
    // A parser whose children are held by files that never end, as large ones do for a while.
    const started: string[] = []
    const killed: string[] = []
    const endless: WorkDeps['parser'] = {
      backlog: () => started.length,
      parse: ({ filename, signal }) =>
        new Promise((_, reject) => {
          started.push(filename)
          signal?.addEventListener('abort', () => {
            killed.push(filename)
            reject(new Error('killed'))
          })
        }),
    }
    const large = await app.workspace(owner)
    const files = Object.fromEntries(Array.from({ length: larges }, (_, no) => [`${no}.md`, `Large ${no}.`]))
    const busy = await upload(deps, owner, large, files)
    const work = runWorker(
      { ...deps, parser: endless, fairnessParser: pool },
      { name: randomUUID(), concurrency, fairnessSlots: true, hasRoom: () => hasRoom, signal: stop.signal },
    )
    await until(async () => started.length === 2)
    const quick: string[] = []
    for (const text of ['A small file.', 'Another one.']) {
      // What the case before has parsed would need no parser.
      const small = { 'small.md': `${text} ${randomUUID()}` }
      const { id } = await upload(deps, owner, await app.workspace(owner), small)
      await until(async () => (await get<Job>(`/jobs/${id}`)).status === 'done')
      quick.push(id)
    }
    expect((await get<Job>(`/jobs/${busy.id}`)).status).toBe('running')
    expect((await send('DELETE', `/jobs/${busy.id}`)).status).toBe(204)
    const cancelled = await get<Job>(`/jobs/${busy.id}`)
    expect(cancelled).toMatchObject({
      status: 'done',
      files: files && Object.keys(files).map(() => ({ status: 'failed' })),
    })
    await until(async () => killed.length === 2)
    expect(started.length).toBe(2)
    for (const id of quick) {
      expect((await send('DELETE', `/jobs/${id}`)).status).toBe(204)
      expect((await get<Job>(`/jobs/${id}`)).files[0]?.status).toBe('done')
    }
    stop.abort()
    await work
  },
)

test('files of several workspaces go to whichever parser is free, not only to the one of the fairness slots', async () => {
  const stop = new AbortController()
  const endless = (children: number, files: string[]): WorkDeps['parser'] => ({
    backlog: () => Math.max(0, files.length + 1 - children) / children,
    parse: ({ filename, signal }) =>
      new Promise((_, reject) => {
        files.push(filename)
        signal?.addEventListener('abort', () => reject(new Error('killed')))
      }),
  })
  const [usual, spare]: [string[], string[]] = [[], []]
  const jobs: string[] = []
  for (const name of ['a.md', 'b.md', 'c.md'])
    jobs.push((await upload(deps, owner, await app.workspace(owner), { [name]: `Large ${name}.` })).id)
  const work = runWorker(
    { ...deps, parser: endless(2, usual), fairnessParser: endless(1, spare) },
    { name: randomUUID(), concurrency: 4, fairnessSlots: true, signal: stop.signal },
  )
  await until(async () => usual.length + spare.length === 3)
  expect([usual.length, spare.length]).toEqual([2, 1])
  for (const id of jobs) expect((await send('DELETE', `/jobs/${id}`)).status).toBe(204)
  stop.abort()
  await work
})

test.each([
  ['while others are being written', true, 4],
  ['only as far as the heap has room', false, 2],
])('files are parsed ahead %s', async (_, hasRoom, ahead) => {
  const stop = new AbortController()
  let parsed = 0
  let isOpen = false
  const quick: WorkDeps['parser'] = {
    parse: async ({ filename }) => {
      parsed++
      return { blocks: [{ kind: 'paragraph', text: `What ${filename} says ${ahead} times.` }] }
    },
  }
  const gated = (db: WorkDeps['db']): WorkDeps['db'] => ({
    ...db,
    rows: async (statement) => {
      if (statement.text.includes('INSERT INTO chunk')) await until(async () => isOpen)
      return db.rows(statement)
    },
    as: (actor) => gated(db.as(actor)),
  })
  const id = await app.workspace(owner)
  const files = Object.fromEntries(
    Array.from({ length: 6 }, (_, no) => [`${no}.md`, `File ${no} of ${ahead}.`]),
  )
  const job = await upload(deps, owner, id, files)
  const work = runWorker(
    { ...deps, db: gated(deps.db), parser: quick },
    { name: randomUUID(), concurrency: 2, extraSlots: 2, hasRoom: () => hasRoom, signal: stop.signal },
  )
  await until(async () => parsed === ahead)
  // Longer than any slot waits before it looks for work again.
  await sleep(600)
  expect(parsed).toBe(ahead)
  isOpen = true
  await until(async () => (await get<Job>(`/jobs/${job.id}`)).status === 'done')
  expect(parsed).toBe(6)
  stop.abort()
  await work
})

test('parsed texts wait outside the heap until those before them are written, however many parsers there are', async () => {
  const stop = new AbortController()
  const [asked, inside]: [string[], string[]] = [[], []]
  let isOpen = false
  // Files of 100 MB as the parsers give them back; of these 300 MB are held at once.
  const large: WorkDeps['parser'] = {
    parse: async ({ filename, enter, signal }) => {
      asked.push(filename)
      await enter?.(filename === 'small.md' ? 1e6 : 140e6, signal)
      inside.push(filename)
      return { blocks: [{ kind: 'paragraph', text: `What ${filename} says of the harbour.` }] }
    },
  }
  const gated = (db: WorkDeps['db']): WorkDeps['db'] => ({
    ...db,
    rows: async (statement) => {
      if (statement.text.includes('INSERT INTO chunk')) await until(async () => isOpen)
      return db.rows(statement)
    },
    as: (actor) => gated(db.as(actor)),
  })
  const id = await app.workspace(owner)
  const names = [...Array.from({ length: 5 }, (_, no) => `large-${no}.md`), 'small.md']
  const job = await upload(deps, owner, id, Object.fromEntries(names.map((name) => [name, `${name} ${id}`])))
  const work = runWorker(
    { ...deps, db: gated(deps.db), parser: large },
    { name: randomUUID(), concurrency: 6, hasRoom: () => true, signal: stop.signal },
  )
  await until(async () => asked.length === 6 && inside.length === 3)
  // Longer than any slot waits before it looks for work again.
  await sleep(600)
  expect(inside).toHaveLength(3)
  expect(inside).toContain('small.md')
  isOpen = true
  await until(async () => (await get<Job>(`/jobs/${job.id}`)).status === 'done')
  expect(inside).toHaveLength(6)
  stop.abort()
  await work
})

test('where the node of other workspaces is away, a job is told without their pace', async () => {
  await filled({ 'pace.md': `So fast are files here ${randomUUID()}.` })
  const id = await app.workspace(owner)
  const job = await upload(deps, owner, id, { 'first.md': `The first of its kind ${randomUUID()}.` })
  const failing = (error: Error): Db => ({
    ...app.deps.db,
    rows: (statement) =>
      statement.text.includes(ACROSS_MARK) ? Promise.reject(error) : app.deps.db.rows(statement),
  })
  expect(Object.keys((await selectPace(app.deps.db, id, job.id)).kinds)).toEqual(['markdown'])
  // As the coordinator of a Citus says it.
  const away = Object.assign(new Error('connection to the remote node failed'), {
    severity: 'ERROR',
    code: '08006',
  })
  expect(await selectPace(failing(away), id, job.id)).toMatchObject({ kinds: {}, filesBefore: {} })
  await expect(selectPace(failing(new Error('something else')), id, job.id)).rejects.toThrow('something else')
  await drain(deps)
})

test('a job is asked of its own workspace alone, so that no other node is needed', async () => {
  const { id, job } = await filled({ 'note.md': `A note ${randomUUID()}.` })
  const caller = callerOf(owner)
  const one = {
    ...app.deps.db,
    rows: (statement: Sql) =>
      statement.text.includes(ACROSS_MARK)
        ? Promise.reject(new Error('asked of every node'))
        : app.deps.db.rows(statement),
  } as Db
  expect((await getJob({ db: one }, caller, job.id)).status).toBe('done')
  expect((await getJobProgress({ db: one }, caller, job.id)).state).toBe('complete')
  // The same bits in another workspace of the caller, and in one of somebody else.
  const bits = job.id.slice(32)
  const others = [await app.workspace(owner), await app.workspace(await app.person())]
  for (const other of others)
    expect((await send('GET', `/jobs/${other.replaceAll('-', '')}${bits}`)).status).toBe(404)
  expect((await send('GET', `/jobs/${newJobId(id)}`)).status).toBe(404)
})

test('a job of an earlier version, whose id names no workspace, is found', async () => {
  const workspaceId = await app.workspace(owner)
  const id = randomBytes(16).toString('hex')
  await insertLargeJob(app.deps.db, { workspaceId, id, createdBy: owner.id, files: 2 })
  expect(await get<Job>(`/jobs/${id}`)).toMatchObject({ id, status: 'queued' })
  const stranger = await app.token(await app.person())
  expect((await app.send('GET', `/v1/jobs/${id}`, stranger)).status).toBe(404)
})

test('a stream of progress: every file first, then what changed, the time left once a pace is known, and an end', async () => {
  await filled({ 'pace.md': 'So fast are files here.' })
  const id = await app.workspace(owner)
  const job = await upload(deps, owner, id, { 'a.md': 'First.', 'b.md': 'Second.' })
  const answer = await app.server.inject({
    url: `/v1/jobs/${job.id}/events`,
    headers: { authorization: `Bearer ${token}` },
    payloadAsStream: true,
  })
  let body = ''
  for await (const piece of answer.stream()) {
    // Work begins when the first event has been read.
    if (body === '') await drain(deps)
    body += String(piece)
  }
  const events = [...body.matchAll(/event: progress\ndata: (.*)\n\n/g)].map(
    ([, data]) => JSON.parse(data ?? '') as JobProgress,
  )
  expect(events[0]?.files.map(({ filename }) => filename)).toEqual(['a.md', 'b.md'])
  expect(events[0]).toMatchObject({ status: 'queued', progress: 0 })
  expect(events.at(-1)).toMatchObject({ status: 'done', progress: 1 })
  const last = new Map(events.flatMap(({ files }) => files.map((file) => [file.filename, file] as const)))
  for (const file of last.values()) {
    expect(file).toMatchObject({ status: 'done', stage: 'done', progress: 1, attempt: 1 })
    expect(file).not.toHaveProperty('remaining_seconds')
  }
})

test('while files wait or are parsed, events have the time left and the attempt', async () => {
  await filled({ 'pace.md': 'So fast are files here, once they were measured.' })
  const id = await app.workspace(owner)
  const job = await upload(deps, owner, id, { 'a.md': `First of ${id}.`, 'b.md': `Second of ${id}.` })
  const failing: ((error: Error) => void)[] = []
  const parser: WorkDeps['parser'] = {
    parse: (file) =>
      file.filename === 'b.md' ? pool.parse(file) : new Promise((_, reject) => failing.push(reject)),
  }
  const seconds = expect.toSatisfy((left: number) => Number.isSafeInteger(left) && left >= 1)
  const on = { ...deps, parser, log: { ...deps.log, warn() {}, error() {} } }
  for (const attempt of [1, 2]) {
    const { work } = await beginFile(on, id)
    await until(async () => failing.length === attempt)
    const stop = new AbortController()
    const events = jobEvents(deps, callerOf(owner), job.id, stop.signal)
    const told = (await events.next()).value?.data as JobProgress
    stop.abort()
    await events.return(undefined)
    expect(told).toMatchObject({ status: 'running', remaining_seconds: seconds })
    expect(told.files[0]).toMatchObject({ stage: 'parsing', attempt, remaining_seconds: seconds })
    expect(told.files[1]).toMatchObject(
      attempt === 1 ? { status: 'queued', remaining_seconds: seconds } : { status: 'done' },
    )
    failing.at(-1)?.(new Error('the parser fell over'))
    await work
    if (attempt === 1) await (await beginFile(on, id)).work
    // Waiting 2 seconds is not what this is about.
    await deps.db.rows(sql`UPDATE task SET run_after = now() WHERE workspace_id = ${id}`)
  }
  await drain(deps)
})

test('a file for which no parser can be started says so while it waits, and when it is given up', async () => {
  const id = await app.workspace(owner)
  const job = await upload(deps, owner, id, { 'a.md': `Only of ${id}.` })
  const parser: WorkDeps['parser'] = {
    parse: async () => {
      throw new ParserAway('the parser could not start (crashed, signal none, code 1)')
    },
  }
  const on = { ...deps, parser, log: { ...deps.log, warn() {}, error() {} } }
  await (await beginFile(on, id)).work
  const waiting = await getJobProgress(deps, callerOf(owner), job.id)
  expect(waiting.files[0]).toMatchObject({ warnings: [WAITS_FOR_PARSER] })
  for (let tries = 1; tries < 20; tries++) {
    await deps.db.rows(sql`UPDATE task SET run_after = now() WHERE workspace_id = ${id}`)
    await (await beginFile(on, id)).work
  }
  const { files } = await getJobProgress(deps, callerOf(owner), job.id)
  expect(files[0]).toMatchObject({ status: 'failed', error: failureSentence.no_parser })
  expect(files[0]).not.toHaveProperty('warnings')
  await drain(deps)
})

/** Begins the file of the workspace whose turn it is: all that is due would be the same file again after 2 seconds. */
async function beginFile(on: WorkDeps, workspaceId: string): Promise<{ work: Promise<void> }> {
  for (;;) {
    const task = await claimTask(on.db, 'calm')
    if (!task) throw new Error('no file waits')
    const work = runTask(on, task)
    if (task.kind === 'ingest' && task.workspace_id === workspaceId) return { work }
    await work
  }
}

test('the first event of a large job has every file, later ones only changes, which are read without the rest', async () => {
  const workspaceId = await app.workspace(owner)
  const id = randomUUID()
  await insertLargeJob(deps.db, { workspaceId, id, createdBy: owner.id, files: 2000 })
  let read = 0
  const db: typeof deps.db = {
    ...deps.db,
    rows: async (statement) => {
      const rows = await deps.db.rows(statement)
      read += rows.length
      return rows as never
    },
  }
  const stop = new AbortController()
  const events = jobEvents({ db }, callerOf(owner), id, stop.signal)
  const next = async (): Promise<JobProgress> => (await events.next()).value?.data as JobProgress
  expect((await next()).files.length).toBe(2000)
  read = 0
  await setFile(deps.db, { workspaceId, jobId: id, fileNo: 7, status: 'running' })
  await setFile(deps.db, { workspaceId, jobId: id, fileNo: 1900, status: 'done' })
  const moved = await next()
  expect(moved.files.map(({ filename, status }) => [filename, status])).toEqual([
    ['7.md', 'running'],
    ['1900.md', 'done'],
  ])
  expect(moved.status).toBe('running')
  await setFile(deps.db, { workspaceId, jobId: id, fileNo: 7, status: 'done' })
  expect((await next()).files.map(({ filename, status }) => [filename, status])).toEqual([['7.md', 'done']])
  expect(read).toBeLessThan(50)
  stop.abort()
  await events.return(undefined)
})

test('a file that fails three times is set aside with its reason; the others of its job are done', async () => {
  const id = await app.workspace(owner)
  const job = await upload(deps, owner, id, { 'poison.md': 'Poison.', 'fine.md': 'Fine.' })
  let tries = 0
  const parser: WorkDeps['parser'] = {
    parse: (file) => {
      if (file.filename !== 'poison.md') return pool.parse(file)
      tries++
      return Promise.reject(new Error('the parser fell over'))
    },
  }
  const failing = { ...deps, parser, log: { ...deps.log, error() {} } }
  for (let round = 0; round < 6; round++) {
    await drain(failing)
    // Waiting 2 and 8 seconds is not what this is about.
    await deps.db.rows(sql`UPDATE task SET run_after = now() WHERE workspace_id = ${id}`)
  }
  const done = await get<Job>(`/jobs/${job.id}`)
  expect([done.status, tries]).toEqual(['done', 3])
  expect(done.files).toMatchObject([
    { filename: 'poison.md', status: 'failed', error: expect.stringMatching(/after 3 attempts/) },
    { filename: 'fine.md', status: 'done' },
  ])
  expect(done.files[0]).not.toHaveProperty('document_id')
})

test('what was not read of a file, or may be wrong, is a warning of its job', async () => {
  const id = await app.workspace(owner)
  const job = await upload(deps, owner, id, { 'scan.md': 'A scan.', 'fine.md': 'A text.' })
  const warnings = ['The text of page 2 was not read: it took too long.']
  const parser: WorkDeps['parser'] = {
    parse: async (file) => ({
      ...(await pool.parse(file)),
      ...(file.filename === 'scan.md' && { warnings }),
    }),
  }
  await drain({ ...deps, parser })
  const { body } = await send('GET', `/jobs/${job.id}/events`)
  const [, data = ''] = /data: (.*)/.exec(String(body)) ?? []
  const files = (JSON.parse(data) as JobProgress).files.map(({ filename, status, warnings: told }) => [
    filename,
    status,
    told,
  ])
  expect(files).toEqual([
    ['scan.md', 'done', warnings],
    ['fine.md', 'done', undefined],
  ])
})
