// Copies of the embedded database that are made while it is in use, and restoring one.

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { templateDirectory } from '../../../../test/support/database.ts'
import { restore } from '../../../operator/backup.ts'
import { startEngine } from '../../../processes/engine.ts'
import { DIRECT } from '../../outbound/network.ts'
import { copiesOf } from './copy-list.ts'
import { makeCopy, restoreCopy, startCopies } from './daily-copy.ts'
import { ensureCluster } from './directory.ts'

/** A data folder with the files of a database that a copy must have. */
function folderWithCluster(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'kenning-copies-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  for (const folder of ['global', 'pg_wal']) mkdirSync(join(dataDir, 'pg', folder), { recursive: true })
  writeFileSync(join(dataDir, 'pg/global/pg_control'), 'control')
  writeFileSync(join(dataDir, 'pg/PG_VERSION'), '18\n')
  return dataDir
}

const neverCreated = {
  withoutArchive: true,
  onCreate: () => {
    throw new Error('a database was created')
  },
}

const silent = { info() {}, warn() {}, error() {} }

test('a copy is made while rows are written; a database that cannot be opened names it, and restore goes back to it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kenning-copies-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  cpSync(await templateDirectory(), dataDir, { recursive: true })
  const start = (copies?: { days: number; maxBytes: number; firstCheckAfterMs: number }) =>
    startEngine({ dataDir, log: silent, copies })
  const connect = async (socketDir: string) => {
    const client = new pg.Client({ host: socketDir, port: 5432, user: 'postgres', database: 'postgres' })
    await client.connect()
    return client
  }

  const engine = await start({ days: 7, maxBytes: 1e10, firstCheckAfterMs: 200 })
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
  const settings = { databaseUrl: undefined, dataDir, blobs: undefined, network: DIRECT }
  expect(await restore(settings, [copy], output as never)).toBe(0)
  expect(printed.join('')).toContain('pg.replaced-')

  const again = await start()
  const reader = await connect(again.socketDir)
  const { rows } = await reader.query('SELECT no FROM copied ORDER BY no')
  await reader.end()
  await again.stop()
  // Everything that was written before the copy ended is there, without a gap.
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
  const engine = { query: unused, runAlone: unused, keepLog() {} }
  await expect(makeCopy(dataDir, engine, 999)).rejects.toThrow('more than KENNING_COPIES_MB allows')
  expect(readdirSync(join(dataDir, 'copies'))).toEqual([])
})

test('a copy that fails on its way does not stop the next one', async () => {
  const dataDir = folderWithCluster()
  const db = await PGlite.create()
  onTestFinished(() => db.close())
  const engine = {
    query: <T>(sql: string) => db.query<T>(sql),
    runAlone: <T>(work: () => Promise<T>) => work(),
    keepLog() {},
  }
  // It cannot be copied as a file.
  symlinkSync(dataDir, join(dataDir, 'pg/folder'))
  await expect(makeCopy(dataDir, engine, 1e9)).rejects.toThrow()
  expect(readdirSync(join(dataDir, 'copies'))).toEqual([])
  rmSync(join(dataDir, 'pg/folder'))
  const copy = await makeCopy(dataDir, engine, 1e9)
  expect(readFileSync(join(copy, 'backup_label'), 'utf8')).toContain('START WAL LOCATION')
})

test('the two newest copies are kept whatever their age, and a copy is made though one is of the future', async () => {
  const dataDir = folderWithCluster()
  const names = ['2020-01-01T00-00', '2020-01-02T00-00', '2020-01-03T00-00', '2100-01-01T00-00']
  for (const name of names) mkdirSync(join(dataDir, 'copies', name), { recursive: true })
  const db = await PGlite.create()
  onTestFinished(() => db.close())
  const engine = {
    query: <T>(sql: string) => db.query<T>(sql),
    runAlone: <T>(work: () => Promise<T>) => work(),
    keepLog() {},
  }
  const troubles: unknown[] = []
  const stop = startCopies(dataDir, engine, { days: 7, maxBytes: 1e9, firstCheckAfterMs: 1 }, (trouble) =>
    troubles.push(trouble),
  )
  onTestFinished(stop)
  await expect.poll(() => readdirSync(join(dataDir, 'copies'))).toHaveLength(2)
  const left = readdirSync(join(dataDir, 'copies')).sort()
  expect(troubles).toEqual([])
  expect(names).not.toContain(left[0])
  expect(left[1]).toBe('2100-01-01T00-00')
})

test('a restore that was cut off is finished by the next start', async () => {
  const dataDir = folderWithCluster()
  for (const name of ['pg.restored', 'pg.replaced-2026-01-01T00-00-00'])
    cpSync(join(dataDir, 'pg'), join(dataDir, name), { recursive: true })
  writeFileSync(join(dataDir, 'pg.restored/mark'), '')
  rmSync(join(dataDir, 'pg'), { recursive: true })
  await ensureCluster(dataDir, neverCreated)
  expect(readdirSync(dataDir).sort()).toEqual(['pg', 'pg.replaced-2026-01-01T00-00-00'])
  expect(readdirSync(join(dataDir, 'pg'))).toContain('mark')
})

test('one that was cut off before it replaced anything has changed nothing', async () => {
  const dataDir = folderWithCluster()
  cpSync(join(dataDir, 'pg'), join(dataDir, 'pg.restored'), { recursive: true })
  writeFileSync(join(dataDir, 'pg.restored/mark'), '')
  await ensureCluster(dataDir, neverCreated)
  expect(readdirSync(dataDir)).toEqual(['pg'])
  expect(readdirSync(join(dataDir, 'pg'))).not.toContain('mark')
})

test('no empty database is created beside one that a restore replaced, and what is no database names the newest copy', async () => {
  const dataDir = folderWithCluster()
  const copy = join(dataDir, 'copies/2026-01-01T00-00')
  cpSync(join(dataDir, 'pg'), copy, { recursive: true })
  const replaced = (await restoreCopy(copy, dataDir)) ?? ''
  rmSync(join(dataDir, 'pg'), { recursive: true })
  await expect(ensureCluster(dataDir, neverCreated)).rejects.toThrow(replaced)
  mkdirSync(join(dataDir, 'pg'))
  writeFileSync(join(dataDir, 'pg/letter'), 'dear')
  await expect(ensureCluster(dataDir, neverCreated)).rejects.toThrow(`kenning restore ${copy}`)
})
