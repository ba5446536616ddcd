// Lists: what is said of the first name of "A, B and C" is said of the others of its type.

import type { RelationEvidence } from '../../extraction.ts'
import type { Found } from '../names/resolve.ts'

const JOINT = /^(?:["”]?,|["”]?,? (?:and|&|as well as)|["”]?, (?:and|&)) ?["“]?$/
// A list of three is meant as one; of "A and B" the second may begin another clause.
const LEAST = 2

/** The names that go on the list which `first` begins, without it; empty where no list of one type follows. */
function restOfList(names: readonly Found[], first: number, text: string): Found[] {
  const rest: Found[] = []
  for (let i = first + 1; i < names.length; i++) {
    const [before, name] = [names[i - 1], names[i]]
    if (!before || !name || name.type !== names[first]?.type) break
    if (!JOINT.test(text.slice(before.end, name.start).replace(/\s+/g, ' '))) break
    rest.push(name)
  }
  return rest.length >= LEAST ? rest : []
}

// Places are left to chains: in "Detroit, Michigan" the comma is no list.
const SHARED = new Set([
  'created_by',
  'produced_by',
  'published_by',
  'founded_by',
  'plays_for',
  'member_of',
  'leads',
  'child_of',
  'owns',
  'supplies',
  'signed_with',
  'participated_in',
  'educated_at',
  'works_for',
  'features',
])

/** Relations of the further names of lists whose first name is an end that was said. */
export function alongLists(
  names: readonly Found[],
  said: readonly RelationEvidence[],
  text: string,
): Pick<RelationEvidence, 'head' | 'type' | 'tail'>[] {
  return said
    .filter(({ type }) => SHARED.has(type))
    .flatMap(({ head, type, tail }) => {
      const [h, t] = [head, tail].map((key) => names.findIndex((name) => name.key === key))
      if (h === undefined || t === undefined || h === t) return []
      // The end that stands later is the one the words before it speak of; the other may open the sentence.
      const listed = restOfList(names, Math.max(h, t), text)
      return listed.map(({ key }) => (t > h ? { head, type, tail: key } : { head: key, type, tail }))
    })
}
