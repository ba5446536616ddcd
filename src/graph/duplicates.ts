// Pairs of entities that may be the same thing, for a person to decide. The most mentioned entities of a workspace are compared as
// in merge-candidates.ts.

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
// Further words of a name are ignored.
const MAX_WORDS = 12
// A word that more names contain, such as "limited" or "committee", makes no two names alike.
const MAX_NAMES_WITH_WORD = 30
const REASONS = ['spelling', 'initials', 'part'] as const

interface Pair {
  reason: (typeof REASONS)[number]
  /** The entity that is mentioned more often. */
  entity: NamedEntity
  other: NamedEntity
}

/** The pairs about which no person has decided yet. @throws ApiError 404 */
export async function listDuplicates(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
): Promise<Page<Duplicate>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const pairs = findSimilarPairs(await selectMostMentioned(deps.db, workspaceId, MAX_ENTITIES))
  const ids = [...new Set(pairs.flatMap(({ entity, other }) => [entity.id, other.id]))]
  const decisions = await selectDecisions(deps.db, workspaceId, ids)
  const decidedPairs = new Set(decisions.map(({ from_id, into_id }) => pairKey(from_id, into_id)))
  const data = pairs
    .filter(({ entity, other }) => !decidedPairs.has(pairKey(entity.id, other.id)))
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

/** The pairs of entities with similar names: the strongest reason first, then the most mentioned. */
export function findSimilarPairs(entities: readonly NamedEntity[]): Pair[] {
  const byForm = new Map<string, NamedEntity[]>()
  const addForm = (form: string, entity: NamedEntity): void => {
    const sameFormEntities = byForm.get(form)
    if (sameFormEntities) sameFormEntities.push(entity)
    else byForm.set(form, [entity])
  }
  const formsOf = (entity: NamedEntity): Set<string> => {
    const firstWords = nameWords(entity.name).slice(0, MAX_WORDS)
    // An acronym and a name with these initials share a form: "=who" for "World Health Organization" and "WHO".
    const initials = entity.key.includes(' ') ? [`=${initialsOf(entity.key.split(' '))}`] : [`=${entity.key}`]
    return new Set([...firstWords, ...firstWords.flatMap(typoForms), ...initials])
  }
  for (const entity of entities) for (const form of formsOf(entity)) addForm(form, entity)
  const pairs = new Map<string, Pair>()
  for (const sameFormEntities of byForm.values()) {
    if (sameFormEntities.length > MAX_NAMES_WITH_WORD) continue
    for (const [i, a] of sameFormEntities.entries())
      for (const b of sameFormEntities.slice(i + 1)) {
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
