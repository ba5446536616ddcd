// Parses KENNING_OIDC_ROLES, which says what the members of company groups may do: `group=administrator` or
// `group=workspace:role`, separated by commas.

const WORKSPACE_ROLES = ['owner', 'editor', 'viewer'] as const

/** What the members of one group get: the rights of an administrator, or a role in a workspace, given by its id or name. */
export interface GroupGrant {
  group: string
  gives: 'administrator' | { workspace: string; role: (typeof WORKSPACE_ROLES)[number] }
}

/** In names of groups and workspaces, the characters `,`, `=` and `%` are percent-encoded as in a URL. */
const decodeName = (text: string): string =>
  text.trim().replace(/%(2C|3D|25)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** The names of a list that is separated by commas; a comma inside a name is written %2C. */
export const splitNames = (text: string): string[] => text.split(',').map(decodeName).filter(Boolean)

/** One entry of the list; undefined if it is malformed. The first `=` ends the group, the last `:` the workspace. */
function parseGrant(text: string): GroupGrant | undefined {
  const separator = text.indexOf('=')
  const group = decodeName(text.slice(0, Math.max(separator, 0)))
  const gives = text.slice(separator + 1).trim()
  if (!group) return undefined
  if (gives === 'administrator') return { group, gives }
  const roleStart = gives.lastIndexOf(':')
  const workspace = decodeName(gives.slice(0, Math.max(roleStart, 0)))
  const roleName = gives.slice(roleStart + 1).trim()
  const role = WORKSPACE_ROLES.find((name) => name === roleName)
  return workspace && role ? { group, gives: { workspace, role } } : undefined
}

/** All entries, or the first one that is malformed. */
export function parseGrants(text: string): GroupGrant[] | { wrong: string } {
  const grants: GroupGrant[] = []
  for (const item of text.split(',').filter((part) => part.trim())) {
    const grant = parseGrant(item)
    if (!grant) return { wrong: item.trim() }
    grants.push(grant)
  }
  return grants
}
