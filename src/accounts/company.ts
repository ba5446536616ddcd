// Company sign-in by OpenID Connect: sending the user to the provider, handling the provider's response, and finding or creating
// the user's account (docs/decisions/0016-accounts.md).

import { randomUUID } from 'node:crypto'
import { record } from '../audit/activity.sql.ts'
import { nobody, userActor } from '../audit/activity.ts'
import { Email } from '../contract/account.ts'
import { type ApiError, forbidden, invalid, unavailable } from '../errors.ts'
import { type CompanySignIn, type Identity, ProviderFailed } from '../ports/company/company.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { type AccountStatus, hasAnyAccount, insertAccount, lockAccountByEmail } from './accounts.sql.ts'
import { insertIdentity, isLinked, revokeAllAccess, selectIdentity } from './company.sql.ts'
import { openState, sealState } from './company-state.ts'
import { emailKey } from './email-key.ts'
import { createSession } from './sessions.ts'

/** A user must sign in at the provider within this time. */
export const COMPANY_STATE_SECONDS = 15 * 60

// Browsers accept cookies of up to 4,096 bytes with name and attributes.
const MAX_COOKIE_BYTES = 3900
const NEXT_TOO_LONG = 'The address to return to is too long: sign in first, then open it again'

type CompanyDeps = Pick<Deps, 'db' | 'settings' | 'company' | 'log' | 'cursorKey'>

/** The provider's URL and the value of the state cookie. @throws ApiError 403, 422 for a `returnTo` that is too long, 503 */
export async function startCompanySignIn(
  deps: CompanyDeps,
  returnTo: string,
): Promise<{ url: string; state: string }> {
  const { company } = requireCompany(deps)
  const { url, checks } = await company.begin(redirectUri(deps)).catch(toApiError(deps))
  const state = sealState(deps.cursorKey, { ...checks, returnTo }, COMPANY_STATE_SECONDS)
  if (state.length > MAX_COOKIE_BYTES) throw invalid(['query', 'next'], NEXT_TOO_LONG)
  return { url, state }
}

/**
 * Handles the provider's response: returns the secret of a new session, and the address to which the user wanted to return. A
 * response works only once, since the provider accepts its code only once.
 * @param cookie value of the state cookie; without it the response is rejected, since another browser started the sign-in
 * @throws ApiError 403 for an invalid response or a user who may not sign in, 503
 */
export async function finishCompanySignIn(
  deps: CompanyDeps,
  query: string,
  cookie: string | undefined,
): Promise<{ secret: string; returnTo: string }> {
  const { company, settings } = requireCompany(deps)
  const response = new URL(`${redirectUri(deps)}?${query}`)
  const state = openState(deps.cursorKey, cookie ?? '')
  if (state?.state !== response.searchParams.get('state')) throw wrongBrowser()
  const identity = await company.finish(response, state).catch(toApiError(deps))
  const accountId = await accountOf(deps, settings, identity)
  const secret = await createSession(deps, accountId, { by: 'company' })
  if (secret === undefined) throw forbidden(suspendedAccount.refused)
  return { secret, returnTo: state.returnTo }
}

const redirectUri = ({ settings }: CompanyDeps): string => `${settings.siteUrl}/sign-in/company/return`

function requireCompany({ company, settings }: CompanyDeps) {
  if (company && settings.company) return { company, settings: settings.company }
  throw forbidden('Company sign-in is not configured on this server.')
}

const wrongBrowser = (): ApiError =>
  forbidden('This sign-in was started in another browser or more than 15 minutes ago. Start again.')

const toApiError =
  ({ log }: CompanyDeps) =>
  (error: unknown): never => {
    if (!(error instanceof ProviderFailed)) throw error
    if (error.isRefusal) throw forbidden('Your company’s identity provider refused the sign-in. Start again.')
    log.warn({ code: error.message }, 'company sign-in failed: the OpenID provider gave no valid answer')
    throw unavailable(
      'Your company’s identity provider could not complete the sign-in. Start again, or ask your administrator.',
    )
  }

async function accountOf(deps: CompanyDeps, settings: CompanySignIn, identity: Identity): Promise<string> {
  const { groups, issuer } = settings
  const isInGroup = groups.length === 0 || identity.groups.some((group) => groups.includes(group))
  const account = isInGroup ? await deps.db.tx((tx) => findAccount(tx, issuer, identity)) : notInGroup()
  if ('id' in account) return account.id
  await record(deps.db, { action: 'sign_in_failed', actor: nobody, detail: { by: 'company' } })
  throw forbidden(account.refused)
}

type RefusedAccount = { refused: string }
type AccountOrRefusal = { id: string } | RefusedAccount

const suspendedAccount: RefusedAccount = { refused: 'This account is suspended. Ask your administrator.' }
const notInGroup = (): AccountOrRefusal => ({
  refused: 'You are not in a company group that may use Kenning. Ask your administrator.',
})

/**
 * Finds the account by the provider's permanent subject id. The email address is used only at the first sign-in, to find or create
 * the account.
 */
async function findAccount(tx: Queryable, issuer: string, identity: Identity): Promise<AccountOrRefusal> {
  const { subject, verifiedEmail } = identity
  const linkedAccount = await selectIdentity(tx, issuer, subject)
  if (linkedAccount) return linkedAccount.status === 'active' ? { id: linkedAccount.id } : suspendedAccount
  if (verifiedEmail === undefined || !Email.safeParse(verifiedEmail).success) {
    return {
      refused:
        'Your company’s identity provider does not confirm your email address. Ask your administrator.',
    }
  }
  // The first account becomes the administrator, so only the setup token may create it.
  if (!(await hasAnyAccount(tx)))
    return {
      refused: 'Kenning has no administrator yet: the first account has to be created with the setup token.',
    }
  const key = emailKey(verifiedEmail)
  const newRow = {
    id: randomUUID(),
    email: verifiedEmail,
    emailKey: key,
    passwordHash: undefined,
    admin: false,
  }
  const isNew = await insertAccount(tx, newRow)
  const existingAccount = isNew ? undefined : await lockAccountByEmail(tx, key)
  // A concurrent sign-in of the same user may have created or linked the account.
  const linkedMeanwhile = isNew ? undefined : await selectIdentity(tx, issuer, subject)
  if (linkedMeanwhile) return { id: linkedMeanwhile.id }
  const account = isNew ? { id: newRow.id } : await linkExisting(tx, issuer, existingAccount)
  if ('refused' in account) return account
  const { id } = account
  await insertIdentity(tx, { issuer, subject, accountId: id })
  const action = isNew ? 'account_made' : 'account_linked'
  await record(tx, { action, actor: userActor(id), subject: id, detail: { by: 'company' } })
  return { id }
}

/** Links an existing account with the same verified email address to the identity. */
async function linkExisting(
  tx: Queryable,
  issuer: string,
  account: AccountStatus | undefined,
): Promise<AccountOrRefusal> {
  if (account?.status !== 'active') return suspendedAccount
  // The company may have given the email address to another person, who must not get the previous person's workspaces.
  if (await isLinked(tx, issuer, account.id)) {
    return {
      refused: 'Your email address belongs to the account of another company user. Ask your administrator.',
    }
  }
  // The person who created this account has never proved that the email address is theirs. So the account's credentials are revoked.
  await revokeAllAccess(tx, account.id)
  return { id: account.id }
}
