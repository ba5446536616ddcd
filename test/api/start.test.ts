// What a start refuses of a server, as the built service says it: the message is all that its operator has.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { testDatabase } from '../support/database.ts'
import { FULL } from '../support/full.ts'
import { childEnvironmentOf, freePort, MAIN } from '../support/service.ts'

const SERVER = process.env.DATABASE_URL

/** How a start on this database ends. */
async function started(
  url: string,
  role: 'all' | 'api' | 'worker',
): Promise<{ code: number | null; said: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kenning-start-'))
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: childEnvironmentOf({
      DATABASE_URL: url,
      KENNING_ROLE: role,
      KENNING_DATA_DIR: dataDir,
      KENNING_PORT: String(await freePort()),
    }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    said += piece
  })
  return new Promise((resolve) =>
    child.once('close', (code) => {
      rmSync(dataDir, { recursive: true, force: true })
      resolve({ code, said })
    }),
  )
}

describe.runIf(SERVER)('a start is refused', () => {
  let server: Db
  beforeAll(() => {
    server = openDb({ url: SERVER ?? '' }, { max: 1 })
  })
  afterAll(() => server.close())

  test('by a server without pgvector, before anything is written', async () => {
    const name = `kenning_test_${randomBytes(6).toString('hex')}`
    await server.rows(raw(`CREATE DATABASE ${name}`))
    await server.rows(raw(`ALTER DATABASE ${name} SET extension_control_path TO '/nowhere'`))
    const own = new URL(SERVER ?? '')
    own.pathname = `/${name}`
    expect(await started(own.href, 'all')).toEqual({
      code: 1,
      said: 'Kenning cannot use this database: pgvector is missing: install it on the server, then start again.\n',
    })
    const inside = openDb({ url: own.href }, { max: 1 })
    expect(await inside.rows(raw("SELECT 1 FROM pg_tables WHERE schemaname = 'public'"))).toEqual([])
    await inside.close()
    await server.rows(raw(`DROP DATABASE ${name} WITH (FORCE)`))
  })

  test.each(FULL ? (['api', 'worker'] as const) : (['api'] as const))(
    'where a policy does not bind requests: %s',
    async (role) => {
      const database = await testDatabase()
      if (!('url' in database.connection)) throw new Error('a server is needed')
      const inside = openDb(database.connection, { max: 1 })
      await inside.rows(raw('ALTER TABLE edge DISABLE ROW LEVEL SECURITY'))
      await inside.close()
      const { code, said } = await started(database.connection.url, role)
      expect(said).toMatch(/Row-level security does not bind the role kenning_app on edge:.*NOBYPASSRLS/s)
      expect(code).toBe(1)
      await database.close()
    },
  )
})
