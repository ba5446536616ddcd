// Copies of the embedded database that are made while it is used, and the way back to one.

import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { templateDirectory } from '../../../../test/support/database.ts'
import { restore } from '../../../operator/backup.ts'
import { startEngine } from '../../../processes/engine.ts'
import { copiesOf, makeCopy } from './daily-copy.ts'

const silent = { info() {}, warn() {}, error() {} }

test('a copy is made while rows are written; a database that cannot be opened names it, and restore goes back to it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kenning-copies-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  cpSync(await templateDirectory(), dataDir, { recursive: true })
  const start = (copies?: { days: number; maxBytes: number; firstAfterMs: number }) =>
    startEngine({ dataDir, log: silent, copies })
  const connect = async (socketDir: string) => {
    const client = new pg.Client({ host: socketDir, port: 5432, user: 'postgres', database: 'postgres' })
    await client.connect()
    return client
  }

  const engine = await start({ days: 7, maxBytes: 1e10, firstAfterMs: 200 })
  const client = await connect(engine.socketDir)
  await client.query('CREATE TABLE copied (no int PRIMARY KEY, body text)')
  let no = 0
  while (copiesOf(dataDir).length === 0) {
    await client.query('INSERT INTO copied VALUES ($1, $2)', [no, 'x'.repeat(500)])
    no += 1
    await delay(5)
  }
  await client.end()
  await engine.stop()
  const [copy = ''] = copiesOf(dataDir)
  expect(readdirSync(join(dataDir, 'copies'))).toHaveLength(1)

  truncateSync(join(dataDir, 'pg/global/pg_control'), 0)
  await expect(start()).rejects.toThrow(`kenning restore ${copy}`)

  const printed: string[] = []
  const output = {
    print: (text: string) => printed.push(text),
    complain: (text: string) => printed.push(text),
  }
  expect(await restore({ databaseUrl: undefined, dataDir, blobs: undefined }, [copy], output as never)).toBe(
    0,
  )
  expect(printed.join('')).toContain('pg.replaced-')

  const again = await start()
  const reader = await connect(again.socketDir)
  const { rows } = await reader.query('SELECT no FROM copied ORDER BY no')
  await reader.end()
  await again.stop()
  // Without a gap: all that was written before the copy ended.
  expect(rows.map((row) => row.no)).toEqual([...rows.keys()])
  expect(rows.length).toBeLessThanOrEqual(no)
})

test('no copy is begun that is larger than allowed, and nothing is left of it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kenning-copies-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  mkdirSync(join(dataDir, 'pg'))
  writeFileSync(join(dataDir, 'pg/rows'), 'x'.repeat(1000))
  mkdirSync(join(dataDir, 'copies/new-interrupted'), { recursive: true })
  const unused = async (): Promise<never> => {
    throw new Error('a copy was begun')
  }
  const engine = { query: unused, between: unused, keepLog() {} }
  await expect(makeCopy(dataDir, engine, 999)).rejects.toThrow('more than KENNING_COPIES_MB allows')
  expect(readdirSync(join(dataDir, 'copies'))).toEqual([])
})
