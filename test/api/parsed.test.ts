// A file is parsed once: the result serves retries, reindexing and a second workspace of the same user. Repeated text within a
// document is found once.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Chunk } from '../../src/contract/resources.ts'
import { selectFiles } from '../../src/ingest/jobs.sql.ts'
import { ingestFile } from '../../src/ingest/pipeline.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import type { ParseJob } from '../../src/reader/task.ts'
import { claimTask, releaseWorker, type Task } from '../../src/work/queue.sql.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { drawLine, makeTiff } from '../support/files/pictures.ts'
import { thorough } from '../support/full.ts'
import { upload as uploadFiles, type WorkDeps } from '../support/ingest.ts'
import { multipart } from '../support/world.ts'

let app: TestApp
let pool: ParserPool
let deps: WorkDeps
let person: Person
let parsed: string[] = []
const worker = `test-${randomUUID()}`
const never = new AbortController().signal

beforeAll(async () => {
  app = await testApp()
  pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  const parse = (job: ParseJob) => {
    parsed.push(job.filename)
    return pool.parse(job)
  }
  deps = { ...app.deps, parser: { parse } }
  person = await app.person()
})
afterAll(async () => {
  await pool.close()
  await app.close()
})

async function upload(workspaceId: string, name: string, text: string, by = person): Promise<void> {
  const answer = await app.send(
    'POST',
    `/v1/workspaces/${workspaceId}/files`,
    await app.token(by),
    multipart([{ name, text }]),
  )
  expect(answer.status).toBe(202)
}

async function claimIngest(): Promise<Task> {
  for (;;) {
    const task = await claimTask(deps.db, worker)
    if (!task) throw new Error('no task waits')
    if (task.kind === 'ingest') return task
  }
}

const work = async (on = deps): Promise<void> => ingestFile(on, await claimIngest(), never)

async function search(workspaceId: string, query: string): Promise<Chunk[]> {
  const answer = await app.send('POST', `/v1/workspaces/${workspaceId}/search`, await app.token(person), {
    body: { query },
  })
  return (answer.body as { data: Chunk[] }).data
}

test('an attempt that ended after parsing is taken up behind it', async () => {
  const id = await app.workspace(person)
  await upload(id, 'a.txt', 'The lease of the rope store ends in May.')
  parsed = []
  // The database goes away the moment the first row is to be written.
  const away: Db = { ...deps.db, rows: failing(deps.db.rows) }
  await expect(work({ ...deps, db: away })).rejects.toThrow('away')
  expect(parsed).toEqual(['a.txt'])
  await releaseWorker(deps.db, worker)
  await work()
  expect(parsed).toEqual(['a.txt'])
  expect(await search(id, 'rope store')).toHaveLength(1)
})

function failing(rows: Db['rows']): Db['rows'] {
  return (statement) =>
    statement.text.includes('INSERT INTO version') ? Promise.reject(new Error('away')) : rows(statement)
}

test('reindexing and a second workspace of the same person do not parse again, a stranger does', async () => {
  const [first, second] = [await app.workspace(person), await app.workspace(person)]
  const stranger = await app.person()
  const theirs = await app.workspace(stranger)
  const text = 'A mooring plan for the outer harbour.'
  parsed = []
  await upload(first, 'plan.txt', text)
  await work()
  const reindex = await app.send('POST', `/v1/workspaces/${first}/reindex`, await app.token(person))
  expect(reindex.status).toBe(202)
  await work()
  await upload(second, 'copy.txt', text)
  await work()
  expect(parsed).toEqual(['plan.txt'])
  await upload(theirs, 'mine.txt', text, stranger)
  await work()
  expect(parsed).toEqual(['plan.txt', 'mine.txt'])
  expect(await search(second, 'mooring plan')).toHaveLength(1)
})

test('a kept result that cannot be read is made again', async () => {
  const id = await app.workspace(person)
  await upload(id, 'b.txt', 'Invoices are due in thirty days.')
  parsed = []
  const broken = { get: async () => Buffer.from('{"blocks":'), put: async () => undefined }
  await work({ ...deps, cache: { ...app.deps.cache, ...broken } })
  expect(parsed).toEqual(['b.txt'])
})

thorough('a long scan and a letter take turns; a scan that cannot be kept is read at once', async () => {
  const rounds = openPool({
    size: 1,
    cacheDir: app.deps.settings.dataDir,
    log: app.deps.log,
    limits: { roundMs: 0 },
  })
  onTestFinished(rounds.close)
  const inRounds: WorkDeps = { ...app.deps, parser: { parse: rounds.parse } }
  const scan = (...texts: string[]) => Promise.all(texts.map((text) => drawLine(text, 150))).then(makeTiff)
  const id = await app.workspace(person)
  const job = await uploadFiles(inRounds, person, id, {
    'scan.tiff': await scan('Gauge of Greenholm', 'Read at noon'),
  })
  await uploadFiles(inRounds, person, id, { 'letter.txt': 'The harbour office is closed on Fridays.' })
  await work(inRounds)
  expect(await selectFiles(inRounds.db, id, job.id)).toMatchObject([
    { status: 'running', stage: 'parsing', attempt: 1 },
  ])
  await work(inRounds)
  expect(await search(id, 'harbour office')).toHaveLength(1)
  expect(await search(id, 'Gauge of Greenholm')).toEqual([])
  await work(inRounds)
  expect(await selectFiles(inRounds.db, id, job.id)).toMatchObject([{ status: 'done', attempt: 1 }])
  const found = await search(id, 'Gauge of Greenholm')
  expect(found.map(({ page }) => page)).toContain(1)
  const nothing = { get: async () => undefined, put: async () => undefined }
  const other = await scan('Sold in Brackwater', 'Paid in full')
  const last = await uploadFiles(inRounds, person, id, { 'other.tiff': other })
  await work({ ...inRounds, cache: { ...app.deps.cache, ...nothing } })
  expect(await selectFiles(inRounds.db, id, last.id)).toMatchObject([{ status: 'done' }])
  expect(await search(id, 'Brackwater paid')).toHaveLength(2)
})

test('a notice that comes again is found once and read twice', async () => {
  const id = await app.workspace(person)
  const notice =
    'This paper is confidential and for the members of the cooperative only; nobody may copy it, lend it, or read ' +
    'from it aloud without the written consent of the board and of the archivist.'
  await upload(
    id,
    'c.md',
    `# Boats\n\nTwo boats were bought.\n\n${notice}\n\n# Nets\n\nNets were mended.\n\n${notice}\n`,
  )
  await work()
  const found = await search(id, 'archivist consent confidential')
  expect(found.map(({ text }) => text.split('\n')[0])).toEqual(['Boats'])
  const nets = await search(id, 'nets mended')
  expect(nets.map(({ text }) => text)).toEqual([`Nets\n\nNets were mended.\n\n${notice}`])
})
