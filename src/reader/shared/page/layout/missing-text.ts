// Finds text of a page that is in no block of liteparse and returns it as paragraphs, so that every word of every page is in a
// block.

import type { TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../../block.ts'
import { isMark } from '../marks.ts'
import { isCentreInside, itemsIn, type PlacedBlock, type PlacedLayout, rectBox, union } from './boxes.ts'
import { isBold } from './line-fonts.ts'
import { joinWrappedLines, type TextLine } from './paragraphs.ts'
import { lettersIn, lettersOf, plainWords } from './words.ts'

// An item is missing if more than this share of its words is in no block.
const MIN_MISSING_SHARE = 0.3
// In points. The box of a piece is that of its letters and may be too small by this.
const BOX_SLACK = 3
// The box of a piece may contain only its first line. A text of at least this length that is also in the piece belongs to it, if
// it is at most this far above or below.
const MIN_SPILL_CHARACTERS = 12
const MAX_SPILL_POINTS = 24
// In line heights: the maximum gap between lines of a paragraph. With LINE_GAP (.7), notes were joined, and values with labels.
const MAX_PARAGRAPH_LINE_GAP = 0.6
// In points: the maximum gap between the cells of a row.
const MAX_CELL_GAP = 200
// In points: the maximum gap between words of a text.
const MAX_WORD_GAP = 20

/** A piece of text of the layout. */
export interface Piece {
  text: string
  bbox: BBox
}

interface PieceWords {
  /** The words of the piece without spaces. */
  letters: string
  /** The words that cover no item yet, with the number of their occurrences. */
  words: Map<string, number>
  bbox: BBox
}

/**
 * The items whose text is not in the pieces at their position. Each word of a piece covers one word of the items, so the label
 * of a row is missing even if a footnote has the same words.
 */
export function missingItems(items: readonly TextItem[], pieces: readonly Piece[]): Set<TextItem> {
  const allPieces = pieces.map(pieceWords)
  const doubtfulItems: { item: TextItem; words: string[]; nearPieces: PieceWords[] }[] = []
  for (const item of items) {
    const box = rectBox(item)
    const words = plainWords(item.text)
    const text = words.join('')
    const nearPieces = allPieces.filter((piece) => isCentreInside(box, piece.bbox, BOX_SLACK))
    const containingPiece =
      nearPieces.find((piece) => piece.letters.includes(text)) ??
      allPieces.find((piece) => spillsInto(text, box, piece))
    // An item whose whole text is in a piece takes its words first, so that lines with the same phrases do not take them.
    if (containingPiece === undefined) doubtfulItems.push({ item, words, nearPieces })
    else for (const word of words) takeWord([containingPiece], word)
  }
  const missingTexts = doubtfulItems.filter(
    ({ words, nearPieces }) =>
      words.filter((word) => !takeWord(nearPieces, word)).length > words.length * MIN_MISSING_SHARE,
  )
  return withMarks(new Set(missingTexts.map(({ item }) => item)), items)
}

/** A heading with the box of all of its lines, because liteparse often returns the box of the first one. */
export function withWholeBox(layout: PlacedLayout, items: readonly TextItem[]): PlacedLayout {
  const { kind, text = '', bbox } = layout
  if (kind !== 'heading') return layout
  const letters = lettersIn(text)
  const firstBox = rectBox(bbox)
  let headingItems = itemsIn(items, firstBox)
  let [box, rest] = [firstBox, letters.slice(lettersOf(headingItems).length)]
  if (!letters.startsWith(lettersOf(headingItems))) return layout
  while (headingItems.length > 0 && rest !== '') {
    const [, , , bottom] = box
    headingItems = []
    for (const item of items.filter(({ y }) => y > bottom - BOX_SLACK && y - bottom < MAX_SPILL_POINTS)) {
      const next = lettersOf([item])
      if (next === '' || !rest.startsWith(next)) continue
      rest = rest.slice(next.length)
      headingItems.push(item)
    }
    box = headingItems.map(rectBox).reduce(union, box)
  }
  const [x, y, right, end] = box
  return { ...layout, bbox: { x, y, width: right - x, height: end - y } }
}

// In points: the maximum gap between the mark of an entry and its text.
const MAX_MARK_GAP = 18

/** Adds the marks of entries before missing text. They have no words, so they are never missing by themselves. */
function withMarks(missingTexts: ReadonlySet<TextItem>, items: readonly TextItem[]): Set<TextItem> {
  if (missingTexts.size === 0) return new Set()
  const texts = [...missingTexts]
  const isBefore = (mark: TextItem): boolean =>
    texts.some((item) => {
      const isOnLine = mark.y < item.y + item.height && item.y < mark.y + mark.height
      return isOnLine && item.x > mark.x && item.x - mark.x - mark.width < MAX_MARK_GAP
    })
  return new Set(
    items.filter((item) => missingTexts.has(item) || (isMark(item.text.trim()) && isBefore(item))),
  )
}

/** Whether a longer text right below or above the box of a piece belongs to the piece. */
function spillsInto(text: string, item: BBox, { letters, bbox }: PieceWords): boolean {
  if (text.length < MIN_SPILL_CHARACTERS || !letters.includes(text)) return false
  const overlap = Math.min(item[2], bbox[2]) - Math.max(item[0], bbox[0])
  return overlap > 0 && item[1] - bbox[3] < MAX_SPILL_POINTS && bbox[1] - item[3] < MAX_SPILL_POINTS
}

function pieceWords({ text, bbox }: Piece): PieceWords {
  const allWords = plainWords(text)
  const words = new Map<string, number>()
  for (const word of allWords) words.set(word, (words.get(word) ?? 0) + 1)
  return { letters: allWords.join(''), words, bbox }
}

/** Takes a word from one of the pieces. Returns whether one had it. */
function takeWord(pieces: readonly PieceWords[], word: string): boolean {
  for (const { words } of pieces) {
    const count = words.get(word) ?? 0
    if (count === 0) continue
    words.set(word, count - 1)
    return true
  }
  return false
}

/** Missing items as paragraphs in the parser's order, with their positions. `all` are the items of the page. */
export function missingBlocks(items: readonly TextItem[], page: number, all = items): PlacedBlock[] {
  const uprightItems = items.filter(({ rotation }) => !isSideways(rotation))
  return [
    ...joinLines(uprightItems, all, page),
    ...sidewaysLines(items.filter(({ rotation }) => isSideways(rotation))).map((line) =>
      sidewaysBlock(line, page),
    ),
  ]
}

/** Whether a text runs up or down the page. */
export const isSideways = (rotation = 0): boolean => Math.abs((Math.abs(rotation) % 180) - 90) < 1

// In line heights: the maximum gap between two words of a line.
const MAX_SIDEWAYS_GAP = 1.5

/** Lines of vertical text in reading order: upwards (270 degrees) or downwards (90). */
function sidewaysLines(items: readonly TextItem[]): TextItem[][] {
  const lines: TextItem[][] = []
  const isUpwards = ({ rotation = 0 }: TextItem): boolean => (rotation + 360) % 360 > 180
  const startOf = (item: TextItem): number => (isUpwards(item) ? -item.y - item.height : item.y)
  for (const item of [...items].sort((a, b) => startOf(a) - startOf(b))) {
    const line = lines.find((other) => {
      const last = other.at(-1)
      if (last === undefined || isUpwards(last) !== isUpwards(item)) return false
      const gap = startOf(item) - startOf(last) - last.height
      const overlap = Math.min(last.x + last.width, item.x + item.width) - Math.max(last.x, item.x)
      return overlap > item.width / 2 && Math.abs(gap) < item.width * MAX_SIDEWAYS_GAP
    })
    if (line === undefined) lines.push([item])
    else line.push(item)
  }
  return lines
}

const sidewaysBlock = (line: readonly TextItem[], page: number): PlacedBlock => ({
  kind: 'paragraph',
  text: line.map(({ text }) => text).join(' '),
  page,
  bbox: line.map(rectBox).reduce(union),
})

interface OpenBlock {
  lines: TextLine[]
  bbox: BBox
  bold: boolean
}

function joinLines(items: readonly TextItem[], all: readonly TextItem[], page: number): PlacedBlock[] {
  const blocks: OpenBlock[] = []
  for (const item of items) {
    const bbox = rectBox(item)
    const last = blocks.at(-1)
    const line = last?.lines.at(-1)
    if (last !== undefined && line !== undefined && isOnLine(line.bbox, bbox)) {
      line.text += ` ${item.text}`
      line.bbox = union(line.bbox, bbox)
    } else if (last !== undefined && last.bold === isBold(item) && isNextLineOf(last, bbox))
      last.lines.push({ text: item.text, bbox })
    else blocks.push({ lines: [{ text: item.text, bbox }], bbox, bold: isBold(item) })
    const openBlock = blocks.at(-1)
    if (openBlock !== undefined) openBlock.bbox = union(openBlock.bbox, bbox)
  }
  return blocks.map(({ lines, bbox }) => ({
    kind: 'paragraph',
    text: joinWrappedLines(lines, all),
    page,
    bbox,
  }))
}

/** Whether an item continues a line. After a wide gap it must be nearly level: text of the next column may be half a line lower. */
function isOnLine(line: BBox, item: BBox): boolean {
  const gap = item[0] - line[2]
  const maxOffset = (item[3] - item[1]) * (gap < MAX_WORD_GAP ? 0.5 : 0.3)
  return Math.abs(line[3] - item[3]) < maxOffset && gap >= -1 && gap < MAX_CELL_GAP
}

/** Whether an item is the next line of an open block. */
function isNextLineOf({ bbox, lines }: OpenBlock, item: BBox): boolean {
  const height = Math.max(4, item[3] - item[1])
  const gap = item[1] - (lines.at(-1)?.bbox[3] ?? bbox[3])
  return gap > -height && gap < height * MAX_PARAGRAPH_LINE_GAP && item[0] < bbox[2] && item[2] > bbox[0]
}
