// Checks that the database can be reached, is new enough, has pgvector, gives the rights that a start needs, and was written by
// this version or an earlier one.

import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../../config.ts'
import { type Finding, messageOf } from '../../health/finding.ts'
import { checkQueue } from '../../health/queue.ts'
import type { Db } from '../../ports/db/db.ts'
import { explainDatabase } from '../../ports/db/explain.ts'
import { pendingMigrations } from '../../ports/db/migrate.ts'
import { openDb } from '../../ports/db/postgres.ts'
import {
  databaseIdentity,
  type Position,
  primaryPosition,
  replicaPosition,
} from '../../ports/db/replica.sql.ts'
import { requestRoleProblem } from '../../ports/db/request-role.ts'
import { factsOf, problemOf } from '../../ports/db/requirements.ts'
import { connectDatabase } from '../connect.ts'
import type { Output } from '../output.ts'

const CONNECT_MS = 10_000

/**
 * Checks the database and its queue. If the service does not run, the embedded engine is started for a moment, to show whether it
 * can start.
 */
export async function* checkDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  output: Pick<Output, 'complain'>,
): AsyncGenerator<Finding, void> {
  const check = 'database'
  try {
    const database = await connectDatabase(config, output)
    if (!database) {
      yield { check, status: 'ok', message: 'the embedded one; it will be created at the first start' }
      return
    }
    const db = openDb(database.connection, {
      max: 1,
      applicationName: 'kenning doctor',
      connectTimeoutMs: database.connectTimeoutMs,
    })
    try {
      const facts = await factsOf(db)
      const problem = problemOf(facts) ?? (config.databaseUrl && (await requestRoleProblem(db)))
      if (problem) return yield { check, status: 'problem', message: problem }
      const pending = await pendingMigrations(db)
      const name = config.databaseUrl ? 'PostgreSQL' : 'the embedded one, PostgreSQL'
      const size = `${Math.ceil(facts.size / 2 ** 20)} MB`
      const pendingNote = pending.length ? `; the next start applies ${pending.length} migrations` : ''
      const vector = facts.installed ?? facts.available
      yield {
        check,
        status: 'ok',
        message: `${name} ${facts.version}, pgvector ${vector}, ${size}${pendingNote}`,
      }
      if (pending.length === 0) yield await checkQueue(db)
    } finally {
      await db.close()
      await database.close()
    }
  } catch (error) {
    const { databaseUrl } = config
    yield {
      check,
      status: 'problem',
      message: messageOf(databaseUrl ? explainDatabase(error, databaseUrl) : error),
    }
  }
}

/** Checks that the replica is one of this database, and how far behind it is. */
export async function checkReplica(url: string, readUrl: string): Promise<Finding> {
  const check = 'read replica'
  const [primary, replica] = [url, readUrl].map((connectionUrl) =>
    openDb(
      { url: connectionUrl },
      { max: 1, applicationName: 'kenning doctor', connectTimeoutMs: CONNECT_MS },
    ),
  ) as [Db, Db]
  try {
    const [primaryIdentity, replicaIdentity] = await Promise.all(
      [primary, replica].map((db) => db.rows(databaseIdentity)),
    )
    const [primaryEnd] = await primary.rows<Position>(primaryPosition)
    const [replicaEnd] = await replica.rows<Position>(replicaPosition)
    if (!primaryEnd || !replicaEnd || !isDeepStrictEqual(primaryIdentity, replicaIdentity)) {
      const message =
        'is no streaming replica of DATABASE_URL, so nothing is read there; check KENNING_READ_DATABASE_URL'
      return { check, status: 'problem', message }
    }
    const lagBytes = Math.max(0, primaryEnd.at - replicaEnd.at)
    return { check, status: 'ok', message: `${(lagBytes / 2 ** 20).toFixed(1)} MB of the log behind` }
  } catch (error) {
    const reason = messageOf(explainDatabase(error, readUrl)).replace(
      'DATABASE_URL',
      'KENNING_READ_DATABASE_URL',
    )
    const message = `${reason} Meanwhile everything is read from the primary.`
    return { check, status: 'warning', message }
  } finally {
    await Promise.all([primary.close(), replica.close()])
  }
}
