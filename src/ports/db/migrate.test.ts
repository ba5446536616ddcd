import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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

test('a migration that locks its tables first is applied whole', async () => {
  await migrate(db, [...own, first])
  const change = later(
    9002,
    '-- Why.\n\nLOCK TABLE migrated, schema_migration IN ACCESS EXCLUSIVE MODE;\nUPDATE migrated SET at = 2;',
  )
  expect(await migrate(db, [...own, first, change])).toEqual(['9002_test.sql'])
  expect(await db.rows(sql`SELECT at FROM migrated`)).toEqual([{ at: 2 }])
  expect(await db.rows(sql`SELECT current_setting('statement_timeout') AS limit`)).toEqual([{ limit: '0' }])
})

// The embedded engine has one session, so nothing runs beside a migration.
describe.runIf(process.env.DATABASE_URL !== undefined)('F-18: beside somebody who has a lock', () => {
  const patience = { lockMs: 50, firstPauseMs: 10, maxPauseMs: 10 }
  let other: pg.Client
  beforeEach(async () => {
    await migrate(db, [...own, first, later(9002, 'CREATE TABLE second (x int)')])
    if (!('url' in database.connection)) throw new Error('a server is needed')
    other = new pg.Client({ connectionString: database.connection.url })
    await other.connect()
  })
  afterEach(() => other.end())
  const before = [...own, first, later(9002, 'CREATE TABLE second (x int)')]

  const columns = async () => Object.keys((await db.rows(sql`SELECT * FROM migrated`))[0] ?? {})
  const waiting = sql`
    SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND wait_event_type = 'Lock'`

  test('a migration whose table somebody has for long lets everybody else at it meanwhile, and is applied afterwards', async () => {
    let waits = 0
    const change = later(9003, 'ALTER TABLE migrated ADD COLUMN more int')
    await other.query('BEGIN; SELECT * FROM migrated')
    const applied = migrate(db, [...before, change], { onWait: () => waits++, lockWaits: patience })
    await expect.poll(() => waits).toBeGreaterThan(0)
    // It would never be answered if it waited behind the migration.
    expect(await columns()).toEqual(['at'])
    await other.query('COMMIT')
    expect(await applied).toEqual(['9003_test.sql'])
    expect(await columns()).toEqual(['at', 'more'])
  })

  test('the first of several tables is let go, too, when another one cannot be had', async () => {
    let waits = 0
    const locks = later(9003, 'LOCK TABLE migrated, second IN ACCESS EXCLUSIVE MODE; SELECT 1')
    await other.query('BEGIN; SELECT * FROM second')
    const applied = migrate(db, [...before, locks], { onWait: () => waits++, lockWaits: patience })
    await expect.poll(() => waits).toBeGreaterThan(1)
    expect(await columns()).toEqual(['at'])
    await other.query('COMMIT')
    expect(await applied).toEqual(['9003_test.sql'])
  })

  test('what has its tables waits for a row as long as it must, and is not begun again', async () => {
    const begun: string[] = []
    // In this mode others can still lock a row.
    const moves = later(
      9003,
      `LOCK TABLE migrated IN SHARE UPDATE EXCLUSIVE MODE;
       ALTER TABLE second ADD COLUMN more int; UPDATE migrated SET at = 2`,
    )
    await other.query('BEGIN; SELECT * FROM migrated FOR UPDATE')
    const applied = migrate(db, [...before, moves], {
      onApply: (name) => begun.push(name),
      onWait: (name) => begun.push(`${name} again`),
      lockWaits: patience,
    })
    await expect.poll(() => db.rows(waiting)).toHaveLength(1)
    await other.query('SELECT pg_sleep(0.5); COMMIT')
    expect(await applied).toEqual(['9003_test.sql'])
    expect(begun).toEqual(['9003_test.sql'])
  })

  test.each([
    ['a table', 'migrated', 1],
    ['the ledger', 'schema_migration', 0],
  ])('told to stop, it ends although somebody has %s', async (_, table, waits) => {
    const stopping = new AbortController()
    let waited = 0
    await other.query(`BEGIN; LOCK TABLE ${table}`)
    const change = later(9003, 'ALTER TABLE migrated ADD COLUMN more int')
    const applied = migrate(db, [...before, change], {
      signal: stopping.signal,
      onWait: () => waited++,
      lockWaits: { ...patience, firstPauseMs: 1e8, maxPauseMs: 1e8 },
    })
    const ended = expect(applied).rejects.toThrow(/abort/)
    if (waits > 0) await expect.poll(() => waited).toBe(waits)
    else await expect.poll(() => db.rows(waiting)).toHaveLength(1)
    stopping.abort()
    await ended
  })
})
