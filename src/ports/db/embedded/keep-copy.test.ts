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
import { behind, keepCopy } from './keep-copy.ts'

const newest = readMigrations().at(-1)?.version ?? 0

/** A database that answers these rows, one statement after the other. */
const answering = (...rows: object[]) => ({ query: async () => ({ rows: [rows.shift()] }) }) as never

test('only a database of an earlier version is behind: not a new one, not one that is up to date', async () => {
  expect(await behind(answering({ known: false }))).toBeUndefined()
  expect(await behind(answering({ known: true }, { version: null }))).toBeUndefined()
  expect(await behind(answering({ known: true }, { version: newest }))).toBeUndefined()
  expect(await behind(answering({ known: true }, { version: newest - 1 }))).toBe(newest - 1)
})

test('the last copy is kept, whole; what an interrupted one left is removed', async () => {
  const place = mkdtempSync(join(tmpdir(), 'kenning-copy-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const folder = join(place, 'pg')
  mkdirSync(join(folder, 'base/5'), { recursive: true })
  writeFileSync(join(folder, 'base/5/1'), 'rows')
  mkdirSync(join(place, 'pg.before-upgrade-new-1'))
  expect(await keepCopy(folder, 18)).toBe(join(place, 'pg.before-upgrade-0018'))
  writeFileSync(join(folder, 'base/5/1'), 'later rows')
  await keepCopy(folder, 19)
  expect(readdirSync(place).sort()).toEqual(['pg', 'pg.before-upgrade-0019'])
  expect(readFileSync(join(place, 'pg.before-upgrade-0019/base/5/1'), 'utf8')).toBe('later rows')
})

thorough(
  'an engine that finds a database of the version before keeps it, and opens; what was kept opens, too',
  async () => {
    const dataDir = await migratedDirectory()
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const log = { info() {}, warn() {}, error() {} }
    /** The rows that a statement gives, of an engine that is started for it. */
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
    const copy = join(dataDir, `pg.before-upgrade-${String(newest - 1).padStart(4, '0')}`)
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
