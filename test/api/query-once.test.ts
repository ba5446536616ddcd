// A search tells its query apart into words once, and so does an ask its question, however many rooms read it.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ask } from '../../src/ask/ask.ts'
import type { Caller } from '../../src/auth/caller.ts'
import { words } from '../../src/language/words.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import type { Deps } from '../../src/ports/deps.ts'
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

/** How often the text is told apart into words while something is done. */
async function timesRead(text: string, work: () => Promise<void>): Promise<number> {
  const spy = vi.spyOn(String.prototype, 'matchAll')
  try {
    words('x').next()
    const pattern = String(spy.mock.calls[0]?.[0])
    spy.mockClear()
    await work()
    return spy.mock.contexts.filter(
      (read, no) => String(read) === text && String(spy.mock.calls[no]?.[0]) === pattern,
    ).length
  } finally {
    spy.mockRestore()
  }
}

test.each([
  'Who keeps the key of the harbour crane in 2025, and how many tons were there?',
  'Welche Frist gilt für die Kündigung?',
  'who has the "harbour mastr" key',
])('a search for %s', async (query) => {
  const settings = { siteUrl: '', consoleDir: undefined }
  const deps = { db, log, embedder: async () => ({ kind: 'none' as const }), settings }
  const searching = async (): Promise<void> =>
    expect((await search(deps, caller, id, { query, limit: 5 })).data.length).toBeGreaterThan(0)
  // Once before: how a query is read is guessed from the last one.
  await searching()
  expect(await timesRead(query, searching)).toBe(1)
})

test.each([
  ['Who keeps the key of the harbour crane?'],
  ['Who keeps the key of the harbour crane in 2025, and how many tons were there?'],
  ['Welche Frist gilt für die Kündigung?'],
  ['Good morning. How many tons were there in 2025?', 'How many tons were there in 2025?'],
  ['who has the "harbour mastr" key'],
  ['Which of them is heavier, the Tern or the Gannet?'],
])('a question: %s', async (question, part = question) => {
  const settings = { origin: '', askPerHour: 1000 } as Deps['settings']
  const deps = { db, log, embedder: async () => ({ kind: 'none' as const }), settings }
  const asking = async (): Promise<void> => {
    const { signal } = new AbortController()
    for await (const { event } of ask(deps, caller, id, { question, stream: false }, { signal }))
      if (event === 'answer') return
  }
  await asking()
  for (const text of new Set([question, part])) expect(await timesRead(text, asking)).toBe(1)
})
