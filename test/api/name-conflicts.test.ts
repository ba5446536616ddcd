// A file with the name of an existing document: a revision replaces it, anything else is kept next to it, unless the upload says
// otherwise. What was replaced can be restored for 30 days. Nothing is lost, in any order and with any number of crashes.

import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type {
  Document,
  DocumentContent,
  DocumentVersion,
  FileProgress,
  Job,
  Page,
} from '../../src/contract/resources.ts'
import { jobEvents } from '../../src/ingest/jobs.ts'
import { deleteOldVersions } from '../../src/ingest/versions/versions.sql.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { claimTask, type Task } from '../../src/work/queue.sql.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { EVERY, FULL } from '../support/full.ts'
import {
  blobsOf,
  callerOf,
  drain,
  killedBefore,
  rememberingParser,
  runDisturbed,
  runTask,
  runWorker,
  settle,
  upload,
  type WorkDeps,
} from '../support/ingest.ts'
import { activityOf } from '../support/rows.sql.ts'
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
  deps = { ...app.deps, parser: rememberingParser(pool) }
})
afterAll(async () => {
  await pool.close()
  await app.close()
})

const finance = `# Minutes of the finance committee
Date: 3 March 2026. Place: Room 2.14. Chair: Anna Berg. Minutes: Jonas Lind.
## Budget
Petra Moser presents the forecast of the first quarter. Energy is 14,200 EUR above plan, travel 3,100 EUR below it.
Decision: the reserve of 20,000 EUR is released for energy. Four votes for, none against.
## Audit
The auditors begin on 16 March and need the ledger. Erik Holm prepares the list of open items by 12 March.`
const council = `# Minutes of the works council
Date: 12 March 2026. Place: Canteen. Chair: Lena Vogt. Minutes: Omar Said.
## Shift plan
The new shift plan was discussed. Night shifts are to be announced four weeks before. The plan holds until 30 June.
## Parking
Fifteen bays are kept for people who come before six in the morning. The council asks management for an answer.`
const revised = `${finance.replace('Four votes for', 'Five votes for')}
## Next meeting
On 7 April at 10:00 in the same room.`

async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  return bodyOf<T>(await app.send(method, `/v1${path}`, token, body === undefined ? {} : { body }))
}
const get = <T>(path: string): Promise<T> => send<T>('GET', path)

/** Sends a file and reads what is due; the job as it ended. */
async function uploaded(id: string, name: string, text: string, onConflict?: string): Promise<Job> {
  const query = onConflict ? `?on_conflict=${onConflict}` : ''
  const answer = await app.send(
    'POST',
    `/v1/workspaces/${id}/files${query}`,
    token,
    multipart([{ name, text }]),
  )
  await drain(deps)
  return get<Job>(`/jobs/${bodyOf<Job>(answer).id}`)
}

/** What the job's events say of its only file. */
async function told(job: Job): Promise<FileProgress | undefined> {
  let last: FileProgress | undefined
  for await (const { data } of jobEvents(app.deps, callerOf(owner), job.id, new AbortController().signal))
    last = data.files[0] ?? last
  return last
}

/** Text by path. */
async function library(id: string): Promise<Record<string, string>> {
  const rows = await deps.db.rows<{ path: string; text: string }>(sql`
    SELECT d.path, string_agg(c.text, ' ' ORDER BY c.chunk_no) AS text
    FROM document d JOIN chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id
    WHERE d.workspace_id = ${id} GROUP BY d.path`)
  return Object.fromEntries(rows.map(({ path, text }) => [path, text]))
}
const names = async (id: string): Promise<string[]> => Object.keys(await library(id)).sort()

const versionsOf = async (id: string, document: string): Promise<DocumentVersion[]> =>
  (await get<Page<DocumentVersion>>(`/workspaces/${id}/documents/${document}/versions`)).data

/** The document's text, as a reader gets it. */
const textOf = async (id: string, document: string): Promise<string> =>
  (await get<DocumentContent>(`/workspaces/${id}/documents/${document}`)).chunks
    .map(({ text }) => text)
    .join(' ')

test('another document of the same name is kept beside the first, and the job says so', async () => {
  const id = await app.workspace(owner)
  const first = await uploaded(id, 'boards/minutes.md', finance)
  const second = await uploaded(id, 'boards/minutes.md', council)
  expect(second.files).toMatchObject([{ filename: 'boards/minutes (2).md', status: 'done' }])
  const [one, two] = [first, second].map(({ files }) => files[0]?.document_id ?? '')
  expect(two).not.toBe(one)
  expect(await textOf(id, one ?? '')).toContain('Petra Moser')
  expect(await textOf(id, two ?? '')).toContain('Lena Vogt')
  expect(await told(first)).toMatchObject({ outcome: 'created' })
  const second2 = await told(second)
  expect(second2).toMatchObject({ outcome: 'kept_both' })
  expect(second2?.warnings?.[0]).toMatch(/"boards\/minutes\.md".*stored as "boards\/minutes \(2\)\.md"/)

  // Each of them again changes nothing, under the name it came with or its own.
  for (const [name, text, document] of [
    ['boards/minutes.md', finance, one],
    ['boards/minutes.md', council, two],
    ['boards/minutes (2).md', council, two],
  ] as const) {
    const again = await uploaded(id, name, text)
    expect(again.files).toMatchObject([{ filename: name, status: 'done', document_id: document }])
    expect(await told(again)).toMatchObject({ outcome: 'unchanged' })
  }
  expect(await names(id)).toEqual(['boards/minutes (2).md', 'boards/minutes.md'])

  // A revision of the second comes with the name of both, and becomes a version of the second.
  const later = await uploaded(id, 'boards/minutes.md', council.replace('30 June', '31 July'))
  expect(later.files[0]?.document_id).toBe(two)
  expect(await told(later)).toMatchObject({ outcome: 'replaced' })
  expect(await names(id)).toEqual(['boards/minutes (2).md', 'boards/minutes.md'])
  expect((await uploaded(id, 'boards/minutes.md', 'Nothing but this.')).files[0]?.filename).toBe(
    'boards/minutes (3).md',
  )
})

test('a revision replaces the document; what it replaced is listed and restored, and so is what that replaced', async () => {
  const id = await app.workspace(owner)
  const first = await uploaded(id, 'minutes.md', finance)
  const document = first.files[0]?.document_id ?? ''
  const second = await uploaded(id, 'minutes.md', revised)
  expect(second.files).toMatchObject([{ filename: 'minutes.md', document_id: document }])
  expect(await told(second)).toMatchObject({ outcome: 'replaced' })
  const before = await versionsOf(id, document)
  const facts = { filename: 'minutes.md', uploaded_by: owner.id }
  expect(before).toMatchObject([
    { ...facts, current: true, bytes: revised.length, replaced_at: null, restorable_until: null },
    { ...facts, current: false, bytes: finance.length },
  ])
  const { replaced_at, restorable_until } = before[1] ?? {}
  expect(Date.parse(restorable_until ?? '') - Date.parse(replaced_at ?? '')).toBe(30 * 86_400_000)
  const search = (query: string) => send<{ data: object[] }>('POST', `/workspaces/${id}/search`, { query })
  expect((await search('"Four votes"')).data.length).toBe((await search('"Zebra votes"')).data.length)

  // The original is kept though nothing but the version names it.
  await settle(deps, app.deps.settings.dataDir)
  const restore = (version: DocumentVersion | undefined) =>
    send<Job>('POST', `/workspaces/${id}/documents/${document}/versions/${version?.id}/restore`)
  const job = await restore(before[1])
  expect(job).toMatchObject({ status: 'queued', files: [{ filename: 'minutes.md', status: 'queued' }] })
  await drain(deps)
  expect(await get<Job>(`/jobs/${job.id}`)).toMatchObject({
    status: 'done',
    files: [{ status: 'done', document_id: document }],
  })
  expect(await textOf(id, document)).toContain('Four votes')
  const after = await versionsOf(id, document)
  expect(after.map((version) => [version.id, version.current])).toEqual([
    [before[1]?.id, true],
    [before[0]?.id, false],
  ])
  // It is still the upload that it was.
  expect(after[0]?.uploaded_at).toBe(before[1]?.uploaded_at)
  const acts = await activityOf(deps.db, id)
  expect(acts).toContainEqual(expect.objectContaining({ action: 'version_restored', subject: document }))

  // The current one is there already; the one it replaced comes back.
  const none = await restore(after[0])
  expect((await get<Job>(`/jobs/${none.id}`)).status).toBe('done')
  await restore(after[1])
  await drain(deps)
  expect(await textOf(id, document)).toContain('Five votes')

  // A page at a time.
  const path = `/workspaces/${id}/documents/${document}/versions?limit=1`
  const page = await get<Page<DocumentVersion>>(path)
  expect(page).toMatchObject({ data: [{ current: true }], has_more: true })
  const rest = await get<Page<DocumentVersion>>(
    `${path}&cursor=${encodeURIComponent(page.next_cursor ?? '')}`,
  )
  expect(rest).toMatchObject({ data: [{ current: false }], has_more: false, next_cursor: null })
})

test('a version that is restored does not stand in the way of another document that was uploaded before', async () => {
  const id = await app.workspace(owner)
  const document = (await uploaded(id, 'minutes.md', finance)).files[0]?.document_id ?? ''
  await uploaded(id, 'minutes.md', revised)
  const [, first] = await versionsOf(id, document)
  const sent = multipart([{ name: 'minutes.md', text: council }])
  const waiting = bodyOf<Job>(await app.send('POST', `/v1/workspaces/${id}/files`, token, sent))
  await send<Job>('POST', `/workspaces/${id}/documents/${document}/versions/${first?.id}/restore`)
  await inReverse(id)
  expect(await told(waiting)).toMatchObject({ filename: 'minutes (2).md', outcome: 'kept_both' })
  expect(await library(id)).toEqual({
    'minutes.md': expect.stringContaining('Four votes'),
    'minutes (2).md': expect.stringContaining('Lena Vogt'),
  })
})

test('an upload that asks to keep both is kept beside a later one that replaces', async () => {
  const id = await app.workspace(owner)
  await uploaded(id, 'minutes.md', finance)
  const post = async (text: string, how: string): Promise<Job> =>
    bodyOf<Job>(
      await app.send(
        'POST',
        `/v1/workspaces/${id}/files?on_conflict=${how}`,
        token,
        multipart([{ name: 'minutes.md', text }]),
      ),
    )
  const both = await post(council, 'keep_both')
  await post('Nothing but this.', 'replace')
  await inReverse(id)
  expect(await told(both)).toMatchObject({ filename: 'minutes (2).md', outcome: 'kept_both' })
  expect(await names(id)).toEqual(['minutes (2).md', 'minutes.md'])
})

test('bytes that stand under another name are not kept beside a document as well', async () => {
  const id = await app.workspace(owner)
  await uploaded(id, 'minutes.md', finance)
  const other = (await uploaded(id, 'council.md', council)).files[0]?.document_id
  const again = await uploaded(id, 'minutes.md', council)
  expect(again.files).toMatchObject([{ filename: 'minutes.md', status: 'done', document_id: other }])
  expect(await told(again)).toMatchObject({ outcome: 'unchanged' })
  expect(await names(id)).toEqual(['council.md', 'minutes.md'])
})

/** The two files that wait are read, the later one first. */
async function inReverse(id: string): Promise<void> {
  const tasks: Task[] = []
  for (let task = await claimTask(deps.db, 'w'); task; task = await claimTask(deps.db, 'w')) tasks.push(task)
  const files = tasks.filter((task) => task.workspace_id === id && task.kind === 'ingest')
  expect(files.length).toBe(2)
  for (const task of files.reverse()) await atOnce([task])
  await atOnce(tasks.filter((task) => !files.includes(task)))
  await drain(deps)
}

test('on_conflict decides, in the query or in the form', async () => {
  const id = await app.workspace(owner)
  const first = await uploaded(id, 'minutes.md', finance)
  const document = first.files[0]?.document_id ?? ''
  const failed = await uploaded(id, 'minutes.md', revised, 'fail')
  expect(failed).toMatchObject({ status: 'done', files: [{ filename: 'minutes.md', status: 'failed' }] })
  expect(failed.files[0]?.error).toMatch(/Another document has this name.*on_conflict=replace or keep_both/)
  expect(await library(id)).toEqual({ 'minutes.md': expect.stringContaining('Four votes') })
  // Nothing is in the way of these.
  for (const [name, text] of [
    ['minutes.md', finance],
    ['other.md', council],
  ] as const)
    expect((await uploaded(id, name, text, 'fail')).files[0]?.status).toBe('done')

  const both = await uploaded(id, 'minutes.md', revised, 'keep_both')
  expect(both.files).toMatchObject([{ filename: 'minutes (2).md' }])
  // Known by its bytes, unless it is to stand at the name itself.
  expect((await uploaded(id, 'minutes.md', revised, 'keep_both')).files[0]?.document_id).toBe(
    both.files[0]?.document_id,
  )
  expect((await uploaded(id, 'minutes.md', revised, 'replace')).files[0]?.document_id).toBe(document)
  const replaced = await uploaded(id, 'minutes.md', 'Only a line.', 'replace')
  expect(replaced.files).toMatchObject([{ filename: 'minutes.md', document_id: document }])
  expect((await versionsOf(id, document)).length).toBe(3)

  const form = (value: string, query = '') => {
    const [file, field] = [{ name: 'minutes.md', text: `${finance} ${value}` }, fieldOf(value)]
    const { payload, headers } = multipart([file])
    return app.send('POST', `/v1/workspaces/${id}/files${query}`, token, {
      payload: String(payload).replace('--a-boundary--', `${field}--a-boundary--`),
      headers: headers ?? {},
    })
  }
  const asked = bodyOf<Job>(await form('fail'))
  await drain(deps)
  expect((await get<Job>(`/jobs/${asked.id}`)).files[0]?.status).toBe('failed')
  expect((await form('replace', '?on_conflict=replace')).status).toBe(202)
  for (const [value, query] of [
    ['overwrite', ''],
    ['', ''],
    ['replace', '?on_conflict=fail'],
  ] as const)
    expect((await form(value, query)).body).toMatchObject({ detail: [{ loc: ['body', 'on_conflict'] }] })
  for (const wrong of ['overwrite', '', 'REPLACE']) {
    const answer = await app.send(
      'POST',
      `/v1/workspaces/${id}/files?on_conflict=${wrong}`,
      token,
      multipart([]),
    )
    expect([answer.status, answer.body]).toMatchObject([422, { detail: [{ loc: ['query', 'on_conflict'] }] }])
  }
})

const fieldOf = (value: string): string =>
  `--a-boundary\r\nContent-Disposition: form-data; name="on_conflict"\r\n\r\n${value}\r\n`

/** Two graphs of one document may get in each other's way: one of them is tried again. */
const atOnce = (tasks: Task[]): Promise<unknown> => {
  const quiet = { ...deps, log: { ...deps.log, error() {} } }
  return Promise.all(tasks.map((task) => runTask(quiet, task)))
}

/** Texts that have nothing in common. */
const unlike = (no: number): string =>
  Array.from({ length: 30 }, (_, at) => `${'bcdfghklmnprstvwxz'[(no * 7 + at) % 18]}o${no}${at}`).join(' ')

test('twenty uploads of one name at the same time: all are kept, each under a name of its own', async () => {
  const id = await app.workspace(owner)
  const texts = Array.from({ length: 20 }, (_, no) => unlike(no))
  const send = (text: string) =>
    app.send('POST', `/v1/workspaces/${id}/files`, token, multipart([{ name: 'a.md', text }]))
  // As many at a time as one caller may.
  const jobs: string[] = []
  for (let from = 0; from < texts.length; from += 4)
    for (const answer of await Promise.all(texts.slice(from, from + 4).map(send)))
      jobs.push(bodyOf<Job>(answer).id)
  // All of them are looked at before the first is published.
  const tasks: Task[] = []
  for (let task = await claimTask(deps.db, 'w'); task; task = await claimTask(deps.db, 'w')) tasks.push(task)
  expect(tasks.filter(({ workspace_id }) => workspace_id === id).map(({ kind }) => kind)).toEqual(
    texts.map(() => 'ingest'),
  )
  await atOnce(tasks)
  await drain(deps)
  const found = await library(id)
  expect(Object.keys(found).sort()).toEqual(
    ['a.md', ...Array.from({ length: 19 }, (_, no) => `a (${no + 2}).md`)].sort(),
  )
  expect(Object.values(found).sort()).toEqual([...texts].sort())
  const ended = await Promise.all(jobs.map((job) => get<Job>(`/jobs/${job}`)))
  expect(new Set(ended.map(({ files }) => files[0]?.filename)).size).toBe(20)
  expect(ended.every(({ files }) => files[0]?.status === 'done')).toBe(true)
})

test('twenty by a worker of several slots, some of them revisions: what is not a document can be restored', async () => {
  const id = await app.workspace(owner)
  const texts = Array.from({ length: 20 }, (_, no) => `${unlike(no % 5)}${no < 5 ? '' : ` again${no}`}`)
  const stop = new AbortController()
  const worker = runWorker(deps, { name: 'several', concurrency: 4, signal: stop.signal })
  const jobs: string[] = []
  for (const text of texts) {
    const answer = await app.send(
      'POST',
      `/v1/workspaces/${id}/files`,
      token,
      multipart([{ name: 'a.md', text }]),
    )
    jobs.push(bodyOf<Job>(answer).id)
  }
  for (const job of jobs) while ((await get<Job>(`/jobs/${job}`)).status !== 'done') await sleep(50)
  stop.abort()
  await worker
  expect(await restorable(id)).toEqual([...texts].sort())
  expect((await names(id)).length).toBe(5)
})

/** The texts of all documents and of all their versions: each original as it was uploaded. */
async function restorable(id: string): Promise<string[]> {
  const { data } = await get<Page<Document>>(`/workspaces/${id}/documents?limit=200`)
  const texts: string[] = []
  for (const document of data)
    for (const version of await versionsOf(id, document.id)) {
      texts.push(await readFile(await app.deps.blobs.open(version.id), 'utf8'))
    }
  return texts.sort()
}

test.each([
  ['a document beside it', council, ['minutes (2).md', 'minutes.md']],
  ['a version of it', revised, ['minutes.md']],
])(
  'a worker that dies at any moment before a file has become %s loses and doubles nothing',
  async (_, text, paths) => {
    for (let n = 1; ; n += EVERY) {
      const id = await app.workspace(owner)
      await uploaded(id, 'minutes.md', finance)
      const sent = multipart([{ name: 'minutes.md', text }])
      const job = bodyOf<Job>(await app.send('POST', `/v1/workspaces/${id}/files`, token, sent))
      await runDisturbed(deps, killedBefore(deps.db, n), `dies-${n}`)
      const done = (await get<Job>(`/jobs/${job.id}`)).status === 'done'
      await deps.db.rows(sql`UPDATE task SET run_after = now() WHERE workspace_id = ${id}`)
      await drain(deps)
      expect(await names(id)).toEqual(paths)
      expect(await restorable(id)).toEqual([finance, text].sort())
      if (done) return
    }
  },
)

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      text: fc.integer({ min: 0, max: 2 }),
      change: fc.integer({ min: 0, max: 2 }),
      how: fc.constantFrom(undefined, undefined, 'replace', 'keep_both'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ work: fc.integer({ min: 1, max: 3 }) }) },
)

test('whatever is uploaded in whatever order, every text is a document or can be restored', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const id = await app.workspace(owner)
      const wanted = new Set<string>()
      for (const now of steps) {
        if ('work' in now) {
          const tasks: Task[] = []
          for (let task = await claimTask(deps.db, 'w'); task; task = await claimTask(deps.db, 'w'))
            if (tasks.push(task) >= now.work) break
          await atOnce(tasks)
          continue
        }
        const text = `${unlike(now.text)}${now.change ? ` change${now.change}` : ''}`
        wanted.add(text)
        const query = now.how ? `?on_conflict=${now.how}` : ''
        const path = `/v1/workspaces/${id}/files${query}`
        expect((await app.send('POST', path, token, multipart([{ name: 'a.md', text }]))).status).toBe(202)
      }
      await deps.db.rows(sql`UPDATE task SET run_after = now() WHERE workspace_id = ${id}`)
      await drain(deps)
      expect(new Set(await restorable(id))).toEqual(wanted)
      const left = await deps.db.rows(sql`
        SELECT 1 FROM job_file WHERE workspace_id = ${id} AND (status <> 'done' OR outcome IS NULL)`)
      expect(left).toEqual([])
    }),
    { numRuns: FULL ? 20 : 8 },
  )
})

test('reading anew does not decide again, and makes no version', async () => {
  const id = await app.workspace(owner)
  await uploaded(id, 'minutes.md', finance)
  await uploaded(id, 'minutes.md', council)
  const before = await library(id)
  await send<Job>('POST', `/workspaces/${id}/reindex`)
  await drain(deps)
  expect(await library(id)).toEqual(before)
  const { data } = await get<Page<Document>>(`/workspaces/${id}/documents`)
  for (const document of data) expect((await versionsOf(id, document.id)).length).toBe(1)
})

test('after 30 days, or with its document, a version is gone and its original with it', async () => {
  const id = await app.workspace(owner)
  // Bytes that no other workspace has.
  const document = (await uploaded(id, 'minutes.md', `${finance} Once.`)).files[0]?.document_id ?? ''
  await uploaded(id, 'minutes.md', `${finance} Twice.`)
  await uploaded(id, 'minutes.md', `${finance} Three times.`)
  const [, last, oldest] = await versionsOf(id, document)
  const age = (version: DocumentVersion | undefined, days: number) =>
    deps.db.rows(sql`
      UPDATE document_version SET replaced_at = now() - make_interval(days => ${days})
      WHERE workspace_id = ${id} AND content_hash = ${version?.id}`)
  const tidy = async () => {
    await deleteOldVersions(deps.db)
    await settle(deps, app.deps.settings.dataDir)
    return blobsOf(app.deps.settings.dataDir)
  }
  await age(oldest, 29)
  expect(await tidy()).toContain(oldest?.id)
  await age(oldest, 30)
  expect((await versionsOf(id, document)).map((version) => version.id)).not.toContain(oldest?.id)
  const path = `/v1/workspaces/${id}/documents/${document}/versions/${oldest?.id}/restore`
  expect((await app.send('POST', path, token)).status).toBe(404)
  const kept = await tidy()
  expect(kept).not.toContain(oldest?.id)
  expect(kept).toContain(last?.id)
  // Of the document and of no other.
  const other = (await uploaded(id, 'other.md', council)).files[0]?.document_id
  const elsewhere = path.replace(document, other ?? '').replace(oldest?.id ?? '', last?.id ?? '')
  expect((await app.send('POST', elsewhere, token)).status).toBe(404)
  await app.send('DELETE', `/v1/workspaces/${id}/documents/${document}`, token)
  await drain(deps)
  expect(await deps.db.rows(sql`SELECT 1 FROM document_version WHERE document_id = ${document}`)).toEqual([])
  expect(await tidy()).not.toContain(last?.id)
})

test('deleting a document loses no other that waits for its name; what asked to replace it goes with it', async () => {
  const id = await app.workspace(owner)
  const document = (await uploaded(id, 'minutes.md', finance)).files[0]?.document_id
  const waiting = await upload(deps, owner, id, { 'minutes.md': council })
  const path = `/v1/workspaces/${id}/documents/${document}`
  expect((await app.send('DELETE', path, token)).status).toBe(204)
  await drain(deps)
  expect(await get<Job>(`/jobs/${waiting.id}`)).toMatchObject({ files: [{ status: 'done' }] })
  expect(Object.values(await library(id))).toEqual([expect.stringContaining('works council')])
})
