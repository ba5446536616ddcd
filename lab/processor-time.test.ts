// The benches count the processor time of a database server that runs on this machine, and of no other program.

import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../src/ports/db/postgres.ts'
import { type TestDatabase, testDatabase } from '../test/support/database.ts'
import { serverHere, treeSeconds } from './processor-time.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test('a server of this machine is found, with the time that its statements take; the embedded engine is none', async ({
  skip,
}) => {
  const db = openDb(database.session, { max: 1 })
  try {
    const server = await serverHere(db)
    if ('socketDir' in database.session) return expect(server).toBeUndefined()
    if (server === undefined) return skip('the server of DATABASE_URL is elsewhere')
    const before = treeSeconds(server)
    await db.rows(sql`SELECT count(*) FROM generate_series(1, 2000000)`)
    expect(treeSeconds(server)).toBeGreaterThan(before)
  } finally {
    await db.close()
  }
})
