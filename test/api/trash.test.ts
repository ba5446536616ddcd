// The trash: nothing finds what is in it, it comes back whole, and after 30 days it is deleted.

import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { selectReferencedBlobs } from '../../src/backup/tables.sql.ts'
import type { DocumentVersion, Job, Page, Workspace } from '../../src/contract/resources.ts'
import type { TrashedDocument, TrashedDocuments, TrashedWorkspaces } from '../../src/contract/trash.ts'
import { countEmbedded } from '../../src/embed/progress.sql.ts'
import { openPool, type ParserPool } from '../../src/reader/reader.ts'
import { leaveTrash } from '../../src/workspaces/trash.sql.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { everyRow } from '../support/every-row.ts'
import { blobsOf, drain, settle, upload, uploaded, type WorkDeps, work } from '../support/ingest.ts'
import { keyOf } from '../support/world.ts'

let app: TestApp
let deps: WorkDeps
let parser: ParserPool
let owner: Person
let token: string
let workspaceId: string

/** No other document has the word. */
const RARE = 'Quillenthorpe'
const files = {
  'Harbour/rules.md': `# Harbour rules\n\n${RARE} Shipping Ltd. pays the harbour dues. ${RARE} Shipping Ltd. is in Bergen.`,
  'garden.md': '# Garden\n\nRoses want lime.',
}

beforeAll(async () => {
  app = await testApp()
  parser = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.log })
  deps = { ...app.deps, parser }
  owner = await app.person()
  token = await app.token(owner)
})
afterAll(async () => {
  await parser.close()
  await app.close()
})
beforeEach(async () => {
  workspaceId = await app.workspace(owner)
})

const send = (method: string, path: string, body?: object, as = token) =>
  app.send(method, `/v1/workspaces/${workspaceId}/${path}`, as, body && { body })
const trashOf = async (): Promise<TrashedDocument[]> => {
  const answer = await send('GET', 'trash')
  expect(answer.status).toBe(200)
  return bodyOf<Page<TrashedDocument>>(answer).data
}
const moveToTrash = async (...documentIds: (string | undefined)[]): Promise<TrashedDocument[]> => {
  const answer = await send('POST', 'documents/trash', { document_ids: documentIds })
  expect(answer.status, answer.text).toBe(200)
  return bodyOf<TrashedDocuments>(answer).data
}
const restore = async (...trashIds: (string | undefined)[]): Promise<Job> => {
  const answer = await send('POST', 'trash/restore', { trash_ids: trashIds })
  expect(answer.status, answer.text).toBe(202)
  await drain(deps)
  return bodyOf<Job>(await app.send('GET', `/v1/jobs/${bodyOf<Job>(answer).id}`, token))
}
const search = async (query: string) => {
  const answer = await send('POST', 'search', { query })
  return bodyOf<{ data: { id: string; document_id: string }[] }>(answer).data
}
const titles = async () =>
  bodyOf<Page<{ title: string }>>(await send('GET', 'documents')).data.map(({ title }) => title)

/** As if everything in the trash had been put there a day more than 30 days ago. */
async function age(): Promise<void> {
  // Citus takes no functions of columns in an update.
  const trashedAt = new Date(Date.now() - 31 * 86_400_000)
  for (const table of ['trashed_document', 'trashed_workspace'] as const)
    await app.deps.db.rows(
      table === 'trashed_document'
        ? sql`UPDATE trashed_document SET trashed_at = ${trashedAt} WHERE workspace_id = ${workspaceId}`
        : sql`UPDATE trashed_workspace SET trashed_at = ${trashedAt} WHERE id = ${workspaceId}`,
    )
}
const nightly = async (): Promise<void> => {
  for (const { everyMinutes, run } of work.sweeps) if (everyMinutes >= 60) await run(deps)
}

test('no table but that of the trash has anything of a document in it', async () => {
  const documents = await uploaded(deps, owner, workspaceId, files)
  const id = documents.get('Harbour/rules.md') ?? ''
  await send('PUT', 'scopes/dues', { document_ids: [id] })
  await send('GET', `documents/${id}`)
  expect((await search(RARE)).length).toBeGreaterThan(0)
  const [entry] = await moveToTrash(id)
  expect(entry).toMatchObject({
    document_id: id,
    title: 'Harbour rules',
    filename: 'Harbour/rules.md',
    trashed_by: owner.id,
  })
  await settle(deps, app.deps.settings.dataDir)
  const tables = Object.entries(await everyRow(app.deps.db))
  const tablesWith = (text: string) =>
    tables.filter(([, rows]) => rows.some((row) => row.includes(text))).map(([name]) => name)
  // What was uploaded and who did it is history, without a word of the document.
  expect(tablesWith(id)).toEqual(['activity', 'job_file', 'trashed_document'])
  expect(tablesWith(RARE)).toEqual([])
  expect(tablesWith(RARE.toLowerCase())).toEqual([])
})

test('readers find it nowhere, and only who may delete sees the trash', async () => {
  const documents = await uploaded(deps, owner, workspaceId, files)
  const id = documents.get('Harbour/rules.md') ?? ''
  await moveToTrash(id)
  // At once, before any task has run.
  expect(await search(RARE)).toEqual([])
  expect(await titles()).toEqual(['Garden'])
  expect(
    bodyOf<Workspace>(await app.send('GET', `/v1/workspaces/${workspaceId}`, token)).document_count,
  ).toBe(1)
  for (const path of ['', '/details', '/original', '/versions', '/layout', '/entities'])
    expect((await send('GET', `documents/${id}${path}`)).status, path).toBe(404)
  const answer = await send('POST', 'ask', { question: `What does ${RARE} Shipping pay?` })
  expect(bodyOf<{ citations: object[] }>(answer).citations).toEqual([])
  await drain(deps)
  expect((await send('GET', `entities?q=${RARE}`)).text).not.toContain(RARE)
  const viewer = await app.person()
  await app.member(workspaceId, viewer, 'viewer')
  expect((await send('GET', 'trash', undefined, await app.token(viewer))).status).toBe(403)
})

test('it comes back with its id, versions, scopes, passages and graph', async () => {
  const path = 'Harbour/rules.md'
  await uploaded(deps, owner, workspaceId, { [path]: files[path].replace('Bergen', 'Oslo') })
  const documents = await uploaded(deps, owner, workspaceId, files)
  const id = documents.get(path) ?? ''
  await send('PUT', 'scopes/dues', { document_ids: [id] })
  const versions = bodyOf<Page<DocumentVersion>>(await send('GET', `documents/${id}/versions`)).data
  expect(versions).toHaveLength(2)
  const passages = await search(RARE)
  const entities = (await send('GET', `documents/${id}/entities`)).text
  const [entry] = await moveToTrash(id)
  await settle(deps, app.deps.settings.dataDir)
  await nightly()
  const job = await restore(entry?.id)
  expect(job.files).toEqual([{ filename: path, status: 'done', document_id: id }])
  expect(await trashOf()).toEqual([])
  expect(await titles()).toEqual(['Garden', 'Harbour rules'])
  const restored = bodyOf<Page<DocumentVersion>>(await send('GET', `documents/${id}/versions`)).data
  expect(restored.map(({ id: hash, current }) => [hash, current])).toEqual(
    versions.map(({ id: hash, current }) => [hash, current]),
  )
  expect((await search(RARE)).map((passage) => passage.id)).toEqual(passages.map((passage) => passage.id))
  expect((await send('GET', 'scopes/dues/documents')).text).toContain(id)
  expect((await send('GET', `documents/${id}/entities`)).text).toBe(entities)
  expect((await send('GET', `documents/${id}/original`)).status).toBe(200)
})

test('a folder comes back in one request; what is unknown is left out, and nothing at all is 404', async () => {
  const paths = Array.from({ length: 12 }, (_, no) => `Old/${no}.md`)
  const folder = Object.fromEntries(paths.map((path) => [path, `# Paper ${path}\n\nText of ${path}.`]))
  const documents = await uploaded(deps, owner, workspaceId, folder)
  const ids = [...documents.values()]
  const entries = await moveToTrash(...ids, owner.id)
  expect(entries.map(({ document_id }) => document_id).sort()).toEqual([...ids].sort())
  expect((await send('POST', 'documents/trash', { document_ids: ids })).status).toBe(404)
  const page = bodyOf<Page<TrashedDocument>>(await send('GET', 'trash?limit=5'))
  expect([page.data.length, page.has_more]).toEqual([5, true])
  const job = await restore(...entries.map(({ id }) => id))
  expect(job.files.map(({ filename }) => filename).sort()).toEqual([...paths].sort())
  expect(await titles()).toHaveLength(12)
  expect((await send('POST', 'trash/restore', { trash_ids: [entries[0]?.id] })).status).toBe(404)
})

test('the bytes and the name of a document in the trash are free', async () => {
  const path = 'garden.md'
  const first = await uploaded(deps, owner, workspaceId, { [path]: files[path] })
  const [entry] = await moveToTrash(first.get(path))
  await drain(deps)
  const { id: jobId } = await upload(deps, owner, workspaceId, { [path]: files[path] })
  await drain(deps)
  expect((await app.send('GET', `/v1/jobs/${jobId}/progress`, token)).text).toContain('"outcome":"created"')
  // The same bytes are at the path again: it is that document.
  expect((await restore(entry?.id)).files).toMatchObject([{ status: 'done', document_id: first.get(path) }])
  expect(await titles()).toEqual(['Garden'])
})

test('a document whose path another one has comes back beside it', async () => {
  const path = 'garden.md'
  const first = await uploaded(deps, owner, workspaceId, { [path]: files[path] })
  const [entry] = await moveToTrash(first.get(path))
  await drain(deps)
  await uploaded(deps, owner, workspaceId, { [path]: '# Boiler\n\nThe Wolverton boiler leaks.' })
  const job = await restore(entry?.id)
  expect(job.files).toMatchObject([{ filename: 'garden (2).md', status: 'done' }])
  expect(await titles()).toEqual(['Boiler', 'Garden'])
})

test('a document whose title another one has comes back with another title', async () => {
  const path = 'garden.md'
  const documents = await uploaded(deps, owner, workspaceId, { [path]: files[path] })
  const [entry] = await moveToTrash(documents.get(path))
  await uploaded(deps, owner, workspaceId, { 'orchard.md': '# Garden\n\nApples want sun.' })
  await restore(entry?.id)
  expect((await titles()).sort()).toEqual(['Garden', 'Garden – garden'])
})

test('a document whose reading was cancelled is read when its file comes again, uploaded or from the trash', async () => {
  const path = 'garden.md'
  const documents = await uploaded(deps, owner, workspaceId, { [path]: files[path] })
  const id = documents.get(path)
  const cancelRestore = async (trashId: string | undefined) => {
    const job = bodyOf<Job>(await send('POST', 'trash/restore', { trash_ids: [trashId] }))
    expect((await app.send('DELETE', `/v1/jobs/${job.id}`, token)).status).toBe(204)
    await drain(deps)
    expect(await search('lime')).toEqual([])
  }
  const [first] = await moveToTrash(id)
  await cancelRestore(first?.id)
  await upload(deps, owner, workspaceId, { [path]: files[path] })
  await drain(deps)
  expect(await titles()).toEqual(['Garden'])
  expect((await search('lime')).map((passage) => passage.document_id)).toEqual([id])
  const [second] = await moveToTrash(id)
  await uploaded(deps, owner, workspaceId, { [path]: files[path] })
  const [third] = await moveToTrash(id)
  await cancelRestore(second?.id)
  await restore(third?.id)
  expect(await titles()).toEqual(['Garden'])
  expect((await search('lime')).map((passage) => passage.document_id)).toEqual([id])
})

test('a document that is trashed again while it is read again stays in the trash', async () => {
  const documents = await uploaded(deps, owner, workspaceId, files)
  const id = documents.get('garden.md')
  const [entry] = await moveToTrash(id)
  await send('POST', 'trash/restore', { trash_ids: [entry?.id] })
  await moveToTrash(id)
  await drain(deps)
  expect(await titles()).toEqual(['Harbour rules'])
  expect((await trashOf()).map(({ document_id }) => document_id)).toEqual([id])
})

test('its file stays stored and in backups, until it is deleted for good or has expired', async () => {
  const { dataDir } = app.deps.settings
  const before = blobsOf(dataDir)
  const documents = await uploaded(deps, owner, workspaceId, {
    'one.md': `# One\n\n${workspaceId} one.`,
    'two.md': `# Two\n\n${workspaceId} two.`,
  })
  const stored = blobsOf(dataDir).filter((hash) => !before.includes(hash))
  expect(stored).toHaveLength(2)
  const entries = await moveToTrash(...documents.values())
  const storedNow = () => blobsOf(dataDir).filter((hash) => stored.includes(hash))
  await settle(deps, dataDir)
  await nightly()
  expect(storedNow()).toEqual(stored)
  expect(await app.deps.db.tx(selectReferencedBlobs)).toEqual(expect.arrayContaining(stored))
  expect((await send('DELETE', `trash/${entries[0]?.id}`)).status).toBe(204)
  expect((await send('DELETE', `trash/${entries[0]?.id}`)).status).toBe(404)
  await settle(deps, dataDir)
  expect(storedNow()).toHaveLength(1)
  await age()
  expect(await trashOf()).toEqual([])
  expect((await send('POST', 'trash/restore', { trash_ids: [entries[1]?.id] })).status).toBe(404)
  await nightly()
  await settle(deps, dataDir)
  expect(storedNow()).toEqual([])
})

test('DELETE of the API is still for good', async () => {
  const documents = await uploaded(deps, owner, workspaceId, files)
  expect((await send('DELETE', `documents/${documents.get('garden.md')}`)).status).toBe(204)
  expect(await trashOf()).toEqual([])
})

test('a workspace in the trash is gone for everyone, and comes back with members, keys and waiting files', async () => {
  const [editor, stranger] = [await app.person(), await app.person()]
  await app.member(workspaceId, editor, 'editor')
  await uploaded(deps, owner, workspaceId, files)
  const key = await keyOf(app, owner, [workspaceId])
  await upload(deps, owner, workspaceId, { 'waiting.md': '# Waiting\n\nNot read yet.' })
  await app.deps.db.rows(sql`
    UPDATE task SET subject = subject || '{"excused": 3, "busy": {"reason": "memory", "times": 2}}' WHERE workspace_id = ${workspaceId}`)
  const workspaceUrl = `/v1/workspaces/${workspaceId}`
  const trashUrl = `/v1/trash/${workspaceId}`
  const editorToken = await app.token(editor)
  expect((await app.send('PUT', trashUrl, editorToken)).status).toBe(403)
  expect((await app.send('PUT', trashUrl, token)).status).toBe(204)
  // The same request again, as a client sends it when the answer was lost.
  expect((await app.send('PUT', trashUrl, token)).status).toBe(204)
  expect((await app.send('PUT', trashUrl, editorToken)).status).toBe(404)
  for (const bearer of [token, editorToken, key]) {
    expect((await app.send('GET', workspaceUrl, bearer)).status).toBe(404)
    expect((await app.send('GET', '/v1/workspaces', bearer)).text).not.toContain(workspaceId)
    expect((await app.send('POST', `${workspaceUrl}/search`, bearer, { body: { query: RARE } })).status).toBe(
      404,
    )
  }
  await settle(deps, app.deps.settings.dataDir)
  await nightly()
  const listOf = async (bearer: string) =>
    bodyOf<TrashedWorkspaces>(await app.send('GET', '/v1/trash', bearer)).data.map(({ id }) => id)
  expect(await listOf(token)).toContain(workspaceId)
  for (const bearer of [editorToken, await app.token(stranger)]) {
    expect(await listOf(bearer)).toEqual([])
    expect((await app.send('POST', `${trashUrl}/restore`, bearer)).status).toBe(404)
    expect((await app.send('DELETE', trashUrl, bearer)).status).toBe(404)
  }
  const restored = await app.send('POST', `${trashUrl}/restore`, token)
  expect([restored.status, bodyOf<Workspace>(restored).document_count]).toEqual([200, 2])
  // The model may be another one by now.
  const tasks = await app.deps.db.rows<{ kind: string; subject: object }>(sql`
    SELECT kind, subject FROM task WHERE workspace_id = ${workspaceId} ORDER BY kind`)
  expect(tasks.map(({ kind }) => kind)).toEqual(['embed', 'ingest'])
  for (const { subject } of tasks) expect(Object.keys(subject)).not.toContain('excused')
  await drain(deps)
  expect(await titles()).toEqual(['Garden', 'Harbour rules', 'Waiting'])
  for (const bearer of [editorToken, key])
    expect(
      bodyOf<{ data: object[] }>(await send('POST', 'search', { query: RARE }, bearer)).data,
    ).not.toEqual([])
  expect(await listOf(token)).not.toContain(workspaceId)
})

test('the passages of a workspace in the trash are not counted among those that wait for vectors', async () => {
  await uploaded(deps, owner, workspaceId, files)
  const before = await countEmbedded(app.deps.db, undefined)
  await app.send('PUT', `/v1/trash/${workspaceId}`, token)
  expect((await countEmbedded(app.deps.db, undefined)).chunks).toBeLessThan(before.chunks)
  await app.send('POST', `/v1/trash/${workspaceId}/restore`, token)
  expect(await countEmbedded(app.deps.db, undefined)).toEqual(before)
})

test('a file that waits without a task, as of an import that was still queueing, is read after the restoration', async () => {
  await upload(deps, owner, workspaceId, files)
  await app.deps.db.rows(sql`
    DELETE FROM task WHERE workspace_id = ${workspaceId} AND kind = 'ingest' AND subject ->> 'file_no' = '1'`)
  expect((await app.send('PUT', `/v1/trash/${workspaceId}`, token)).status).toBe(204)
  await drain(deps)
  expect((await app.send('POST', `/v1/trash/${workspaceId}/restore`, token)).status).toBe(200)
  await drain(deps)
  expect(await titles()).toEqual(['Garden', 'Harbour rules'])
})

test('a workspace in the trash is purged for good: by its owner, after 30 days, and with its last owner', async () => {
  const rowsLeft = async () => {
    const tables = Object.entries(await everyRow(app.deps.db))
    return tables.filter(([, rows]) => rows.some((row) => row.includes(workspaceId))).map(([name]) => name)
  }
  const ends = {
    owner: async () => expect((await app.send('DELETE', `/v1/trash/${workspaceId}`, token)).status).toBe(204),
    days: async () => {
      await age()
      expect((await app.send('POST', `/v1/trash/${workspaceId}/restore`, token)).status).toBe(404)
      await nightly()
    },
  }
  for (const end of Object.values(ends)) {
    workspaceId = await app.workspace(owner)
    await uploaded(deps, owner, workspaceId, files)
    expect((await app.send('PUT', `/v1/trash/${workspaceId}`, token)).status).toBe(204)
    await end()
    await drain(deps)
    // What the installation's activity says of it, and that its owner may import it again.
    expect(await rowsLeft()).toEqual(['activity', 'former_workspace'])
  }
})

test('who closes their account leaves the trash; a workspace that nobody could restore is deleted', async () => {
  const [leaving, staying] = [await app.person(), await app.person()]
  const [alone, shared] = [await app.workspace(leaving), await app.workspace(leaving)]
  await app.member(shared, staying, 'owner')
  const leavingToken = await app.token(leaving)
  for (const id of [alone, shared])
    expect((await app.send('PUT', `/v1/trash/${id}`, leavingToken)).status).toBe(204)
  const abandoned = await app.deps.db.tx((tx) => leaveTrash(tx, leaving.id))
  expect(abandoned.map(({ id }) => id)).toEqual([alone])
  expect((await app.send('POST', `/v1/trash/${shared}/restore`, leavingToken)).status).toBe(404)
  expect((await app.send('POST', `/v1/trash/${shared}/restore`, await app.token(staying))).status).toBe(200)
})
