// The database: reachable, new enough, with pgvector, and written by this version or one before it.

import type { Config } from '../../config.ts'
import { explainDatabase } from '../../ports/db/explain.ts'
import { pendingMigrations } from '../../ports/db/migrate.ts'
import { openDb } from '../../ports/db/postgres.ts'
import { connectDatabase } from '../connect.ts'
import { type Finding, messageOf } from './check.ts'
import { type DatabaseFacts, databaseFacts } from './database.sql.ts'

const LEAST_POSTGRES = 16
const LEAST_PGVECTOR = [0, 8]
const CONNECT_MS = 10_000

/** Starts the embedded engine for a moment where the service does not run: only so is it known that it starts. */
export async function checkDatabase(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Finding> {
  const check = 'database'
  try {
    const connected = await connectDatabase(config)
    if (!connected) {
      return { check, status: 'ok', message: 'the embedded one; it will be created at the first start' }
    }
    const db = openDb(connected.connection, {
      max: 1,
      applicationName: 'kenning doctor',
      connectTimeoutMs: CONNECT_MS,
    })
    try {
      const [facts] = await db.rows<DatabaseFacts>(databaseFacts)
      if (!facts) throw new Error('the database does not answer')
      const problem = problemOf(facts)
      if (problem) return { check, status: 'problem', message: problem }
      const pending = await pendingMigrations(db)
      const name = config.databaseUrl ? 'PostgreSQL' : 'the embedded one, PostgreSQL'
      const size = `${Math.ceil(facts.size / 2 ** 20)} MB`
      const waiting = pending.length ? `; the next start applies ${pending.length} migrations` : ''
      const vector = facts.installed ?? facts.available
      return {
        check,
        status: 'ok',
        message: `${name} ${facts.version}, pgvector ${vector}, ${size}${waiting}`,
      }
    } finally {
      await db.close()
      await connected.close()
    }
  } catch (error) {
    const { databaseUrl } = config
    return {
      check,
      status: 'problem',
      message: messageOf(databaseUrl ? explainDatabase(error, databaseUrl) : error),
    }
  }
}

/** What to do before Kenning can use this database, if anything. */
export function problemOf({
  version,
  version_number,
  available,
  installed,
}: DatabaseFacts): string | undefined {
  if (version_number < LEAST_POSTGRES * 10_000) {
    return `PostgreSQL ${version} is too old: Kenning needs ${LEAST_POSTGRES} or newer`
  }
  if (!available && !installed) return 'pgvector is missing: install it on the server'
  if (isOld(installed)) {
    return isOld(available)
      ? `pgvector ${installed} is too old: install ${LEAST_PGVECTOR.join('.')} or newer on the server`
      : `pgvector ${installed} is too old for Kenning: run "ALTER EXTENSION vector UPDATE" in this database`
  }
  if (!installed && isOld(available)) {
    return `pgvector ${available} is too old: install ${LEAST_PGVECTOR.join('.')} or newer on the server`
  }
  return undefined
}

function isOld(version: string | null): boolean {
  if (version === null) return false
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = LEAST_PGVECTOR
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}
