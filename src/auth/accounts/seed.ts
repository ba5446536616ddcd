// Making sure that somebody can sign in: the admin of the settings, or a setup token to be printed.

import { user } from '../../audit/act.ts'
import { record } from '../../audit/audit.sql.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { Deps } from '../../ports/deps.ts'
import { deleteFact, insertFact, replaceFact } from '../installation.sql.ts'
import { passwordProblem } from '../sign-in/password.ts'
import { anyAccount, insertAccount } from './accounts.sql.ts'
import { newRow, sha256 } from './accounts.ts'
import { newSecret } from './secret.ts'

/**
 * Makes sure somebody can sign in: once the admin of the settings, else a one-time setup token to be printed
 * while there is no account. A new start prints a new token, since only its hash is kept.
 * @throws Error when the settings' password is too weak
 */
export async function seedAccounts(
  deps: Pick<Deps, 'db'>,
  admin: { email: string; password: string } | undefined,
): Promise<{ setupToken?: string }> {
  if (await anyAccount(deps.db)) return {}
  if (admin) {
    const problem = passwordProblem(admin.password, admin.email)
    if (problem) throw new Error(`KENNING_ADMIN_PASSWORD: ${problem}`)
    const made = await newRow(admin)
    const seeded = await deps.db.tx((tx) => seedAdmin(tx, made))
    if (seeded) return {}
  }
  const setupToken = newSecret()
  await replaceFact(deps.db, 'setup_token', sha256(setupToken))
  return { setupToken }
}

/** False when an admin came from the settings before (and has deleted the account since). */
async function seedAdmin(tx: Queryable, made: Awaited<ReturnType<typeof newRow>>): Promise<boolean> {
  if (!(await insertFact(tx, 'seeded_admin', made.id))) return anyAccount(tx)
  await insertAccount(tx, { ...made, admin: true })
  await record(tx, { action: 'account_made', actor: user(made.id), subject: made.id })
  await deleteFact(tx, 'setup_token')
  return true
}
