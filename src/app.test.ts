import { Writable } from 'node:stream'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../test/support/database.ts'
import { listenFailure, logOptions } from './app.ts'
import { ApiError } from './errors.ts'
import type { Db } from './ports/db/db.ts'
import { openDb } from './ports/db/postgres.ts'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
})
afterAll(async () => {
  await db?.close()
  await database?.close()
})

/** The line that is written when `err` is logged, as the real log would. */
function logged(err: unknown): string {
  let line = ''
  const to = new Writable({
    write(piece, _encoding, done) {
      line += piece
      done()
    },
  })
  pino(logOptions('info', 'test'), to).error({ err }, 'failed')
  return line
}

const SECRET = 'Wolfram Zebrafink'
const failure = (statement: ReturnType<typeof sql>): Promise<unknown> =>
  db.rows(statement).then(
    () => undefined,
    (error: unknown) => error,
  )

describe('what the log says of an error of the database', () => {
  test('a constraint: its names and where it was, nothing of the row', async () => {
    const error = await failure(sql`INSERT INTO installation (key, value) VALUES (${SECRET}, NULL)`)
    expect(JSON.stringify(error)).toContain(SECRET)
    const line = logged(error)
    expect(line).not.toMatch(/Zebrafink|Failing row/)
    expect(JSON.parse(line).err).toMatchObject({
      code: '23502',
      table: 'installation',
      stack: expect.stringMatching(/^\s*at /),
    })
  })

  test('a value in the message itself, of several lines, is kept back too', async () => {
    const error = await failure(sql`SELECT ${`x\n    at ${SECRET}`}::text::uuid`)
    expect(String(error)).toContain(SECRET)
    const line = logged(error)
    expect(line).not.toContain('Zebrafink')
    expect(JSON.parse(line).err).toMatchObject({ code: '22P02', routine: expect.any(String) })
  })

  test('nor does it come out of an error that wraps it', async () => {
    const cause = await failure(sql`SELECT ${SECRET}::text::uuid`)
    for (const wrapped of [
      new Error('the worker failed', { cause }),
      new ApiError(500, 'internal_error', 'Something went wrong.', { cause }),
      new AggregateError([cause], 'two failed'),
    ]) {
      const line = logged(wrapped)
      expect(line).not.toContain('Zebrafink')
      expect(line).toContain('22P02')
      expect(JSON.parse(line).err).toMatchObject({ message: wrapped.message, stack: expect.any(String) })
    }
  })
})

test('other errors are logged with their message, code and stack', () => {
  const error = Object.assign(new TypeError('no such folder'), { code: 'ENOENT' })
  expect(JSON.parse(logged(error)).err).toMatchObject({
    type: 'TypeError',
    message: 'no such folder',
    code: 'ENOENT',
    stack: expect.stringContaining('app.test'),
  })
  error.cause = error
  expect(JSON.parse(logged(error)).err.cause.message).toBe('no such folder')
  expect(JSON.parse(logged('a text')).err).toEqual({ message: 'a text' })
})

test.each([
  ['EADDRINUSE', 'Port 9465 on localhost is in use. Set KENNING_METRICS_PORT to another one.'],
  ['EACCES', 'Not permitted to listen on port 9465. Set KENNING_METRICS_PORT to a port above 1023.'],
  ['EADDRNOTAVAIL', 'localhost is not an address of this machine. Check KENNING_METRICS_HOST.'],
  ['EOTHER', 'as it came'],
])('an address that cannot be listened on: %s', (code, message) => {
  const error = Object.assign(new Error('as it came'), { code })
  expect(listenFailure(error, { host: 'localhost', port: 9465 }, 'KENNING_METRICS')).toMatchObject({
    message,
  })
})
