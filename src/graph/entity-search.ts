// Finds entities: by a typed name, in a question (entity linking), and in passages (for a second hop). The callers check access,
// and every statement is limited to the workspace.

import type { Entity } from '../contract/resources.ts'
import { allowedEdits, editDistance } from '../language/edit-distance.ts'
import { isStopWord } from '../language/stem.ts'
import { fold, type WordedText, worded } from '../language/words.ts'
import type { Deps } from '../ports/deps.ts'
import {
  type BridgeEntity,
  type NamedEntity,
  selectBridgeEntities,
  selectByKeys,
  selectNameCandidates,
} from './graph.sql.ts'
import { nameKey, nameWords, typoForms } from './names.ts'

type DbDeps = Pick<Deps, 'db'>

// Names are short: more words of a query are ignored.
const MAX_QUERY_WORDS = 12

/**
 * Exact names and aliases first, then names with this prefix, then names that share words with the query. Words may have typing
 * errors.
 */
export async function findEntitiesByName(
  deps: DbDeps,
  workspaceId: string,
  { query, type, limit }: { query: string; type: string | undefined; limit: number },
): Promise<Entity[]> {
  const key = nameKey(query)
  const queryWords = nameWords(query).slice(0, MAX_QUERY_WORDS)
  const candidates = await selectNameCandidates(deps.db, workspaceId, {
    keys: [key],
    prefix: key,
    words: [...queryWords, ...queryWords.flatMap(typoForms)],
    type,
  })
  return candidates
    .map((entity) => ({ entity, rank: nameRank(entity, key, queryWords) }))
    .filter(({ rank }) => rank > 0)
    .sort(
      (a, b) =>
        b.rank - a.rank ||
        b.entity.mention_count - a.entity.mention_count ||
        (a.entity.id < b.entity.id ? -1 : 1),
    )
    .slice(0, limit)
    .map(({ entity: { key: _key, keys: _keys, ...entity } }) => entity)
}

/**
 * 5 for the exact name, 4 for an alias, 3 for a prefix, at most 2 by the share of the query's words in the names, 0 for no match.
 */
function nameRank(entity: NamedEntity, key: string, queryWords: string[]): number {
  if (entity.key === key) return 5
  if (entity.keys.includes(key)) return 4
  if (key && entity.key.startsWith(key)) return 3
  const entityWords = new Set([entity.name, ...(entity.aliases ?? [])].flatMap(nameWords))
  const matchSum = queryWords.reduce((sum, word) => sum + wordMatch(word, entityWords), 0)
  return queryWords.length ? (2 * matchSum) / queryWords.length : 0
}

function wordMatch(word: string, entityWords: ReadonlySet<string>): number {
  if (entityWords.has(word)) return 1
  const edits = allowedEdits(word)
  if (edits === 0) return 0
  for (const other of entityWords)
    if (other.length > 3 && editDistance(word, other, edits) <= edits) return 0.8
  return 0
}

// Questions are short, and hardly any name has more than six words.
const MAX_TEXT_WORDS = 200
const MAX_NAME_WORDS = 6

// "Who told us" mentions neither the WHO nor the US, whose names are written in capitals.
const isFunctionWord = (raw: string): boolean => isStopWord(fold(raw), 'en') && raw !== raw.toUpperCase()

export interface LinkedEntity {
  id: string
  name: string
  type: string
  key: string
}

/** The entities whose name or alias occurs in the text, in text order. Of overlapping names, the longest counts. */
export async function linkEntities(
  deps: DbDeps,
  workspaceId: string,
  question: string | WordedText,
): Promise<LinkedEntity[]> {
  const { text, words } = worded(question)
  const textWords = [...words].slice(0, MAX_TEXT_WORDS)
  const spans: { key: string; from: number; to: number }[] = []
  for (let from = 0; from < textWords.length; from++) {
    for (let to = from; to < Math.min(textWords.length, from + MAX_NAME_WORDS); to++) {
      if (from === to && isFunctionWord(textWords[from]?.raw ?? '')) continue
      const key = nameKey(text.slice(textWords[from]?.start, textWords[to]?.end))
      if (key.length > 1) spans.push({ key, from, to })
    }
  }
  if (spans.length === 0) return []
  const entities = await selectByKeys(deps.db, workspaceId, [...new Set(spans.map((span) => span.key))])
  // The entities are ordered by mentions, so of two with the same key the more mentioned is linked.
  const byKey = new Map<string, LinkedEntity>()
  for (const { id, name, type, key, keys } of entities) {
    for (const anyKey of keys)
      if (!byKey.has(anyKey) || anyKey === key) byKey.set(anyKey, { id, name, type, key })
  }
  const linkedPositions = new Set<number>()
  const linkedById = new Map<string, LinkedEntity & { at: number }>()
  for (const span of spans.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)) {
    const entity = byKey.get(span.key)
    const positions = Array.from({ length: span.to - span.from + 1 }, (_, i) => span.from + i)
    if (!entity || positions.some((position) => linkedPositions.has(position))) continue
    for (const position of positions) linkedPositions.add(position)
    if (!linkedById.has(entity.id)) linkedById.set(entity.id, { ...entity, at: span.from })
  }
  return [...linkedById.values()].sort((a, b) => a.at - b.at).map(({ at: _at, ...entity }) => entity)
}

/** At most `limit` entities that the passages mention, those in the fewest documents first. */
export async function bridgeEntities(
  deps: DbDeps,
  workspaceId: string,
  passages: { document_id: string; chunk_no: number }[],
  limit: number,
): Promise<BridgeEntity[]> {
  return passages.length === 0 ? [] : selectBridgeEntities(deps.db, workspaceId, passages, limit)
}
