// Text in images inside documents: read after publishing, swapped in atomically, kept for reindexing. Whatever happens in the
// meantime (the worker dies, the document is deleted or replaced, its workspace is deleted), nothing is lost or left over.

import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chunk } from '../../src/contract/resources.ts'
import { getJob } from '../../src/ingest/jobs.ts'
import { reindex } from '../../src/ingest/reindex.ts'
import { deleteDocument } from '../../src/ingest/remove.ts'
import { PAGES, pagesFolder } from '../../src/ports/cache/disk-cache.ts'
import { UnreadableFile } from '../../src/reader/block.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import type { PictureReader } from '../../src/reader/task.ts'
import { claimTask, releaseTask, type Task } from '../../src/work/queue.sql.ts'
import { deleteWorkspace } from '../../src/workspaces/workspaces.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { floodPng } from '../support/files/bad.ts'
import {
  makePng,
  photograph,
  picturedDocx,
  picturedHtml,
  picturedPdf,
  picturedPptx,
  screenshot,
} from '../support/files/pictured.ts'
import { thorough } from '../support/full.ts'
import { holdings, rowsLeft } from '../support/holdings.sql.ts'
import {
  callerOf,
  counted,
  disturbedBefore,
  drain,
  type Files,
  killedBefore,
  rememberingParser,
  runDisturbed,
  runTask,
  settle,
  upload,
  type WorkDeps,
} from '../support/ingest.ts'
import { warningsOf } from '../support/rows.sql.ts'

let app: TestApp
let owner: Person
let pool: ParserPool
let deps: WorkDeps
let reads: string[] = []
const shot = await screenshot(['Valve K7 closes', 'above 42 bar', 'Alarm Foxglove'])
const png = makePng(shot)

beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  deps = {
    ...app.deps,
    parser: { ...rememberingParser(pool), settings: pool.settings, pictures: remembered(pool) },
  }
})
afterAll(async () => {
  await pool.close()
  await app.close()
})

/** Each picture is looked for and read once for all tests; what is asked for is noted. */
function remembered({ pictures }: ParserPool): PictureReader {
  const known = new Map<string, Promise<unknown>>()
  const ask = (
    file: { path: string; kind: string },
    wanted: object,
    signal?: AbortSignal,
  ): Promise<unknown> => {
    if ('read' in wanted) reads.push((wanted.read as { hash: string }).hash)
    const key = JSON.stringify(
      'read' in wanted ? (wanted.read as { hash: string }).hash : [file.path, wanted],
    )
    const found = known.get(key) ?? (pictures as typeof ask)(file, wanted, signal)
    known.set(key, found)
    return found
  }
  return ask as PictureReader
}

/** Runs what is due until the pictures' turn has come; that task is given back. */
async function untilPictures(): Promise<void> {
  for (;;) {
    const task = await claimTask(deps.db, 'calm')
    if (!task) throw new Error('no pictures are asked for')
    if (task.kind === 'pictures') return releaseTask(deps.db, task, 0, false)
    await runTask(deps, task)
  }
}

async function claimPictures(): Promise<Task> {
  await untilPictures()
  const task = await claimTask(deps.db, 'calm')
  if (task?.kind !== 'pictures') throw new Error('no pictures are asked for')
  return task
}

const run = (task: Task, on = deps): Promise<void> => runTask(on, task)

async function start(files: Files): Promise<{ workspaceId: string; jobId: string }> {
  const workspaceId = await app.workspace(owner)
  const { id } = await upload(deps, owner, workspaceId, files)
  reads = []
  return { workspaceId, jobId: id }
}

async function found(workspaceId: string, query: string): Promise<Chunk[]> {
  const answer = await app.send('POST', `/v1/workspaces/${workspaceId}/search`, await app.token(owner), {
    body: { query },
  })
  return (answer.body as { data: Chunk[] }).data.filter(({ text }) => text.includes(query))
}

const documentOf = async (workspaceId: string): Promise<string> => {
  const answer = await app.send('GET', `/v1/workspaces/${workspaceId}/documents`, await app.token(owner))
  return (answer.body as { data: { id: string }[] }).data[0]?.id ?? ''
}

async function chunksOf(workspaceId: string): Promise<{ text: string; type: string }[]> {
  return (await holdings(deps.db, workspaceId)).chunks as { text: string; type: string }[]
}

const pdf = picturedPdf([
  { lines: ['The harbour has two pumps.'] },
  { lines: ['The valves are listed here.'], picture: shot },
])

test('a PDF is searchable first; then its picture is found on its page, and nothing else has changed', async () => {
  const { workspaceId, jobId } = await start({ 'valves.pdf': pdf })
  await untilPictures()
  expect((await getJob(deps, callerOf(owner), jobId)).status).toBe('done')
  const [before] = await found(workspaceId, 'two pumps')
  expect(before).toBeDefined()
  expect(await found(workspaceId, 'Foxglove')).toEqual([])
  await drain(deps)
  const [hit, ...more] = await found(workspaceId, 'Foxglove')
  expect(more).toEqual([])
  expect(hit).toMatchObject({ type: 'figure', page: 2 })
  expect(hit?.text).toMatch(/Valve K7 closes\s+above 42 bar/)
  expect((await found(workspaceId, 'two pumps'))[0]?.id).toBe(before?.id)
  expect(await chunksOf(workspaceId)).toHaveLength(3)
  const { versions, tasks } = await holdings(deps.db, workspaceId)
  expect(versions).toEqual([{ state: 'live', folded: true, settled: true }])
  expect(tasks).toEqual([])
})

test('Word, PowerPoint and a page; the same picture is read once in a workspace', async () => {
  const { workspaceId } = await start({
    'plan.docx': await picturedDocx(['The plan of the harbour.', 0], [png], 'Alarm panel'),
    'deck.pptx': await picturedPptx([{ line: 'Opening' }, { line: 'Alarms', picture: 0 }], [png]),
    'page.html': picturedHtml('The page of the harbour.', png),
  })
  await drain(deps)
  const hits = await found(workspaceId, 'Foxglove')
  expect(
    hits.map(({ type, page }) => ({ type, page })).sort((a, b) => (a.page ?? 0) - (b.page ?? 0)),
  ).toEqual([
    { type: 'figure', page: null },
    { type: 'figure', page: null },
    { type: 'figure', page: 2 },
  ])
  expect(hits.some(({ text }) => /^Alarm panel\nValve/.test(text))).toBe(true)
  expect(new Set(reads).size).toBe(1)
})

test('a logo on every page speaks once; photographs, bombs and damaged pictures say nothing', async () => {
  const quiet = [makePng(photograph(7)), floodPng(65_535, 65_535), png.subarray(0, png.length >> 1)]
  const slides = Array.from({ length: 5 }, (_, no) => ({ line: `Slide ${no}`, picture: 0 }))
  const { workspaceId } = await start({
    'deck.pptx': await picturedPptx(slides, [png]),
    'photos.docx': await picturedDocx(['A walk in the woods.', 0, 1, 2], quiet),
  })
  await drain(deps)
  expect(await found(workspaceId, 'Foxglove')).toHaveLength(1)
  expect(reads).toHaveLength(1 + quiet.length)
  const walk = (await chunksOf(workspaceId)).filter(({ text }) => text.includes('woods'))
  expect(walk.map(({ text }) => text)).toEqual(['A walk in the woods.'])
})

test('words that stand beside the picture as text are not said twice', async () => {
  const said = ['Valve K7 closes above 42 bar', 'Alarm Foxglove']
  const { workspaceId } = await start({ 'said.docx': await picturedDocx([...said, 0], [png]) })
  await drain(deps)
  expect((await chunksOf(workspaceId)).map(({ text }) => text)).toEqual([said.join('\n\n')])
})

test('a document of pictures alone is read before it is done; one of photographs has no text', async () => {
  const { workspaceId, jobId } = await start({
    'scan.docx': await picturedDocx([0], [png]),
    'photo.docx': await picturedDocx([0], [makePng(photograph(7))]),
  })
  await drain(deps)
  const { files } = await getJob(deps, callerOf(owner), jobId)
  expect(files.map(({ status }) => status)).toEqual(['done', 'failed'])
  expect(await found(workspaceId, 'Foxglove')).toHaveLength(1)
})

test('reindexing keeps the words and reads nothing again, whatever became of the cache', async () => {
  const { workspaceId } = await start({ 'valves.pdf': pdf })
  await drain(deps)
  const wanted = await chunksOf(workspaceId)
  const [before] = await found(workspaceId, 'Foxglove')
  reads = []
  await app.deps.cache.drop(PAGES)
  await reindex(deps, callerOf(owner), { workspaceId, documentId: await documentOf(workspaceId) }, undefined)
  await untilDone(workspaceId)
  expect(await chunksOf(workspaceId)).toEqual(wanted)
  expect((await found(workspaceId, 'Foxglove'))[0]?.id).toBe(before?.id)
  expect(reads).toEqual([])
})

/** All tasks to their end; none of them asks for pictures. */
async function untilDone(workspaceId: string): Promise<void> {
  for (;;) {
    const task = await claimTask(deps.db, 'calm')
    if (!task) break
    expect(task.kind).not.toBe('pictures')
    await run(task)
  }
  expect((await holdings(deps.db, workspaceId)).tasks).toEqual([])
}

test('without a reader nothing is asked for; pictures of scans are the scan', async () => {
  const { pictures: _, ...parser } = deps.parser
  const { workspaceId } = await start({ 'valves.pdf': pdf, 'scan.docx': await picturedDocx([0], [png]) })
  await drain({ ...deps, parser })
  expect(reads).toEqual([])
  expect((await holdings(deps.db, workspaceId)).files).toMatchObject([
    { path: 'scan.docx', status: 'failed' },
    { path: 'valves.pdf', status: 'done' },
  ])
})

test('more pictures than are read are told with the file', async () => {
  const pictures = Array.from({ length: 53 }, (_, no) => makePng(photograph(no, 200, 140)))
  const { workspaceId } = await start({
    'album.docx': await picturedDocx(['Album.', ...pictures.keys()], pictures),
  })
  const mute: PictureReader = ((_file: object, wanted: object) =>
    'read' in wanted
      ? Promise.resolve([])
      : (deps.parser.pictures as (...all: object[]) => object)(_file, wanted)) as PictureReader
  await drain({ ...deps, parser: { ...deps.parser, pictures: mute } })
  expect(await warningsOf(deps.db, workspaceId)).toEqual([
    'The words of 3 pictures were not read, because at most 50 pictures of a document are read.',
  ])
})

test('of a document of pictures alone too, also when it is read anew', async () => {
  const pictures = Array.from({ length: 51 }, (_, no) => makePng(photograph(no, 200, 140)))
  const { workspaceId } = await start({ 'album.docx': await picturedDocx([...pictures.keys()], pictures) })
  const talkative = asked(async (wanted) =>
    'read' in wanted ? [{ kind: 'paragraph', text: 'Alarm Foxglove', confidence: 0.9 }] : undefined,
  )
  await drain(talkative)
  await reindex(deps, callerOf(owner), { workspaceId, documentId: await documentOf(workspaceId) }, undefined)
  await drain(talkative)
  const warning =
    'The words of one picture were not read, because at most 50 pictures of a document are read.'
  expect(await warningsOf(deps.db, workspaceId)).toEqual([warning, warning])
})

const UNREAD = 'The words of its pictures could not be read.'

test('pictures that cannot be looked for are told with the file, and looked for when it is read anew', async () => {
  const { workspaceId } = await start({ 'valves.pdf': pdf })
  let looks = 0
  const dying = asked(async (wanted) => {
    if (!('find' in wanted) || looks++ > 1) return undefined
    throw new UnreadableFile('took_too_long')
  })
  const documentId = () => documentOf(workspaceId)
  await drain(dying)
  expect(await warningsOf(deps.db, workspaceId)).toEqual([UNREAD])
  await reindex(deps, callerOf(owner), { workspaceId, documentId: await documentId() }, undefined)
  await drain(dying)
  expect(await warningsOf(deps.db, workspaceId)).toEqual([UNREAD, UNREAD])
  expect(await found(workspaceId, 'Foxglove')).toEqual([])
  await reindex(deps, callerOf(owner), { workspaceId, documentId: await documentId() }, undefined)
  await drain(dying)
  expect(looks).toBe(3)
  expect(await warningsOf(deps.db, workspaceId)).toEqual([UNREAD, UNREAD])
  expect(await found(workspaceId, 'Foxglove')).toHaveLength(1)
})

test('a document of pictures alone that could not be looked through is looked through when it is uploaded again', async () => {
  const scan = await picturedDocx([0], [png])
  const { workspaceId } = await start({ 'scan.docx': scan })
  let looks = 0
  const dying = asked(async (wanted) => {
    if (!('find' in wanted) || looks++ > 0) return undefined
    throw new UnreadableFile('took_too_long')
  })
  await drain(dying)
  await upload(deps, owner, workspaceId, { 'scan.docx': scan })
  await drain(dying)
  expect(looks).toBe(2)
  expect(await found(workspaceId, 'Foxglove')).toHaveLength(1)
})

test('a task of pictures that is given up is told with the file', async () => {
  const { workspaceId } = await start({ 'valves.pdf': pdf })
  const broken = asked(async () => {
    throw new Error('the disk is full')
  })
  await untilPictures()
  for (let attempt = 0; attempt < 3; attempt++) {
    await deps.db.rows(sql`UPDATE task SET run_after = now() WHERE workspace_id = ${workspaceId}`)
    await drain({ ...broken, log: { ...deps.log, error() {} } })
  }
  expect((await holdings(deps.db, workspaceId)).tasks).toEqual([])
  expect(await warningsOf(deps.db, workspaceId)).toEqual([UNREAD])
})

test('a document without a picture worth reading is looked through once', async () => {
  const plain = await picturedDocx(['A photograph follows.', 0], [makePng(photograph(1, 60, 40))])
  const { workspaceId } = await start({ 'album.docx': plain })
  await drain(deps)
  await reindex(deps, callerOf(owner), { workspaceId, documentId: await documentOf(workspaceId) }, undefined)
  await untilDone(workspaceId)
  expect(await warningsOf(deps.db, workspaceId)).toEqual([])
})

/** With a reader that answers first what the test says, and reads what it leaves open. */
function asked(answer: (wanted: object) => Promise<object[] | undefined>): WorkDeps {
  const read = deps.parser.pictures as (...all: object[]) => Promise<object[]>
  const pictures = async (file: object, wanted: object) => (await answer(wanted)) ?? read(file, wanted)
  return { ...deps, parser: { ...deps.parser, pictures: pictures as PictureReader } }
}

test('the same file uploaded again while its pictures are read keeps their words; another file sends them back', async () => {
  const same = await start({ 'valves.pdf': pdf })
  await untilPictures()
  const uploading = asked(
    async () => void (await upload(deps, owner, same.workspaceId, { 'valves.pdf': pdf })),
  )
  await drain(uploading)
  expect(await found(same.workspaceId, 'Foxglove')).toHaveLength(1)

  const other = await start({ 'valves.pdf': pdf })
  const task = await claimPictures()
  const replacing = asked(async (wanted) => {
    if (!('read' in wanted)) return undefined
    const file = { 'valves.pdf': picturedPdf([{ lines: ['Nothing.'] }]) }
    await upload(deps, owner, other.workspaceId, file, { onConflict: 'replace' })
    await drain(deps)
    return undefined
  })
  await run(task, replacing)
  const left = await deps.db.rows(sql`
    SELECT kind, lease_until, failures FROM task WHERE workspace_id = ${other.workspaceId}`)
  expect(left).toEqual([{ kind: 'pictures', lease_until: null, failures: 0 }])
  await deps.db.rows(sql`UPDATE task SET run_after = now() WHERE workspace_id = ${other.workspaceId}`)
  await drain(deps)
  expect((await holdings(deps.db, other.workspaceId)).tasks).toEqual([])
})

test('the document is deleted or replaced, or its workspace goes, before the words are there', async () => {
  const gone = await start({ 'valves.pdf': pdf })
  const task = await claimPictures()
  await deleteDocument(app.deps, callerOf(owner), {
    workspaceId: gone.workspaceId,
    documentId: await documentOf(gone.workspaceId),
  })
  await run(task)
  await drain(deps)
  await settle(deps, app.deps.settings.dataDir)
  const left = Object.keys(await rowsLeft(deps.db, gone.workspaceId))
  const kept = ['activity', 'job', 'job_file', 'member', 'workspace', 'workspace_language']
  expect(left.filter((table) => !kept.includes(table))).toEqual([])

  const replaced = await start({ 'valves.pdf': pdf })
  const late = await claimPictures()
  const file = { 'valves.pdf': picturedPdf([{ lines: ['Nothing is left.'] }]) }
  await upload(deps, owner, replaced.workspaceId, file, { onConflict: 'replace' })
  await drain(deps)
  await run(late)
  await drain(deps)
  expect((await chunksOf(replaced.workspaceId)).map(({ text }) => text)).toEqual(['Nothing is left.'])
})

/** Runs to the pictures' turn, then on the disturbed database to the end. */
async function disturb(on: (calls: typeof deps.db) => typeof deps.db, name: string): Promise<void> {
  await untilPictures()
  await runDisturbed(deps, on(deps.db), name)
  await drain(deps)
  await settle(deps, app.deps.settings.dataDir)
}

thorough(
  'killed before any call, or its workspace deleted before any: as if nothing had happened, or nothing left',
  async () => {
    const calm = await start({ 'valves.pdf': pdf })
    await untilPictures()
    const { db, calls } = counted(deps.db)
    await runDisturbed(deps, db, 'calm')
    await drain(deps)
    await settle(deps, app.deps.settings.dataDir)
    const wanted = await holdings(deps.db, calm.workspaceId)
    expect(calls()).toBeGreaterThan(10)
    for (let no = 1; no <= calls(); no += 3) {
      const { workspaceId } = await start({ 'valves.pdf': pdf })
      await disturb((on) => killedBefore(on, no), 'killed')
      expect(await holdings(deps.db, workspaceId), `call ${no}`).toEqual(wanted)
    }
    for (let no = 2; no <= calls(); no += 3) {
      const { workspaceId } = await start({ 'valves.pdf': pdf })
      let happened = false
      const deleted = async (): Promise<void> => {
        happened = true
        await deleteWorkspace(app.deps, callerOf(owner), workspaceId)
      }
      await disturb((on) => disturbedBefore(on, no, deleted), 'deleted')
      if (happened) expect(await rowsLeft(deps.db, workspaceId), `call ${no}`).toEqual({})
    }
  },
)

test('what is known of a file goes when nobody names it', async () => {
  const { workspaceId } = await start({ 'valves.pdf': pdf })
  await drain(deps)
  expect((await rowsLeft(deps.db, workspaceId)).picture).toBe(1)
  const path = `/v1/workspaces/${workspaceId}/documents/${await documentOf(workspaceId)}`
  expect((await app.send('DELETE', path, await app.token(owner))).status).toBe(204)
  expect((await rowsLeft(deps.db, workspaceId)).picture).toBeUndefined()
  expect(await app.deps.cache.folders(pagesFolder(workspaceId))).toEqual([])
})
