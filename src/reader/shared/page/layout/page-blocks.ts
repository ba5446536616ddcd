// The blocks of a page in reading order. They are made from liteparse's layout blocks. Tables, and text that liteparse lost, are
// read from the items of the page.

import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse'
import type { BBox, Block } from '../../../block.ts'
import { findTables, itemsOutside } from '../tables/find-tables.ts'
import { gridBlock } from '../tables/grid.ts'
import type { Word } from '../tables/lines.ts'
import { isBelow, isSameEdge, PARAGRAPH_GAP } from '../tolerance.ts'
import {
  hasPosition,
  isCentreInside,
  lineHeight,
  type PlacedBlock,
  type PlacedLayout,
  rectBox,
  union,
} from './boxes.ts'
import { gatherCode, isMonospacedProse, itemsInCodeFont } from './code.ts'
import { findContents } from './contents.ts'
import { cutBlock } from './cut-blocks.ts'
import { gatherFigures } from './figures.ts'
import { withLabels } from './labels.ts'
import { withLists } from './lists.ts'
import { findLoneHeadings } from './missed-headings.ts'
import { missingBlocks, missingItems, type Piece, withWholeBox } from './missing-text.ts'
import { joinCutParagraphs } from './paragraphs.ts'
import { weightedLength } from './words.ts'

// Longer lists stay several blocks, so that a chunk can end between them.
const MAX_LIST_CHARACTERS = 1500

/** The blocks of a page in reading order, each with its position. `names` are the names of the page's bookmarks. */
export function pageBlocks(page: ParsedPage, names: readonly string[] = []): PlacedBlock[] {
  const height = lineHeight(page.textItems)
  const contents = findContents(page.textItems, page.pageNum)
  const otherItems = contents === undefined ? page.textItems : itemsOutside(page.textItems, [contents])
  const layouts = (page.blocks ?? [])
    .filter(hasPosition)
    .map((layout) => withWholeBox(layout, page.textItems))
  const seeds = layouts.filter(({ kind }) => kind === 'table').map(({ bbox }) => rectBox(bbox))
  const monospacedItems = itemsInCodeFont(page.textItems)
  const tables = findTables({ ...page, textItems: otherItems }, seeds).flatMap((table) => {
    // A table whose words are all monospaced is a listing with columns.
    const block = table.words.every(({ item }) => monospacedItems.has(item)) ? undefined : gridBlock(table)
    return block === undefined ? [] : [{ ...table, block: { ...block, page: page.pageNum } }]
  })
  const remainingItems = itemsOutside(otherItems, tables)
  const contentsAndTables = [...(contents === undefined ? [] : [contents]), ...tables]
  const usedItems = new Set(contentsAndTables.flatMap(({ words }) => words.map(({ item }) => item)))
  const usedBoxes = [...usedItems].map((item) => rectBox(item))
  const proseLayouts = layouts.filter(
    (layout) => layout.kind !== 'table' && !overlapsTable(layout, usedBoxes),
  )
  const missingTexts = missingItems(remainingItems, proseLayouts.map(toPiece))
  const hasStars = page.textItems.some((item) => item.text.includes('*'))
  const piecesOf = (layout: PlacedLayout): PlacedBlock[] => {
    const block = textBlock(layout, hasStars)
    if (block === undefined || block.text.trim() === '') return []
    const placedBlock = { bbox: rectBox(layout.bbox), ...block, page: page.pageNum }
    return cutBlock(placedBlock, remainingItems, names).flatMap(withLists)
  }
  const missedBlocks = missingBlocks([...missingTexts], page.pageNum, remainingItems).flatMap((block) =>
    cutBlock(block, remainingItems, names),
  )
  const rereadBlocks = [...contentsAndTables.map(fromWords), ...missedBlocks.map(fromText)]
  const orderedBlocks = inReadingOrder(
    inLayoutOrder({ layouts, proseLayouts: new Set(proseLayouts), piecesOf }, rereadBlocks, height),
  )
  const blocksWithCode = gatherCode(orderedBlocks.flatMap(withLists), remainingItems, monospacedItems)
  const joinedBlocks = joinCutParagraphs(
    findLoneHeadings(withLabels(blocksWithCode, remainingItems), remainingItems),
    height,
  )
  return gatherFigures(joinedBlocks).map(addressAsParagraph)
}

// Matches ", New York 10001" and "(212) 555-0100", which letterheads and cover pages have in a large font.
const POSTAL_OR_PHONE = /,[^,]*\b\d{5}(?:-\d{4})?$|(?<!\d)\(?\d{3}\)?[ -]\d{3}-\d{4}(?!\d)/

/** The block as a paragraph if it is an address, which is no heading. */
function addressAsParagraph(block: PlacedBlock): PlacedBlock {
  if (block.kind !== 'heading' || !POSTAL_OR_PHONE.test(block.text)) return block
  const { level: _, ...rest } = block
  return { ...rest, kind: 'paragraph' }
}

/** A block that was read from the items, and whether it replaces a layout block at its position. */
interface RereadBlock {
  block: PlacedBlock
  replaces: (layout: PlacedLayout) => boolean
}

const fromWords = ({ block, words }: { block: PlacedBlock; words: readonly Word[] }): RereadBlock => ({
  block,
  replaces: (layout) => isOnWords(layout, words),
})

// The minimum number of letters in running text. Labels of a table or a chart have fewer and show no order.
const MIN_TEXT_LETTERS = 60

/**
 * A text that liteparse left out or joined to something else. It replaces the layout block around it, except for a table: one
 * that liteparse saw in columns of text shows no order.
 */
const fromText = (block: PlacedBlock): RereadBlock => ({
  block,
  replaces: ({ kind, bbox }) =>
    kind !== 'table' &&
    weightedLength(block.text) >= MIN_TEXT_LETTERS &&
    isCentreInside(block.bbox, rectBox(bbox)),
})

/** The blocks in liteparse's order. A reread block takes the position of the first layout block that it replaces. */
function inLayoutOrder(
  {
    layouts,
    proseLayouts,
    piecesOf,
  }: {
    layouts: readonly PlacedLayout[]
    proseLayouts: ReadonlySet<PlacedLayout>
    piecesOf: (layout: PlacedLayout) => PlacedBlock[]
  },
  rereadBlocks: readonly RereadBlock[],
  height: number,
): PlacedBlock[] {
  const blocks: PlacedBlock[] = []
  const remainingBlocks = new Set(rereadBlocks)
  for (const layout of layouts) {
    for (const piece of proseLayouts.has(layout) ? piecesOf(layout) : []) {
      const last = blocks.at(-1)
      if (last !== undefined && continuesList(last, piece)) joinList(last, piece)
      else blocks.push(piece)
    }
    if (proseLayouts.has(layout)) continue
    for (const part of [...remainingBlocks].filter(({ replaces }) => replaces(layout))) {
      blocks.push({ ...part.block })
      remainingBlocks.delete(part)
    }
  }
  return withRemaining(
    blocks,
    [...remainingBlocks].map(({ block }) => block),
    height,
  )
}

/** Adds blocks that replace no layout block. Each is put before the block right below it with the same left edge, or at the end. */
function withRemaining(
  blocks: readonly PlacedBlock[],
  rest: readonly PlacedBlock[],
  height: number,
): PlacedBlock[] {
  const orderedBlocks = [...blocks]
  const pendingBlocks = new Set(rest)
  for (const block of [...rest].sort((a, b) => b.bbox[3] - a.bbox[3])) {
    const at = orderedBlocks.findIndex((other) => isNextLine(block, other, height))
    if (at < 0 || rest.some((other) => isRow(block, other))) continue
    orderedBlocks.splice(at, 0, block)
    pendingBlocks.delete(block)
  }
  return [...orderedBlocks, ...pendingBlocks]
}

// In points: the maximum gap between the texts of a row. Columns of a page are further apart.
const ROW_GAP = 200

/** Whether two blocks are next to each other. They are not separated, because one may be the label of the figures in the other. */
function isRow(block: PlacedBlock, other: PlacedBlock): boolean {
  if (other === block) return false
  const [a, b] = [block.bbox, other.bbox]
  const gap = Math.max(a[0], b[0]) - Math.min(a[2], b[2])
  return gap > 0 && gap < ROW_GAP && Math.min(a[3], b[3]) > Math.max(a[1], b[1])
}

const isNextLine = (above: PlacedBlock, { bbox }: PlacedBlock, height: number): boolean =>
  isSameEdge(bbox[0], above.bbox[0], height) && isBelow(above.bbox, bbox, height, PARAGRAPH_GAP)

/** Whether a layout block contains one of the words. */
function isOnWords({ bbox }: PlacedLayout, words: readonly Word[]): boolean {
  const box = rectBox(bbox)
  return words.some((word) => isCentreInside(word.bbox, box))
}

/** Whether the text of a layout block is at least partly in a table. Its other text is then added as missing text. */
function overlapsTable({ bbox }: PlacedLayout, tableBoxes: readonly BBox[]): boolean {
  const box = rectBox(bbox)
  return tableBoxes.some((item) => isCentreInside(item, box))
}

function toPiece(layout: PlacedLayout): Piece {
  const cells = [...(layout.header ?? []), ...(layout.rows ?? []).flat()].map((cell) => cell.text)
  const text = [
    layout.marker ?? '',
    unmark(layout.text ?? '', false),
    ...(layout.lines ?? []),
    ...cells,
  ].join(' ')
  return { text, bbox: rectBox(layout.bbox) }
}

function textBlock(layout: LayoutBlock, hasStars: boolean): Block | undefined {
  switch (layout.kind) {
    case 'heading':
      return { kind: 'heading', text: layout.text ?? '', level: Math.min(6, Math.max(1, layout.level ?? 2)) }
    case 'paragraph':
      return { kind: 'paragraph', text: unmark(layout.text ?? '', hasStars) }
    case 'list_item':
      return { kind: 'list', text: listItem(layout, hasStars) }
    case 'code': {
      const lines = layout.lines ?? []
      if (isMonospacedProse(lines)) return { kind: 'paragraph', text: lines.join(' ') }
      const text = lines.join('\n')
      return { kind: isSentence(text) || WEB_ADDRESS.test(text) ? 'paragraph' : 'code', text }
    }
    case 'grid_fallback':
      return { kind: 'paragraph', text: (layout.lines ?? []).join('\n') }
    default:
      return undefined
  }
}

// E-mail and web addresses, for which papers use a monospaced font.
const WEB_ADDRESS = /^(?:[\w.{}, +-]+@[\w.-]+\.\w+|https?:\/\/\S+)$/

/** Whether code is a sentence. If one name is in a monospaced font, liteparse treats the whole line as code. */
const isSentence = (text: string): boolean =>
  !/[\n{}=;<>\\$#]|\(\)|^\s*(?:import|return|def|class|npm|pip)\b/.test(text) && text.split(' ').length > 3

function listItem(layout: LayoutBlock, hasStars: boolean): string {
  const marker = layout.marker !== undefined && /[\p{L}\p{N}]/u.test(layout.marker) ? layout.marker : '-'
  return `${'  '.repeat(Math.min(layout.level ?? 0, 5))}${marker} ${unmark(layout.text ?? '', hasStars)}`
}

/** Removes emphasis. liteparse marks it with stars, and escapes real stars in most paragraphs and lists. */
export function unmark(text: string, hasStars: boolean): string {
  // "*text*", "**text**" or "***text***", but not "\*".
  const unstarred = hasStars
    ? text.replace(/(?<!\\)(\*{1,3})(?=[^\s*])([^*]*?[^\s*\\])\1/g, '$2')
    : text.replace(/(?<!\\)\*+/g, '')
  return unstarred.replace(/\\([\\*_`~[\]<>#|])/g, '$1')
}

function continuesList(last: Block, next: Block): boolean {
  return (
    last.kind === 'list' && next.kind === 'list' && last.text.length + next.text.length < MAX_LIST_CHARACTERS
  )
}

function joinList(last: PlacedBlock, next: PlacedBlock): void {
  last.text += `\n${next.text}`
  last.bbox = union(last.bbox, next.bbox)
}

// Reading order: a block above another one in the same column comes first, everything else keeps liteparse's order. Liteparse
// alone moves centred lines after the body, as on the cover page of every 10-K.

// Two blocks are in one column if they overlap horizontally by this share of the narrower block. A title that is centred over
// two columns overlaps each of them by less than half.
const MIN_COLUMN_OVERLAP = 0.3
// Descenders of a block above may reach this far into the block below.
const TOUCHING_POINTS = 2
// A page with more blocks is a drawing; the order takes quadratic time.
const MAX_BLOCKS = 600

// In points: the minimum height of a blank band across the page, at which columns end.
const MIN_BAND = 60

/** For each block the number of blank bands above it, counted from 0. */
function bandOf(blocks: readonly PlacedBlock[]): Map<PlacedBlock, number> {
  const bands = new Map<PlacedBlock, number>()
  let band = 0
  let bottom: number | undefined
  for (const block of [...blocks].sort((a, b) => a.bbox[1] - b.bbox[1])) {
    if (block.bbox[1] - (bottom ?? block.bbox[1]) > MIN_BAND) band++
    bottom = Math.max(bottom ?? 0, block.bbox[3])
    bands.set(block, band)
  }
  return bands
}

/** A stable topological order: a block comes after those above it in its column, and after those above a blank band. */
export function inReadingOrder(blocks: readonly PlacedBlock[]): PlacedBlock[] {
  if (blocks.length > MAX_BLOCKS) return [...blocks]
  const bands = bandOf(blocks)
  const isBefore = (other: PlacedBlock, block: PlacedBlock): boolean =>
    isAbove(other.bbox, block.bbox) || (bands.get(other) ?? Infinity) < (bands.get(block) ?? 0)
  const pendingBlocks = blocks.map((block, i) => ({
    block,
    above: new Set(blocks.flatMap((other, k) => (k !== i && isBefore(other, block) ? [k] : []))),
    index: i,
  }))
  const orderedBlocks: PlacedBlock[] = []
  while (pendingBlocks.length > 0) {
    const next = Math.max(
      0,
      pendingBlocks.findIndex((entry) => entry.above.size === 0),
    )
    const [entry] = pendingBlocks.splice(next, 1)
    if (entry === undefined) break
    orderedBlocks.push(entry.block)
    for (const other of pendingBlocks) other.above.delete(entry.index)
  }
  return orderedBlocks
}

/** Whether `a` is above `b` in the same column. */
function isAbove(a: BBox, b: BBox): boolean {
  if (a[3] > b[1] + TOUCHING_POINTS || a[1] >= b[1]) return false
  const overlap = Math.min(a[2], b[2]) - Math.max(a[0], b[0])
  return overlap >= MIN_COLUMN_OVERLAP * Math.min(a[2] - a[0], b[2] - b[0])
}
