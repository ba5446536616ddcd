// Moving documents to other folders: they keep their ids and what hangs on them, and no upload and no document from the trash takes
// the id of another one.

import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MovedDocuments, MovedFolder } from '../../src/contract/moves.ts'
import type {
  DocumentDetails,
  DocumentVersion,
  Folders,
  Job,
  JobProgress,
  OnConflict,
  Page,
  ValidationErrorBody,
} from '../../src/contract/resources.ts'
import type { TrashedDocuments } from '../../src/contract/trash.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { claimTask } from '../../src/work/queue.sql.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import type { Answered } from '../support/contract.ts'
import { runs } from '../support/full.ts'
import { importArchive, prepareHere } from '../support/imports.ts'
import {
  disturbedBefore,
  drain,
  rememberingParser,
  runTask,
  upload,
  uploaded,
  type WorkDeps,
} from '../support/ingest.ts'
import { activityOf, makeAdmin } from '../support/rows.sql.ts'
import { addSource } from '../support/world.ts'

let app: TestApp
let owner: Person
let token: string
let pool: ParserPool
let deps: WorkDeps
let workspaceId: string

beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  await makeAdmin(app.deps.db, owner.id)
  token = await app.token(owner)
  pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  deps = { ...app.deps, parser: rememberingParser(pool) }
})
afterAll(async () => {
  await pool.close()
  await app.close()
})
beforeEach(async () => {
  workspaceId = await app.workspace(owner)
})

const harbour = `# Harbour rules
The harbour office of Halden keeps twelve berths. Ships of more than 40 metres register two days before they arrive.
Harbour dues are 14 EUR a metre and day. Boats of the fire brigade pay nothing. Waste goes into the bins on quay 3.`
const revised = harbour.replace('quay 3', 'quay 4')
const boiler =
  '# Boiler\nThe Wolverton boiler leaks at its lower valve. Spare parts come from Leeds within nine days.'

const send = (method: string, path: string, body?: object, as = token): Promise<Answered> =>
  app.send(method, `/v1/workspaces/${workspaceId}/${path}`, as, body && { body })
const move = (folder: string, ...ids: (string | undefined)[]): Promise<Answered> =>
  send('POST', 'documents/move', { document_ids: ids, folder })

async function moved(folder: string, ...ids: (string | undefined)[]): Promise<string[]> {
  const answer = await move(folder, ...ids)
  expect(answer.status, answer.text).toBe(200)
  return bodyOf<MovedDocuments>(answer).data.map(({ path }) => path)
}

/** What a refused request says of its first field. */
function refusal(answer: Answered): { type: string; loc: string[]; path: unknown } {
  expect(answer.status, answer.text).toBe(422)
  const [item] = bodyOf<ValidationErrorBody>(answer).detail
  return { type: item?.type ?? '', loc: item?.loc as string[], path: item?.ctx?.path }
}

async function add(path: string, text: string, onConflict?: OnConflict): Promise<Job['files'][number]> {
  const { id } = await upload(deps, owner, workspaceId, { [path]: text }, { onConflict })
  await drain(deps)
  const [file] = bodyOf<Job>(await app.send('GET', `/v1/jobs/${id}`, token)).files
  if (!file) throw new Error('the job has no file')
  return file
}
const addOne = async (path: string, text: string): Promise<string> =>
  (await add(path, text)).document_id ?? ''

/** Id and text by path. */
async function library(workspace = workspaceId): Promise<Record<string, { id: string; text: string }>> {
  const rows = await deps.db.rows<{ path: string; id: string; text: string }>(sql`
    SELECT d.path, d.id, string_agg(c.text, ' ' ORDER BY c.chunk_no) AS text
    FROM document d JOIN chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id
    WHERE d.workspace_id = ${workspace} GROUP BY d.path, d.id`)
  return Object.fromEntries(rows.map(({ path, id, text }) => [path, { id, text }]))
}
const pathsById = async (): Promise<Record<string, string>> =>
  Object.fromEntries(Object.entries(await library()).map(([path, { id }]) => [id, path]))
const textAt = async (path: string): Promise<string | undefined> => (await library())[path]?.text

const uploadedAs = async (id: string): Promise<string | null | undefined> =>
  (
    await deps.db.rows<{ uploaded_as: string | null }>(
      sql`SELECT uploaded_as FROM document WHERE workspace_id = ${workspaceId} AND id = ${id}`,
    )
  )[0]?.uploaded_as

const versionsOf = async (id: string): Promise<DocumentVersion[]> =>
  bodyOf<Page<DocumentVersion>>(await send('GET', `documents/${id}/versions`)).data

const trash = async (id: string): Promise<string> =>
  bodyOf<TrashedDocuments>(await send('POST', 'documents/trash', { document_ids: [id] })).data[0]?.id ?? ''
async function restore(trashId: string): Promise<Job['files']> {
  const answer = await send('POST', 'trash/restore', { trash_ids: [trashId] })
  expect(answer.status, answer.text).toBe(202)
  await drain(deps)
  return bodyOf<Job>(await app.send('GET', `/v1/jobs/${bodyOf<Job>(answer).id}`, token)).files
}

test('a moved document keeps its id, passages, versions and scopes, and every list has the new path at once', async () => {
  await addOne('in/rules.md', revised)
  const id = await addOne('in/rules.md', harbour)
  const other = await addOne('in/boiler.md', boiler)
  await send('PUT', 'scopes/named', { document_ids: [id] })
  await send('PUT', 'scopes/archive', { folders: ['archive'] })
  const search = async (filter: object = {}) =>
    bodyOf<{ data: { id: string; document_id: string }[] }>(
      await send('POST', 'search', { query: 'harbour dues', ...filter }),
    ).data
  const passages = await search()
  const versions = await versionsOf(id)
  expect(versions).toHaveLength(2)
  expect(await search({ scope: 'archive' })).toEqual([])

  const answer = await move('archive/2026/', id)
  expect(bodyOf<MovedDocuments>(answer)).toEqual({
    data: [{ id, title: 'Harbour rules', path: 'archive/2026/rules.md', previous_path: 'in/rules.md' }],
  })
  // Nothing has to be read again.
  expect(await claimTask(deps.db, 'nobody')).toBeUndefined()
  expect(await search()).toEqual(passages)
  expect(await versionsOf(id)).toEqual(versions)
  expect((await send('GET', 'scopes/named/documents')).text).toContain('archive/2026/rules.md')
  const inArchive = (await search({ scope: 'archive' })).map(({ document_id }) => document_id)
  expect(new Set(inArchive)).toEqual(new Set([id]))
  expect(await search({ scope: 'folder:in' })).toEqual([])
  expect(bodyOf<Folders>(await send('GET', 'folders')).data).toEqual([
    { path: 'archive', document_count: 1 },
    { path: 'archive/2026', document_count: 1 },
    { path: 'in', document_count: 1 },
  ])
  const details = bodyOf<Page<DocumentDetails>>(await send('GET', 'document-details?folder=archive')).data
  expect(details).toMatchObject([{ id, filename: 'archive/2026/rules.md' }])
  const matches = bodyOf<{ data: { id: string }[] }>(await send('GET', 'find?q=archive 2026')).data
  expect(matches[0]?.id).toBe(id)
  expect((await send('GET', `documents/${id}/original`)).status).toBe(200)
  expect(await uploadedAs(id)).toBe('in/rules.md')
  expect((await activityOf(deps.db, workspaceId)).at(-1)).toEqual({
    action: 'documents_moved',
    actor_id: owner.id,
    subject: id,
    detail: { documents: 1, from: 'in', to: 'archive/2026' },
  })

  // Again, it changes nothing; back, and the name of the upload is that of the document.
  expect(await moved('archive/2026', id)).toEqual(['archive/2026/rules.md'])
  expect(await moved('in', id, other)).toEqual(['in/rules.md', 'in/boiler.md'])
  expect(await uploadedAs(id)).toBeNull()
  // The other one was there before.
  expect(
    (await activityOf(deps.db, workspaceId)).filter(({ action }) => action === 'documents_moved').slice(1),
  ).toMatchObject([{ subject: id, detail: { documents: 1, from: 'archive/2026', to: 'in' } }])
  expect(await moved('', id)).toEqual(['rules.md'])
})

test('all documents of a request are moved, or none', async () => {
  const [a, b] = [await addOne('a/rules.md', harbour), await addOne('b/rules.md', boiler)]
  const note = await addOne('note.md', '# Note\nThe gate closes at nine.')
  const before = await pathsById()
  expect(refusal(await move('c', note, a, b))).toEqual({
    type: 'name_repeated',
    loc: ['body', 'folder'],
    path: 'c/rules.md',
  })
  expect(refusal(await move('b', note, a))).toMatchObject({ type: 'name_taken', path: 'b/rules.md' })
  for (const folder of ['../x', 'a/../../x', '/x', 'C:\\x', 'x'.repeat(499)])
    expect(refusal(await move(folder, note)).type, folder).toBe('value_error')
  expect(refusal(await move('x'.repeat(501), note)).type).toBe('string_too_long')
  expect((await move('c', note, owner.id)).status).toBe(404)
  expect((await move('c', owner.id)).status).toBe(404)
  expect(await pathsById()).toEqual(before)
  expect((await activityOf(deps.db, workspaceId)).map(({ action }) => action)).not.toContain(
    'documents_moved',
  )

  // A file that waits to be read may get the path.
  await upload(deps, owner, workspaceId, { 'c/note.md': 'Another note, about the ferry to Moss.' })
  expect(refusal(await move('c', note))).toMatchObject({ type: 'name_taken', path: 'c/note.md' })
  await drain(deps)
  expect(refusal(await move('c', note))).toMatchObject({ type: 'name_taken', path: 'c/note.md' })
})

test('who may not edit moves nothing, and nothing of another workspace', async () => {
  const id = await addOne('rules.md', harbour)
  const viewer = await app.person()
  await app.member(workspaceId, viewer, 'viewer')
  for (const [path, body] of [
    ['documents/move', { document_ids: [id], folder: 'x' }],
    ['folders/move', { folder: 'x', to: 'y' }],
  ] as const) {
    expect((await send('POST', path, body, await app.token(viewer))).status).toBe(403)
    expect((await send('POST', path, body, await app.token(await app.person()))).status).toBe(404)
  }
  const elsewhere = await app.workspace(owner)
  const body = { document_ids: [id], folder: 'x' }
  expect((await app.send('POST', `/v1/workspaces/${elsewhere}/documents/move`, token, { body })).status).toBe(
    404,
  )
  expect(await pathsById()).toEqual({ [id]: 'rules.md' })
})

test('a later upload with the old name is the moved document, a version of it, or another document', async () => {
  const id = await addOne('rules.md', harbour)
  await moved('archive', id)
  expect((await add('rules.md', harbour)).document_id).toBe(id)
  expect((await add('rules.md', revised)).document_id).toBe(id)
  expect(await textAt('archive/rules.md')).toContain('quay 4')
  expect((await versionsOf(id)).map(({ filename }) => filename)).toEqual(['rules.md', 'rules.md'])
  const other = await add('rules.md', boiler)
  expect(other).toMatchObject({ filename: 'rules.md', status: 'done' })
  expect(other.document_id).not.toBe(id)
  expect(await pathsById()).toEqual({ [id]: 'archive/rules.md', [other.document_id ?? '']: 'rules.md' })

  // The moved one is replaced under its new name, and its old version can be restored there.
  expect((await add('archive/rules.md', harbour)).document_id).toBe(id)
  const [, earlier] = await versionsOf(id)
  await send('POST', `documents/${id}/versions/${earlier?.id}/restore`)
  await drain(deps)
  expect(await textAt('archive/rules.md')).toContain('quay 4')
  expect(refusal(await move('', id))).toMatchObject({ type: 'name_taken', path: 'rules.md' })
})

test.each(['replace', 'keep_both', 'fail'] as const)(
  'an upload with on_conflict=%s to the path of a moved document leaves that one alone',
  async (onConflict) => {
    const id = await addOne('rules.md', harbour)
    await moved('archive', id)
    const other = await add('rules.md', boiler, onConflict)
    expect(other).toMatchObject({ filename: 'rules.md', status: 'done' })
    expect(other.document_id).not.toBe(id)
    expect(await textAt('archive/rules.md')).toContain('quay 3')
    expect(await textAt('rules.md')).toContain('Wolverton')
  },
)

test.each([undefined, 'replace', 'keep_both', 'fail'] as const)(
  'an upload that waited while the document was moved does not overwrite it, at whatever moment (%s)',
  async (onConflict) => {
    for (let call = 0; ; call++) {
      workspaceId = await app.workspace(owner)
      const id = await addOne('rules.md', harbour)
      await upload(deps, owner, workspaceId, { 'rules.md': boiler }, { onConflict })
      let textWhenMoved: string | undefined
      const happen = async (): Promise<void> => {
        textWhenMoved = await textAt('rules.md')
        await moved('archive', id)
      }
      if (call === 0) await happen()
      const task = await claimTask(deps.db, 'calm')
      if (task) await runTask({ ...deps, db: disturbedBefore(deps.db, call, happen) }, task)
      await drain(deps)
      const texts = await library()
      if (textWhenMoved === undefined) break
      expect(texts['archive/rules.md'], String(call)).toEqual({ id, text: textWhenMoved })
      // The upload is a document, at its path unless it was published beside the other one before that was moved.
      expect(
        Object.values(texts).map(({ text }) => text),
        String(call),
      ).toContainEqual(expect.stringContaining('Wolverton'))
      if (call === 0) expect(texts['rules.md']?.text).toContain('Wolverton')
    }
  },
  120_000,
)

test('an upload with `replace` that waits for the old path is not cancelled with the moved document', async () => {
  const id = await addOne('rules.md', harbour)
  const { id: jobId } = await upload(
    deps,
    owner,
    workspaceId,
    { 'rules.md': boiler },
    { onConflict: 'replace' },
  )
  await moved('archive', id)
  expect((await send('DELETE', `documents/${id}`)).status).toBe(204)
  await drain(deps)
  expect(bodyOf<Job>(await app.send('GET', `/v1/jobs/${jobId}`, token)).files).toMatchObject([
    { status: 'done' },
  ])
  expect(await textAt('rules.md')).toContain('Wolverton')
})

test('an earlier upload does not come back after a later one with `replace` whose document was moved', async () => {
  const first = await upload(deps, owner, workspaceId, { 'rules.md': boiler })
  await deps.db.rows(
    sql`UPDATE task SET run_after = now() + interval '1 hour' WHERE workspace_id = ${workspaceId} AND kind = 'ingest'`,
  )
  const id = (await add('rules.md', harbour, 'replace')).document_id ?? ''
  await moved('archive', id)
  await deps.db.rows(
    sql`UPDATE task SET run_after = now() WHERE workspace_id = ${workspaceId} AND kind = 'ingest'`,
  )
  await drain(deps)
  expect(bodyOf<Job>(await app.send('GET', `/v1/jobs/${first.id}`, token)).files).toMatchObject([
    { status: 'done', document_id: id },
  ])
  expect(await pathsById()).toEqual({ [id]: 'archive/rules.md' })
  expect(await versionsOf(id)).toHaveLength(2)
})

/** Lets the uploads that have been sent so far wait. */
const holdUploads = (): Promise<unknown> =>
  deps.db.rows(
    sql`UPDATE task SET run_after = now() + interval '1 hour' WHERE workspace_id = ${workspaceId} AND kind = 'ingest'`,
  )
async function readHeld(): Promise<void> {
  await deps.db.rows(
    sql`UPDATE task SET run_after = now() WHERE workspace_id = ${workspaceId} AND kind = 'ingest'`,
  )
  await drain(deps)
}

test.each([undefined, 'replace', 'fail'] as const)(
  'an upload to the old path of a moved document (%s) is not lost when the bytes of that one are sent again',
  async (onConflict) => {
    const id = (await add('rules.md', harbour, 'replace')).document_id
    await moved('archive', id)
    await upload(deps, owner, workspaceId, { 'rules.md': boiler }, { onConflict })
    await holdUploads()
    expect(await add('rules.md', harbour)).toMatchObject({ status: 'done', document_id: id })
    await readHeld()
    expect(await textAt('archive/rules.md')).toContain('quay 3')
    expect(await textAt('rules.md')).toContain('Wolverton')
  },
)

test('an earlier upload does not come back after a later one with `replace`, however often its document was moved', async () => {
  const id = await addOne('first/rules.md', revised)
  await moved('second', id)
  const earlier = await upload(deps, owner, workspaceId, { 'second/rules.md': boiler })
  await holdUploads()
  expect((await add('second/rules.md', harbour, 'replace')).document_id).toBe(id)
  await moved('third', id)
  await readHeld()
  expect(bodyOf<Job>(await app.send('GET', `/v1/jobs/${earlier.id}`, token)).files).toMatchObject([
    { status: 'done', document_id: id },
  ])
  expect(await pathsById()).toEqual({ [id]: 'third/rules.md' })
})

test('a document that is read again while it is moved stays where it was moved', async () => {
  const id = await addOne('rules.md', harbour)
  await send('POST', `documents/${id}/reindex`)
  await moved('archive', id)
  // Its own file that waits does not stand in its way.
  await moved('', id)
  await moved('archive', id)
  await drain(deps)
  expect(await pathsById()).toEqual({ [id]: 'archive/rules.md' })
})

test('a moved document comes back from the trash to where it was, whatever was uploaded meanwhile', async () => {
  const id = await addOne('rules.md', harbour)
  await moved('archive', id)
  const entry = await trash(id)
  await drain(deps)
  const other = await addOne('rules.md', boiler)
  expect(other).not.toBe(id)
  expect(await restore(entry)).toMatchObject([{ filename: 'archive/rules.md', document_id: id }])
  expect(await pathsById()).toEqual({ [id]: 'archive/rules.md', [other]: 'rules.md' })
  expect(await uploadedAs(id)).toBe('rules.md')

  // Another one at its path: it keeps its id all the same.
  const again = await trash(id)
  await drain(deps)
  const third = await addOne('archive/rules.md', '# Ferry\nThe ferry to Moss leaves at seven and at noon.')
  expect(await restore(again)).toMatchObject([{ filename: 'archive/rules (2).md', document_id: id }])
  expect(await pathsById()).toEqual({
    [id]: 'archive/rules (2).md',
    [other]: 'rules.md',
    [third]: 'archive/rules.md',
  })
})

test('a document whose id a later upload has got comes back with an id of its own', async () => {
  const id = await addOne('rules.md', harbour)
  const entry = await trash(id)
  await drain(deps)
  expect(await addOne('rules.md', boiler)).toBe(id)
  await moved('archive', id)
  const [file] = await restore(entry)
  expect(file).toMatchObject({ filename: 'rules.md', status: 'done' })
  expect(file?.document_id).not.toBe(id)
  expect(await textAt('rules.md')).toContain('quay 3')
  expect(await textAt('archive/rules.md')).toContain('Wolverton')
})

test('the documents of a source stay where the source has them', async () => {
  const [ours, theirs] = [await addOne('handbook/rules.md', harbour), await addOne('note.md', boiler)]
  const source = await addSource(app, workspaceId, owner)
  for (const [path, state, id] of [
    ['handbook/rules.md', 'ours', ours],
    ['handbook/boiler.md', 'theirs', theirs],
  ])
    await deps.db.rows(sql`
      INSERT INTO source_file (workspace_id, source_id, path, kept)
      VALUES (${workspaceId}, ${source}::uuid, ${path}, ${JSON.stringify({ hash: '', state, document_id: id })}::jsonb)`)
  expect(refusal(await move('x', theirs, ours))).toMatchObject({
    type: 'source_decides',
    path: 'handbook/rules.md',
  })
  expect(await moved('x', theirs)).toEqual(['x/note.md'])
  expect(refusal(await send('POST', 'folders/move', { folder: 'handbook', to: 'x' })).type).toBe(
    'source_decides',
  )
})

test('a folder is moved and renamed with what is below it', async () => {
  const texts = { 'a/b/rules.md': harbour, 'a/b/b/rules.md': boiler, 'ab/c.md': 'The gate closes at nine.' }
  const ids = await uploaded(deps, owner, workspaceId, texts)
  const moveFolder = async (folder: string, to: string): Promise<string[]> => {
    const answer = await send('POST', 'folders/move', { folder, to })
    expect(answer.status, answer.text).toBe(200)
    return bodyOf<MovedDocuments>(answer).data.map(({ path }) => path)
  }
  // The new path of one is the old one of another.
  expect((await moveFolder('a/b', 'a')).sort()).toEqual(['a/b/rules.md', 'a/rules.md'])
  expect(await moveFolder('a', 'Archive/2026')).toEqual(['Archive/2026/b/rules.md', 'Archive/2026/rules.md'])
  expect(await moveFolder('Archive/2026', '')).toEqual(['b/rules.md', 'rules.md'])
  const moves = (await activityOf(deps.db, workspaceId)).filter(({ action }) => action === 'documents_moved')
  expect(moves.map(({ detail }) => detail)).toEqual([
    { documents: 2, from: 'a/b', to: 'a' },
    { documents: 2, from: 'a', to: 'Archive/2026' },
    { documents: 2, from: 'Archive/2026', to: '' },
  ])
  expect(await pathsById()).toEqual({
    [ids.get('a/b/rules.md') ?? '']: 'rules.md',
    [ids.get('a/b/b/rules.md') ?? '']: 'b/rules.md',
    [ids.get('ab/c.md') ?? '']: 'ab/c.md',
  })
  expect(await uploadedAs(ids.get('a/b/rules.md') ?? '')).toBe('a/b/rules.md')
  const refused = async (folder: string, to: string) =>
    refusal(await send('POST', 'folders/move', { folder, to }))
  expect(await refused('b', '')).toMatchObject({ type: 'name_taken', path: 'rules.md', loc: ['body', 'to'] })
  expect(await refused('b', 'b/c')).toMatchObject({ type: 'value_error', loc: ['body', 'to'] })
  expect(await refused(' ', 'x')).toMatchObject({ type: 'value_error', loc: ['body', 'folder'] })
  expect((await send('POST', 'folders/move', { folder: 'none', to: 'x' })).status).toBe(404)
})

test('scopes name the new path of a folder that is moved, and of those below it', async () => {
  const id = await addOne('a/b/rules.md', harbour)
  await addOne('ab/note.md', boiler)
  const folders = { own: ['a'], below: ['a/b'], other: ['ab'], both: ['x/a', 'a'] }
  for (const [name, names] of Object.entries(folders)) await send('PUT', `scopes/${name}`, { folders: names })
  const inScope = async (): Promise<Record<string, string[]>> => {
    const entries = Object.keys(folders).map(async (name) => {
      const page = bodyOf<Page<{ path: string }>>(await send('GET', `scopes/${name}/documents`))
      return [name, page.data.map(({ path }) => path)]
    })
    return Object.fromEntries(await Promise.all(entries))
  }
  const note = ['ab/note.md']
  for (const [folder, to] of [
    ['a', 'x/a'],
    ['x', 'Archive/2026'],
    ['Archive/2026/a', 'a'],
    ['a', ''],
  ] as const) {
    expect((await send('POST', 'folders/move', { folder, to })).status).toBe(200)
    const here = Object.keys(await library()).filter((path) => path !== 'ab/note.md')
    expect(await inScope(), `${folder} → ${to}`).toEqual({ own: here, below: here, both: here, other: note })
  }
  expect(await pathsById()).toMatchObject({ [id]: 'b/rules.md' })
  // Later files of the folder are in the scope, too.
  const boat = await addOne('b/boat.md', '# Ferry\nThe ferry to Moss leaves at seven and at noon.')
  expect((await inScope()).below).toContain('b/boat.md')
  expect(boat).not.toBe(id)
})

test('with `below` documents keep their places below that folder; whoever is not in it is refused', async () => {
  const texts = { 'a/b/c/rules.md': harbour, 'a/b/note.md': boiler, 'ab/c.md': 'The gate closes at nine.' }
  const ids = await uploaded(deps, owner, workspaceId, texts)
  const [rules, note, gate] = Object.keys(texts).map((path) => ids.get(path) ?? '')
  const moveBelow = (body: object) => send('POST', 'documents/move', body)
  const paths = async (body: object): Promise<string[]> => {
    const answer = await moveBelow(body)
    expect(answer.status, answer.text).toBe(200)
    return bodyOf<MovedDocuments>(answer).data.map(({ path }) => path)
  }
  const before = await pathsById()
  const both = { document_ids: [rules, note] }
  expect(await paths({ ...both, folder: 'x', below: 'a/b/' })).toEqual(['x/c/rules.md', 'x/note.md'])
  expect(await paths({ ...both, folder: '', below: 'x' })).toEqual(['c/rules.md', 'note.md'])
  // Below the root, everything keeps its path.
  expect(await paths({ ...both, folder: 'a/b', below: '' })).toEqual(['a/b/c/rules.md', 'a/b/note.md'])
  expect(await pathsById()).toEqual(before)
  const outside = await moveBelow({ document_ids: [rules, gate], folder: 'x', below: 'a' })
  expect(refusal(outside)).toEqual({ type: 'not_below', loc: ['body', 'below'], path: 'ab/c.md' })
  expect(refusal(await moveBelow({ ...both, folder: 'x', below: '../x' })).type).toBe('value_error')
  expect(await pathsById()).toEqual(before)
})

/** The folders of the scopes, as they are stored. */
async function scopeFolders(): Promise<Record<string, string[]>> {
  const rows = await deps.db.rows<{ name: string; folders: string[] }>(
    sql`SELECT name, folders FROM scope WHERE workspace_id = ${workspaceId}`,
  )
  return Object.fromEntries(rows.map(({ name, folders }) => [name, folders]))
}
async function putScopes(scopes: Record<string, string[]>): Promise<void> {
  for (const [name, folders] of Object.entries(scopes))
    expect((await send('PUT', `scopes/${name}`, { folders })).status).toBe(200)
}
const movedFolder = async (folder: string, to: string): Promise<MovedFolder> => {
  const answer = await send('POST', 'folders/move', { folder, to })
  expect(answer.status, answer.text).toBe(200)
  return bodyOf<MovedFolder>(answer)
}
const undoOf = (folder: string, to: string, { data, scopes }: MovedFolder) => ({
  document_ids: data.map(({ id }) => id),
  folder,
  below: to,
  scopes,
})
const changedScopes = async (): Promise<(string | null)[]> =>
  (await activityOf(deps.db, workspaceId))
    .filter(({ action }) => action === 'scope_set')
    .map(({ subject }) => subject)

test('the move of a folder to one that has documents is undone by what it returned, and those stay', async () => {
  const texts = {
    'old/rules.md': harbour,
    'old/b/note.md': boiler,
    'new/rules.txt': 'The gate closes at nine.',
  }
  await uploaded(deps, owner, workspaceId, texts)
  // Some name the destination, or a folder in it, as well.
  const scopes = {
    own: ['old'],
    below: ['old/b'],
    theirs: ['new'],
    other: ['else'],
    both: ['old', 'new'],
    inside: ['z', 'new/x', 'old'],
  }
  await putScopes(scopes)
  const [before, entries] = [await pathsById(), (await changedScopes()).length]
  const result = await movedFolder('old', 'new')
  expect(result.scopes).toEqual([
    { name: 'below', folders: ['new/b'], previous_folders: ['old/b'] },
    { name: 'both', folders: ['new'], previous_folders: ['old', 'new'] },
    { name: 'inside', folders: ['new', 'new/x', 'z'], previous_folders: ['z', 'new/x', 'old'] },
    { name: 'own', folders: ['new'], previous_folders: ['old'] },
  ])
  expect(Object.values(await pathsById()).sort()).toEqual(['new/b/note.md', 'new/rules.md', 'new/rules.txt'])
  expect((await changedScopes()).slice(entries)).toEqual(['below', 'both', 'inside', 'own'])

  expect((await send('POST', 'documents/move', undoOf('old', 'new', result))).status).toBe(200)
  expect(await pathsById()).toEqual(before)
  expect(await scopeFolders()).toEqual(scopes)
  expect((await changedScopes()).slice(entries + 4)).toEqual(['below', 'both', 'inside', 'own'])

  expect(await movedFolder('new', 'new')).toMatchObject({ scopes: [] })
})

test('the undo of a move leaves a scope alone that was changed or deleted since, and one that lists the documents', async () => {
  const id = await addOne('A/rules.md', harbour)
  await addOne('A/x/note.md', boiler)
  await putScopes({ own: ['A'], below: ['A/x'], both: ['A', 'A/x'] })
  const toRoot = await movedFolder('A', '')
  expect(toRoot.scopes).toEqual([{ name: 'below', folders: ['x'], previous_folders: ['A/x'] }])
  expect(await scopeFolders()).toEqual({ own: [], below: ['x'], both: ['x'] })
  const listed = async (): Promise<string[]> =>
    bodyOf<Page<{ path: string }>>(await send('GET', 'scopes/own/documents'))
      .data.map(({ path }) => path)
      .sort()
  expect(await listed()).toEqual(['rules.md', 'x/note.md'])
  expect((await send('POST', 'documents/move', undoOf('A', '', toRoot))).status).toBe(200)
  expect(await scopeFolders()).toEqual({ own: [], below: ['A/x'], both: ['x'] })
  expect(await listed()).toEqual(['A/rules.md', 'A/x/note.md'])

  await putScopes({ own: ['A'], below: ['A/x'], both: ['A'] })
  const result = await movedFolder('A', 'B')
  await putScopes({ own: ['B', 'C'] })
  await send('DELETE', 'scopes/both')
  const entries = (await changedScopes()).length
  expect((await send('POST', 'documents/move', undoOf('A', 'B', result))).status).toBe(200)
  expect(await scopeFolders()).toEqual({ own: ['B', 'C'], below: ['A/x'] })
  expect((await changedScopes()).slice(entries)).toEqual(['below'])

  // No scope can name the root.
  const scopes = [{ name: 'below', folders: ['A/x'], previous_folders: ['/'] }]
  expect(refusal(await send('POST', 'documents/move', { document_ids: [id], folder: 'A', scopes }))).toEqual({
    type: 'value_error',
    loc: ['body', 'scopes', '0', 'previous_folders', '0'],
    path: undefined,
  })
})

test('the activity log names the folders of a move', async () => {
  const texts = { 'A/b/rules.md': harbour, 'A/b/note.md': boiler, 'c.md': 'The gate closes at nine.' }
  const ids = await uploaded(deps, owner, workspaceId, texts)
  const [rules, note, gate] = Object.keys(texts).map((path) => ids.get(path) ?? '')
  // The folder that was moved, and not the one below it that has all of its documents.
  await movedFolder('A', 'B')
  await send('POST', 'documents/move', { document_ids: [rules, note], folder: 'A', below: 'B' })
  await moved('x', rules, note)
  // These come from several folders.
  await moved('y', rules, gate)
  await moved('', rules, note)
  const moves = (await activityOf(deps.db, workspaceId)).filter(({ action }) => action === 'documents_moved')
  expect(moves.map(({ detail }) => detail)).toEqual([
    { documents: 2, from: 'A', to: 'B' },
    { documents: 2, from: 'B', to: 'A' },
    { documents: 2, from: 'A/b', to: 'x' },
    { documents: 2, to: 'y' },
    { documents: 2, to: '' },
  ])
})

test('what kept its folders goes back in one request, whatever of it has the old path of another', async () => {
  const ids = await uploaded(deps, owner, workspaceId, { 'a.md': harbour, 'Archive/a.md': boiler })
  const before = await pathsById()
  const document_ids = [...ids.values()]
  const request = { document_ids, folder: 'Archive', below: '' }
  expect((await send('POST', 'documents/move', request)).status).toBe(200)
  expect(Object.values(await pathsById()).sort()).toEqual(['Archive/Archive/a.md', 'Archive/a.md'])
  const back = { document_ids, folder: '', below: 'Archive' }
  expect((await send('POST', 'documents/move', back)).status).toBe(200)
  expect(await pathsById()).toEqual(before)
})

test('a title that was made with the old path is made again, and no two documents have the same', async () => {
  const quiet = (word: string): string => `The ${word} gate closes at nine.`
  await addOne('a/notes.txt', quiet('north'))
  const id = await addOne('b/notes.txt', quiet('southern harbour'))
  const titles = async (): Promise<Record<string, string>> => {
    const rows = await deps.db.rows<{ path: string; title: string }>(
      sql`SELECT path, title FROM document WHERE workspace_id = ${workspaceId}`,
    )
    return Object.fromEntries(rows.map(({ path, title }) => [path, title]))
  }
  expect(await titles()).toMatchObject({ 'b/notes.txt': 'b/notes.txt' })
  const answer = await move('archive', id)
  expect(bodyOf<MovedDocuments>(answer).data[0]?.title).toBe('archive/notes.txt')
  await add('b/notes.txt', boiler.replace('# Boiler\n', ''), 'keep_both')
  expect(await titles()).toEqual({
    'a/notes.txt': 'notes',
    'archive/notes.txt': 'archive/notes.txt',
    'b/notes.txt': 'b/notes.txt',
  })
})

test('a folder whose name ends with a space is another one than that without', async () => {
  const [plain, spaced] = [await addOne('Contracts/a.md', harbour), await addOne('Contracts /b.md', boiler)]
  expect((await send('POST', 'folders/move', { folder: 'Contracts ', to: 'x' })).status).toBe(200)
  expect(await pathsById()).toEqual({ [plain]: 'Contracts/a.md', [spaced]: 'x/b.md' })
  expect(await moved('Contracts ', spaced)).toEqual(['Contracts /b.md'])
})

test('what is wrong with a path is said, with the value of the field', async () => {
  const id = await addOne('a/ rules.md', harbour)
  const detail = async (folder: string) => {
    const answer = await move(folder, id)
    expect(answer.status, answer.text).toBe(422)
    return bodyOf<ValidationErrorBody>(answer).detail[0]
  }
  expect(await detail('')).toMatchObject({ msg: '“ rules.md” cannot be the path of a document', input: '' })
  const long = 'x'.repeat(495)
  expect(await detail(long)).toMatchObject({
    msg: expect.stringContaining('would be too long'),
    input: long.slice(0, 200),
  })
  expect(await detail('😀'.repeat(300))).toMatchObject({ msg: 'The folder is too long' })
  expect(await detail('../x')).toMatchObject({ msg: 'The folder must be a relative path without ..' })
  // A document that stays is not asked.
  expect(await moved('a', id)).toEqual(['a/ rules.md'])
})

test('a request that is sent again with its Idempotency-Key moves nothing more, and has the same answer', async () => {
  const ids = await uploaded(deps, owner, workspaceId, { 'a/b/rules.md': harbour, 'a/b/b/note.md': boiler })
  const post = (path: string, body: object, key: string): Promise<Answered> =>
    app.send('POST', `/v1/workspaces/${workspaceId}/${path}`, token, {
      body,
      headers: { 'idempotency-key': key },
    })
  const first = await post('folders/move', { folder: 'a/b', to: 'a' }, 'one')
  expect(first.status, first.text).toBe(200)
  const after = await pathsById()
  const again = await post('folders/move', { folder: 'a/b', to: 'a' }, 'one')
  expect([again.status, bodyOf(again)]).toEqual([200, bodyOf(first)])
  expect(await pathsById()).toEqual(after)
  expect(refusal(await post('folders/move', { folder: 'a', to: 'c' }, 'one')).type).toBe(
    'idempotency_key_reused',
  )
  const body = { document_ids: [ids.get('a/b/rules.md')], folder: 'z' }
  const moving = await post('documents/move', body, 'one')
  await moved('y', ids.get('a/b/rules.md'))
  expect(bodyOf(await post('documents/move', body, 'one'))).toEqual(bodyOf(moving))
  expect(Object.values(await pathsById()).sort()).toEqual(['a/b/note.md', 'y/rules.md'])
})

test('a new version of a document that is elsewhere says where', async () => {
  const id = await addOne('rules.md', harbour)
  await moved('archive', id)
  const { id: jobId } = await upload(deps, owner, workspaceId, { 'rules.md': revised })
  await drain(deps)
  const progress = bodyOf<JobProgress>(await app.send('GET', `/v1/jobs/${jobId}/progress`, token))
  expect(progress.files[0]).toMatchObject({
    outcome: 'replaced',
    document_id: id,
    warnings: [expect.stringContaining('"archive/rules.md"')],
  })
})

test('a failed file does not come back when the document that was uploaded after it is moved', async () => {
  await upload(deps, owner, workspaceId, { 'plan.pdf': '%PDF-1.7\nnothing\n' })
  await drain(deps)
  const failed = async (): Promise<string> => (await send('GET', 'failed-files')).text
  expect(await failed()).toContain('plan.pdf')
  const [id] = (await uploaded(deps, owner, workspaceId, { 'plan.pdf': boiler })).values()
  expect(id).toBeDefined()
  expect(await failed()).not.toContain('plan.pdf')
  await moved('archive', id)
  expect(await failed()).not.toContain('plan.pdf')
})

test('an archive has moved documents as they are, with the same ids or as a copy', async () => {
  const id = await addOne('rules.md', harbour)
  await moved('archive', id)
  const other = await addOne('rules.md', boiler)
  const answer = await app.server.inject({
    url: `/v1/workspaces/${workspaceId}/export`,
    headers: { authorization: `Bearer ${token}` },
  })
  const importDeps = { ...deps, prepareArchive: prepareHere } as Parameters<typeof importArchive>[1]
  const copy = await importArchive(app, importDeps, token, answer.rawPayload, { query: '?ids=new' })
  expect(copy).toMatchObject({ status: 'done', error: null })
  await drain(deps)
  const texts = await library(copy.workspace?.id)
  expect(Object.keys(texts).sort()).toEqual(['archive/rules.md', 'rules.md'])
  await app.send('DELETE', `/v1/workspaces/${workspaceId}`, token)
  await drain(deps)
  expect(await importArchive(app, importDeps, token, answer.rawPayload)).toMatchObject({ status: 'done' })
  await drain(deps)
  expect(await pathsById()).toEqual({ [id]: 'archive/rules.md', [other]: 'rules.md' })

  // In both of them a later upload finds the moved document by the name that it was uploaded with.
  for (const workspace of [workspaceId, copy.workspace?.id ?? '']) {
    workspaceId = workspace
    const moved = (await library())['archive/rules.md']?.id
    expect((await add('rules.md', revised)).document_id).toBe(moved)
    expect(Object.keys(await library())).toHaveLength(2)
  }
})

test('whatever is uploaded, moved, trashed and restored in whatever order, no text is lost and ids stay', async () => {
  const TEXTS = [
    harbour,
    boiler,
    '# Ferry\nThe ferry to Moss leaves at seven and at noon. Dogs travel free of charge.',
  ]
  const name = fc.constantFrom('r.md', 'x/r.md', 'y/r.md')
  const pick = fc.nat(5)
  const step = fc.oneof(
    fc.record({ kind: fc.constant('upload' as const), name, text: fc.nat(TEXTS.length - 1) }),
    fc.record({ kind: fc.constant('move' as const), pick, folder: fc.constantFrom('', 'x', 'y') }),
    fc.record({ kind: fc.constant('trash' as const), pick }),
    fc.record({ kind: fc.constant('restore' as const), pick }),
    fc.record({ kind: fc.constant('read' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      workspaceId = await app.workspace(owner)
      const sent = new Set<number>()
      const trashed: string[] = []
      for (const one of steps) {
        const documents = await pathsById()
        const ids = Object.keys(documents).sort((a, b) =>
          (documents[a] ?? '') < (documents[b] ?? '') ? -1 : 1,
        )
        if (one.kind === 'read') await drain(deps)
        else if (one.kind === 'upload') {
          sent.add(one.text)
          await upload(deps, owner, workspaceId, { [one.name]: TEXTS[one.text] ?? '' })
        } else if (one.kind === 'restore') {
          const [entry] = trashed.splice(one.pick % Math.max(1, trashed.length), 1)
          if (entry) expect((await send('POST', 'trash/restore', { trash_ids: [entry] })).status).toBe(202)
        } else {
          const id = ids[one.pick % Math.max(1, ids.length)]
          if (id === undefined) continue
          if (one.kind === 'trash') trashed.push(await trash(id))
          else {
            const answer = await move(one.folder, id)
            expect([200, 422], answer.text).toContain(answer.status)
            const now = await pathsById()
            // All others are where they were, and it is where it was asked to be.
            for (const other of ids) if (other !== id) expect(now[other]).toBe(documents[other])
            const base = (documents[id] ?? '').split('/').at(-1)
            if (answer.status === 200) expect(now[id]).toBe(one.folder ? `${one.folder}/${base}` : base)
          }
        }
      }
      await drain(deps)
      for (const entry of trashed) await restore(entry)
      const texts = Object.values(await library()).map(({ text }) => text)
      for (const no of sent) {
        const mark = ['quay 3', 'Wolverton', 'Moss'][no] ?? ''
        expect(
          texts.some((text) => text.includes(mark)),
          mark,
        ).toBe(true)
      }
    }),
    { numRuns: runs(12, 200) },
  )
}, 300_000)
