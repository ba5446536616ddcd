// How many imports a person may have, what a repeated request stands for, and what becomes of rows that were lost on the way.

import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WorkDeps } from '../../src/app.ts'
import { importWorkspace } from '../../src/archive/import.ts'
import type { WorkspaceImport } from '../../src/contract/archives.ts'
import type { ParserPool } from '../../src/reader/pool.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { AT, archiveOf, documentOf } from '../support/archives.ts'
import { prepareHere, runImports, sendArchive, stateOf } from '../support/imports.ts'
import { callerOf, runTask } from '../support/ingest.ts'
import { claimImport, deleteReceivingImports, freeImports, jobFileStates } from '../support/rows.sql.ts'

let app: TestApp
let deps: WorkDeps

beforeAll(async () => {
  app = await testApp()
  const parse = () => Promise.reject(new Error('nothing to parse here'))
  deps = { ...app.deps, parser: { parse } as unknown as ParserPool, prepareArchive: prepareHere }
})
afterAll(() => app.close())

const COPY = { query: '?ids=new' }
const documents = Array.from({ length: 3 }, (_, no) => documentOf(`${no}.md`, `# ${no}\n\nText.\n`))
const archive = (): Promise<Buffer> =>
  archiveOf({
    rows: {
      documents: documents.map((one) => one.document),
      versions: documents.map((one) => one.version),
    },
    originals: Object.assign({}, ...documents.map((one) => one.originals)),
  })

/** An archive whose second half comes when `rest` is called. `answer`: what the request ends with. */
function halfSent(person: Person, bytes: Buffer, key?: string) {
  let rest: () => void = () => undefined
  const isAllowed = new Promise<void>((resolve) => {
    rest = resolve
  })
  async function* parts() {
    yield bytes.subarray(0, 100)
    await isAllowed
    yield bytes.subarray(100)
  }
  const body = { bytes: bytes.length, endsInMs: () => 1000 }
  const stream = Readable.from(parts())
  const answer = importWorkspace(app.deps, callerOf(person), () => ({ body, stream }), {
    ids: 'new',
    idempotencyKey: key,
  }).catch((error: unknown) => error as { status: number })
  return { answer, rest }
}

const listed = async (bearer: string): Promise<WorkspaceImport[]> =>
  ((await app.send('GET', '/v1/imports', bearer)).body as { data: WorkspaceImport[] }).data

test('of requests that come at once only as many are received as a person may have', async () => {
  const person = await app.person()
  const bearer = await app.token(person)
  const bytes = await archive()
  const sent = Array.from({ length: 5 }, () => halfSent(person, bytes))
  await expect.poll(async () => (await listed(bearer)).length).toBe(3)
  for (const { rest } of sent) rest()
  const states = (await Promise.all(sent.map(({ answer }) => answer))).map((one) => one.status)
  expect(states.map(String).sort()).toEqual(['429', '429', 'queued', 'queued', 'queued'])
  await runImports(deps)
})

test('a key that was used gives no more room than for one archive that is sent again', async () => {
  const person = await app.person()
  const bearer = await app.token(person)
  const bytes = await archive()
  const send = (key: string) =>
    sendArchive(app, bearer, bytes, { ...COPY, headers: { 'idempotency-key': key } })
  const answers = []
  for (const key of ['1', '2', '3']) answers.push(await send(key))
  const first = answers[0]?.body as WorkspaceImport
  const sent = [halfSent(person, bytes, '1'), halfSent(person, bytes, '1'), halfSent(person, bytes, '1')]
  await expect.poll(async () => (await listed(bearer)).length).toBe(4)
  for (const { rest } of sent) rest()
  const ends = (await Promise.all(sent.map(({ answer }) => answer))) as Partial<WorkspaceImport>[]
  expect(ends.map(({ status }) => String(status)).sort()).toEqual(['429', '429', 'queued'])
  expect(ends.map(({ id }) => id).filter((id) => id !== undefined)).toEqual([first.id])
  await runImports(deps)
})

test('the key of a request whose import was cancelled or lost while it was received may be used again', async () => {
  const person = await app.person()
  const bearer = await app.token(person)
  const bytes = await archive()
  const key = randomUUID()
  const cancelled = halfSent(person, bytes, key)
  await expect.poll(async () => (await listed(bearer)).length).toBe(1)
  const [{ id } = { id: '' }] = await listed(bearer)
  expect((await app.send('DELETE', `/v1/imports/${id}`, bearer)).status).toBe(204)
  cancelled.rest()
  expect(await cancelled.answer).toMatchObject({ id, status: 'cancelled' })

  const lost = halfSent(person, bytes, key)
  await expect.poll(async () => (await listed(bearer)).length).toBe(2)
  await deleteReceivingImports(app.deps.db)
  lost.rest()
  expect(await lost.answer).toMatchObject({ status: 503 })

  const whole = await sendArchive(app, bearer, bytes, { ...COPY, headers: { 'idempotency-key': key } })
  expect([whole.status, whole.body]).toMatchObject([202, { status: 'queued' }])
  await runImports(deps)
  expect(await stateOf(app, bearer, (whole.body as WorkspaceImport).id)).toMatchObject({ status: 'done' })
})

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** Runs a round of the only import, which ends behind a batch. */
async function round(on = deps): Promise<void> {
  const task = await claimImport(app.deps.db)
  if (!task) throw new Error('no import is due')
  await runTask({ ...on, roundMs: 0 }, task)
}

const DAMAGES: Record<string, (text: string) => string> = {
  'a row fewer': (text) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1),
  'half a row fewer': (text) => text.slice(0, -20),
  nothing: () => '',
  'a row more': (text) => `${text}${text.slice(text.lastIndexOf('\n', text.length - 2) + 1)}`,
}

test.each(Object.entries(DAMAGES))(
  'a file of rows that a power failure leaves with %s is made anew, and the import is whole',
  async (_, damage) => {
    const bearer = await app.token(await app.person())
    const { id } = (await sendArchive(app, bearer, await archive(), COPY)).body as WorkspaceImport
    const file = (name: string): string => join(app.deps.settings.dataDir, 'imports', id, 'child', name)
    // It ends behind the documents.
    await round()
    const versions = readFileSync(file('versions.jsonl'), 'utf8')
    writeFileSync(file('versions.jsonl'), damage(versions))
    await round({ ...deps, log: quiet })
    expect((await stateOf(app, bearer, id)).status).toBe('writing')
    await freeImports(app.deps.db)
    await runImports(deps)
    const { status, workspace } = await stateOf(app, bearer, id)
    expect([status, workspace?.document_count]).toEqual(['done', 3])
    for (const { id: document } of documents) {
      const path = `/v1/workspaces/${workspace?.id}/documents`
      const { data } = (await app.send('GET', path, bearer)).body as { data: { id: string; title: string }[] }
      const own = data.find(
        ({ title }) => title === documents.find((one) => one.id === document)?.document.title,
      )
      const { body } = await app.send('GET', `${path}/${own?.id}/versions`, bearer)
      expect((body as { data: unknown[] }).data).toHaveLength(1)
    }
    expect(await jobFileStates(app.deps.db, workspace?.id ?? '')).toEqual(['queued', 'queued', 'queued'])
  },
)

test('which sources are imported is decided once, whatever the operator allows afterwards', async () => {
  const bearer = await app.token(await app.person())
  const SOURCE = {
    number: 1,
    name: 'Pages',
    kind: 'web',
    addresses: ['https://example.org/'],
    branch: null,
    into: '',
    include: [],
    exclude: [],
    every_minutes: 60,
    paused: false,
    created_at: AT,
  }
  const folder = { ...SOURCE, number: 2, name: 'Folder', kind: 'folder', addresses: ['/home'] }
  const fileOf = (source: number) => ({ source, path: 'a.md', kept: { hash: 'x', state: 'refused' } })
  const rows = { sources: [SOURCE, folder], 'source-files': [fileOf(1), fileOf(2)] }
  const allowing = (folders: object[]): WorkDeps =>
    ({ ...deps, settings: { ...deps.settings, sources: { ...deps.settings.sources, folders } } }) as WorkDeps
  const [none, all] = [allowing([]), allowing([{ location: '/home' }])]
  for (const [first, then, names] of [
    [none, all, ['Pages']],
    [all, none, ['Folder', 'Pages']],
  ] as const) {
    const bytes = await archiveOf({ rows })
    const { id } = (await sendArchive(app, bearer, bytes, COPY)).body as WorkspaceImport
    // Its sources are written, their files are not.
    await round(first)
    await runImports(then)
    const { status, error, workspace, notes } = await stateOf(app, bearer, id)
    expect([status, error, notes.length]).toEqual(['done', null, 2 - names.length])
    const answer = await app.send('GET', `/v1/workspaces/${workspace?.id}/sources`, bearer)
    expect((answer.body as { data: { name: string }[] }).data.map(({ name }) => name).sort()).toEqual(names)
  }
})

test('a sentence about an archive is one that a database takes, whatever a file in it is called', async () => {
  const bearer = await app.token(await app.person())
  const bytes = await archiveOf({ files: { 'a\u0000b.txt': Buffer.from('x') } })
  const { id } = (await sendArchive(app, bearer, bytes, COPY)).body as WorkspaceImport
  await runImports(deps)
  expect(await stateOf(app, bearer, id)).toMatchObject({
    status: 'failed',
    error: { type: 'archive_invalid' },
  })
})
