// What a sentence that defines its subject says of places: "X (born … in Y) is a German painter", "X is a town and
// comune of the Metropolitan City of Bari, in the region of Apulia, on the Adriatic Sea".

import { countryOfDemonym } from '../../../language/gazetteer.ts'
import type { EntityType } from '../../names.ts'
import type { Found } from '../names/resolve.ts'

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
