// For users who cannot sign in: `kenning reset-password EMAIL` prints a link with which the user can set a new password, and
// `kenning reset-second-factor EMAIL` removes the second factor.

import { emailKey } from '../accounts/email-key.ts'
import { createResetLink } from '../accounts/passwords.ts'
import { resetSecondFactor } from '../accounts/second-factor.ts'
import type { Config } from '../config.ts'
import { ApiError } from '../errors.ts'
import type { Db } from '../ports/db/db.ts'
import { openDb } from '../ports/db/postgres.ts'
import { connectDatabase } from './connect.ts'
import { type Output, silentLog } from './output.ts'

const UNDEFINED_TABLE = '42P01'
const NOT_STARTED =
  'This database has no accounts, because Kenning was never started with it. Start Kenning, then run this command again.'

interface Reset {
  /** The command, as it is typed. */
  command: string
  email: string | undefined
  /** @returns what is printed. @throws ApiError 404 if there is nothing to reset */
  reset: (db: Db, account: { emailKey: string }) => Promise<string>
  /** The message if there is nothing to reset. */
  notFoundMessage: (email: string) => string
}

/** @returns the exit code: 0 when a link was printed, 1 without an active account of this address, 2 without an address */
export const resetPassword = (config: Config, email: string | undefined, output: Output): Promise<number> =>
  resetAccount(config, output, {
    command: 'reset-password',
    email,
    reset: async (db, account) => {
      const settings = { siteUrl: config.siteUrl }
      const { link, expires_in } = await createResetLink({ db, settings }, account, 'operator')
      return `This link sets a new password. It can be used once, within ${expires_in / 60} minutes:\n\n  ${link}\n`
    },
    notFoundMessage: (address) => `There is no active account with the address ${address}.\n`,
  })

/**
 * @returns the exit code: 0 when the second factor was removed, 1 without an active account with a second factor, 2 without an
 * address
 */
export const resetFactor = (config: Config, email: string | undefined, output: Output): Promise<number> =>
  resetAccount(config, output, {
    command: 'reset-second-factor',
    email,
    reset: async (db, account) => {
      const settings = { siteUrl: config.siteUrl }
      // The command sends no mail, so nothing is logged.
      await resetSecondFactor({ db, settings, mail: undefined, log: silentLog }, account, 'operator')
      return 'The second factor was removed. This account now signs in with its password alone.\n'
    },
    notFoundMessage: (address) => `No active account with the address ${address} has a second factor.\n`,
  })

async function resetAccount(
  config: Config,
  output: Output,
  { command, email, reset, notFoundMessage }: Reset,
): Promise<number> {
  if (!email) {
    output.complain(`Name the account: kenning ${command} EMAIL\n`)
    return 2
  }
  const database = await connectDatabase(config, output)
  if (!database) throw new Error(NOT_STARTED)
  const { connection, connectTimeoutMs, close } = database
  const db = openDb(connection, { max: 1, applicationName: `kenning ${command}`, connectTimeoutMs })
  try {
    output.print(await reset(db, { emailKey: emailKey(email) }))
    return 0
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) throw new Error(NOT_STARTED)
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    output.complain(notFoundMessage(email))
    return 1
  } finally {
    await db.close()
    await close()
  }
}
