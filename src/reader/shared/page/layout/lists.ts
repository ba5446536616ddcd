// Finds the entries of bulleted lists that liteparse joins to a paragraph or does not recognise, indents entries, and keeps symbols
// such as checkboxes at the end of a line with that line.

import type { BBox } from '../../../block.ts'
import { entryText, hasBullet, isEntry } from '../marks.ts'
import { EDGE, INDENT, usualHeight } from '../tolerance.ts'
import type { PlacedBlock } from './boxes.ts'

const MIN_ENTRIES = 2
const MAX_LEVELS = 3

interface PlacedLine {
  text: string
  bbox: BBox
}

/**
 * The indexes of the lines of a block that begin an entry, and of those that begin text that does not belong to the entry above.
 * Such text begins no further right than the mark of that entry. Empty if the lines are not a list.
 */
export function listCuts(lines: readonly PlacedLine[]): number[] {
  const mark = lines.find(({ text }) => isEntry(text))?.text[0]
  if (mark === undefined) return []
  const starts = lines.flatMap(({ text }, i) => (text[0] === mark && /^.\s*\S/u.test(text) ? [i] : []))
  const lefts = starts.map((i) => lines[i]?.bbox[0] ?? 0)
  // Bulleted entries may have several left edges, one for each level. Entries with dashes must share one edge, because a dash may
  // be part of a sentence.
  const maxLevels = hasBullet(mark) ? MAX_LEVELS : 1
  const height = usualHeight(lines)
  if (levelsOf(lefts, height).length > maxLevels || starts.length < MIN_ENTRIES) return []
  const first = starts[0] ?? 0
  const isTextAfterEntry = ({ bbox }: PlacedLine, i: number): boolean => {
    const entryStart = starts.findLastIndex((start) => start < i)
    return i > first && !starts.includes(i) && bbox[0] < (lefts[entryStart] ?? 0) + height * EDGE
  }
  const areTextAfterEntry = lines.map(isTextAfterEntry)
  const textStarts = lines.flatMap((_, i) => (areTextAfterEntry[i] && !areTextAfterEntry[i - 1] ? [i] : []))
  return [...starts, ...textStarts].sort((a, b) => a - b)
}

/** The left edge of each level of entries, ascending; `height` is the height of a line. */
export function levelsOf(lefts: readonly number[], height: number): number[] {
  const levels: number[] = []
  for (const x of [...lefts].sort((a, b) => a - b))
    if (x - (levels.at(-1) ?? Number.NEGATIVE_INFINITY) >= height * INDENT[0]) levels.push(x)
  return levels
}

/** Indents entries by their levels. */
export function withIndents(pieces: readonly PlacedBlock[], height: number): PlacedBlock[] {
  const isListEntry = ({ kind, text }: PlacedBlock): boolean => kind === 'list' && text.startsWith('- ')
  const levels = levelsOf(
    pieces.filter(isListEntry).map(({ bbox }) => bbox[0]),
    height,
  )
  return pieces.map((piece) => {
    if (!isListEntry(piece)) return piece
    const level = levels.findLastIndex((edge) => edge <= piece.bbox[0])
    return { ...piece, text: `${'  '.repeat(level)}${piece.text}` }
  })
}

/** The indent of a piece of the list `block`: that of the list, and one more level if the piece begins further right. */
export function entryIndent(block: PlacedBlock, height: number, pieceBox = block.bbox): string {
  const indent = /^ */.exec(block.text)?.[0] ?? ''
  return pieceBox[0] - block.bbox[0] > height * INDENT[0] ? `${indent}  ` : indent
}

/**
 * The pieces of a block. If a line begins with a star and only one piece is a list, that piece is a note: it becomes a paragraph
 * with its star.
 */
export function withNoteMark(
  pieces: readonly PlacedBlock[],
  lines: readonly { text: string }[],
): PlacedBlock[] {
  const isNote = lines.some(({ text }) => text.startsWith('* '))
  if (!isNote || pieces.filter(({ kind }) => kind === 'list').length !== 1) return [...pieces]
  return pieces.map((piece) =>
    piece.kind === 'list' ? { ...piece, kind: 'paragraph', text: piece.text.replace(/^\s*-/, '*') } : piece,
  )
}

/** Splits a block that ends with bulleted lines into the text before them and a list. */
export function withLists(block: PlacedBlock): PlacedBlock[] {
  const isText = block.kind === 'paragraph' || block.kind === 'heading'
  const lines = block.text.split('\n')
  const first = lines.findIndex((line) => hasBullet(line))
  if (!isText || first < 0 || !lines.slice(first).every((line) => hasBullet(line))) return [block]
  const { level: _, ...rest } = block
  const list: PlacedBlock = { ...rest, kind: 'list', text: lines.slice(first).map(entryText).join('\n') }
  return first === 0 ? [list] : [{ ...block, text: lines.slice(0, first).join('\n') }, list]
}

/**
 * The length of the signs that end the last of `lines` ("☐" in "Yes ☒ No ☐"), if `rest`, the block's text after the last letter of
 * these lines, begins with them; otherwise 0.
 */
export function signsAtEnd(rest: string, lines: readonly { text: string }[]): number {
  // Word by word, because a single regular expression takes 0.7 s for a line of 20,000 signs.
  const words = (lines.at(-1)?.text ?? '').trimEnd().split(/\s+/)
  const last = words.findLastIndex((word) => /[\p{L}\p{N}]/u.test(word))
  let end = 0
  for (const sign of words.slice(Math.max(0, last) + 1)) {
    const start = end + (/^\s*/.exec(rest.slice(end))?.[0].length ?? 0)
    if (!rest.startsWith(sign, start)) return 0
    end = start + sign.length
  }
  return end
}
