// Creating accounts: a wrong setup token costs no password hash, and a right one works once.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { PATIENT, type TestDatabase, testDatabase } from '../../test/support/database.ts'
import { NO_MODELS } from '../../test/support/no-models.ts'
import { ApiError } from '../errors.ts'
import type { Db } from '../ports/db/db.ts'
import { openDb } from '../ports/db/postgres.ts'
import { createAccount, seedAccounts } from './accounts.ts'
import { openPasswords } from './password-hash.ts'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection, PATIENT)
})
afterAll(async () => {
  await db?.close()
  await database?.close()
})

test('strangers with wrong setup tokens never fill the queue of hashes, and use nothing up', async () => {
  const origin = 'http://localhost'
  const settings = {
    baseUrl: `${origin}/v1`,
    siteUrl: origin,
    origin,
    askPerHour: 60,
    models: NO_MODELS,
    llmFallback: 'extractive' as const,
    dataDir: '',
    backupDir: undefined,
    signup: 'closed' as const,
    trustedProxies: [],
    corsOrigins: [],
    company: undefined,
    sources: { folders: [], remotes: [], environment: {} },
    privateNetworks: [],
    sourceHours: 24,
    consoleDir: undefined,
  }
  const passwords = openPasswords()
  const { setupToken } = await seedAccounts({ db, passwords }, undefined)
  const make = (email: string, setup_token: string | undefined) =>
    createAccount(
      { db, passwords, settings },
      { email, password: 'four words and a pear', setup_token },
      '127.0.0.1',
    )
  // This is more than the two that are hashed and the hundred that may wait. If they were hashed before the check, some would
  // get 503.
  const statuses = await Promise.all(
    Array.from({ length: 150 }, (_, i) =>
      make(`stranger${i}@example.org`, `guess ${i}`).catch((error: unknown) =>
        error instanceof ApiError ? error.status : error,
      ),
    ),
  )
  expect(new Set(statuses)).toEqual(new Set([403]))
  expect(await make('first@example.org', setupToken)).toMatchObject({ email: 'first@example.org' })
})
