// The groups of a person, as a claim of the company's provider lists them. What is no list of names gives no group.

/** Why the groups of a person are not known. */
export type GroupsProblem = 'no_claim' | 'too_many_for_token' | 'not_a_list' | 'too_long_list'

/** `problem` is why the claim gives no groups, or not all of its entries; for the log. */
export interface Groups {
  names: readonly string[]
  problem?: GroupsProblem
}

// More than any provider sends: Entra stops at 200 and Okta at 100.
const MAX_GROUPS = 5000
const MAX_NAME = 1000

/** The claim of this name. Else, where the name has dots, what they lead to, as in `realm_access.roles`. */
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
 * A text is one group, as `hd` of Google is. In a list, entries that are no names are left out.
 * @param claims of the ID token, and of the userinfo endpoint if it was asked
 */
export function groupsOf(claims: Record<string, unknown>, name: string): Groups {
  const claim = claimOf(claims, name)
  if (claim === undefined || claim === null) return { names: [], problem: absenceOf(claims, name) }
  if (typeof claim === 'string') return { names: claim === '' ? [] : [claim] }
  if (!Array.isArray(claim)) return { names: [], problem: 'not_a_list' }
  // A part of the list would be an arbitrary one.
  if (claim.length > MAX_GROUPS) return { names: [], problem: 'too_long_list' }
  const names = claim.filter(
    (entry): entry is string => typeof entry === 'string' && entry !== '' && entry.length <= MAX_NAME,
  )
  return names.length === claim.length ? { names } : { names, problem: 'not_a_list' }
}

/** Entra leaves the groups out where there are more than fit, and says so (OpenID Connect Core, section 5.6.2). */
function absenceOf(claims: Record<string, unknown>, name: string): GroupsProblem {
  const { _claim_names: elsewhere, hasgroups } = claims
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name)
  return isElsewhere || hasgroups === true || hasgroups === 'true' ? 'too_many_for_token' : 'no_claim'
}
