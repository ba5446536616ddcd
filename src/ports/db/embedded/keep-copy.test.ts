// The copy of the embedded database before an upgrade.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { migratedDirectory } from '../../../../test/support/database.ts'
import { thorough } from '../../../../test/support/full.ts'
import { startEngine } from '../../../processes/engine.ts'
import { readMigrations } from '../migrations.ts'
import { openDb } from '../postgres.ts'
import { keepCopy, pendingUpgrade } from './keep-copy.ts'

const newest = readMigrations().at(-1)?.version ?? 0

const fourDigits = (version: number): string => String(version).padStart(4, '0')

/** A database that answers with these rows, one for each statement. */
const answering = (...rows: object[]) => ({ query: async () => ({ rows: [rows.shift()] }) }) as never

test('only a database of an earlier version is behind: not a new one, not one that is up to date', async () => {
  expect(await pendingUpgrade(answering({ exists: false }))).toBeUndefined()
  expect(await pendingUpgrade(answering({ exists: true }, { version: null }))).toBeUndefined()
  expect(await pendingUpgrade(answering({ exists: true }, { version: newest }))).toBeUndefined()
  expect(await pendingUpgrade(answering({ exists: true }, { version: newest - 1 }))).toEqual({
    version: newest - 1,
    newest,
  })
})

test('the last copy is kept, whole; what an interrupted one left is removed', async () => {
  const place = mkdtempSync(join(tmpdir(), 'kenning-copy-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const folder = join(place, 'pg')
  mkdirSync(join(folder, 'base/5'), { recursive: true })
  writeFileSync(join(folder, 'base/5/1'), 'rows')
  mkdirSync(join(place, 'pg.before-upgrade-new-1'))
  await keepCopy(folder, 18, 19)
  expect(readdirSync(place).sort()).toEqual(['pg', 'pg.before-upgrade-0018-to-0019'])
  writeFileSync(join(folder, 'base/5/1'), 'later rows')
  await keepCopy(folder, 19, 20)
  expect(readdirSync(place).sort()).toEqual(['pg', 'pg.before-upgrade-0019-to-0020'])
  expect(readFileSync(join(place, 'pg.before-upgrade-0019-to-0020/base/5/1'), 'utf8')).toBe('later rows')
})

test('F-18: an upgrade that was interrupted keeps the database as it was before the upgrade, not as it was half way', async () => {
  const place = mkdtempSync(join(tmpdir(), 'kenning-copy-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const folder = join(place, 'pg')
  mkdirSync(folder)
  const is = (text: string): void => writeFileSync(join(folder, 'rows'), text)
  const copies = () =>
    readdirSync(place)
      .filter((name) => name !== 'pg')
      .map((name) => [name, readFileSync(join(place, name, 'rows'), 'utf8')])
  is('before')
  await keepCopy(folder, 18, 24)
  is('half way')
  await keepCopy(folder, 21, 24)
  // An upgrade was interrupted, and a later version continues it.
  await keepCopy(folder, 21, 26)
  expect(copies()).toEqual([['pg.before-upgrade-0018-to-0024', 'before']])
  // The previous version was restored and used.
  is('before, and used')
  await keepCopy(folder, 18, 24)
  expect(copies()).toEqual([['pg.before-upgrade-0018-to-0024', 'before, and used']])
  is('after')
  await keepCopy(folder, 24, 26)
  expect(copies()).toEqual([['pg.before-upgrade-0024-to-0026', 'after']])
})

thorough(
  'F-18: an engine that finds a database of the version before keeps it, and opens; what was kept opens, too',
  async () => {
    const dataDir = await migratedDirectory()
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const log = { info() {}, warn() {}, error() {} }
    /** The rows of a statement, from an engine that is started for it. */
    const run = async (statement: ReturnType<typeof sql>): Promise<object[]> => {
      const engine = await startEngine({ dataDir, log })
      const db = openDb({ socketDir: engine.socketDir }, { max: 1 })
      try {
        return await db.rows(statement)
      } finally {
        await db.close()
        await engine.stop()
      }
    }
    const count = sql`SELECT count(*)::int AS count FROM schema_migration`
    const copy = join(dataDir, `pg.before-upgrade-${fourDigits(newest - 1)}-to-${fourDigits(newest)}`)
    await run(sql`DELETE FROM schema_migration WHERE version = ${newest}`)
    expect(existsSync(copy)).toBe(false)
    expect(await run(count)).toEqual([{ count: newest - 1 }])
    expect(existsSync(copy)).toBe(true)
    await run(sql`INSERT INTO schema_migration (version, name, checksum) VALUES (${newest}, 'x', 'y')`)
    rmSync(join(dataDir, 'pg'), { recursive: true })
    renameSync(copy, join(dataDir, 'pg'))
    expect(await run(count)).toEqual([{ count: newest - 1 }])
  },
)
