// People of one name: which of the keys that documents give them (extract/namesakes.ts) mean one person. It is pure, so that the
// order of uploads does not matter. They are one unless what documents say of them cannot be true of one person.

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
 * The key that each qualified key of a name is merged into: the name alone if nothing conflicts. Where it does, those who
 * conflict are kept apart, each under one of their keys (which is then left out), and the name alone is nobody of them in
 * particular. `related` lists keys whose documents name something else in common: then employers may differ.
 */
export function joinNamesakes(
  name: string,
  keys: readonly string[],
  relatedKeys: readonly (readonly string[])[],
): Map<string, string> {
  const groups: Person[][] = []
  const undecidedPersons: Person[][] = []
  const share = (a: Person, b: Person): boolean =>
    !cannotBeOne(a, b) &&
    (meet(a.years, b.years) ||
      meet(a.addresses, b.addresses) ||
      haveLikeEmployers(a, b) ||
      relatedKeys.some((list) => list.includes(a.key) && list.includes(b.key)))
  // Years and addresses decide before what may be anybody's.
  const people = keys.toSorted().map(personOf)
  for (const person of [...people.filter(isIdentified), ...people.filter((each) => !isIdentified(each))])
    if (!joinTo(groups, person, share)) undecidedPersons.push([person])
  groups.push(...undecidedPersons)
  const apartGroups: Person[][] = []
  const joinedKeys = new Map<string, string>()
  const conflicting = groups.filter((group) =>
    groups.some((other) => other !== group && conflict(group, other)),
  )
  for (const group of groups) {
    if (!conflicting.includes(group)) {
      for (const { key } of group) joinedKeys.set(key, name)
      continue
    }
    const compatible = apartGroups.filter((other) => !conflict(group, other))
    if (compatible.length === 1) compatible[0]?.push(...group)
    else apartGroups.push(group)
  }
  for (const group of apartGroups) {
    const [first, ...others] = group.map(({ key }) => key).toSorted()
    for (const key of others) joinedKeys.set(key, first ?? name)
  }
  return joinedKeys
}

const isIdentified = ({ years, addresses }: Person): boolean => years.length + addresses.length > 0

/**
 * Adds the person to the group with which they share evidence; groups that they connect become one. False, and nothing
 * changes, if these cannot be one person: it is not known which of them is meant.
 */
function joinTo(groups: Person[][], person: Person, share: (a: Person, b: Person) => boolean): boolean {
  const related = groups.filter(
    (group) => !areApart(group, [person]) && group.some((other) => share(person, other)),
  )
  if (related.some((group) => related.some((other) => areApart(group, other)))) return false
  const [first, ...others] = related
  if (!first) groups.push([person])
  else first.push(...others.flat(), person)
  for (const other of others) groups.splice(groups.indexOf(other), 1)
  return true
}

const areApart = (group: readonly Person[], other: readonly Person[]): boolean =>
  group.some((a) => other.some((b) => cannotBeOne(a, b)))

/** Evidence that no other evidence outweighs. */
const cannotBeOne = (a: Person, b: Person): boolean =>
  haveDifferentYears(a, b) || haveDifferentAddresses(a, b)

const conflict = (group: readonly Person[], other: readonly Person[]): boolean =>
  areApart(group, other) || group.some((a) => other.some((b) => haveDifferentEmployers(a, b)))

const haveDifferentYears = (a: Person, b: Person): boolean =>
  a.years.length > 0 && b.years.length > 0 && !meet(a.years, b.years)

const domainOf = (address: string): string => address.slice(address.indexOf('@') + 1)
const haveDifferentAddresses = (a: Person, b: Person): boolean =>
  !meet(a.addresses, b.addresses) && meet(a.addresses.map(domainOf), b.addresses.map(domainOf))

const haveDifferentEmployers = (a: Person, b: Person): boolean =>
  a.employers.length > 0 && b.employers.length > 0 && !haveLikeEmployers(a, b)

const haveLikeEmployers = (a: Person, b: Person): boolean =>
  a.employers.some((one) => b.employers.some((other) => areAlike(one, other)))

const meet = (a: readonly string[], b: readonly string[]): boolean => a.some((word) => b.includes(word))

/** Whether two names of organizations may mean one: one has the words of the other, or their initials. */
function areAlike(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a.split(' '), b.split(' ')] : [b.split(' '), a.split(' ')]
  return short.every((word) => long.includes(word)) || (short.length === 1 && initialsOf(long) === short[0])
}
