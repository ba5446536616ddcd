// The database: reachable, new enough, with pgvector, and written by this version or one before it.

import type { Config } from '../../config.ts'
import { explainDatabase } from '../../ports/db/explain.ts'
import { pendingMigrations } from '../../ports/db/migrate.ts'
import { openDb } from '../../ports/db/postgres.ts'
import { factsOf, problemOf } from '../../ports/db/requirements.ts'
import { connectDatabase } from '../connect.ts'
import { type Finding, messageOf } from './check.ts'

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
      const facts = await factsOf(db)
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
