// How many imports a person may have, what a repeated request stands for, and what becomes of rows that were lost on the way.

import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WorkDeps } from '../../src/app.ts'
import { importWorkspace } from '../../src/archive/import.ts'
import type { WorkspaceImport } from '../../src/contract/archives.ts'
import type { ParserPool } from '../../src/reader/pool.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { archiveOf, documentOf } from '../support/archives.ts'
import { prepareHere, runImports, sendArchive, stateOf } from '../support/imports.ts'
import { callerOf } from '../support/ingest.ts'
import { deleteReceivingImports } from '../support/rows.sql.ts'

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
  const answer = importWorkspace(
    app.deps,
    callerOf(person),
    () => ({ body, stream }),
    { ids: 'new' },
    key,
  ).catch((error: unknown) => error as { status: number })
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
