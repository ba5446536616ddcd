import { PGlite } from '@electric-sql/pglite'
import { afterAll, describe, expect, test } from 'vitest'
import { type HousekeepingEngine, runHousekeepingRound, runHousekeepingStep } from './housekeeping.ts'

const db = await PGlite.create()
afterAll(() => db.close())

let waiting = 0
const engine: HousekeepingEngine = {
  query: (statement) => db.query(statement),
  runAlone: (work) => work(),
  waitingUnits: () => waiting,
}

/** Inserts rows, and makes the statistics count them at once instead of a second later. */
async function grow(table: string, rows: number) {
  await db.exec(`INSERT INTO ${table} SELECT generate_series(1, ${rows}); SELECT pg_stat_force_next_flush()`)
}

async function estimate(table: string): Promise<number | undefined> {
  const { rows } = await db.query<{ rows: number }>(
    `SELECT reltuples::int AS rows FROM pg_class WHERE relname = '${table}'`,
  )
  return rows[0]?.rows
}

describe('while clients wait', () => {
  test('a table without statistics is analysed, and again when it has doubled; until then it is put off', async () => {
    waiting = 1
    await db.exec('CREATE TABLE grows (n int)')
    await grow('grows', 100)
    expect(await runHousekeepingStep(engine, false)).toBe('analysed')
    expect(await estimate('grows')).toBe(100)
    expect(await runHousekeepingStep(engine, false)).toBe('nothing')

    await grow('grows', 100)
    expect(await runHousekeepingStep(engine, false)).toBe('busy')
    await grow('grows', 100)
    expect(await runHousekeepingStep(engine, false)).toBe('analysed')
    expect(await estimate('grows')).toBe(300)
  })

  test('one that has outgrown its statistics comes before a larger one that has only changed', async () => {
    waiting = 1
    await db.exec('CREATE TABLE changes (n int); CREATE TABLE fresh (n int)')
    await grow('changes', 5000)
    expect(await runHousekeepingStep(engine, false)).toBe('analysed')
    await grow('changes', 1000)
    await grow('fresh', 100)
    expect(await runHousekeepingStep(engine, false)).toBe('analysed')
    expect(await estimate('fresh')).toBe(100)
    expect(await runHousekeepingStep(engine, false)).toBe('busy')
    expect(await runHousekeepingStep(engine, true)).toBe('table')
    expect(await estimate('changes')).toBe(6000)
  })
})

test('a table that outgrows its statistics all the time does not put off the others', async () => {
  waiting = 1
  await db.exec('CREATE TABLE busy (n int); CREATE TABLE waits (n int)')
  await grow('waits', 100)
  expect(await runHousekeepingRound(engine, false)).toBe('nothing')
  await grow('waits', 100)
  await grow('busy', 200)
  expect(await runHousekeepingRound(engine, true)).toBe('table')
  expect([await estimate('busy'), await estimate('waits')]).toEqual([200, 200])
})

test('when nobody waits, what has changed is analysed, and rows that are gone are removed', async () => {
  waiting = 0
  await db.exec('CREATE TABLE shrinks (n int)')
  await grow('shrinks', 1000)
  expect(await runHousekeepingStep(engine, false)).toBe('analysed')
  await db.exec('DELETE FROM shrinks WHERE n <= 600; SELECT pg_stat_force_next_flush()')
  expect(await runHousekeepingStep(engine, false)).toBe('table')
  expect(await estimate('shrinks')).toBe(400)
  expect(await runHousekeepingStep(engine, false)).toBe('nothing')
})
