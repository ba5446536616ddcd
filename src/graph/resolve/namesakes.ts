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
  related: readonly (readonly string[])[],
): Map<string, string> {
  const groups: Person[][] = []
  const share = (a: Person, b: Person): boolean =>
    !haveDifferentYears(a, b) &&
    (meet(a.years, b.years) ||
      meet(a.addresses, b.addresses) ||
      a.employers.some((one) => b.employers.some((other) => areAlike(one, other))) ||
      related.some((list) => list.includes(a.key) && list.includes(b.key)))
  for (const person of keys.toSorted().map(personOf)) joinTo(groups, person, share)
  const apartGroups: Person[][] = []
  const joined = new Map<string, string>()
  const conflicting = groups.filter((group) =>
    groups.some((other) => other !== group && conflict(group, other)),
  )
  for (const group of groups) {
    if (!conflicting.includes(group)) {
      for (const { key } of group) joined.set(key, name)
      continue
    }
    const compatible = apartGroups.filter((other) => !conflict(group, other))
    if (compatible.length === 1) compatible[0]?.push(...group)
    else apartGroups.push(group)
  }
  for (const [first, ...others] of apartGroups)
    for (const { key } of others) joined.set(key, first?.key ?? name)
  return joined
}

/** Adds the person to the group with which they share evidence; groups that they connect become one. */
function joinTo(groups: Person[][], person: Person, share: (a: Person, b: Person) => boolean): void {
  const related = groups.filter((group) => group.some((other) => share(person, other)))
  const [first, ...others] = related
  if (!first) groups.push([person])
  else first.push(...others.flat(), person)
  for (const other of others) groups.splice(groups.indexOf(other), 1)
}

const conflict = (group: readonly Person[], other: readonly Person[]): boolean =>
  group.some((a) =>
    other.some(
      (b) => haveDifferentYears(a, b) || haveDifferentAddresses(a, b) || haveDifferentEmployers(a, b),
    ),
  )

const haveDifferentYears = (a: Person, b: Person): boolean =>
  a.years.length > 0 && b.years.length > 0 && !meet(a.years, b.years)

const domainOf = (address: string): string => address.slice(address.indexOf('@') + 1)
const haveDifferentAddresses = (a: Person, b: Person): boolean =>
  !meet(a.addresses, b.addresses) && meet(a.addresses.map(domainOf), b.addresses.map(domainOf))

const haveDifferentEmployers = (a: Person, b: Person): boolean =>
  a.employers.length > 0 && b.employers.length > 0

const meet = (a: readonly string[], b: readonly string[]): boolean => a.some((word) => b.includes(word))

/** Whether two names of organizations may mean one: one has the words of the other, or their initials. */
function areAlike(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a.split(' '), b.split(' ')] : [b.split(' '), a.split(' ')]
  return short.every((word) => long.includes(word)) || (short.length === 1 && initialsOf(long) === short[0])
}
