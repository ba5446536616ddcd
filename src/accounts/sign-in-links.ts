// One-time sign-in links, with which a signed-in person opens the console in another browser. `npm run demo` prints one.

import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import { hashOf, newSecret } from '../auth/secret.ts'
import type { SignInLink } from '../contract/account.ts'
import type { Deps } from '../ports/deps.ts'
import { notSignedIn } from './not-signed-in.ts'
import { lockForSignIn } from './second-factor.sql.ts'
import type { SessionUser } from './sessions.sql.ts'
import { openSession } from './sessions.ts'
import { insertLink, type LinkRow, selectLink, takeLink } from './sign-in-links.sql.ts'
import { signInLog } from './sign-in-log.ts'

const VALID_SECONDS = 900

/** Creates a link, which only this result contains. It becomes invalid when the session of its creator ends. @throws ApiError 401 */
export async function createSignInLink(
  deps: Pick<Deps, 'db'> & { settings: Pick<Deps['settings'], 'siteUrl'> },
  user: SessionUser,
  session: string,
  next: string,
): Promise<SignInLink> {
  const secret = newSecret()
  await deps.db.tx(async (tx) => {
    const link = { hash: hashOf(secret), sessionHash: hashOf(session), next, seconds: VALID_SECONDS }
    if (!(await insertLink(tx, link))) throw notSignedIn()
    await record(tx, { action: 'sign_in_link_made', actor: userActor(user.id), subject: user.id })
  })
  return { link: `${deps.settings.siteUrl}/sign-in/link?token=${secret}`, expires_in: VALID_SECONDS }
}

/** The user whom the link signs in, without using the link. Undefined if the link was used, has expired or is unknown. */
export const findSignInLink = (deps: Pick<Deps, 'db'>, token: string): Promise<LinkRow | undefined> =>
  selectLink(deps.db, hashOf(token))

/** Uses the link, which works once, and opens a session. Undefined if the link was used, has expired or is unknown. */
export async function redeemSignInLink(
  deps: Pick<Deps, 'db' | 'log'>,
  token: string,
  clientAddress: string,
): Promise<{ secret: string; next: string } | undefined> {
  const log = signInLog(deps, 'link', clientAddress)
  const hash = hashOf(token)
  const unusedLink = await selectLink(deps.db, hash)
  const secret = newSecret()
  const next = await deps.db.tx(async (tx) => {
    // The account's row first, as in a password change, so that there is no deadlock.
    if (!unusedLink || !(await lockForSignIn(tx, unusedLink.account_id))) return undefined
    const link = await takeLink(tx, hash)
    if (!link) return undefined
    // Nobody proved their identity again, so the time of the sign-in is that of the session that made the link.
    const proof = { by: 'link', signedInAt: link.signed_in_at } as const
    return (await openSession(tx, link.account_id, secret, proof)) ? link.next : undefined
  })
  if (next === undefined) {
    log.logRefusal('link_not_valid', unusedLink?.account_id)
    return undefined
  }
  if (unusedLink) log.logSuccess(unusedLink.account_id)
  return { secret, next }
}
