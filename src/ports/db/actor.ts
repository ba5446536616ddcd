// On whose behalf statements run: the first statement of a request's transaction, which tells row-level security what they
// may touch (docs/decisions/0017-row-level-security.md). It is sent together with the statements that follow it.

/** An account, which may touch the workspaces that it has a role in. */
export interface Actor {
  account: string
  /** Only these of its workspaces; all of them when absent. */
  among?: readonly string[] | undefined
}

/** The role that the policies bind: it cannot log in, owns nothing, and is granted only what requests need. */
export const REQUEST_ROLE = 'kenning_app'

/**
 * Sets account, workspaces and role until the transaction ends. Each transaction reads the membership anew, also those of a
 * stream that runs for minutes.
 * @throws Error for an id that is no UUID, since the ids become part of the statement's text
 */
export function settingOf({ account, among }: Actor): string {
  const workspaceList = among ? `'{${among.map(checked).join(',')}}'` : 'NULL'
  return `SELECT enter_request('${checked(account)}', ${workspaceList}, '${REQUEST_ROLE}')`
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function checked(id: string): string {
  if (UUID.test(id)) return id
  throw new Error('the ids of an actor must be UUIDs')
}
