// Company sign-in by OpenID Connect: sending the user to the provider, handling the provider's response, and finding or creating
// the user's account (docs/decisions/0016-accounts.md).

import { randomUUID } from 'node:crypto'
import { record } from '../audit/activity.sql.ts'
import { nobody, userActor } from '../audit/activity.ts'
import { Email } from '../contract/account.ts'
import { type ApiError, forbidden, invalid, unavailable } from '../errors.ts'
import { type CompanySignIn, type Identity, ProviderFailed, usesGroups } from '../ports/company/company.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { hasAnyAccount, insertAccount, type LockedAccount, lockAccountByEmail } from './accounts.sql.ts'
import { insertIdentity, isLinked, revokeAllAccess, selectIdentity } from './company.sql.ts'
import { openState, sealState } from './company-state.ts'
import { emailKey } from './email-key.ts'
import { createSession } from './sessions.ts'
import { signInLog } from './sign-in-log.ts'

/** A user must sign in at the provider within this time. */
export const MAX_COMPANY_SIGN_IN_SECONDS = 15 * 60

// Browsers accept cookies of up to 4,096 bytes with name and attributes.
const MAX_COOKIE_BYTES = 3900
const RETURN_TO_TOO_LONG = 'The address to return to is too long: sign in first, then open it again'

type CompanyDeps = Pick<Deps, 'db' | 'settings' | 'company' | 'log' | 'cursorKey'>

/** The provider's URL and the value of the state cookie. @throws ApiError 403, 422 for a `returnTo` that is too long, 503 */
export async function startCompanySignIn(
  deps: CompanyDeps,
  returnTo: string,
  clientAddress: string,
): Promise<{ url: string; state: string }> {
  const { company } = requireCompany(deps)
  const { url, checks } = await company.begin(redirectUri(deps)).catch(throwAsApiError(deps, clientAddress))
  const state = sealState(deps.cursorKey, { ...checks, returnTo }, MAX_COMPANY_SIGN_IN_SECONDS)
  if (state.length > MAX_COOKIE_BYTES) throw invalid(['query', 'next'], RETURN_TO_TOO_LONG)
  return { url, state }
}

/** The identity that the provider confirmed, and whether this person may sign in here. */
export interface CompanyVisitor {
  identity: Identity
  /**
   * The person's account, or why they may not sign in. A refusal has the id of the account that is linked to the identity, if any.
   */
  account: { id: string } | (Refusal & { id: string | undefined })
  /** The address to which the user wanted to return. */
  returnTo: string
}

/**
 * Handles the provider's response: finds the account of the person or creates it. A response can be used only once,
 * because the provider accepts an authorization code only once.
 * @param cookie value of the state cookie; without it the response is rejected, since another browser started the sign-in
 * @throws ApiError 403 for an invalid response, 503
 */
export async function identifyCompanyVisitor(
  deps: CompanyDeps,
  query: string,
  cookie: string | undefined,
  clientAddress: string,
): Promise<CompanyVisitor> {
  const { company, settings } = requireCompany(deps)
  const response = new URL(`${redirectUri(deps)}?${query}`)
  const state = openState(deps.cursorKey, cookie ?? '')
  if (state?.state !== response.searchParams.get('state')) {
    signInLog(deps, 'company', clientAddress).logRefusal('other_browser_or_too_late')
    throw otherBrowserOrTooLate()
  }
  const identity = await company.finish(response, state).catch(throwAsApiError(deps, clientAddress))
  if (identity.groups.problem && usesGroups(settings))
    deps.log.warn({ reason: identity.groups.problem, claim: settings.groupsClaim }, GROUPS_UNCLEAR)
  return { identity, account: await resolveAccount(deps, settings, identity), returnTo: state.returnTo }
}

/**
 * Opens a session for the person, and returns its secret.
 * @throws ApiError 403 for a user who may not sign in
 */
export async function openCompanySession(
  deps: CompanyDeps,
  { account, identity }: CompanyVisitor,
  clientAddress: string,
): Promise<string> {
  const log = signInLog(deps, 'company', clientAddress)
  const secret = 'refusal' in account ? undefined : await createSession(deps, account.id, { by: 'company' })
  if (secret !== undefined) {
    log.logSuccess(account.id ?? '')
    return secret
  }
  const { reason, refusal } = 'refusal' in account ? account : SUSPENDED
  const groups = identity.groups.names.length
  log.logRefusal(reason, account.id, { groups })
  await record(deps.db, {
    action: 'sign_in_failed',
    actor: nobody,
    subject: account.id,
    detail: { by: 'company', reason },
  })
  throw forbidden(refusal)
}

const GROUPS_UNCLEAR =
  'the groups claim of a company user is missing, incomplete, too long or not a list; docs/company-sign-in.md says what the provider needs'

const redirectUri = ({ settings }: CompanyDeps): string => `${settings.siteUrl}/sign-in/company/return`

function requireCompany({ company, settings }: CompanyDeps) {
  if (company && settings.company) return { company, settings: settings.company }
  throw forbidden('Company sign-in is not configured on this server.')
}

const otherBrowserOrTooLate = (): ApiError =>
  forbidden('This sign-in was started in another browser or more than 15 minutes ago. Start again.')

const throwAsApiError =
  (deps: CompanyDeps, clientAddress: string) =>
  (error: unknown): never => {
    if (!(error instanceof ProviderFailed)) throw error
    const { message: code, reason, isRefusal } = error
    if (isRefusal) {
      signInLog(deps, 'company', clientAddress).logRefusal(reason ?? 'provider', undefined, { code })
      throw forbidden('Your company’s identity provider refused the sign-in. Start again.')
    }
    deps.log.warn(
      { code, reason, clientAddress },
      'company sign-in failed: the OpenID provider gave no valid answer',
    )
    throw unavailable(
      'Your company’s identity provider could not complete the sign-in. Start again, or ask your administrator.',
    )
  }

async function resolveAccount(
  deps: CompanyDeps,
  settings: CompanySignIn,
  identity: Identity,
): Promise<CompanyVisitor['account']> {
  const { groups, issuer } = settings
  const isAllowedByGroups =
    groups.length === 0 || identity.groups.names.some((group) => groups.includes(group))
  if (isAllowedByGroups) return deps.db.tx((tx) => findOrCreateAccount(tx, settings, identity))
  return { ...NOT_IN_GROUP, id: (await selectIdentity(deps.db, issuer, identity.subject))?.id }
}

/** Why somebody may not sign in. */
interface Refusal {
  /** For the log. */
  reason: string
  /** For the person, on the page. */
  refusal: string
}
type AccountOrRefusal = CompanyVisitor['account']

const SUSPENDED: Refusal = {
  reason: 'suspended',
  refusal: 'This account is suspended. Ask your administrator.',
}
const NOT_IN_GROUP: Refusal = {
  reason: 'not_in_an_allowed_group',
  refusal: 'You are not in a company group that may use Kenning. Ask your administrator.',
}
const EMAIL_NOT_VERIFIED_MESSAGE =
  'Your company’s identity provider does not confirm your email address. Ask your administrator.'
const EMAIL_NOT_VERIFIED: Refusal = {
  reason: 'email_address_not_verified',
  refusal: EMAIL_NOT_VERIFIED_MESSAGE,
}
const NO_EMAIL_MESSAGE =
  'Your company’s identity provider does not send a valid email address for you. Ask your administrator.'
const UNVERIFIED_EMAIL_OF_ADMINISTRATOR: Refusal = {
  reason: 'unverified_address_of_an_administrator',
  refusal: EMAIL_NOT_VERIFIED_MESSAGE,
}
const NO_ADMINISTRATOR: Refusal = {
  reason: 'no_administrator_yet',
  refusal: 'Kenning has no administrator yet: the first account has to be created with the setup token.',
}
const EMAIL_OF_ANOTHER_USER: Refusal = {
  reason: 'address_of_another_company_user',
  refusal: 'Your email address belongs to the account of another company user. Ask your administrator.',
}

/** The email address by which the account may be found or created, or the reason why there is none. */
function acceptedEmail(
  { acceptsUnverifiedEmail }: CompanySignIn,
  { email }: Identity,
): { address: string; isVerified: boolean | undefined } | Refusal {
  if (!email) return { reason: 'no_email_address', refusal: NO_EMAIL_MESSAGE }
  const isAccepted = email.isVerified ?? acceptsUnverifiedEmail
  if (!isAccepted) return EMAIL_NOT_VERIFIED
  if (Email.safeParse(email.address).success) return email
  return { reason: 'email_address_not_valid', refusal: NO_EMAIL_MESSAGE }
}

/**
 * The account that is linked to the provider's permanent subject id. At the first sign-in there is no link: the account with the
 * same email address is linked, or a new account is created. A refusal if neither is allowed.
 */
async function findOrCreateAccount(
  tx: Queryable,
  settings: CompanySignIn,
  identity: Identity,
): Promise<AccountOrRefusal> {
  const { issuer } = settings
  const { subject } = identity
  const linkedAccount = await selectIdentity(tx, issuer, subject)
  if (linkedAccount) return { id: linkedAccount.id, ...(linkedAccount.status === 'active' ? {} : SUSPENDED) }
  const email = acceptedEmail(settings, identity)
  if ('reason' in email) return { id: undefined, ...email }
  // The first account becomes the administrator, so only the setup token may create it.
  if (!(await hasAnyAccount(tx))) return { id: undefined, ...NO_ADMINISTRATOR }
  const key = emailKey(email.address)
  const newRow = {
    id: randomUUID(),
    email: email.address,
    emailKey: key,
    passwordHash: undefined,
    admin: false,
  }
  const isNew = await insertAccount(tx, newRow)
  const existingAccount = isNew ? undefined : await lockAccountByEmail(tx, key)
  // A concurrent sign-in of the same user may have created or linked the account.
  const linkedMeanwhile = isNew ? undefined : await selectIdentity(tx, issuer, subject)
  if (linkedMeanwhile) return { id: linkedMeanwhile.id }
  const account = isNew ? { id: newRow.id } : await prepareExistingAccount(tx, issuer, existingAccount, email)
  if ('refusal' in account) return account
  const { id } = account
  await insertIdentity(tx, { issuer, subject, accountId: id })
  const action = isNew ? 'account_made' : 'account_linked'
  await record(tx, { action, actor: userActor(id), subject: id, detail: { by: 'company' } })
  return { id }
}

/**
 * Checks whether the account with this email address may be linked to the identity, and revokes its credentials. The caller inserts
 * the link.
 */
async function prepareExistingAccount(
  tx: Queryable,
  issuer: string,
  account: LockedAccount | undefined,
  { isVerified }: { isVerified: boolean | undefined },
): Promise<AccountOrRefusal> {
  if (account?.status !== 'active') return { id: undefined, ...SUSPENDED }
  // The company may have given the email address to another person, who must not get the previous person's workspaces.
  if (await isLinked(tx, issuer, account.id)) return { id: undefined, ...EMAIL_OF_ANOTHER_USER }
  // At some providers users can enter any email address in their profile. Without verification, somebody could take over an
  // administrator's account in this way.
  if (account.admin && !isVerified) return { id: undefined, ...UNVERIFIED_EMAIL_OF_ADMINISTRATOR }
  // The person who created this account has never proved that the email address is theirs. So the account's credentials are
  // revoked.
  await revokeAllAccess(tx, account.id)
  return { id: account.id }
}
