// `kenning reset-password EMAIL` prints a link with which a person can set a new password.

import { emailKey } from '../accounts/email-key.ts'
import { createResetLink } from '../accounts/passwords.ts'
import type { Config } from '../config.ts'
import { ApiError } from '../errors.ts'
import { openDb } from '../ports/db/postgres.ts'
import { connectDatabase } from './connect.ts'
import type { Output } from './output.ts'

const UNDEFINED_TABLE = '42P01'
const NOT_STARTED = 'There are no accounts in this database yet: start Kenning once.'

/** @returns the exit code: 0 when a link was printed, 1 without an active account of this address, 2 without an address */
export async function resetPassword(
  config: Config,
  email: string | undefined,
  output: Output,
): Promise<number> {
  if (!email) {
    output.complain('Name the account: kenning reset-password EMAIL\n')
    return 2
  }
  const database = await connectDatabase(config, output)
  if (!database) throw new Error(NOT_STARTED)
  const { connection, connectTimeoutMs, close } = database
  const db = openDb(connection, { max: 1, applicationName: 'kenning reset-password', connectTimeoutMs })
  try {
    const settings = { siteUrl: config.siteUrl }
    const { link, expires_in } = await createResetLink(
      { db, settings },
      { emailKey: emailKey(email) },
      'operator',
    )
    output.print(
      `With this link the password can be set. It works once, for ${expires_in / 60} minutes:\n\n  ${link}\n`,
    )
    return 0
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) throw new Error(NOT_STARTED)
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    output.complain(`There is no active account with the address ${email}.\n`)
    return 1
  } finally {
    await db.close()
    await close()
  }
}
