// Places in places. "Vancouver, British Columbia, Canada" and "in Gmina Wola, within Opole County, in southern Poland"
// are chains, each place inside all that follow; whoever is said to be in the first is in the others too.

import { countryOfDemonym, isCountry, isPlace, isRegion } from '../../../language/gazetteer.ts'
import type { RelationEvidence } from '../../extraction.ts'
import type { EntityType } from '../../names.ts'
import type { Found, NamedSentence } from '../names/coreference.ts'

/** The indexes of names that follow each other as a chain of places, two or more. */
type Chain = readonly number[]

const AREA =
  /\b(?:county|district|province|region|state|territory|voivodeship|prefecture|municipality|department|oblast|gmina|canton|governorate|borough|valley|area|islands?)\b/

/** What others lie in: countries, states, and names that say they are areas. */
const isArea = ({ ownKey, key }: Found): boolean =>
  isCountry(key) || isRegion(key) || AREA.test(ownKey) || isCountry(ownKey)

const isAdjective = ({ ownKey }: Found): boolean => countryOfDemonym(ownKey) !== undefined

const DIRECTION =
  '(?:(?:far |present-day |modern-day )?(?:[a-z-]+ern|central|upper|lower|north|south|east|west|present-day|modern-day) )?'
const PART =
  '(?:(?:[a-z-]+ )?(?:part|side|corner|end|state|province|region|district|county|municipality|department|city|area|territory) (?:of|in) (?:the )?)?'
const INSIDE = new RegExp(
  `^,?(?: located| situated)? (?:in|within|of) (?:the )?${DIRECTION}${PART}${DIRECTION}$`,
)

/** Whether the text between two places puts the first into the second. */
function isInside(between: string, from: Found, into: Found): boolean {
  if (isCountry(from.ownKey) || isAdjective(from) || isAdjective(into)) return false
  if (/^, ?$/.test(between)) return isArea(into)
  return INSIDE.test(between)
}

// "Haines High School, Alaska": a chain may begin with whatever stands somewhere.
const LOCATED_TYPES: ReadonlySet<string> = new Set(['location', 'organization', 'event', 'other'])
const mayBeLocated = ({ type }: Found): boolean => LOCATED_TYPES.has(type)

/** Chains of a sentence's places, left to right. `text` is the chunk's. */
export function placeChains(names: readonly Found[], text: string): Chain[] {
  const chains: number[][] = []
  let open: number[] = []
  for (const [i, name] of names.entries()) {
    const last = names[open.at(-1) ?? -1]
    const between = last ? text.slice(last.end, name.start).toLowerCase().replace(/\s+/g, ' ') : ''
    const goesOn = last && name.type === 'location' && mayBeLocated(last) && isInside(between, last, name)
    if (goesOn) {
      open.push(i)
      continue
    }
    if (open.length > 1) chains.push(open)
    open = [i]
  }
  return open.length > 1 ? [...chains, open] : chains
}

const REACHES = new Set(['located_in', 'born_in', 'died_in', 'lives_in', 'part_of'])

/** Each place in all later ones of its chain, and what is said of one place of a chain said of the later ones. */
export function alongChains(
  names: readonly Found[],
  chains: readonly Chain[],
  said: readonly RelationEvidence[],
): Pick<RelationEvidence, 'head' | 'type' | 'tail'>[] {
  return chains.flatMap((chain) => {
    const keys = chain.map((i) => names[i]?.key ?? '')
    const nested = keys.flatMap((head, i) =>
      keys.slice(i + 1).map((tail) => ({ head, type: 'located_in', tail })),
    )
    const carried = said
      .filter(({ type, head }) => REACHES.has(type) && !keys.includes(head))
      .flatMap(({ head, type, tail }) => {
        const at = keys.indexOf(tail)
        return at < 0 ? [] : keys.slice(at + 1).map((further) => ({ head, type, tail: further }))
      })
    return [...nested, ...carried]
  })
}

// What a sentence that defines its subject says of places: "X (born … in Y) is a German painter", "X is a town and
// comune of the Metropolitan City of Bari, in the region of Apulia, on the Adriatic Sea".

// Over asides in brackets and between commas: dates, pronunciations, other names.
const OPENING =
  /^(?: ?\([^)]*\)| ?,[^,]{0,80},| ?[–-][^–-]{0,80}[–-])* ?(?:is|was|are|were) (?:an?|the|one of the) /
// Where what the subject is ends, and what it did begins.
const CLAUSE_END =
  /[;.] |,? (?:which|who|whom|whose|that(?! (?:took place|is located|was held|lies))|where|when|while|whereas|although|but|after|before|since) |, and (?:is|was|has|had) /
const INTO = /(?:^|[ ,])(?:in|of|within|at|on|near|from) (?:the )?(?:[a-z-]+ ){0,4}(?:of |in )?(?:the )?$/

const BY_SUBJECT: Partial<Record<EntityType, string>> = {
  person: 'citizen_of',
  work: 'from_country',
  product: 'from_country',
  organization: 'located_in',
  location: 'located_in',
  event: 'located_in',
  other: 'located_in',
}

export interface Defined {
  head: Found
  type: string
  tail: Found
}

/** Relations of the subject to the places of its definition; none where the sentence defines nothing. */
export function definedPlaces(subject: Found, names: readonly Found[], text: string): Defined[] {
  const at = names.indexOf(subject)
  const rest = text.slice(subject.end).toLowerCase()
  const opening = OPENING.exec(rest)?.[0]
  const type = BY_SUBJECT[subject.type]
  if (at < 0 || opening === undefined || !type) return []
  const from = subject.end + opening.length
  const ending = rest.slice(opening.length).search(CLAUSE_END)
  const to = ending < 0 ? text.length : from + ending
  return names
    .slice(at + 1)
    .filter((name) => name.start >= from && name.end <= to && name.type === 'location')
    .filter(
      (name) => name.key !== subject.key && says(subject, name, text.slice(from, name.start).toLowerCase()),
    )
    .map((tail) => ({ head: subject, type, tail }))
}

/** An adjective of a country tells where anything is from; a place after "in" tells where what stands still is. */
function says(subject: Found, name: Found, before: string): boolean {
  if (countryOfDemonym(name.ownKey)) return !/[,;]/.test(before) && before.length < 60
  if (subject.type === 'person' || subject.type === 'work' || subject.type === 'product') return false
  return INTO.test(` ${before}`)
}

// Places inside names: the University of Alberta is in Alberta, the Norwegian Parliament in Norway, where the document
// speaks of the place as well.

const NAMED_AFTER: ReadonlySet<EntityType> = new Set(['organization', 'location', 'event'])

/** One relation for each name that holds a place of the document, at its first sentence. */
export function placesInNames(sentences: readonly NamedSentence[]): RelationEvidence[] {
  const places = new Set(
    sentences.flatMap(({ names }) => names.filter(({ type }) => type === 'location').map(({ key }) => key)),
  )
  const seen = new Set<string>()
  return sentences.flatMap(({ sentence: { chunk_no, start, end }, names }) =>
    names.flatMap((name) => {
      if (seen.has(name.key) || !NAMED_AFTER.has(name.type)) return []
      seen.add(name.key)
      return placesIn(name)
        .filter((tail) => places.has(tail) && tail !== name.key)
        .map((tail) => ({ chunk_no, head: name.key, type: 'located_in', tail, start, end }))
    }),
  )
}

// "Latin American", "Native American": no place that the second word alone speaks of.
const BESIDE = new Set('latin native african south north central'.split(' '))
const LONGEST_PLACE = 3

/** Keys of the places whose names or adjectives stand in a name of several words, the longest first. */
function placesIn({ ownKey }: Found): string[] {
  const words = ownKey.split(' ')
  if (words.length < 2 || isPlace(ownKey)) return []
  const found: string[] = []
  for (let at = 0; at < words.length; at++) {
    const place = BESIDE.has(words[at - 1] ?? '') ? undefined : placeAt(words, at)
    if (!place) continue
    found.push(place.key)
    at += place.length - 1
  }
  return found
}

function placeAt(words: readonly string[], at: number): { key: string; length: number } | undefined {
  for (let length = Math.min(LONGEST_PLACE, words.length - at); length > 0; length--) {
    const span = words.slice(at, at + length).join(' ')
    const key = countryOfDemonym(span) ?? (isPlace(span) ? span : undefined)
    if (key !== undefined) return { key, length }
  }
  return undefined
}
