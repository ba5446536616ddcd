// An automatic merge across documents: the use of a short form is merged into the expansion that another document gives, as in
// "World Health Organization (WHO)". The result does not depend on the order of uploads.

import { majorityType, type SurfaceCount } from './canonical.ts'

/** Whether a key may belong to a short form, which is written in capitals and digits. */
export const isShortKey = (key: string): boolean => /^[a-z0-9]{2,10}$/.test(key) && /[a-z].*[a-z]/.test(key)

export interface ShortForm {
  id: string
  key: string
  /** The counts of the mentions under its own key, which no document explains. */
  surfaceCounts: readonly SurfaceCount[]
  /** The entities that documents give as its expansion. */
  expansions: readonly { id: string; key: string; surfaceCounts: readonly SurfaceCount[] }[]
  /** Manual and undone merges with this entity at either end. */
  decisions: readonly { from_id: string; into_id: string; state: string }[]
}

/**
 * The entity that a short form is merged into, and the reason. Undefined if there is not exactly one expansion, if types or digits
 * differ, or if a person has decided otherwise.
 */
export function expansionOf(shortForm: ShortForm): { id: string; key: string; reason: string } | undefined {
  // A surname in capitals is a part of the name and not an acronym of it.
  const candidates = shortForm.expansions.filter(
    ({ key }) => key.includes(' ') && !key.split(' ').includes(shortForm.key),
  )
  const [expansion, ...others] = candidates
  if (!expansion || others.length > 0 || !shortForm.surfaceCounts.some(({ own }) => own)) return undefined
  const isRejected = shortForm.decisions.some(
    ({ from_id, into_id, state }) =>
      state === 'manual' || (state === 'undone' && [from_id, into_id].includes(expansion.id)),
  )
  const isSameType =
    areCompatible(majorityType(shortForm.surfaceCounts), majorityType(expansion.surfaceCounts)) &&
    digitsOf(shortForm.key) === digitsOf(expansion.key)
  if (isRejected || !isSameType) return undefined
  return {
    id: expansion.id,
    key: expansion.key,
    reason: `a document says that ${shortForm.key.toUpperCase()} is short for it`,
  }
}

export const areCompatible = (a: string, b: string): boolean => a === b || a === 'other' || b === 'other'

/** The digits of a key. Names with different digits refer to different things. */
export const digitsOf = (key: string): string => (key.match(/\d+/g) ?? []).join(' ')
