// Finding entities: by a name someone typed, in a question, and in passages (for the second hop of an answer).
// The rooms above check access before they come here; the workspace binds every statement.

import type { Entity } from '../contract/resources.ts'
import { isStopWord } from '../language/stem.ts'
import { fold, words } from '../language/words.ts'
import type { Deps } from '../ports/deps.ts'
import {
  type BridgeEntity,
  type NamedEntity,
  selectBridges,
  selectByKeys,
  selectCandidates,
} from './graph.sql.ts'
import { editDistance, nameKey, nameWords, typoForms } from './names.ts'

type Needs = Pick<Deps, 'db'>

// Names have few words: a longer query is cut.
const MOST_QUERY_WORDS = 12

/** Exact names and aliases first, then names that begin so, then names with the query's words, typos allowed. */
export async function findByName(
  deps: Needs,
  workspaceId: string,
  query: string,
  type: string | undefined,
  limit: number,
): Promise<Entity[]> {
  const key = nameKey(query)
  const asked = nameWords(query).slice(0, MOST_QUERY_WORDS)
  const candidates = await selectCandidates(deps.db, workspaceId, {
    keys: [key],
    prefix: key,
    words: [...asked, ...asked.flatMap(typoForms)],
    type,
  })
  return candidates
    .map((entity) => ({ entity, rank: rankOf(entity, key, asked) }))
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

/** 5 exact, 4 alias, 3 prefix, up to 2 for the share of the query's words in the names; 0 is no match. */
function rankOf(entity: NamedEntity, key: string, asked: string[]): number {
  if (entity.key === key) return 5
  if (entity.keys.includes(key)) return 4
  if (key && entity.key.startsWith(key)) return 3
  const held = new Set([entity.name, ...(entity.aliases ?? [])].flatMap(nameWords))
  const matched = asked.reduce((sum, word) => sum + matchOf(word, held), 0)
  return asked.length ? (2 * matched) / asked.length : 0
}

function matchOf(word: string, held: ReadonlySet<string>): number {
  if (held.has(word)) return 1
  const edits = word.length > 7 ? 2 : word.length > 3 ? 1 : 0
  if (edits === 0) return 0
  for (const other of held) if (other.length > 3 && editDistance(word, other, edits) <= edits) return 0.8
  return 0
}

// Questions are short; the longest names have about so many words.
const MOST_WORDS = 200
const LONGEST_NAME = 6

// "Who told us" names neither the WHO nor the US, unless written in capitals.
const isFunctionWord = (raw: string): boolean => isStopWord(fold(raw), 'en') && raw !== raw.toUpperCase()

export interface EntityName {
  id: string
  name: string
  type: string
  key: string
}

/** Entities whose name or an alias stands in the text (a question), the longest names first taken, in text order. */
export async function entitiesNamed(deps: Needs, workspaceId: string, text: string): Promise<EntityName[]> {
  const found = [...words(text)].slice(0, MOST_WORDS)
  const spans: { key: string; from: number; to: number }[] = []
  for (let from = 0; from < found.length; from++) {
    for (let to = from; to < Math.min(found.length, from + LONGEST_NAME); to++) {
      if (from === to && isFunctionWord(found[from]?.raw ?? '')) continue
      const key = nameKey(text.slice(found[from]?.start, found[to]?.end))
      if (key.length > 1) spans.push({ key, from, to })
    }
  }
  if (spans.length === 0) return []
  const entities = await selectByKeys(deps.db, workspaceId, [...new Set(spans.map((span) => span.key))])
  // Most mentioned first: a key that two entities share stands for the better known one.
  const byKey = new Map<string, EntityName>()
  for (const { id, name, type, key, keys } of entities) {
    for (const each of keys) if (!byKey.has(each) || each === key) byKey.set(each, { id, name, type, key })
  }
  const taken = new Set<number>()
  const named = new Map<string, EntityName & { at: number }>()
  for (const span of spans.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)) {
    const entity = byKey.get(span.key)
    const positions = Array.from({ length: span.to - span.from + 1 }, (_, i) => span.from + i)
    if (!entity || positions.some((position) => taken.has(position))) continue
    for (const position of positions) taken.add(position)
    if (!named.has(entity.id)) named.set(entity.id, { ...entity, at: span.from })
  }
  return [...named.values()].sort((a, b) => a.at - b.at).map(({ at: _at, ...entity }) => entity)
}

/** What the passages mention, rarest first (fewest documents), for the entity bridge; at most `limit`. */
export async function bridgeEntities(
  deps: Needs,
  workspaceId: string,
  passages: { document_id: string; chunk_no: number }[],
  limit: number,
): Promise<BridgeEntity[]> {
  return passages.length === 0 ? [] : selectBridges(deps.db, workspaceId, passages, limit)
}
