// The changes between two versions of a document: paragraphs that are new, deleted or changed.

import { type Change, diffArrays, diffWordsWithSpace } from 'diff'
import type { Output } from '../../../src/client/client.ts'

type Text = Output<'getVersionText'>
type Paragraph = Text['paragraphs'][number]
export type Piece = Pick<Change, 'value'> & { added?: boolean; removed?: boolean }

export interface Changed {
  /** Its page now, or its last page if it was deleted. */
  page: number | null
  pieces: Piece[]
}

// Two texts with nothing in common would take minutes to compare, and the result would say nothing.
const MAX_EDITS = 4000

/** Undefined if the two have too little in common. */
export function changesBetween(before: Text, after: Text): Changed[] | undefined {
  const parts = diffArrays<Paragraph>(before.paragraphs, after.paragraphs, {
    comparator: (one, other) => sameWords(one.text) === sameWords(other.text),
    maxEditLength: MAX_EDITS,
  })
  if (!parts) return undefined
  const changes: Changed[] = []
  parts.forEach((part, i) => {
    if (part.removed) {
      const next = parts[i + 1]
      changes.push(...paired(part.value, next?.added ? next.value : []))
    } else if (part.added && !parts[i - 1]?.removed) changes.push(...paired([], part.value))
  })
  return changes
}

const sameWords = (text: string): string => text.replace(/\s+/g, ' ')

/** Pairs paragraphs in order: the first deleted one with the first new one, and so on. */
function paired(removed: readonly Paragraph[], came: readonly Paragraph[]): Changed[] {
  return Array.from({ length: Math.max(removed.length, came.length) }, (_, i) => {
    const [old, now] = [removed[i], came[i]]
    return { page: (now ?? old)?.page ?? null, pieces: piecesOf(old?.text ?? '', now?.text ?? '') }
  })
}

/** Compares word by word if most words are unchanged. Otherwise shows one text, then the other. */
function piecesOf(old: string, now: string): Piece[] {
  const whole = [
    { value: old, removed: true },
    { value: now, added: true },
  ].filter(({ value }) => value !== '')
  if (whole.length < 2) return whole
  const pieces = diffWordsWithSpace(old, now)
  const commonLength = pieces.reduce(
    (sum, piece) => sum + (piece.added || piece.removed ? 0 : piece.value.length),
    0,
  )
  return commonLength * 2 > Math.max(old.length, now.length) ? pieces : whole
}
