// Canonicalization: the name, type and aliases of an entity by majority of its mentions. Pure, so that the same
// evidence gives the same entity in any order of uploads.

import { ENTITY_TYPES, nameKey, nameWords, sortKey, typoForms } from '../names.ts'

/** How often live evidence mentions an entity by one surface and type. */
export interface SurfaceCount {
  id: string
  surface: string
  own: boolean
  type: string
  mentions: number
}

export interface EntityRow {
  id: string
  key: string
  name: string
  name_key: string
  type: string
  mention_count: number
  document_count: number
  aliases: string[]
  keys: string[]
  words: string[]
}

export interface EdgeKey {
  head: string
  type: string
  tail: string
}

const MAX_ALIASES = 20

/** The row of an entity with at least one mention. `counts` may be in any order. */
export function canonicalEntity(
  entity: { id: string; key: string },
  counts: readonly SurfaceCount[],
  documents: number,
): EntityRow {
  const surfaces = surfacesOf(counts)
  const name = surfaces.find((surface) => surface.own)?.text ?? surfaces[0]?.text ?? entity.key
  const aliases = surfaces
    .map(({ text }) => text)
    .filter((text) => text !== name)
    .slice(0, MAX_ALIASES)
  const displayNames = [name, ...aliases]
  const nameOf = [...new Set(displayNames.flatMap(nameWords))]
  return {
    id: entity.id,
    key: entity.key,
    name,
    name_key: sortKey(name),
    type: majorityType(counts),
    mention_count: counts.reduce((sum, count) => sum + count.mentions, 0),
    document_count: documents,
    aliases,
    keys: [...new Set([entity.key, ...displayNames.map(nameKey)])],
    words: [...new Set([...nameOf, ...nameOf.flatMap(typoForms)])],
  }
}

/** Distinct surfaces, the most frequent first, then the longest. */
function surfacesOf(counts: readonly SurfaceCount[]): { text: string; own: boolean; mentions: number }[] {
  const bySurface = new Map<string, { text: string; own: boolean; mentions: number }>()
  for (const { surface, own, mentions } of counts) {
    const entry = bySurface.get(surface)
    if (entry) {
      entry.mentions += mentions
      entry.own ||= own
    } else bySurface.set(surface, { text: surface, own, mentions })
  }
  return [...bySurface.values()].sort(
    (a, b) => b.mentions - a.mentions || b.text.length - a.text.length || (a.text < b.text ? -1 : 1),
  )
}

// What few documents say of a name that others do not type is a mistake, or another thing of that name.
const MIN_SHARE = 0.1

/** The type of most mentions among those with a type; `other` when too few of all have it. */
export function majorityType(counts: readonly SurfaceCount[]): string {
  const votes = new Map<string, number>()
  let all = 0
  for (const { type, mentions } of counts) {
    votes.set(type, (votes.get(type) ?? 0) + mentions)
    all += mentions
  }
  const voted = ENTITY_TYPES.filter((type) => type !== 'other' && (votes.get(type) ?? 0) >= MIN_SHARE * all)
  return voted.sort((a, b) => (votes.get(b) ?? 0) - (votes.get(a) ?? 0))[0] ?? 'other'
}
