import fc from 'fast-check'
import sql, { raw, type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../../test/support/database.ts'
import type { Db, Queryable } from '../../db.ts'
import { openDb } from '../../postgres.ts'
import { prepared } from '../../prepared.sql.ts'

let database: TestDatabase
const clients: Db[] = []
beforeAll(async () => {
  database = await testDatabase()
  for (let i = 0; i < 3; i++) clients.push(openDb(database.connection, { max: 1 }))
})
afterAll(async () => {
  for (const client of clients) await client.close()
  await database.close()
})

const client = (no: number): Db => {
  const found = clients[no]
  if (!found) throw new Error(`no client ${no}`)
  return found
}

const preparedNow = async (): Promise<number> => {
  const [row] = await client(0).rows<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM pg_prepared_statements WHERE name LIKE 'prepared%'`,
  )
  return row?.n ?? 0
}

/** The rows of a statement, or the code of its error. */
const outcome = (on: Queryable, statement: Sql): Promise<unknown> =>
  on.rows(statement).catch((error: { code?: string }) => error.code)

type Step =
  | { kind: 'put' | 'wrong'; id: number; n: number }
  | { kind: 'read'; from: number }
  | { kind: 'alter' | 'deallocate' | 'discard' }

const number = fc.integer({ min: 0, max: 9 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), id: number, n: number }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wrong' as const), id: number, n: number }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('read' as const), from: number }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('alter', 'deallocate', 'discard') }) },
)
const sequence = fc.record({
  client: fc.integer({ min: 0, max: 2 }),
  together: fc.boolean(),
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
})

/** The outcomes of the steps on a table, run one at a time or in a transaction. */
async function play(
  db: Db,
  table: string,
  mark: (s: Sql) => Sql,
  sequence: { together: boolean; steps: Step[] },
) {
  const name = raw(table)
  const statementOf = (step: Step): Sql => {
    if (step.kind === 'put')
      return mark(sql`INSERT INTO ${name} (id, n) VALUES (${step.id}, ${step.n}) RETURNING *`)
    if (step.kind === 'wrong') return mark(sql`UPDATE ${name} SET n = ${step.n} / ${0} WHERE id = ${step.id}`)
    if (step.kind === 'read') return mark(sql`SELECT * FROM ${name} WHERE id >= ${step.from} ORDER BY id`)
    if (step.kind === 'alter') return raw(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS later int`)
    return raw(step.kind === 'discard' ? 'DISCARD PLANS' : 'DEALLOCATE ALL')
  }
  const seen: unknown[] = []
  const all = async (on: Queryable): Promise<void> => {
    for (const step of sequence.steps) seen.push(await outcome(on, statementOf(step)))
  }
  if (!sequence.together) await all(db)
  else await db.tx(all).catch(() => seen.push('rolled back'))
  return seen
}

describe('statements that the embedded engine keeps', () => {
  test('give the same results as unmarked ones, with any clients, errors, transactions and schema changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sequence, { minLength: 1, maxLength: 8 }), async (sequences) => {
        await client(0).rows(sql`DROP TABLE IF EXISTS a; DROP TABLE IF EXISTS b;
          CREATE TABLE a (id int PRIMARY KEY, n int); CREATE TABLE b (id int PRIMARY KEY, n int)`)
        for (const one of sequences) {
          const marked = await play(client(one.client), 'a', prepared, one)
          expect(marked).toEqual(await play(client(one.client), 'b', (plain) => plain, one))
        }
      }),
      { numRuns: 20 },
    )
  })

  test('are planned once for all clients, and only a limited number is kept', async () => {
    await client(0).rows(sql`DEALLOCATE ALL`)
    const one = (n: number, as = 'n') => prepared(sql`SELECT ${n}::int AS ${raw(as)}`)
    for (let n = 0; n < 9; n++) expect(await client(n % 3).rows(one(n))).toEqual([{ n }])
    expect(await preparedNow()).toBe(1)
    for (let n = 0; n < 450; n++) await client(n % 3).rows(one(n, `n${n}`))
    const most = await preparedNow()
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(200)
  })

  test('are planned anew when the bytes received have doubled: a plan for empty tables reads all of large ones', async () => {
    const one = (n: number) => prepared(sql`SELECT ${n}::int AS grown`)
    const plans = () =>
      client(0).rows<{ prepared: boolean }>(
        sql`SELECT generic_plans > 0 AS prepared FROM pg_prepared_statements WHERE strpos(statement, 'grown') > 0`,
      )
    const ask = async (times: number) => {
      for (let n = 0; n < times; n++) expect(await client(n % 3).rows(one(n))).toEqual([{ grown: n }])
    }
    await ask(9)
    expect(await plans()).toEqual([{ prepared: true }])
    await client(1).rows(sql`SELECT length(${'x'.repeat(16 * 1024 * 1024)})`)
    await ask(1)
    expect(await plans()).toEqual([{ prepared: false }])
    await ask(8)
    expect(await plans()).toEqual([{ prepared: true }])
  })

  test('that fail give an error each time, and the next one is answered', async () => {
    const wrong = prepared(sql`SELECT ${'x'}::int AS n`)
    const unknown = prepared(sql`SELECT n FROM nowhere WHERE n = ${1}`)
    for (let i = 0; i < 3; i++) {
      expect(await outcome(client(i), wrong)).toBe('22P02')
      expect(await outcome(client(i), unknown)).toBe('42P01')
    }
    expect(await client(1).rows(prepared(sql`SELECT ${'5'}::int AS n`))).toEqual([{ n: 5 }])
  })
})
