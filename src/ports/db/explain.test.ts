import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { explainDatabase } from './explain.ts'
import { openDb } from './postgres.ts'

test('a server that is not running is named without its password, with the setting to change', async () => {
  const url = 'postgres://kenning:secret@127.0.0.1:1/library'
  const db = openDb({ url })
  const failure = await db.rows(sql`SELECT 1`).catch((error: unknown) => explainDatabase(error, url))
  await db.close()
  expect(String(failure)).toBe(
    'Error: The database at 127.0.0.1:1/library cannot be used: the connection was refused, so no server is running at this address. Check DATABASE_URL.',
  )
})

test('several addresses of one host give one sentence', () => {
  const each = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  expect(String(explainDatabase(new AggregateError([each, each]), 'postgres://h/d'))).toContain(
    'the connection was refused',
  )
})

test('an error of another kind is returned unchanged', () => {
  const error = new Error('a bug')
  expect(explainDatabase(error, 'postgres://h/d')).toBe(error)
})
