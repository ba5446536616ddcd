// A search tells its query apart into words once, however many rooms read it.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Caller } from '../../src/auth/caller.ts'
import { words } from '../../src/language/words.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { search } from '../../src/search/search.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { pages, putDocument, settle, someone, workspaceFor } from '../support/put.sql.ts'

let database: TestDatabase
let db: Db
let caller: Caller
let id: string
const log = { debug() {}, info() {}, warn() {}, error() {} }

beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
  const owner = await someone(db)
  caller = owner
  id = await workspaceFor(db, owner)
  const texts = ['The harbour master keeps the key of the crane.', 'Die Kündigungsfrist beträgt drei Monate.']
  await putDocument(db, id, randomUUID(), pages([...texts, 'Year|Tons\n-|-\n2024|12\n2025|14']))
  await settle(db, id)
})
afterAll(async () => {
  await db.close()
  await database.close()
})

test.each([
  'Who keeps the key of the harbour crane in 2025, and how many tons were there?',
  'Welche Frist gilt für die Kündigung?',
  'who has the "harbour mastr" key',
])('%s', async (query) => {
  const settings = { origin: '', consoleDir: undefined }
  const deps = { db, log, embedder: { kind: 'none' as const }, settings }
  // Once before: how a query is read is guessed from the last one.
  await search(deps, caller, id, { query, limit: 5 })
  const spy = vi.spyOn(String.prototype, 'matchAll')
  try {
    words('x').next()
    const pattern = String(spy.mock.calls[0]?.[0])
    spy.mockClear()
    const { data } = await search(deps, caller, id, { query, limit: 5 })
    expect(data.length).toBeGreaterThan(0)
    const readings = spy.mock.contexts.filter(
      (text, no) => String(text) === query && String(spy.mock.calls[no]?.[0]) === pattern,
    )
    expect(readings).toHaveLength(1)
  } finally {
    spy.mockRestore()
  }
})
