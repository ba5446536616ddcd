// Reads on a real streaming replica (`npm run test:replica`). They see every write that was acknowledged before. When the
// replica is behind, is down, or is none, the primary answers.

import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import sql, { raw } from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase, withReplica } from '../../../test/support/database.ts'
import { someone, workspaceFor } from '../../../test/support/put.sql.ts'
import type { Db } from './db.ts'
import { openDb } from './postgres.ts'
import { mayOnlyRead } from './replica.sql.ts'

test.each([
  ['SELECT 1', true],
  ['/* prepared */ /* 4^3 */ SELECT 1', true],
  ['\n  WITH a AS (SELECT 1) SELECT * FROM a', true],
  ["INSERT INTO thing VALUES ('SELECT')", false],
  ['/* SELECT */ DELETE FROM thing', false],
  ['SELECTED', false],
])('%s: may only read: %s', (text, expected) => {
  expect(mayOnlyRead(text)).toBe(expected)
})

describe.runIf(process.env.KENNING_READ_DATABASE_URL)('a replica', () => {
  let database: TestDatabase
  let direct: Db
  let db: Db
  let reader: Db
  const changes: boolean[] = []
  let workspace: string

  const replicaUrl = (): string => withReplica(database.connection).replica?.url ?? ''
  const open = (url: string): Db =>
    openDb(database.connection, { replica: { url, onChange: (isUsed) => changes.push(isUsed) } })
  const isOnReplica = async (from: Db = reader): Promise<boolean> => {
    const [row] = await from.rows<{ there: boolean }>(sql`SELECT pg_is_in_recovery() AS there`)
    return row?.there === true
  }
  const untilUsed = () => expect.poll(() => isOnReplica()).toBe(true)
  const rename = (name: string, on: Db = db) =>
    on.rows(sql`UPDATE workspace SET name = ${name} WHERE id = ${workspace}`)
  const nameOf = async (from: Db = reader): Promise<string | undefined> =>
    (await from.rows<{ name: string }>(sql`SELECT name FROM workspace WHERE id = ${workspace}`))[0]?.name

  beforeAll(async () => {
    database = await testDatabase()
    direct = openDb({ url: process.env.KENNING_READ_DATABASE_URL ?? '' }, { max: 1 })
  })
  beforeEach(async () => {
    changes.length = 0
    db = open(replicaUrl())
    const caller = await someone(db)
    workspace = await workspaceFor(db, caller)
    reader = db.as({ account: caller.userId })
    // On a busy machine it may have been behind at first.
    await untilUsed()
    expect(changes.at(-1)).toBe(true)
    changes.length = 0
  })
  afterEach(() => db.close())
  afterAll(async () => {
    await direct.close()
    await database.close()
  })

  test('answers reads of requests; what the service does by itself, transactions and writes stay on the primary', async () => {
    expect(await isOnReplica()).toBe(true)
    expect(await isOnReplica(db)).toBe(false)
    expect(await reader.tx(isOnReplica as never)).toBe(false)
    expect(
      await reader.rows(sql`UPDATE workspace SET name = 'A' WHERE id = ${workspace} RETURNING name`),
    ).toEqual([{ name: 'A' }])
    // Its first word makes it look like a read. The replica refuses it, and it is done once.
    const added = sql`WITH done AS (UPDATE workspace SET name = name || '+' WHERE id = ${workspace} RETURNING name)
      SELECT name FROM done`
    expect(await reader.rows(added)).toEqual([{ name: 'A+' }])
    expect(await reader.rows(added)).toEqual([{ name: 'A++' }])
    expect(await nameOf()).toBe('A++')
    expect(await isOnReplica()).toBe(true)
  })

  test('shows only what the caller may see', async () => {
    const stranger = db.as({ account: randomUUID() })
    expect(await isOnReplica(stranger)).toBe(true)
    expect(await nameOf(stranger)).toBeUndefined()
    expect(await nameOf()).toBeDefined()
  })

  test('shows every write that came before: of this process, of another one, of the same request', async () => {
    const other = openDb(database.connection)
    let there = 0
    for (let round = 0; round < 60; round++) {
      const writer = [db, other, reader][round % 3] as Db
      if (round % 2) await rename(`n${round}`, writer)
      else await writer.tx((tx) => rename(`n${round}`, tx as Db))
      // Another process answers the next request.
      const from = round % 3 === 1 ? db.as({ account: (await accountOf()) ?? '' }) : reader
      expect(await nameOf(from)).toBe(`n${round}`)
      if (await isOnReplica()) there += 1
    }
    expect(there).toBeGreaterThan(0)
    await other.close()
  })

  const accountOf = async (): Promise<string | undefined> =>
    (
      await db.rows<{ account_id: string }>(
        sql`SELECT account_id FROM member WHERE workspace_id = ${workspace}`,
      )
    )[0]?.account_id

  test('that is behind is not asked, until it has caught up', async () => {
    await direct.rows(raw('SELECT pg_wal_replay_pause()'))
    await rename('while it pauses')
    expect(await nameOf()).toBe('while it pauses')
    expect(await isOnReplica()).toBe(false)
    expect(changes).toEqual([false])
    await direct.rows(raw('SELECT pg_wal_replay_resume()'))
    await untilUsed()
    expect(await nameOf()).toBe('while it pauses')
    expect(changes).toEqual([false, true])
  })

  test('that is killed costs no request, and is used again when it is back', async () => {
    const [file] = await direct.rows<{ text: string }>(sql`SELECT pg_read_file('postmaster.pid') AS text`)
    let ended = false
    const reading = Array.from({ length: 8 }, async (_, no) => {
      let read = 0
      const own = db.as({ account: (await accountOf()) ?? '' })
      while (!ended || read < 20) {
        if (no === 0) await rename(`r${read}`)
        expect(await nameOf(own)).toBeDefined()
        read += 1
      }
      return read
    })
    process.kill(Number(file?.text.split('\n')[0]), 'SIGKILL')
    await expect.poll(() => changes.at(-1)).toBe(false)
    ended = true
    for (const read of await Promise.all(reading)) expect(read).toBeGreaterThanOrEqual(20)
    execFileSync(fileURLToPath(new URL('../../../scripts/replica', import.meta.url)), ['revive'])
    await untilUsed()
    expect(await nameOf()).toMatch(/^r\d+$/)
  })

  test('that is none is never asked: the primary itself, or another database', async () => {
    if (!('url' in database.connection)) throw new Error('a server is needed')
    for (const url of [database.connection.url, process.env.KENNING_READ_DATABASE_URL ?? '']) {
      const wrong = open(url)
      const own = wrong.as({ account: (await accountOf()) ?? '' })
      for (let round = 0; round < 20; round++) {
        expect(await isOnReplica(own)).toBe(false)
        expect(await nameOf(own)).toBeDefined()
      }
      await wrong.close()
    }
    expect(changes).toEqual([false, false])
  })
})
