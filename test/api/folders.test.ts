// The folders of a workspace with their counts, and the list of documents of a folder.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DocumentDetails, Folders, Page } from '../../src/contract/resources.ts'
import { foldersAtMost } from '../../src/documents/folders.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { putDocument } from '../support/put.sql.ts'

let app: TestApp
let owner: Person
let token: string
let workspaceId: string

const PATHS = [
  'top.md',
  'Reports/plan.md',
  'Reports/2023/a.md',
  'Reports/2023/b.md',
  'Reports 2/c.md',
  '100%/d.md',
  '100 percent/e.md',
  'a_b/f.md',
  'axb/g.md',
  'Über/Häfen/h.md',
]

beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  token = await app.token(owner)
  workspaceId = await app.workspace(owner)
  for (const path of PATHS)
    await putDocument(app.deps.db, workspaceId, randomUUID(), [{ kind: 'paragraph', text: path }], {
      path,
      title: path,
    })
})
afterAll(() => app.close())

const foldersOf = (workspace: string, bearer = token) =>
  app.send('GET', `/v1/workspaces/${workspace}/folders`, bearer)
const list = async (query: string): Promise<Page<DocumentDetails>> => {
  const answer = await app.send('GET', `/v1/workspaces/${workspaceId}/document-details?${query}`, token)
  expect(answer.status).toBe(200)
  return answer.body as Page<DocumentDetails>
}
const pathsIn = async (folder: string): Promise<string[]> =>
  (await list(`folder=${encodeURIComponent(folder)}`)).data.map(({ filename }) => filename).toSorted()

test('each folder is listed once with the documents in it and below it; documents at the root are in none', async () => {
  const { data } = (await foldersOf(workspaceId)).body as Folders
  expect(data).toEqual([
    { path: '100 percent', document_count: 1 },
    { path: '100%', document_count: 1 },
    { path: 'Reports', document_count: 3 },
    { path: 'Reports 2', document_count: 1 },
    { path: 'Reports/2023', document_count: 2 },
    { path: 'a_b', document_count: 1 },
    { path: 'axb', document_count: 1 },
    { path: 'Über', document_count: 1 },
    { path: 'Über/Häfen', document_count: 1 },
  ])
})

test('of too many folders those of the first levels are listed, and it is said that there are more', async () => {
  const cut = await foldersAtMost(app.deps.db, workspaceId, 7)
  expect(cut.has_more).toBe(true)
  expect((await foldersAtMost(app.deps.db, workspaceId, 9)).has_more).toBe(false)
  expect(cut.data.map(({ path }) => path)).toEqual([
    '100 percent',
    '100%',
    'Reports',
    'Reports 2',
    'a_b',
    'axb',
    'Über',
  ])
})

test('paths of any depth are listed down to the 20th level, and count in the folders around them', async () => {
  const deep = await app.workspace(owner)
  for (const name of ['a', 'b', 'b']) {
    const path = `${name}/${'x/'.repeat(240)}${randomUUID().slice(0, 8)}`
    const blocks = [{ kind: 'paragraph' as const, text: path }]
    await putDocument(app.deps.db, deep, randomUUID(), blocks, { path, title: path })
  }
  const { data } = (await foldersOf(deep)).body as Folders
  expect(data).toHaveLength(40)
  expect(data).toContainEqual({ path: `b${'/x'.repeat(19)}`, document_count: 2 })
  expect(data).toContainEqual({ path: 'a', document_count: 1 })
})

test('the list of a folder has what lies in it and below it, and nothing of folders with a similar name', async () => {
  expect(await pathsIn('Reports')).toEqual(['Reports/2023/a.md', 'Reports/2023/b.md', 'Reports/plan.md'])
  expect(await pathsIn('/Reports/2023/')).toEqual(['Reports/2023/a.md', 'Reports/2023/b.md'])
  expect(await pathsIn('100%')).toEqual(['100%/d.md'])
  expect(await pathsIn('a_b')).toEqual(['a_b/f.md'])
  expect(await pathsIn('U\u0308ber')).toEqual(['Über/Häfen/h.md'])
  expect(await pathsIn('reports')).toEqual([])
  expect(await pathsIn('top.md')).toEqual([])
  expect((await pathsIn('/')).length).toBe(PATHS.length)
})

test('it goes with words, orders and pages; a cursor is only for its folder', async () => {
  const names = async (query: string) => (await list(query)).data.map(({ filename }) => filename)
  expect(await names('folder=Reports&q=2023&order=desc')).toEqual(['Reports/2023/b.md', 'Reports/2023/a.md'])
  const first = await list('folder=Reports&limit=2')
  const rest = await list(`folder=Reports&limit=2&cursor=${first.next_cursor}`)
  expect([...first.data, ...rest.data].length).toBe(3)
  expect(rest.has_more).toBe(false)
  const elsewhere = `/v1/workspaces/${workspaceId}/document-details?folder=a_b&limit=2&cursor=${first.next_cursor}`
  expect((await app.send('GET', elsewhere, token)).status).toBe(422)
})

test('access is asked: another person finds no workspace, a viewer reads the folders', async () => {
  const stranger = await app.person()
  expect((await foldersOf(workspaceId, await app.token(stranger))).status).toBe(404)
  await app.member(workspaceId, stranger, 'viewer')
  expect((await foldersOf(workspaceId, await app.token(stranger))).status).toBe(200)
  expect(((await foldersOf(await app.workspace(owner))).body as Folders).data).toEqual([])
})
