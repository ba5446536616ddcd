// Turns listings, which are successive lines in a monospaced font, into code blocks with line breaks and indents. Liteparse joins
// such lines to paragraphs, or reads a line as a heading, a list item or a number.

import type { TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../../block.ts'
import { type Line, textLines } from '../tables/lines.ts'
import { itemsIn, type PlacedBlock, rectBox, union } from './boxes.ts'
import { findMonospacedItems } from './line-fonts.ts'

// A page with a larger share of monospaced characters is typewritten or plain text.
const MAX_MONOSPACED_SHARE_OF_PAGE = 0.9
// Not all of a line, because an item has the font of its first letter. In "1 import" that is the font of the line number.
const MIN_MONOSPACED_SHARE_OF_LINE = 0.6
const MIN_LINES = 2
// The minimum share of a listing's lines that have signs that prose does not have.
const MIN_CODE_LIKE_SHARE = 0.4
// Matches "{", "f(", "::", "->", "--option", and keywords at the beginning of a line.
const CODE_SIGNS = /[{}=;<>\\$#_|[\]]|\w\(|::|->|--\w|^\s*(?:import|from|return|def|class|end|else|fi|done)\b/
// In line heights: the maximum gap between two lines of a listing, which may have a blank line.
const MAX_LISTING_GAP = 2.2

// The minimum share of prose among the lines of a letter or a plain report. Not all, because the last line of a paragraph may be
// too short to count.
const MIN_PROSE_SHARE = 0.7

/** Whether lines in a monospaced font, which liteparse marks as code, are sentences. */
export function isMonospacedProse(lines: readonly string[]): boolean {
  if (lines.length < MIN_LINES) return false
  const hasWideGap = (line: string): boolean => /\S {2,}\S/.test(line)
  const isProse = (line: string): boolean =>
    !CODE_SIGNS.test(line) && !hasWideGap(line) && line.trim().split(' ').length > 4
  return lines.filter(isProse).length >= lines.length * MIN_PROSE_SHARE
}

/** The items in a monospaced font that may be code. Empty if nearly the whole page has such a font. */
export function itemsInCodeFont(items: readonly TextItem[]): ReadonlySet<TextItem> {
  const monospacedItems = findMonospacedItems(items)
  return characters([...monospacedItems]) > characters(items) * MAX_MONOSPACED_SHARE_OF_PAGE
    ? new Set()
    : monospacedItems
}

/** The blocks in reading order, with listings as code blocks. */
export function gatherCode(
  blocks: readonly PlacedBlock[],
  items: readonly TextItem[],
  monospacedItems: ReadonlySet<TextItem>,
): PlacedBlock[] {
  if (monospacedItems.size === 0) return [...blocks]
  const result: PlacedBlock[] = []
  let run: PlacedBlock[] = []
  const endListing = (): void => {
    result.push(...codeBlock(run, items))
    run = []
  }
  for (const block of blocks) {
    if (!isMonospacedBlock(block, items, monospacedItems, run)) {
      endListing()
      result.push(block)
      continue
    }
    if (!continuesListing(run, block, items)) endListing()
    run.push(block)
  }
  endListing()
  return result
}

const characters = (items: readonly TextItem[]): number =>
  items.reduce((sum, { text }) => sum + text.length, 0)

const linesIn = (box: BBox, items: readonly TextItem[]): Line[] =>
  textLines(itemsIn(items, box).map((item) => ({ text: item.text, item, bbox: rectBox(item) })))

/** Whether all lines of a block are monospaced. Inside a listing, so is a line number alone. */
function isMonospacedBlock(
  { kind, text, bbox }: PlacedBlock,
  items: readonly TextItem[],
  monospacedItems: ReadonlySet<TextItem>,
  run: readonly PlacedBlock[],
): boolean {
  if (kind === 'table' || kind === 'figure') return false
  if (run.length > 0 && /^\d{1,4}$/.test(text)) return true
  const lines = linesIn(bbox, items)
  return (
    lines.length > 0 &&
    lines.every(({ segments }) => {
      const lineItems = segments.flatMap(({ words }) => words.map(({ item }) => item))
      return (
        characters(lineItems.filter((item) => monospacedItems.has(item))) >=
        characters(lineItems) * MIN_MONOSPACED_SHARE_OF_LINE
      )
    })
  )
}

/** Whether the block is right below the current listing, or on its last line. */
function continuesListing(
  run: readonly PlacedBlock[],
  { bbox }: PlacedBlock,
  items: readonly TextItem[],
): boolean {
  if (run.length === 0) return false
  const box = boxOf(run)
  const [line] = linesIn(bbox, items)
  const height = line === undefined ? 10 : line.bbox[3] - line.bbox[1]
  const gap = bbox[1] - box[3]
  return gap < height * MAX_LISTING_GAP && bbox[3] > box[1] && bbox[0] < box[2] && box[0] < bbox[2]
}

const boxOf = (blocks: readonly PlacedBlock[]): BBox => blocks.map(({ bbox }) => bbox).reduce(union)

/** The blocks as one code block. Unchanged if they are not a listing. */
function codeBlock(run: readonly PlacedBlock[], items: readonly TextItem[]): PlacedBlock[] {
  const [first] = run
  if (first === undefined) return []
  const bbox = boxOf(run)
  const lines = linesIn(bbox, items)
  const codeLikeLines = lines.filter((line) => CODE_SIGNS.test(textOf(line))).length
  if (lines.length < MIN_LINES || codeLikeLines < lines.length * MIN_CODE_LIKE_SHARE) return [...run]
  const { level: _, html: __, ...rest } = first
  return [{ ...rest, kind: 'code', text: indentedText(lines, bbox), bbox }]
}

const textOf = ({ segments }: Line): string => segments.map(({ text }) => text).join(' ')

/** The lines with their indents. All letters have the same width, so a position is a column. */
function indentedText(lines: readonly Line[], [left]: BBox): string {
  const words = lines.flatMap(({ segments }) => segments.flatMap((segment) => segment.words))
  const widths = words.map(({ text, bbox }) => (bbox[2] - bbox[0]) / text.length).sort((a, b) => a - b)
  const width = Math.max(1, widths[widths.length >> 1] ?? 1)
  return lines
    .map(({ segments }) =>
      segments
        .flatMap((segment) => segment.words)
        .reduce((line, { text, bbox }) => {
          const column = Math.round((bbox[0] - left) / width)
          const start = line.trim() === '' ? column : Math.max(column, line.length + 1)
          return `${line.padEnd(start)}${text}`
        }, ''),
    )
    .join('\n')
}
