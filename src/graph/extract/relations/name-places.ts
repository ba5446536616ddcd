// Places inside names: the University of Alberta is in Alberta, the Norwegian Parliament in Norway, where the document
// speaks of the place as well.

import { countryOfDemonym, isPlace } from '../../../language/gazetteer.ts'
import type { RelationEvidence } from '../../extraction.ts'
import type { EntityType } from '../../names.ts'
import type { Found } from '../names/resolve.ts'
import type { NamedSentence } from './relations.ts'

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
