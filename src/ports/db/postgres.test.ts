import { createServer } from 'node:net'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import type { Db, Queryable } from './db.ts'
import { isDiskFull, isNodeAway, isUnavailable } from './db-errors.ts'
import { openDb } from './postgres.ts'
import { isForgotten, prepared } from './prepared.sql.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection, { max: 4 })
  await db.rows(sql`CREATE TABLE thing (id int PRIMARY KEY, n int NOT NULL)`)
})
afterAll(async () => {
  await db.close()
  await database.close()
})

const things = () => db.rows<{ id: number }>(sql`SELECT id FROM thing ORDER BY id`)
const put = (on: Queryable, id: number) => on.rows(sql`INSERT INTO thing VALUES (${id}, 0)`)

/** The error of a statement. Undefined if it succeeded. */
const failure = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('statements', () => {
  test('int8 and numeric are numbers, other types as pg returns them', async () => {
    const [row] = await db.rows(sql`
      SELECT count(*) AS count, 1.5::numeric AS sum, ARRAY[1, NULL, 9007199254740991]::int8[] AS list,
             ARRAY[1.5]::numeric[] AS sums, to_timestamp(0) AS at, '{"a": [1]}'::jsonb AS json, ${'ü'}::text AS text`)
    expect(row).toEqual({
      count: 1,
      sum: 1.5,
      list: [1, null, 9007199254740991],
      sums: [1.5],
      at: new Date(0),
      json: { a: [1] },
      text: 'ü',
    })
  })

  test('several statements without values return the rows of the last', async () => {
    expect(await db.rows(sql`SELECT 1 AS a; SELECT 2 AS b`)).toEqual([{ b: 2 }])
  })

  test('a statement that is refused for what others did is repeated, also of an actor', async () => {
    // A sequence is not rolled back.
    await db.rows(sql`
      CREATE SEQUENCE attempt;
      CREATE FUNCTION refuse(times int) RETURNS int LANGUAGE plpgsql SECURITY DEFINER AS $$
      DECLARE no int := nextval('attempt');
      BEGIN
        IF no <= times THEN RAISE SQLSTATE '40001'; END IF;
        RETURN no;
      END $$`)
    for (const [times, on] of [
      [2, db],
      [5, db.as({ account: crypto.randomUUID() })],
    ] as const)
      expect(await on.rows(sql`SELECT refuse(${times}) AS no`)).toEqual([{ no: times + 1 }])
    await expect(db.rows(sql`SELECT refuse(100)`)).rejects.toMatchObject({ code: '40001' })
    expect(await db.rows(sql`SELECT nextval('attempt')::int AS no`)).toEqual([{ no: 11 }])
  })

  test('a connection of the server to its node that had ended is no internal error: it is repeated, too', async () => {
    const text = 'failure on connection marked as essential: node:5432'
    await db.rows(sql`
      CREATE SEQUENCE lost;
      CREATE FUNCTION lose(times int) RETURNS int LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('lost') <= times THEN RAISE EXCEPTION USING ERRCODE = 'XX000', MESSAGE = ${raw(`'${text}'`)}; END IF;
        RETURN 1;
      END $$`)
    expect(await db.tx((tx) => tx.rows(sql`SELECT lose(3) AS n`))).toEqual([{ n: 1 }])
    const error = await failure(db.rows(sql`SELECT lose(100)`))
    expect(error).toMatchObject({ code: 'XX000', message: text })
    expect([isNodeAway(error), isUnavailable(error)]).toEqual([true, true])
  })

  test('an error of a statement has its SQLSTATE and does not mean that the database is unavailable', async () => {
    const error = await failure(db.rows(sql`SELECT 1 / 0`))
    expect(error).toMatchObject({ code: '22012' })
    expect(isUnavailable(error)).toBe(false)
  })
})

describe('prepared statements', () => {
  const sum = (n: number) => prepared(sql`SELECT ${n}::int + (SELECT count(*) FROM thing WHERE id < 0) AS n`)

  /** A pool with one connection, which has run the statement once. */
  const asked = async (): Promise<Db> => {
    const own = openDb(database.connection, { max: 1 })
    expect(await own.rows(sum(1))).toEqual([{ n: 1 }])
    return own
  }

  test('use the values of each call', async () => {
    const own = await asked()
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) expect(await own.rows(sum(n))).toEqual([{ n }])
    await own.close()
  })

  test('run without a name if the connection has forgotten it, as behind a pooler', async () => {
    const own = await asked()
    await own.rows(sql`DEALLOCATE ALL`)
    expect(await own.rows(sum(2))).toEqual([{ n: 2 }])
    expect(await own.rows(sum(3))).toEqual([{ n: 3 }])
    await own.close()
  })

  test('also in a transaction, which takes effect once', async () => {
    const own = await asked()
    await own.rows(sql`DEALLOCATE ALL`)
    await own.tx(async (tx) => {
      await put(tx, 100)
      expect(await tx.rows(sum(4))).toEqual([{ n: 4 }])
    })
    expect((await things()).filter(({ id }) => id === 100)).toHaveLength(1)
    await db.rows(sql`DELETE FROM thing`)
    await own.close()
  })

  test('return the current columns after a migration', async () => {
    await db.rows(sql`CREATE TABLE changing (a int)`)
    const own = openDb(database.connection, { max: 1 })
    const all = () => own.rows(prepared(sql`SELECT * FROM changing WHERE a < ${5}`))
    await own.rows(sql`INSERT INTO changing VALUES (1)`)
    expect(await all()).toEqual([{ a: 1 }])
    await own.rows(sql`ALTER TABLE changing ADD COLUMN b int DEFAULT 2`)
    expect(await all()).toEqual([{ a: 1, b: 2 }])
    await own.close()
  })

  test('are recognised as forgotten in any language of the server', () => {
    const message = 'gecachter Plan darf den Ergebnistyp nicht ändern'
    expect(isForgotten({ code: '0A000', message, routine: 'RevalidateCachedQuery' })).toBe(true)
    expect(isForgotten({ code: '0A000', message: 'no cached plan here', routine: 'other' })).toBe(false)
  })

  test('fail by themselves: the next one runs', async () => {
    const own = await asked()
    const half = (n: number) => own.rows(prepared(sql`SELECT 1 / ${n}::int AS half`))
    expect(await failure(half(0))).toMatchObject({ code: '22012' })
    expect(await half(1)).toEqual([{ half: 1 }])
    await own.close()
  })
})

describe('transactions', () => {
  test('commit when the work resolves, roll back when it throws', async () => {
    const kept = await db.tx(async (tx) => {
      await put(tx, 1)
      return 'kept'
    })
    expect(kept).toBe('kept')
    await expect(
      db.tx(async (tx) => {
        await put(tx, 2)
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(await things()).toEqual([{ id: 1 }])
  })

  test('an error that the work swallows is not taken for a commit', async () => {
    const run = db.tx(async (tx) => {
      await put(tx, 3)
      await failure(tx.rows(sql`SELECT 1 / 0`))
    })
    await expect(run).rejects.toThrow(/was rolled back/)
    expect(await things()).toEqual([{ id: 1 }])
  })

  test('serialization failures are retried three times, other errors are not', async () => {
    let tries = 0
    const failing = (code: string) =>
      db.tx(async (tx) => {
        tries += 1
        await put(tx, 100 + tries)
        await tx.rows(sql`DO ${sql([`$$ BEGIN RAISE SQLSTATE '${code}'; END $$`])}`)
      })
    await expect(failing('40001')).rejects.toMatchObject({ code: '40001' })
    expect(tries).toBe(4)
    await expect(failing('22012')).rejects.toMatchObject({ code: '22012' })
    expect(tries).toBe(5)
    const value = await db.tx(async (tx) => {
      tries += 1
      if (tries < 8) await tx.rows(sql`DO ${sql(["$$ BEGIN RAISE SQLSTATE '40P01'; END $$"])}`)
      return tries
    })
    expect(value).toBe(8)
    expect(await things()).toEqual([{ id: 1 }])
  })

  test('a snapshot shows one state, whatever is written meanwhile, and changes nothing', async () => {
    const before = await things()
    const writes = db.tx((tx) => put(tx, 500), { snapshot: true })
    await expect(writes).rejects.toMatchObject({ code: '25006' })
    const seen = async (tx: Queryable) => {
      const first = await tx.rows(sql`SELECT id FROM thing ORDER BY id`)
      // The embedded engine has one session, so a writer waits until the snapshot ends.
      const written = 'url' in database.connection ? await put(db, 501) : undefined
      return { first, second: await tx.rows(sql`SELECT id FROM thing ORDER BY id`), written }
    }
    expect(await db.tx(seen, { snapshot: true })).toMatchObject({ first: before, second: before })
    await db.rows(sql`DELETE FROM thing WHERE id = 501`)
    expect(await things()).toEqual(before)
  })

  test('twenty at once on four connections do not disturb each other', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        db.tx(async (tx) => {
          await put(tx, 1000 + index)
          await tx.rows(sql`UPDATE thing SET n = n + 1 WHERE id = 1`)
        }),
      ),
    )
    expect((await things()).length).toBe(21)
    expect(await db.rows(sql`SELECT n FROM thing WHERE id = 1`)).toEqual([{ n: 20 }])
  })
})

describe('an unavailable database', () => {
  test('is recognised: connection refused, no socket, connection closed', async () => {
    for (const connection of [
      { url: 'postgresql://x@127.0.0.1:9/x' },
      { socketDir: '/tmp/kenning-nowhere' },
    ]) {
      const away = openDb(connection)
      expect(isUnavailable(await failure(away.rows(sql`SELECT 1`)))).toBe(true)
      expect(isUnavailable(await failure(away.tx(async () => 1)))).toBe(true)
      await away.close()
    }
    const rude = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve))
    const { port } = rude.address() as { port: number }
    const away = openDb({ url: `postgresql://x@127.0.0.1:${port}/x` })
    expect(isUnavailable(await failure(away.rows(sql`SELECT 1`)))).toBe(true)
    await away.close()
    rude.close()
  })

  test('F-06: so is a full disk: the statement can be retried later', async () => {
    const full = await failure(db.rows(sql`DO ${sql(["$$ BEGIN RAISE SQLSTATE '53100'; END $$"])}`))
    expect(isDiskFull(full)).toBe(true)
    expect(isUnavailable(full)).toBe(true)
    expect(isDiskFull(await failure(db.rows(sql`SELECT 1 / 0`)))).toBe(false)
  })

  test('other errors are not: a missing file, a bug', () => {
    expect(isUnavailable(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }))).toBe(
      false,
    )
    expect(isUnavailable(new TypeError('x is not a function'))).toBe(false)
    expect(isUnavailable('text')).toBe(false)
  })
})
