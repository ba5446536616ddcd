// For whom statements run, as the first statement of their transaction: what the second wall lets through
// (docs/decisions/0017-row-level-security.md). One round trip: it travels with what follows it.

/** An account, and the workspaces that may be touched at most; of those the ones it has a role in now. */
export interface Actor {
  account: string
  /** All of the account's when absent. */
  among?: readonly string[] | undefined
}

/** The role whose statements the policies bind: no login, no owner, nothing but what requests need. */
export const REQUEST_ROLE = 'kenning_app'

/**
 * Sets account, workspaces and role until the transaction ends. Membership is read here, before the role changes, so it
 * is that of this moment for each transaction, also of a stream that runs for minutes.
 * @throws Error for an id that is no UUID: the statement is text
 */
export function settingOf({ account, among }: Actor): string {
  const chosen = among ? `'{${among.map(checked).join(',')}}'` : 'NULL'
  return `SELECT enter_request('${checked(account)}', ${chosen}, '${REQUEST_ROLE}')`
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function checked(id: string): string {
  if (UUID.test(id)) return id
  throw new Error('an actor is named by UUIDs')
}
