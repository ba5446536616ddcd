// The actor is the account on whose behalf statements run. The first statement of a request's transaction sets it for row-level
// security (docs/decisions/0017-row-level-security.md). That statement is sent together with the ones that follow it.

/** An account. It may use the workspaces in which it has a role. */
export interface Actor {
  account: string
  /** The actor may use only these of the account's workspaces. Absent: it may use all of them. */
  workspaceIds?: readonly string[] | undefined
}

/** The database role that the policies bind. It cannot log in, owns nothing, and has only the rights that requests need. */
export const REQUEST_ROLE = 'kenning_app'

/**
 * Sets account, workspaces and role until the transaction ends. Every transaction reads the membership again, even within a
 * stream that runs for minutes.
 * @throws Error for an id that is no UUID, since the ids become part of the statement's text
 */
export function settingOf({ account, workspaceIds }: Actor): string {
  const workspaceList = workspaceIds ? `'{${workspaceIds.map(requireUuid).join(',')}}'` : 'NULL'
  return `SELECT enter_request('${requireUuid(account)}', ${workspaceList}, '${REQUEST_ROLE}')`
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function requireUuid(id: string): string {
  if (UUID.test(id)) return id
  throw new Error('the ids of an actor must be UUIDs')
}
