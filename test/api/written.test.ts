// Chunks are written in batches of few sizes, filled up with rows that are left out: whatever their number, each is there once.

import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { bareWorkspace, publish } from '../support/publish.ts'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
})
afterAll(async () => {
  await db.close()
  await database.close()
})

test.each([1, 2, 3, 7, 9, 13, 17, 21, 24, 25, 26, 51])('%i chunks', async (count) => {
  const workspace = await bareWorkspace(db)
  const texts = Array.from({ length: count }, (_, no) => `Lighthouse number ${no} stands on rock ${no}.`)
  const ids = await publish(db, workspace, workspace, texts)
  const rows = await db.rows<{
    id: string
    chunk_no: number
    text: string
    terms: number
    words: number
  }>(sql`
    SELECT id, chunk_no, text, cardinality(terms) AS terms, cardinality(words) AS words
    FROM chunk WHERE workspace_id = ${workspace} ORDER BY chunk_no`)
  expect(rows.map(({ id, chunk_no: no, text }) => ({ id, no, text }))).toEqual(
    texts.map((text, no) => ({ id: ids[no], no, text })),
  )
  for (const { terms, words } of rows) expect([terms, words]).toEqual([words, terms])
  expect(rows.every(({ terms }) => terms > 3)).toBe(true)
})
