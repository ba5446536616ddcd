// `kenning reset-password EMAIL`: a link for who has lost the password, printed for whoever runs the machine.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { emailKey } from '../accounts/email-key.ts'
import { createResetLink } from '../accounts/passwords.ts'
import type { Config } from '../config.ts'
import { ApiError } from '../errors.ts'
import { clusterFolder } from '../ports/db/embedded/directory.ts'
import { readLock } from '../ports/db/embedded/lock.ts'
import { isAlive } from '../ports/db/embedded/process-identity.ts'
import { type DbConnection, openDb } from '../ports/db/postgres.ts'
import { lockFile, startEngine } from '../processes/engine.ts'

const UNDEFINED_TABLE = '42P01'
const NOT_STARTED = 'There are no accounts of this version here yet: start Kenning once.'

type Write = (text: string) => void

/** Exit code: 0 when a link was printed, 1 without such an active account, 2 without an address. */
export async function resetPassword(
  config: Config,
  email: string | undefined,
  out: { print: Write; complain: Write },
): Promise<number> {
  if (!email) {
    out.complain('Say whose: kenning reset-password EMAIL\n')
    return 2
  }
  const { connection, close } = await connect(config)
  const db = openDb(connection, { max: 1, applicationName: 'kenning reset-password' })
  try {
    const settings = { origin: config.origin }
    const { link, expires_in } = await createResetLink(
      { db, settings },
      { emailKey: emailKey(email) },
      'operator',
    )
    out.print(
      `This link sets the password anew. It works once, within ${expires_in / 60} minutes:\n\n  ${link}\n`,
    )
    return 0
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) throw new Error(NOT_STARTED)
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    out.complain(`There is no active account with the address ${email}.\n`)
    return 1
  } finally {
    await db.close()
    await close()
  }
}

/** The server's database, the engine of the Kenning that runs, or an engine for the time of this command. */
async function connect({ databaseUrl, dataDir }: Config): Promise<{
  connection: DbConnection
  close: () => Promise<void>
}> {
  const nothing = async (): Promise<void> => {}
  if (databaseUrl) return { connection: { url: databaseUrl }, close: nothing }
  const held = readLock(lockFile(resolve(dataDir)))
  if (held?.socket_dir && isAlive(held)) {
    return { connection: { socketDir: held.socket_dir }, close: nothing }
  }
  if (!existsSync(clusterFolder(resolve(dataDir)))) throw new Error(NOT_STARTED)
  const silent = { info() {}, warn() {}, error() {} }
  const engine = await startEngine({ dataDir, log: silent })
  return { connection: { socketDir: engine.socketDir }, close: engine.stop }
}
