// Computes the canonical name, the type and the aliases of an entity from its mentions. The result does not depend on the order of
// uploads.

import { ENTITY_TYPES, nameKey, nameWords, qualifiedName, sortKey, typoForms } from '../names.ts'

/** How many times live evidence mentions an entity by one surface form and type. */
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

/** The row of an entity with at least one mention. */
export function canonicalEntity(
  entity: { id: string; key: string },
  counts: readonly SurfaceCount[],
  documentCount: number,
): EntityRow {
  const surfaces = surfacesOf(counts)
  const surface = surfaces.find(({ isUnmerged }) => isUnmerged)?.text ?? surfaces[0]?.text ?? entity.key
  const name = qualifiedName(surface, entity.key)
  const aliases = surfaces
    .map(({ text }) => text)
    .filter((text) => text !== name)
    .slice(0, MAX_ALIASES)
  const displayNames = [name, ...aliases]
  const displayWords = [...new Set(displayNames.flatMap(nameWords))]
  return {
    id: entity.id,
    key: entity.key,
    name,
    name_key: sortKey(name),
    type: majorityType(counts),
    mention_count: counts.reduce((sum, count) => sum + count.mentions, 0),
    document_count: documentCount,
    aliases,
    keys: [...new Set([entity.key, ...displayNames.map(nameKey)])],
    words: [...new Set([...displayWords, ...displayWords.flatMap(typoForms)])],
  }
}

/** The distinct surface forms: the most frequent first, and of equally frequent ones the longest first. */
function surfacesOf(
  counts: readonly SurfaceCount[],
): { text: string; isUnmerged: boolean; mentions: number }[] {
  const bySurface = new Map<string, { text: string; isUnmerged: boolean; mentions: number }>()
  for (const { surface, own, mentions } of counts) {
    const entry = bySurface.get(surface)
    if (entry) {
      entry.mentions += mentions
      entry.isUnmerged ||= own
    } else bySurface.set(surface, { text: surface, isUnmerged: own, mentions })
  }
  return [...bySurface.values()].sort(
    (a, b) => b.mentions - a.mentions || b.text.length - a.text.length || (a.text < b.text ? -1 : 1),
  )
}

// A type of only few mentions is wrong, or belongs to another entity with the same name.
const MIN_TYPE_SHARE = 0.1

/** The most frequent type of the mentions, or `other` if too few mentions have a type. */
export function majorityType(counts: readonly SurfaceCount[]): string {
  const votes = new Map<string, number>()
  let total = 0
  for (const { type, mentions } of counts) {
    votes.set(type, (votes.get(type) ?? 0) + mentions)
    total += mentions
  }
  const eligibleTypes = ENTITY_TYPES.filter(
    (type) => type !== 'other' && (votes.get(type) ?? 0) >= MIN_TYPE_SHARE * total,
  )
  return eligibleTypes.sort((a, b) => (votes.get(b) ?? 0) - (votes.get(a) ?? 0))[0] ?? 'other'
}
