import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { int4Array, sparseVector } from './binary.ts'
import type { Db } from './db.ts'
import { openDb } from './postgres.ts'

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

test('binary arrays and sparse vectors equal the same values written as text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000_000 }), { maxLength: 300 }),
      fc.infiniteStream(fc.float({ min: Math.fround(1e-6), max: 3, noNaN: true })),
      async (numbers, floats) => {
        const at = numbers.sort((a, b) => a - b)
        const values = at.map(() => floats.next().value)
        const text = `{${at.map((index, i) => `${index}:${values[i]}`).join()}}/1000000000`
        const [row] = await db.rows(sql`
          SELECT ${int4Array(at)}::int[] = ${at}::int[] AS array,
            ${sparseVector({ at, values }, 1_000_000_000)}::sparsevec = ${text}::sparsevec AS sparse`)
        expect(row).toEqual({ array: true, sparse: true })
      },
    ),
    { numRuns: 50 },
  )
})
