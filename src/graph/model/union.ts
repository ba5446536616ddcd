// The model's findings beside the statistical ones: a place in the text is counted once, under the key that the
// document's own resolution gave it; the model's type counts where the statistics had none.

import type { Extraction, Mention } from '../extraction.ts'
import type { Findings } from './verify.ts'

const placeOf = ({ chunk_no, start, end }: Mention): string => `${chunk_no}:${start}:${end}`

/** Both extractions as one. `found` has the document's chunk numbers. */
export function union(base: Extraction, found: Findings): Extraction {
  const byPlace = new Map(base.mentions.map((mention) => [placeOf(mention), mention]))
  const known = new Map<string, string>()
  for (const mention of found.mentions) {
    const same = byPlace.get(placeOf(mention))
    if (same && same.key !== mention.key) known.set(mention.key, same.key)
  }
  const keyOf = (key: string): string => known.get(key) ?? key
  const types = new Map(
    found.mentions.filter(({ type }) => type !== 'other').map((m) => [keyOf(m.key), m.type]),
  )
  const added = found.mentions
    .filter((mention) => !byPlace.has(placeOf(mention)))
    .map((mention) => ({ ...mention, key: keyOf(mention.key), own: mention.own && !known.has(mention.key) }))
  const mentions = [...base.mentions, ...added].map((mention) =>
    mention.type === 'other' ? { ...mention, type: types.get(mention.key) ?? 'other' } : mention,
  )
  const relations = found.relations
    .map((relation) => ({ ...relation, head: keyOf(relation.head), tail: keyOf(relation.tail) }))
    .filter(({ head, tail }) => head !== tail)
  return { mentions, relations: distinct([...base.relations, ...relations]) }
}

/** One evidence for one statement of one sentence. */
function distinct(relations: Extraction['relations']): Extraction['relations'] {
  const seen = new Set<string>()
  return relations.filter(({ chunk_no, head, type, tail, start, end }) => {
    const name = JSON.stringify([chunk_no, head, type, tail, start, end])
    return seen.has(name) ? false : seen.add(name)
  })
}
