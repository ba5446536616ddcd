// Candidates for merging: entities that may be another name of an entity. People decide; similarity never merges
// automatically (P .36).

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { MergeCandidate, Page } from '../contract/resources.ts'
import { notFound } from '../errors.ts'
import { allowedEdits, editDistance } from '../language/edit-distance.ts'
import type { Deps } from '../ports/deps.ts'
import { initialsOf } from './extract/names/coreference.ts'
import { type NamedEntity, selectEntity, selectNameCandidates } from './graph.sql.ts'
import { selectByIds, selectByInitials, selectExplained } from './merge-candidates.sql.ts'
import { selectDecisions } from './merges.sql.ts'
import { nameWords, typoForms } from './names.ts'
import { areCompatible, digitsOf, isShortKey } from './resolve/short-forms.ts'

const MAX_CANDIDATES = 25

type Reason = MergeCandidate['reason']
const REASONS: readonly Reason[] = ['short_form', 'spelling', 'initials', 'part']

/**
 * Entities that may be the same as this one, by strength of the reason; not those that a person has undone. @throws
 * 404
 */
export async function listCandidates(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  entityId: string,
): Promise<Page<MergeCandidate>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const root = await selectEntity(deps.db, workspaceId, entityId)
  const [entity] = root ? await selectByIds(deps.db, workspaceId, [root.id]) : []
  if (!entity) throw notFound()
  const words = nameWords(entity.name).slice(0, 12)
  const initials = entity.key.includes(' ') ? initialsOf(entity.key.split(' ')) : ''
  const similar = await selectNameCandidates(deps.db, workspaceId, {
    keys: initials ? [initials] : [],
    prefix: '',
    words: [...words, ...words.flatMap(typoForms)],
    type: undefined,
  })
  const long = isShortKey(entity.key) ? await selectByInitials(deps.db, workspaceId, entity.key) : []
  const explained = await selectExplained(deps.db, workspaceId, entity)
  const decided = await selectDecisions(deps.db, workspaceId, [entity.id])
  const decidedIds = new Set(decided.flatMap((row) => [row.from_id, row.into_id]))
  const candidates = new Map<string, { reason: Reason; entity: NamedEntity }>()
  for (const other of [...explained, ...similar, ...long]) {
    if (other.id === entity.id || decidedIds.has(other.id) || candidates.has(other.id)) continue
    const reason = explained.includes(other) ? 'short_form' : likeness(entity, other)
    if (reason) candidates.set(other.id, { reason, entity: other })
  }
  const data = [...candidates.values()]
    .sort(
      (a, b) =>
        REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason) ||
        b.entity.mention_count - a.entity.mention_count ||
        (a.entity.id < b.entity.id ? -1 : 1),
    )
    .slice(0, MAX_CANDIDATES)
    .map(({ reason, entity: { key: _key, keys: _keys, ...publicFields } }) => ({
      reason,
      entity: publicFields,
    }))
  return { data, has_more: false, next_cursor: null }
}

type Named = Pick<NamedEntity, 'key' | 'type'>

/** Initials and codes are no misspellings of each other: SVC-A and SVC-D, HL-2 and HL-2R, J. Marsh and K. Marsh. */
const exactPartsOf = (key: string): string =>
  key
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length <= 2 || /\p{N}/u.test(part))
    .join(' ')

/** Why two names may be the same; undefined when types or digits differ or nothing is similar. */
export function likeness(a: Named, b: Named): Reason | undefined {
  if (!areCompatible(a.type, b.type) || digitsOf(a.key) !== digitsOf(b.key)) return undefined
  const [short, long] = a.key.length < b.key.length ? [a.key, b.key] : [b.key, a.key]
  const edits = allowedEdits(short)
  if (exactPartsOf(short) === exactPartsOf(long) && editDistance(short, long, edits) <= edits)
    return 'spelling'
  const words = long.split(' ')
  const parts = short.split(' ')
  if (parts.length === 1 && words.length > 1 && initialsOf(words) === short) return 'initials'
  return parts.every((part) => part.length > 2 && words.includes(part)) ? 'part' : undefined
}
