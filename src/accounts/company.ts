// Company sign-in: to the provider and back, and whose account that is (docs/decisions/0016-accounts.md).

import { randomUUID } from 'node:crypto'
import { nobody, user } from '../audit/act.ts'
import { record } from '../audit/audit.sql.ts'
import { Email } from '../contract/account.ts'
import { type ApiError, forbidden, invalid, unavailable } from '../errors.ts'
import { type CompanySignIn, type Identity, ProviderFailed } from '../ports/company/company.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { type AnyAccount, anyAccount, insertAccount, selectAnyAccount } from './accounts.sql.ts'
import { endAccess, insertIdentity, isLinked, selectIdentity } from './company.sql.ts'
import { openStart, sealStart } from './company-state.ts'
import { emailKey } from './email-key.ts'
import { openSession } from './sessions.ts'

/** A sign-in at the provider may take so long. */
export const START_SECONDS = 15 * 60

// With its name and flags a cookie may have 4,096 bytes.
const MOST_KEPT = 3900
const TOO_FAR = 'The address to go on to is too long: sign in first, then open it again'

type Needs = Pick<Deps, 'db' | 'settings' | 'company' | 'log' | 'cursorKey'>

/** Where to send the browser, and what its cookie is to keep. @throws ApiError 403, 422 for a way back that is too long, 503 */
export async function startCompanySignIn(
  deps: Needs,
  returnTo: string,
): Promise<{ url: string; kept: string }> {
  const { company } = requireCompany(deps)
  const { url, checks } = await company.begin(redirectUri(deps)).catch(explained(deps))
  const kept = sealStart(deps.cursorKey, { ...checks, returnTo }, START_SECONDS)
  if (kept.length > MOST_KEPT) throw invalid(['query', 'next'], TOO_FAR)
  return { url, kept }
}

/**
 * The secret of a new session, and where the person was going.
 * @param kept what the browser's cookie holds: an answer that another browser began is refused. The provider's code
 * works once, so the answer does too.
 * @throws ApiError 403 for an answer that is not good or a person who may not, 503
 */
export async function finishCompanySignIn(
  deps: Needs,
  query: string,
  kept: string | undefined,
): Promise<{ secret: string; returnTo: string }> {
  const { company, settings } = requireCompany(deps)
  const answer = new URL(`${redirectUri(deps)}?${query}`)
  const start = openStart(deps.cursorKey, kept ?? '')
  if (start?.state !== answer.searchParams.get('state')) throw wrongBrowser()
  const identity = await company.finish(answer, start).catch(explained(deps))
  const accountId = await accountOf(deps, settings, identity)
  const secret = await openSession(deps, accountId, { by: 'company' })
  if (secret === undefined) throw forbidden(suspended.refused)
  return { secret, returnTo: start.returnTo }
}

const redirectUri = ({ settings }: Needs): string => `${settings.origin}/sign-in/company/return`

function requireCompany({ company, settings }: Needs) {
  if (company && settings.company) return { company, settings: settings.company }
  throw forbidden('No company sign-in is set up here.')
}

const wrongBrowser = (): ApiError =>
  forbidden('This sign-in was begun in another browser, or is too old. Begin again.')

const explained =
  ({ log }: Needs) =>
  (error: unknown): never => {
    if (!(error instanceof ProviderFailed)) throw error
    if (error.refused) throw forbidden('Your company’s sign-in did not let you in. Begin again.')
    log.warn({ code: error.message }, 'company sign-in failed at the provider')
    throw unavailable('Your company’s sign-in did not work just now. Begin again, or ask your administrator.')
  }

async function accountOf(deps: Needs, settings: CompanySignIn, identity: Identity): Promise<string> {
  const { groups, issuer } = settings
  const isIn = groups.length === 0 || identity.groups.some((group) => groups.includes(group))
  const found = isIn ? await deps.db.tx((tx) => findAccount(tx, issuer, identity)) : outside()
  if ('id' in found) return found.id
  await record(deps.db, { action: 'sign_in_failed', actor: nobody, detail: { by: 'company' } })
  throw forbidden(found.refused)
}

type Refused = { refused: string }
type Found = { id: string } | Refused

const suspended: Refused = { refused: 'This account is suspended.' }
const outside = (): Found => ({ refused: 'You are in none of the groups that may use Kenning.' })

/** By what the provider calls the person for ever; an address counts once, to find or make the account. */
async function findAccount(tx: Queryable, issuer: string, identity: Identity): Promise<Found> {
  const { subject, verifiedEmail } = identity
  const known = await selectIdentity(tx, issuer, subject)
  if (known) return known.status === 'active' ? { id: known.id } : suspended
  if (verifiedEmail === undefined || !Email.safeParse(verifiedEmail).success) {
    return { refused: 'Your company’s sign-in does not say that your e-mail address was verified.' }
  }
  // Who is first is the administrator: decided by the setup token and nothing else.
  if (!(await anyAccount(tx))) return { refused: 'The first account is made with the setup token.' }
  const key = emailKey(verifiedEmail)
  const row = { id: randomUUID(), email: verifiedEmail, emailKey: key, passwordHash: undefined, admin: false }
  const made = await insertAccount(tx, row)
  const held = made ? undefined : await selectAnyAccount(tx, key)
  // Another sign-in of the same person may just have made or taken it.
  const meanwhile = made ? undefined : await selectIdentity(tx, issuer, subject)
  if (meanwhile) return { id: meanwhile.id }
  const account = made ? { id: row.id } : await takeOver(tx, issuer, held)
  if ('refused' in account) return account
  const { id } = account
  await insertIdentity(tx, { issuer, subject, accountId: id })
  const action = made ? 'account_made' : 'account_linked'
  await record(tx, { action, actor: user(id), subject: id, detail: { by: 'company' } })
  return { id }
}

/** The account that is there under a verified address, for who has not signed in to it by the provider before. */
async function takeOver(tx: Queryable, issuer: string, account: AnyAccount | undefined): Promise<Found> {
  if (account?.status !== 'active') return suspended
  // A company may give an address to the next person of a name; the last one's workspaces it does not.
  if (await isLinked(tx, issuer, account.id)) {
    return { refused: 'Somebody else has an account under your address. Ask your administrator.' }
  }
  // Whoever made an account under this address has never shown that it is theirs: they keep no way in.
  await endAccess(tx, account.id)
  return { id: account.id }
}
