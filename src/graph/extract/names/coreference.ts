// Which names of one document are the same entity: equal keys, explicit acronyms, unique initials, a surname of one
// person, the adjective of a country. Nothing fuzzy merges (P .36).

import { countryOfDemonym, isCommonWord, isFirstName, isPlace } from '../../../language/gazetteer.ts'
import { type EntityType, nameKey } from '../../names.ts'
import { decide, type Votes, vote, voteContext, voteForm } from './entity-type.ts'
import type { Run } from './refine.ts'
import type { TokenSentence } from './tokens.ts'

/** A name where it stands, and the entity it was taken for. */
export interface Found {
  run: Run
  surface: string
  start: number
  end: number
  /** The key of the surface alone. */
  ownKey: string
  key: string
  type: EntityType
}

/** A sentence with its names from left to right. */
export interface NamedSentence {
  sentence: TokenSentence
  names: readonly Found[]
}

export interface RunText {
  run: Run
  /** Verbatim. */
  surface: string
  start: number
  end: number
}

interface Name {
  key: string
  words: string[]
  count: number
  /** What the words around it say, summed over its places. */
  context: Votes
  votes: Votes
}

/** Gives every run its entity's key and type. */
export function resolve(runs: readonly RunText[], long: ReadonlyMap<string, string>): Found[] {
  const names = new Map<string, Name>()
  const keys = runs.map(({ surface }) => nameKey(surface))
  for (const [i, { run }] of runs.entries()) {
    const key = keys[i] ?? ''
    let name = names.get(key)
    if (!name) {
      name = { key, words: key.split(' '), count: 0, context: new Map(), votes: new Map() }
      names.set(key, name)
      voteForm(name.votes, run)
    }
    name.count++
    if (run.person && name.count > 1) vote(name.votes, 'person', 2)
    voteContext(name.context, run)
  }
  for (const name of names.values()) weighContext(name)
  voteByBodies(names)
  const merged = merge(names, long)
  for (const [key, into] of merged) {
    const from = names.get(key)
    const to = names.get(into)
    if (from && to) for (const [type, weight] of from.votes) vote(to.votes, type, weight / 2)
  }
  const types = new Map([...names.values()].map(({ key, votes }) => [key, decide(votes)]))
  return runs.map((each, i) => {
    const ownKey = keys[i] ?? ''
    const key = merged.get(ownKey) ?? ownKey
    return { ...each, ownKey, key, type: types.get(key) ?? types.get(ownKey) ?? 'other' }
  })
}

// Three places speak for themselves; of a name that stands everywhere a share of its places must agree, or anything
// that is often after "in" would be a place.
const FULL_PLACES = 3

function weighContext({ count, context, votes }: Name): void {
  const share = FULL_PLACES / Math.max(FULL_PLACES, count)
  for (const [type, weight] of context) vote(votes, type, weight * share)
}

/** Key -> the key it is another name of. Chains are followed, so that every key points at an end. */
function merge(names: ReadonlyMap<string, Name>, long: ReadonlyMap<string, string>): Map<string, string> {
  const into = new Map<string, string>()
  const initials = byInitials(names)
  const parts = byPersonPart(names)
  for (const { key, words, votes } of names.values()) {
    const country = countryOfDemonym(key)
    const [only] = words
    const target =
      country ??
      long.get(key) ??
      (words.length === 1 && only && !isPlace(key)
        ? (parts.get(only) ?? (isShort(key) ? initials.get(key) : undefined))
        : undefined)
    if (target === undefined || target === key) continue
    // A place or a body that happens to share a person's surname stays itself.
    const type = decide(votes)
    if (parts.get(key) === target && type !== 'other' && type !== 'person') continue
    into.set(key, target)
  }
  for (const key of into.keys()) {
    let end = into.get(key) ?? key
    for (let steps = 0; steps < 4 && into.has(end) && into.get(end) !== end; steps++)
      end = into.get(end) ?? end
    if (end === key) into.delete(key)
    else into.set(key, end)
  }
  return into
}

const isShort = (key: string): boolean => /^\p{L}{2,6}$/u.test(key)

/** Initials of names of several words -> the name, where only one has them. */
function byInitials(names: ReadonlyMap<string, Name>): Map<string, string> {
  const found = new Map<string, string | undefined>()
  for (const { key, words } of names.values()) {
    if (words.length < 2) continue
    const initials = initialsOf(words)
    if (initials.length >= 2) found.set(initials, found.has(initials) ? undefined : key)
  }
  return defined(found)
}

const SMALL = new Set('of the and for in on de la del des du di da von van der y e et'.split(' '))
export const initialsOf = (words: readonly string[]): string =>
  words
    .filter((word) => !SMALL.has(word))
    .map((word) => word[0] ?? '')
    .join('')

// More than the guess that two unknown words are a person: a first name, an honorific, a role or a life.
const SURE = 2

/** A person's last or first name -> the person, where only one person of the document has it. */
function byPersonPart(names: ReadonlyMap<string, Name>): Map<string, string> {
  const last = new Map<string, string | undefined>()
  const first = new Map<string, string | undefined>()
  for (const { key, words, votes } of names.values()) {
    if (
      words.length < 2 ||
      words.length > 5 ||
      decide(votes) !== 'person' ||
      (votes.get('person') ?? 0) < SURE
    )
      continue
    const surname = words.at(-1) ?? ''
    const given = words[0] ?? ''
    last.set(surname, last.has(surname) ? undefined : key)
    first.set(given, first.has(given) ? undefined : key)
  }
  return new Map([...defined(first), ...defined(last)].filter(([part]) => part.length > 2))
}

/** Words that begin a body's name in the document and stand in no dictionary: alone they speak of a body as well. */
function voteByBodies(names: ReadonlyMap<string, Name>): void {
  for (const { words, votes } of names.values()) {
    const first = words[0] ?? ''
    const alone = words.length > 1 && decide(votes) === 'organization' ? names.get(first) : undefined
    if (alone && !isCommonWord(first) && !isPlace(first) && !isFirstName(first) && !countryOfDemonym(first))
      vote(alone.votes, 'organization', 1)
  }
}

const defined = (map: ReadonlyMap<string, string | undefined>): Map<string, string> =>
  new Map([...map].filter((pair): pair is [string, string] => pair[1] !== undefined))

// "World Health Organization (WHO)" and "WHO (World Health Organization)": the acronym is another name of the long
// form when its letters are the initials (P .94).

/** Key of an acronym -> key of the long form that the document itself gives for it. */
export function findAcronyms(runs: readonly RunText[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const [i, { run, surface }] of runs.entries()) {
    const next = runs[i + 1]
    if (!next || next.run.sentence !== run.sentence || next.run.from !== run.to) continue
    if (!run.sentence.tokens[next.run.from]?.gap.endsWith('(')) continue
    const pair = define(surface, next.surface) ?? define(next.surface, surface)
    if (pair) found.set(pair.short, pair.long)
  }
  return found
}

function define(longForm: string, shortForm: string): { short: string; long: string } | undefined {
  const letters = shortForm.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
  if (letters.length < 2 || letters.length > 10 || !/^\p{Lu}.*\p{Lu}/u.test(shortForm)) return undefined
  const words = longForm
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  if (words.length < 2) return undefined
  const all = words.map((word) => word[0] ?? '').join('')
  if (initialsOf(words) !== letters && all !== letters && !abbreviates(letters, words)) return undefined
  return { short: nameKey(shortForm), long: nameKey(longForm) }
}

/** Every letter in order, each word giving its first or later letters: "Deutsche Bahn" -> DB, "BaFin" and the like. */
function abbreviates(letters: string, words: readonly string[]): boolean {
  const text = words.join(' ')
  let at = 0
  let starts = 0
  for (const letter of letters) {
    const next = text.indexOf(letter, at)
    if (next < 0) return false
    if (next === 0 || text[next - 1] === ' ') starts++
    at = next + 1
  }
  return text.startsWith(letters[0] ?? ' ') && starts >= Math.max(2, letters.length - 2)
}
