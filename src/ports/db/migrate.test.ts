import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import type { Db } from './db.ts'
import { migrate } from './migrate.ts'
import { type Migration, readMigrations } from './migrations.ts'
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

const own = readMigrations()
const later = (version: number, text: string): Migration => ({
  version,
  name: `${version}_test.sql`,
  text,
  checksum: `checksum of ${text}`,
})
const first = later(9001, 'CREATE TABLE migrated (at int); INSERT INTO migrated VALUES (1);')

// Each test begins with a database of these migrations.
beforeEach(async () => {
  await db.rows(sql`DROP TABLE IF EXISTS migrated, second, third`)
  await db.rows(sql`DELETE FROM schema_migration WHERE version > 9000`)
})

test('migrations are numbered from 1 without a gap, and a migrated database needs none', async () => {
  expect(own.map((migration) => migration.version)).toEqual(own.map((_, index) => index + 1))
  expect(await migrate(db)).toEqual([])
})

test('a database made before the first release is refused, with what to do', async () => {
  const message = /never released: it has 0000_extensions.sql, .+KENNING_DATA_DIR or DATABASE_URL/
  await db.rows(sql`INSERT INTO schema_migration VALUES (0, '0000_extensions.sql', 'checksum')`)
  await expect(migrate(db)).rejects.toThrow(message)
  await db.rows(sql`DELETE FROM schema_migration WHERE version = 0`)
})

test('F-18: ten processes that start at once apply each file once', async () => {
  const applied = await Promise.all(Array.from({ length: 10 }, () => migrate(db, [...own, first])))
  expect(applied.flat()).toEqual(['9001_test.sql'])
  expect(await db.rows(sql`SELECT at FROM migrated`)).toEqual([{ at: 1 }])
})

test('F-18: a database newer than the code is refused, and so is a file changed afterwards', async () => {
  await migrate(db, [...own, first])
  await expect(migrate(db)).rejects.toThrow(/newer Kenning: it has 9001_test.sql/)
  await expect(migrate(db, [...own, later(9001, 'SELECT 1')])).rejects.toThrow(/9001_test.sql was changed/)
})

test('F-18: a file that fails is named, and leaves the database at the file before', async () => {
  const good = later(9002, 'CREATE TABLE second (x int)')
  const bad = later(9003, 'CREATE TABLE third (x int); SELECT 1 / 0;')
  await expect(migrate(db, [...own, first, good, bad])).rejects.toThrow(
    /9003_test.sql could not be applied: division/,
  )
  expect(
    await db.rows(sql`SELECT to_regclass('second') IS NULL AS second, to_regclass('third') IS NULL AS third`),
  ).toEqual([{ second: false, third: true }])
  const mended = { ...bad, text: 'CREATE TABLE third (x int)' }
  const begun: string[] = []
  expect(await migrate(db, [...own, first, good, mended], { onApply: (name) => begun.push(name) })).toEqual([
    '9003_test.sql',
  ])
  expect(begun).toEqual(['9003_test.sql'])
})

// The embedded engine has one session: nobody is beside a migration.
test.runIf(process.env.DATABASE_URL !== undefined)(
  'F-18: a migration whose table somebody has for long lets everybody else at it meanwhile, and is applied afterwards',
  async () => {
    await migrate(db, [...own, first])
    if (!('url' in database.connection)) throw new Error('a server is needed')
    const reader = new pg.Client({ connectionString: database.connection.url })
    await reader.connect()
    let waits = 0
    const change = later(9002, 'ALTER TABLE migrated ADD COLUMN more int')
    const columns = async () => Object.keys((await db.rows(sql`SELECT * FROM migrated`))[0] ?? {})
    try {
      await reader.query('BEGIN; SELECT * FROM migrated')
      const applied = migrate(db, [...own, first, change], { onWait: () => waits++ })
      await expect.poll(() => waits).toBeGreaterThan(0)
      // It would never be answered, if it stood behind the migration for as long as that waits.
      expect(await columns()).toEqual(['at'])
      await reader.query('COMMIT')
      expect(await applied).toEqual(['9002_test.sql'])
      expect(await columns()).toEqual(['at', 'more'])
    } finally {
      await reader.end()
    }
  },
)
