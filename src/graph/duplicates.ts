// Pairs of entities of a workspace that may be the same thing, for a person to decide. The test is that of merge-candidates.ts,
// applied to the entities that are mentioned most.

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { Duplicate, Page } from '../contract/resources.ts'
import type { Deps } from '../ports/deps.ts'
import { initialsOf } from './extract/names/coreference.ts'
import { type NamedEntity, selectMostMentioned } from './graph.sql.ts'
import { reasonFor } from './merge-candidates.ts'
import { selectDecisions } from './merges.sql.ts'
import { nameWords, typoForms } from './names.ts'

const MAX_ENTITIES = 2000
const MAX_PAIRS = 100
// If more names than this have a word ("limited", "committee"), it makes none of them alike.
const MAX_NAMES_WITH_WORD = 30
const REASONS = ['spelling', 'initials', 'part'] as const

interface Pair {
  reason: (typeof REASONS)[number]
  /** The one that is mentioned more often. */
  entity: NamedEntity
  other: NamedEntity
}

/** Without the pairs that a person has merged or kept apart. @throws ApiError 404 */
export async function listDuplicates(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
): Promise<Page<Duplicate>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const pairs = alikePairs(await selectMostMentioned(deps.db, workspaceId, MAX_ENTITIES))
  const ids = [...new Set(pairs.flatMap(({ entity, other }) => [entity.id, other.id]))]
  const decisions = await selectDecisions(deps.db, workspaceId, ids)
  const rejectedPairs = new Set(decisions.map(({ from_id, into_id }) => pairKey(from_id, into_id)))
  const data = pairs
    .filter(({ entity, other }) => !rejectedPairs.has(pairKey(entity.id, other.id)))
    .slice(0, MAX_PAIRS)
    .map(({ reason, entity, other }) => ({
      reason,
      entity: publicFields(entity),
      other: publicFields(other),
    }))
  return { data, has_more: false, next_cursor: null }
}

const pairKey = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`)

const publicFields = ({ key: _key, keys: _keys, ...entity }: NamedEntity): Duplicate['entity'] => entity

/** Pairs of names that are alike, by strength of the reason and then by how often both are mentioned. */
export function alikePairs(entities: readonly NamedEntity[]): Pair[] {
  const byWord = new Map<string, NamedEntity[]>()
  const addToWord = (word: string, entity: NamedEntity): void => {
    const sameWordEntities = byWord.get(word)
    if (sameWordEntities) sameWordEntities.push(entity)
    else byWord.set(word, [entity])
  }
  const formsOf = (entity: NamedEntity): Set<string> => {
    const firstWords = nameWords(entity.name).slice(0, 12)
    const initials = entity.key.includes(' ') ? [`=${initialsOf(entity.key.split(' '))}`] : [`=${entity.key}`]
    return new Set([...firstWords, ...firstWords.flatMap(typoForms), ...initials])
  }
  for (const entity of entities) for (const form of formsOf(entity)) addToWord(form, entity)
  const pairs = new Map<string, Pair>()
  for (const sameWordEntities of byWord.values()) {
    if (sameWordEntities.length > MAX_NAMES_WITH_WORD) continue
    for (const [i, a] of sameWordEntities.entries())
      for (const b of sameWordEntities.slice(i + 1)) {
        const key = pairKey(a.id, b.id)
        const reason = pairs.has(key) ? undefined : reasonFor(a, b)
        if (!reason || reason === 'short_form') continue
        const [entity, other] = a.mention_count < b.mention_count ? [b, a] : [a, b]
        pairs.set(key, { reason, entity, other })
      }
  }
  const rank = ({ reason }: Pair): number => REASONS.indexOf(reason)
  return [...pairs.values()].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      b.other.mention_count - a.other.mention_count ||
      b.entity.mention_count - a.entity.mention_count ||
      (a.other.id < b.other.id ? -1 : 1),
  )
}
