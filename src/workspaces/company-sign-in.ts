// The last steps of a company sign-in: the person's account, the roles that their groups give, and their session
// (docs/company-sign-in.md, docs/decisions/0016-accounts.md).

import { identifyCompanyVisitor, openCompanySession } from '../accounts/company.ts'
import type { Deps } from '../ports/deps.ts'
import { applyGroupRoles } from './group-roles.ts'

/**
 * Handles the provider's response: returns the secret of a new session, and the address to which the user wanted to return. Roles
 * are set before the session opens. Somebody who is no longer in a group that may sign in loses the roles that groups gave.
 * @param query of the provider's response
 * @param cookie value of the state cookie
 * @throws ApiError 403 for an invalid response or a user who may not sign in, 503
 */
export async function finishCompanySignIn(
  deps: Pick<Deps, 'db' | 'settings' | 'company' | 'log' | 'cursorKey'>,
  query: string,
  cookie: string | undefined,
  clientAddress: string,
): Promise<{ secret: string; returnTo: string }> {
  const visitor = await identifyCompanyVisitor(deps, query, cookie, clientAddress)
  const { account, identity, returnTo } = visitor
  if (account.id !== undefined)
    await applyGroupRoles(deps, account.id, 'refusal' in account ? [] : identity.groups.names)
  return { secret: await openCompanySession(deps, visitor, clientAddress), returnTo }
}
