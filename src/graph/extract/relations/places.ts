// Places in places. "Vancouver, British Columbia, Canada" and "in Gmina Wola, within Opole County, in southern Poland"
// are chains, each place inside all that follow; whoever is said to be in the first is in the others too.

import { countryOfDemonym, isCountry, isRegion } from '../../../language/gazetteer.ts'
import type { RelationEvidence } from '../../extraction.ts'
import type { Found } from '../names/resolve.ts'

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
const STANDS: ReadonlySet<string> = new Set(['location', 'organization', 'event', 'other'])
const isPlace = ({ type }: Found): boolean => STANDS.has(type)

/** Chains of a sentence's places, left to right. `text` is the chunk's. */
export function placeChains(names: readonly Found[], text: string): Chain[] {
  const chains: number[][] = []
  let open: number[] = []
  for (const [i, name] of names.entries()) {
    const last = names[open.at(-1) ?? -1]
    const between = last ? text.slice(last.end, name.start).toLowerCase().replace(/\s+/g, ' ') : ''
    const goesOn = last && name.type === 'location' && isPlace(last) && isInside(between, last, name)
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
