// The changes between two versions of a document: paragraphs that are new, deleted or changed.

import { type Change, diffArrays, diffWordsWithSpace } from 'diff'
import type { Output } from '../../../src/client/client.ts'
import { rowWithDots } from '../../../src/transcript/source.ts'

type Text = Output<'getVersionText'>
type Paragraph = Text['paragraphs'][number]
export type Piece = Pick<Change, 'value'> & { added?: boolean; removed?: boolean }

export interface ParagraphChange {
  /** The page of the paragraph in the new version, or in the old one if the paragraph was deleted. */
  page: number | null
  pieces: Piece[]
}

// Two texts with nothing in common would take minutes to compare, and the result would say nothing.
const MAX_EDITS = 4000

/** Returns undefined if the two texts have too little in common. */
export function changesBetween(before: Text, after: Text): ParagraphChange[] | undefined {
  const parts = diffArrays<Paragraph>(readableParagraphs(before), readableParagraphs(after), {
    comparator: (one, other) => collapseSpaces(one.text) === collapseSpaces(other.text),
    maxEditLength: MAX_EDITS,
  })
  if (!parts) return undefined
  const changes: ParagraphChange[] = []
  parts.forEach((part, i) => {
    if (part.removed) {
      const next = parts[i + 1]
      changes.push(...pairParagraphs(part.value, next?.added ? next.value : []))
    } else if (part.added && !parts[i - 1]?.removed) changes.push(...pairParagraphs([], part.value))
  })
  return changes
}

const collapseSpaces = (text: string): string => text.replace(/\s+/g, ' ')

// A paragraph that is a row of a table. Code has lines of its own, so it is no row unless it is a single line that looks like one.
const ROW = /^\|.*\|$/
const RULE = /^\|(?: *:?-+:? *\|)+$/
// A row of the table can have a dash in each cell, but hardly three.
const LONG_RULE = /^\|(?: *:?-{3,}:? *\|)+$/

/** The paragraphs, rows of tables as "North 1 · 12 m · € 240". The line below the head of a table is left out. */
function readableParagraphs({ paragraphs }: Text): Paragraph[] {
  const isRow = (i: number): boolean => ROW.test(paragraphs[i]?.text ?? '')
  return paragraphs.flatMap(({ page, text }, i) => {
    if (!isRow(i)) return [{ page, text }]
    const isSecond = isRow(i - 1) && !isRow(i - 2)
    if ((isSecond ? RULE : LONG_RULE).test(text)) return []
    return [{ page, text: collapseSpaces(rowWithDots(text).replaceAll('\\|', '|')).trim() }]
  })
}

/** Pairs paragraphs in order: the first deleted one with the first new one, and so on. */
function pairParagraphs(
  removedParagraphs: readonly Paragraph[],
  addedParagraphs: readonly Paragraph[],
): ParagraphChange[] {
  return Array.from({ length: Math.max(removedParagraphs.length, addedParagraphs.length) }, (_, i) => {
    const [before, after] = [removedParagraphs[i], addedParagraphs[i]]
    return {
      page: (after ?? before)?.page ?? null,
      pieces: piecesOf(before?.text ?? '', after?.text ?? ''),
    }
  }).filter(({ pieces }) => pieces.length > 0)
}

/** Compares word by word if most words are unchanged. Otherwise shows one text, then the other. */
function piecesOf(before: string, after: string): Piece[] {
  const wholeTexts = [
    { value: before, removed: true },
    { value: after, added: true },
  ].filter(({ value }) => value !== '')
  if (wholeTexts.length < 2) return wholeTexts
  const pieces = diffWordsWithSpace(before, after)
  const commonLength = pieces.reduce(
    (sum, piece) => sum + (piece.added || piece.removed ? 0 : piece.value.length),
    0,
  )
  return commonLength * 2 > Math.max(before.length, after.length) ? pieces : wholeTexts
}
