// Decides which keys of one name (extract/namesakes.ts) belong to one person. All do unless their evidence contradicts each other.
// The result does not depend on the order of uploads.

import { initialsOf } from '../extract/names/coreference.ts'
import { nameKey, partsOf } from '../names.ts'

interface Person {
  key: string
  years: string[]
  addresses: string[]
  employers: string[]
}

function personOf(key: string): Person {
  const { evidence } = partsOf(key)
  const years = evidence.filter((word) => /^\d{4}$/.test(word))
  const addresses = evidence.filter((word) => word.includes('@'))
  const employers = evidence.filter((word) => !years.includes(word) && !addresses.includes(word))
  return { key, years, addresses, employers: employers.map(nameKey) }
}

/**
 * Returns the key into which each qualified key of a name is merged. Without a conflict this is the name alone. A person with a
 * conflict keeps one of their keys, which is not in the result.
 * @param relatedKeys groups of keys whose documents mention another entity in common; within a group, employers may differ
 */
export function joinNamesakes(
  name: string,
  keys: readonly string[],
  relatedKeys: readonly (readonly string[])[],
): Map<string, string> {
  const groups: Person[][] = []
  const undecidedGroups: Person[][] = []
  const shareEvidence = (a: Person, b: Person): boolean =>
    !contradict(a, b) &&
    (haveCommonItem(a.years, b.years) ||
      haveCommonItem(a.addresses, b.addresses) ||
      haveSimilarEmployers(a, b) ||
      relatedKeys.some((list) => list.includes(a.key) && list.includes(b.key)))
  // Persons with a year or an address are grouped first, because the evidence of the others may fit several persons.
  const people = keys.toSorted().map(personOf)
  const others = people.filter((person) => !isIdentified(person))
  for (const person of [...people.filter(isIdentified), ...others])
    if (!addToGroup(groups, person, shareEvidence)) undecidedGroups.push([person])
  groups.push(...undecidedGroups)
  const separateGroups: Person[][] = []
  const joinedKeys = new Map<string, string>()
  const conflictingGroups = groups.filter((group) =>
    groups.some((other) => other !== group && areDifferentPersons(group, other)),
  )
  for (const group of groups) {
    if (!conflictingGroups.includes(group)) {
      for (const { key } of group) joinedKeys.set(key, name)
      continue
    }
    const compatibleGroups = separateGroups.filter((other) => !areDifferentPersons(group, other))
    if (compatibleGroups.length === 1) compatibleGroups[0]?.push(...group)
    else separateGroups.push(group)
  }
  for (const group of separateGroups) {
    const [groupKey, ...otherKeys] = group.map(({ key }) => key).toSorted()
    for (const key of otherKeys) joinedKeys.set(key, groupKey ?? name)
  }
  return joinedKeys
}

const isIdentified = ({ years, addresses }: Person): boolean => years.length + addresses.length > 0

/**
 * Adds the person to the group with which the person shares evidence. If there are several groups, they become one. If these groups
 * contradict, it is unknown to which the person belongs: then returns false and changes nothing.
 */
function addToGroup(
  groups: Person[][],
  person: Person,
  shareEvidence: (a: Person, b: Person) => boolean,
): boolean {
  const relatedGroups = groups.filter(
    (group) => !anyContradict(group, [person]) && group.some((other) => shareEvidence(person, other)),
  )
  if (relatedGroups.some((group) => relatedGroups.some((other) => anyContradict(group, other)))) return false
  const [first, ...others] = relatedGroups
  if (!first) groups.push([person])
  else first.push(...others.flat(), person)
  for (const other of others) groups.splice(groups.indexOf(other), 1)
  return true
}

const anyContradict = (group: readonly Person[], other: readonly Person[]): boolean =>
  group.some((a) => other.some((b) => contradict(a, b)))

/** Whether years of birth or addresses differ. No other evidence outweighs this. */
const contradict = (a: Person, b: Person): boolean => haveDifferentYears(a, b) || haveDifferentAddresses(a, b)

/** Whether two groups are different persons: their evidence contradicts each other, or their employers differ. */
const areDifferentPersons = (group: readonly Person[], other: readonly Person[]): boolean =>
  anyContradict(group, other) || group.some((a) => other.some((b) => haveDifferentEmployers(a, b)))

const haveDifferentYears = (a: Person, b: Person): boolean =>
  a.years.length > 0 && b.years.length > 0 && !haveCommonItem(a.years, b.years)

const domainOf = (address: string): string => address.slice(address.indexOf('@') + 1)
/** Whether the addresses differ within one domain. One person may have addresses in several domains. */
const haveDifferentAddresses = (a: Person, b: Person): boolean =>
  !haveCommonItem(a.addresses, b.addresses) &&
  haveCommonItem(a.addresses.map(domainOf), b.addresses.map(domainOf))

const haveDifferentEmployers = (a: Person, b: Person): boolean =>
  a.employers.length > 0 && b.employers.length > 0 && !haveSimilarEmployers(a, b)

const haveSimilarEmployers = (a: Person, b: Person): boolean =>
  a.employers.some((employer) => b.employers.some((other) => mayBeSameOrganization(employer, other)))

const haveCommonItem = (a: readonly string[], b: readonly string[]): boolean =>
  a.some((word) => b.includes(word))

/** Whether two names may refer to one organization: one consists of words of the other, or of their initials. */
function mayBeSameOrganization(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a.split(' '), b.split(' ')] : [b.split(' '), a.split(' ')]
  return short.every((word) => long.includes(word)) || (short.length === 1 && initialsOf(long) === short[0])
}
