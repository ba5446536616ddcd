// What membership in a group of the company gives (KENNING_OIDC_ROLES), as a list: `group=administrator` or
// `group=workspace:role`, separated by commas.

const WORKSPACE_ROLES = ['owner', 'editor', 'viewer'] as const

/** What the members of one group get: the right of an administrator, or a role in a workspace, which is named by id or name. */
export interface GroupGrant {
  group: string
  gives: 'administrator' | { workspace: string; role: (typeof WORKSPACE_ROLES)[number] }
}

/** Characters that have a meaning in the list are written as in a URL, in names of groups and of workspaces. */
const decodeName = (text: string): string =>
  text.trim().replace(/%(2C|3D|25)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** The names of a list that is separated by commas; a comma inside a name is written %2C. */
export const splitNames = (text: string): string[] => text.split(',').map(decodeName).filter(Boolean)

/** One entry of the list; undefined if it has no meaning. The first `=` ends the group, the last `:` the workspace. */
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

/** All entries, or the first one that has no meaning. */
export function parseGrants(text: string): GroupGrant[] | { wrong: string } {
  const grants: GroupGrant[] = []
  for (const item of text.split(',').filter((part) => part.trim())) {
    const grant = parseGrant(item)
    if (!grant) return { wrong: item.trim() }
    grants.push(grant)
  }
  return grants
}
