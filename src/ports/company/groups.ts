// Reads the groups of a person from a claim of the company's provider. A claim of another form gives no groups.

/** Why the groups of a person are not known, or not completely. */
type GroupsProblem = 'no_claim' | 'too_many_for_token' | 'not_a_list' | 'too_long_list'

export interface Groups {
  names: readonly string[]
  /** For the log. Set if the claim gives no groups, or if some of its entries were left out. */
  problem?: GroupsProblem
}

// More than any provider sends: Entra stops at 200 and Okta at 100.
const MAX_GROUPS = 5000
const MAX_NAME = 1000

/** The claim of this name. If there is none, a name with dots is a path: `realm_access.roles`. */
function claimOf(claims: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined
  }, claims)
}

export const hasClaim = (claims: Record<string, unknown>, name: string): boolean =>
  claimOf(claims, name) !== undefined

/**
 * A claim that is a text is one group, such as `hd` of Google. In a list, entries that are no names are left out.
 * @param claims those of the ID token, and of the userinfo endpoint if it was requested
 */
export function groupsOf(claims: Record<string, unknown>, name: string): Groups {
  const claim = claimOf(claims, name)
  if (claim === undefined || claim === null) return { names: [], problem: absenceOf(claims, name) }
  if (typeof claim === 'string') return { names: claim === '' ? [] : [claim] }
  if (!Array.isArray(claim)) return { names: [], problem: 'not_a_list' }
  if (claim.length > MAX_GROUPS) return { names: [], problem: 'too_long_list' }
  const names = claim.filter(
    (entry): entry is string => typeof entry === 'string' && entry !== '' && entry.length <= MAX_NAME,
  )
  return names.length === claim.length ? { names } : { names, problem: 'not_a_list' }
}

/** Why there is no claim. If there are too many groups, Entra says so in other claims (OpenID Connect Core, section 5.6.2). */
function absenceOf(claims: Record<string, unknown>, name: string): GroupsProblem {
  const { _claim_names: distributedClaims, hasgroups } = claims
  const isDistributed =
    typeof distributedClaims === 'object' &&
    distributedClaims !== null &&
    Object.hasOwn(distributedClaims, name)
  return isDistributed || hasgroups === true || hasgroups === 'true' ? 'too_many_for_token' : 'no_claim'
}
