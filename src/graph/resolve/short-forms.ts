// The one merge across documents that nobody has to ask for: a short form that a document explains ("World Health
// Organization (WHO)") and its plain use elsewhere. Pure, so that the order of uploads does not matter.

import { type NamedPart, typeOf } from './canonical.ts'

/** What may merge by itself: a name of capitals and digits. Its key is the same in lower case. */
export const isShortKey = (key: string): boolean => /^[a-z0-9]{2,10}$/.test(key) && /[a-z].*[a-z]/.test(key)

export interface ShortForm {
  id: string
  key: string
  /** Its mentions where no document explains it. */
  parts: readonly NamedPart[]
  /** The entities that documents say it stands for. */
  longs: readonly { id: string; key: string; parts: readonly NamedPart[] }[]
  /** What a person decided with this entity at either end, undone ones included. */
  decided: readonly { from_id: string; into_id: string; state: string }[]
}

/**
 * The entity a short form counts for, and why; undefined when nothing or more than one thing explains it, when types or
 * digits differ, or when a person has decided about it.
 */
export function explanationOf(short: ShortForm): { id: string; key: string; reason: string } | undefined {
  // A surname in capitals is part of the name, not its acronym.
  const longs = short.longs.filter(({ key }) => key.includes(' ') && !key.split(' ').includes(short.key))
  const [long, ...others] = longs
  if (!long || others.length > 0 || !short.parts.some(({ own }) => own)) return undefined
  const blocked = short.decided.some(
    ({ from_id, into_id, state }) =>
      state === 'manual' || (state === 'undone' && from_id === short.id && into_id === long.id),
  )
  const alike =
    areCompatible(typeOf(short.parts), typeOf(long.parts)) && digits(short.key) === digits(long.key)
  if (blocked || !alike) return undefined
  return {
    id: long.id,
    key: long.key,
    reason: `a document says that ${short.key.toUpperCase()} is short for it`,
  }
}

export const areCompatible = (a: string, b: string): boolean => a === b || a === 'other' || b === 'other'

/** Names that differ in a number are different things. */
export const digits = (key: string): string => (key.match(/\d+/g) ?? []).join(' ')
