// Candidates for merging: entities that may be the same thing under another name. A person decides, because similar names alone
// never merge.

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { MergeCandidate, Page } from '../contract/resources.ts'
import { notFound } from '../errors.ts'
import { allowedEdits, editDistance } from '../language/edit-distance.ts'
import type { Deps } from '../ports/deps.ts'
import { initialsOf } from './extract/names/coreference.ts'
import { type NamedEntity, selectEntity, selectNameCandidates } from './graph.sql.ts'
import { selectByIds, selectByInitials, selectStatedShortForms } from './merge-candidates.sql.ts'
import { selectDecisions } from './merges.sql.ts'
import { nameWords, typoForms } from './names.ts'
import { areCompatible, digitsOf, isShortKey } from './resolve/short-forms.ts'

const MAX_CANDIDATES = 25

type Reason = MergeCandidate['reason']
const REASONS: readonly Reason[] = ['short_form', 'spelling', 'initials', 'part']

/**
 * Entities that may be the same as this one, those with the strongest reason first. Entities about which a person has decided are
 * excluded.
 * @throws ApiError 404
 */
export async function listMergeCandidates(
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
  const similarEntities = await selectNameCandidates(deps.db, workspaceId, {
    keys: initials ? [initials] : [],
    prefix: '',
    words: [...words, ...words.flatMap(typoForms)],
    type: undefined,
  })
  const entitiesWithInitials = isShortKey(entity.key)
    ? await selectByInitials(deps.db, workspaceId, entity.key)
    : []
  const statedShortForms = await selectStatedShortForms(deps.db, workspaceId, entity)
  const decisions = await selectDecisions(deps.db, workspaceId, [entity.id])
  const decidedIds = new Set(decisions.flatMap((row) => [row.from_id, row.into_id]))
  const candidates = new Map<string, { reason: Reason; entity: NamedEntity }>()
  for (const other of [...statedShortForms, ...similarEntities, ...entitiesWithInitials]) {
    if (other.id === entity.id || decidedIds.has(other.id) || candidates.has(other.id)) continue
    const reason = statedShortForms.includes(other) ? 'short_form' : reasonFor(entity, other)
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

type NameAndType = Pick<NamedEntity, 'key' | 'type'>

/**
 * The parts that must be equal: short words and words with digits. SVC-A and SVC-D, HL-2 and HL-2R, DGX and HGX systems, J. Marsh
 * and K. Marsh are no misspellings of each other.
 */
const exactPartsOf = (key: string): string =>
  key
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => allowedEdits(part) === 0 || /\p{N}/u.test(part))
    .join(' ')

/** Why two names may refer to the same thing. Undefined if their types or digits differ, or if the names are not similar. */
export function reasonFor(a: NameAndType, b: NameAndType): Reason | undefined {
  if (!areCompatible(a.type, b.type) || digitsOf(a.key) !== digitsOf(b.key)) return undefined
  const [shortKey, longKey] = a.key.length < b.key.length ? [a.key, b.key] : [b.key, a.key]
  const edits = allowedEdits(shortKey)
  if (exactPartsOf(shortKey) === exactPartsOf(longKey) && editDistance(shortKey, longKey, edits) <= edits)
    return 'spelling'
  const words = longKey.split(' ')
  const parts = shortKey.split(' ')
  if (parts.length === 1 && words.length > 1 && initialsOf(words) === shortKey) return 'initials'
  return parts.every((part) => part.length > 2 && words.includes(part)) ? 'part' : undefined
}
