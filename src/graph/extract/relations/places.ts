// Relations to places: chains of places, places in definitions, and places inside names.

import { countryOfDemonym, isCountry, isPlace, isRegion } from '../../../language/gazetteer.ts'
import type { RelationEvidence } from '../../extraction.ts'
import type { EntityType } from '../../names.ts'
import type { NamedSentence, ResolvedName } from '../names/coreference.ts'

/**
 * The indexes of two or more names, of which each place is inside all later places: "Vancouver, British Columbia, Canada", "in
 * Gmina Wola, within Opole County, in southern Poland".
 */
type Chain = readonly number[]

const AREA =
  /\b(?:county|district|province|region|state|territory|voivodeship|prefecture|municipality|department|oblast|gmina|canton|governorate|borough|valley|area|islands?)\b/

/** Whether the place may contain others: a country, a state, or a name with a word for an area. */
const isArea = ({ ownKey, key }: ResolvedName): boolean =>
  isCountry(key) || isRegion(key) || AREA.test(ownKey) || isCountry(ownKey)

const isAdjective = ({ ownKey }: ResolvedName): boolean => countryOfDemonym(ownKey) !== undefined

const DIRECTION =
  '(?:(?:far |present-day |modern-day )?(?:[a-z-]+ern|central|upper|lower|north|south|east|west|present-day|modern-day) )?'
const PART_OF_AREA =
  '(?:(?:[a-z-]+ )?(?:part|side|corner|end|state|province|region|district|county|municipality|department|city|area|territory) (?:of|in) (?:the )?)?'
const INSIDE_PATTERN = new RegExp(
  `^,?(?: located| situated)? (?:in|within|of) (?:the )?${DIRECTION}${PART_OF_AREA}${DIRECTION}$`,
)

/** Whether the text between two places states that the first is in the second. */
function isInside(textBetween: string, inner: ResolvedName, outer: ResolvedName): boolean {
  if (isCountry(inner.ownKey) || isAdjective(inner) || isAdjective(outer)) return false
  if (/^, ?$/.test(textBetween)) return isArea(outer)
  return INSIDE_PATTERN.test(textBetween)
}

// A chain may start with anything that has a location: "Haines High School, Alaska".
const LOCATED_TYPES: ReadonlySet<string> = new Set(['location', 'organization', 'event', 'other'])
const mayBeLocated = ({ type }: ResolvedName): boolean => LOCATED_TYPES.has(type)

/** The chains of places in a sentence, from left to right. @param text of the chunk */
export function placeChains(names: readonly ResolvedName[], text: string): Chain[] {
  const chains: number[][] = []
  let current: number[] = []
  for (const [i, name] of names.entries()) {
    const lastName = names[current.at(-1) ?? -1]
    const textBetween = lastName
      ? text.slice(lastName.end, name.start).toLowerCase().replace(/\s+/g, ' ')
      : ''
    const continues =
      lastName && name.type === 'location' && mayBeLocated(lastName) && isInside(textBetween, lastName, name)
    if (continues) {
      current.push(i)
      continue
    }
    if (current.length > 1) chains.push(current)
    current = [i]
  }
  return current.length > 1 ? [...chains, current] : chains
}

type Triple = Pick<RelationEvidence, 'head' | 'type' | 'tail'>
const EXTENDS_ALONG_CHAIN = new Set(['located_in', 'born_in', 'part_of'])

/** Each place of a chain is in all later ones, and a relation to one place of a chain also holds for the later ones. */
export function extendAlongChains(
  names: readonly ResolvedName[],
  chains: readonly Chain[],
  statements: readonly Triple[],
): Triple[] {
  return chains.flatMap((chain) => {
    const keys = chain.map((i) => names[i]?.key ?? '')
    const containments = keys.flatMap((head, i) =>
      keys.slice(i + 1).map((tail) => ({ head, type: 'located_in', tail })),
    )
    const extendedStatements = statements
      .filter(({ type, head }) => EXTENDS_ALONG_CHAIN.has(type) && !keys.includes(head))
      .flatMap(({ head, type, tail }) => {
        const tailIndex = keys.indexOf(tail)
        return tailIndex < 0 ? [] : keys.slice(tailIndex + 1).map((later) => ({ head, type, tail: later }))
      })
    return [...containments, ...extendedStatements]
  })
}

// The start of a definition, after asides in brackets and between commas: dates, pronunciations, other names.
const DEFINITION_START =
  /^(?: ?\([^)]*\)| ?,[^,]{0,80},| ?[–-][^–-]{0,80}[–-])* ?(?:is|was|are|were) (?:an?|the|one of the) /
// The end of a definition: the text after it tells what the subject did.
const CLAUSE_END = /[;.] |,? (?:which|who|whose|where|when|while|although|but|after|before|since) /
const ENDS_WITH_PREPOSITION =
  /(?:^|[ ,])(?:in|of|within|at|on|near|from) (?:the )?(?:[a-z-]+ ){0,4}(?:of |in )?(?:the )?$/

const RELATION_BY_SUBJECT_TYPE: Partial<Record<EntityType, string>> = {
  person: 'citizen_of',
  work: 'from_country',
  product: 'from_country',
  organization: 'located_in',
  location: 'located_in',
  event: 'located_in',
  other: 'located_in',
}

/** A relation that a sentence states between two of its names. */
export interface Statement {
  head: ResolvedName
  type: string
  tail: ResolvedName
}

/**
 * The relations of a subject to the places in its definition: "X (born … in Y) is a German painter", "X is a town and comune of the
 * Metropolitan City of Bari, in the region of Apulia, on the Adriatic Sea". Empty if the sentence is not a definition.
 */
export function relationsInDefinition(
  subject: ResolvedName,
  names: readonly ResolvedName[],
  text: string,
): Statement[] {
  const subjectIndex = names.indexOf(subject)
  const textAfter = text.slice(subject.end).toLowerCase()
  const openingText = DEFINITION_START.exec(textAfter)?.[0]
  const type = RELATION_BY_SUBJECT_TYPE[subject.type]
  if (subjectIndex < 0 || openingText === undefined || !type) return []
  const from = subject.end + openingText.length
  const clauseEnd = textAfter.slice(openingText.length).search(CLAUSE_END)
  const to = clauseEnd < 0 ? text.length : from + clauseEnd
  return names
    .slice(subjectIndex + 1)
    .filter(
      ({ start, type, key }) => start >= from && start < to && type === 'location' && key !== subject.key,
    )
    .filter((name) => statesPlace(subject, name, text.slice(from, name.start).toLowerCase()))
    .map((tail) => ({ head: subject, type, tail }))
}

/**
 * Whether the place belongs to the subject. Anything may have a demonym, but only things that do not move have a location after
 * "in".
 */
function statesPlace(subject: ResolvedName, name: ResolvedName, textBefore: string): boolean {
  if (countryOfDemonym(name.ownKey)) return !/[,;]/.test(textBefore) && textBefore.length < 60
  if (subject.type === 'person' || subject.type === 'work' || subject.type === 'product') return false
  return ENDS_WITH_PREPOSITION.test(` ${textBefore}`)
}

const TYPES_NAMED_AFTER_PLACES: ReadonlySet<EntityType> = new Set(['organization', 'location', 'event'])

/**
 * A located_in relation for each name that contains a place which the document also mentions: the University of Alberta is in
 * Alberta, the Norwegian Parliament in Norway. The first sentence with the name is the evidence.
 */
export function placesInNames(sentences: readonly NamedSentence[]): RelationEvidence[] {
  const places = new Set(
    sentences.flatMap(({ names }) => names.filter(({ type }) => type === 'location').map(({ key }) => key)),
  )
  const seenKeys = new Set<string>()
  return sentences.flatMap(({ sentence: { chunk_no, start, end }, names }) =>
    names.flatMap((name) => {
      if (seenKeys.has(name.key) || !TYPES_NAMED_AFTER_PLACES.has(name.type)) return []
      seenKeys.add(name.key)
      return placesIn(name)
        .filter((tail) => places.has(tail) && tail !== name.key)
        .map((tail) => ({ chunk_no, head: name.key, type: 'located_in', tail, start, end }))
    }),
  )
}

// After these words a demonym does not mean its country: "Latin American", "Native American".
const WORDS_BEFORE_OTHER_MEANING = new Set('latin native african south north central'.split(' '))
const MAX_PLACE_WORDS = 3

/** The keys of the places whose names or demonyms are part of a name of several words. The longest match counts. */
function placesIn({ ownKey }: ResolvedName): string[] {
  const words = ownKey.split(' ')
  if (words.length < 2 || isPlace(ownKey)) return []
  const placeNames: string[] = []
  for (let wordIndex = 0; wordIndex < words.length; wordIndex++) {
    const placeMatch = WORDS_BEFORE_OTHER_MEANING.has(words[wordIndex - 1] ?? '')
      ? undefined
      : placeAt(words, wordIndex)
    if (!placeMatch) continue
    placeNames.push(placeMatch.key)
    wordIndex += placeMatch.length - 1
  }
  return placeNames
}

function placeAt(words: readonly string[], start: number): { key: string; length: number } | undefined {
  for (let length = Math.min(MAX_PLACE_WORDS, words.length - start); length > 0; length--) {
    const span = words.slice(start, start + length).join(' ')
    const key = countryOfDemonym(span) ?? (isPlace(span) ? span : undefined)
    if (key !== undefined) return { key, length }
  }
  return undefined
}
