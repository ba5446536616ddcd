// Separates two pages on one sheet, the panels of a brochure, and columns. If the blocks were read across the gap between such
// parts, each part is read as a page of its own.

import type { LayoutBlock, ParsedPage, TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../../block.ts'
import { isMark } from '../marks.ts'
import { type Line, pageWords, type Segment, textLines } from '../tables/lines.ts'
import { BASELINE, EDGE, heightOf, isSameEdge, usualHeight } from '../tolerance.ts'
import { isCentreInside, joinNeighbours, type PlacedBlock, rectBox, union } from './boxes.ts'
import { joinedParagraph } from './paragraphs.ts'
import { endOf, lettersIn, lettersOf, weightedLength } from './words.ts'

type ReadPage = (page: ParsedPage) => PlacedBlock[]

// A page with more texts is a drawing.
const MAX_ITEMS = 2000

/** The blocks of a page as `readPage` returns them, part by part if they were read across a gutter. */
export function panelBlocks(page: ParsedPage, readPage: ReadPage): PlacedBlock[] {
  const blocks = readPage(page)
  if (page.textItems.length > MAX_ITEMS) return blocks
  const gutter = gutterOf(page, blocks)
  if (gutter === undefined) return joinAcrossColumns(blocks)
  const parts = partsOf(page, gutter).filter(({ textItems }) => textItems.length > 0)
  return joinAcrossColumns(parts.flatMap((part) => panelBlocks(part, readPage)))
}

/** Joins paragraphs that continue in mid-sentence at the top of the next column. */
const joinAcrossColumns = (blocks: readonly PlacedBlock[]): PlacedBlock[] =>
  joinNeighbours(blocks, (last, next) =>
    continuesBeside(last, next) ? joinedParagraph(last, next) : undefined,
  )

/** Whether a paragraph to the right continues the sentence of the last one. */
function continuesBeside(last: PlacedBlock, next: PlacedBlock): boolean {
  if (last.kind !== 'paragraph' || next.kind !== 'paragraph') return false
  const continuesSentence = /[\p{L}\p{N},-]$/u.test(last.text) && /^\p{Ll}/u.test(next.text)
  return continuesSentence && next.bbox[0] >= last.bbox[2] && next.bbox[1] < last.bbox[3]
}

/** The parts of the page: above the gutter, left of it, right of it, and below. */
function partsOf(page: ParsedPage, { left, right, top, bottom }: Gutter): ParsedPage[] {
  const [min, max] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const middleX = (left + right) / 2
  const boxes: BBox[] = [
    [min, min, max, top],
    [min, top, middleX, bottom],
    [middleX, top, max, bottom],
    [min, bottom, max, max],
  ]
  return boxes.map((box) => partIn(page, box, page.textItems))
}

const isPointIn = (x: number, y: number, [left, top, right, bottom]: BBox): boolean =>
  x >= left && x < right && y >= top && y < bottom

/** The part of a page in a box; `all` are the items of the page. */
function partIn(page: ParsedPage, box: BBox, all: readonly TextItem[]): ParsedPage {
  const isInPart = (item: TextItem): boolean =>
    isPointIn(item.x + item.width / 2, item.y + item.height / 2, box)
  const textItems = page.textItems.filter(isInPart)
  const { vectorGraphics } = page
  const lines = vectorGraphics?.lines.filter(({ x1, x2, y1, y2 }) =>
    isPointIn((x1 + x2) / 2, (y1 + y2) / 2, box),
  )
  const blocks = (page.blocks ?? []).flatMap((block) => layoutIn(block, box, textItems, all))
  return {
    ...page,
    textItems,
    blocks,
    ...(vectorGraphics && lines ? { vectorGraphics: { ...vectorGraphics, lines } } : {}),
  }
}

/** A layout block cut to the part of the page in `box`: its text, or the box of a table. Unchanged if all of it is in the part. */
function layoutIn(
  block: LayoutBlock,
  box: BBox,
  ownItems: readonly TextItem[],
  all: readonly TextItem[],
): LayoutBlock[] {
  if (block.bbox === undefined) return []
  const blockBox = rectBox(block.bbox)
  const itemsInBlock = (items: readonly TextItem[]): TextItem[] =>
    items.filter(({ x, y, width, height }) => isPointIn(x + width / 2, y + height / 2, blockBox))
  const itemsInPart = itemsInBlock(ownItems)
  if (itemsInPart.length === 0) return []
  const otherItems = itemsInBlock(all).filter((item) => !itemsInPart.includes(item))
  if (otherItems.length === 0) return [block]
  if (block.kind === 'table') {
    const [x, y] = [Math.max(blockBox[0], box[0]), Math.max(blockBox[1], box[1])]
    const [right, bottom] = [Math.min(blockBox[2], box[2]), Math.min(blockBox[3], box[3])]
    return [{ ...block, bbox: { x, y, width: right - x, height: bottom - y } }]
  }
  const text = textOfPart(block.text ?? '', itemsInPart, otherItems)
  const [x, y, right, bottom] = itemsInPart.map(rectBox).reduce(union)
  return text === undefined ? [] : [{ ...block, text, bbox: { x, y, width: right - x, height: bottom - y } }]
}

/** The beginning or end of a text that consists of `itemsInPart`. Undefined if they are mixed with the other items. */
function textOfPart(
  text: string,
  itemsInPart: readonly TextItem[],
  otherItems: readonly TextItem[],
): string | undefined {
  const end = endOf(text, lettersOf(itemsInPart))
  if (end !== undefined) return text.slice(0, end)
  const endBefore = endOf(text, lettersOf(otherItems))
  return endBefore === undefined ? undefined : text.slice(endBefore).trimStart()
}

/**
 * A vertical gap with lines of running text on both sides, between two pages of a sheet or two columns. The text on its left
 * side ends at `left`, the text on its right side begins at `right`.
 */
interface Gutter {
  left: number
  right: number
  top: number
  bottom: number
  /** The usual height of a line on the page. */
  height: number
}

// In points: the minimum width of a gutter.
const MIN_GUTTER_WIDTH = 7
// The minimum number of lines that begin at the gutter's right edge, and of lines of running text on each side.
const MIN_LINES = 4
// A line of running text has at least this many letters, has at least this share of the width of the widest line, and is at
// most this many line heights from the next one.
const MIN_LETTERS = 20
const MIN_SHARE_OF_WIDEST = 0.6
const MAX_PITCH = 2
// If more than this share of the paragraphs begins beside a paragraph on the other side, they are rows of a table.
const MIN_ROWS_SHARE = 0.5
// A table that is read across the gutter has columns of text in it if a side has this many lines of running text.
const MIN_LINES_IN_TABLE = 2
// In points. A higher blank band across the page ends a column.
const MIN_BLANK_BAND = 60
// In points: the maximum distance from the mark of an entry to its text.
const MAX_MARK_GAP = 30
// In points: the minimum height of a gutter.
const MIN_GUTTER_HEIGHT = 40

/** The longest gutter across which the blocks of the page were read. */
function gutterOf(
  { textItems, vectorGraphics }: ParsedPage,
  blocks: readonly PlacedBlock[],
): Gutter | undefined {
  if (edgesOf(textItems.map(placedText)).length === 0) return undefined
  const segments = textLines(pageWords(textItems)).flatMap(withMarks)
  const rules = (vectorGraphics?.lines ?? []).map(
    ({ x1, x2, y1, y2 }): BBox => [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)],
  )
  const height = usualHeight(segments)
  const pageGap = gapBetweenPages(segments, height)
  if (pageGap !== undefined && readsAcross(blocks, pageGap, segments)) return pageGap
  const shortColumnsGutter = gutterOfShortColumns(segments, blocks, height)
  if (shortColumnsGutter !== undefined) return shortColumnsGutter
  const blank = blankBands(segments)
  const textsAndRules = [
    ...segments.map(({ bbox }) => bbox),
    ...rules.filter(([from, , to]) => to - from > MIN_GUTTER_WIDTH),
  ]
  let best: Gutter | undefined
  for (const right of edgesOf(segments)) {
    const crosses = ([from, , to]: BBox): boolean =>
      from < right - MIN_GUTTER_WIDTH && to > right - MIN_GUTTER_WIDTH
    const tables = blocks.flatMap((block) => (isTableAcross(block, segments, right) ? [block.bbox] : []))
    // The boxes at which a gutter ends.
    const obstacles = [...[...textsAndRules, ...tables].filter(crosses), ...blank].sort((a, b) => a[1] - b[1])
    for (const [top, bottom] of rangesBetween(obstacles)) {
      if (bottom - top < Math.max(MIN_GUTTER_HEIGHT, best === undefined ? 0 : best.bottom - best.top))
        continue
      const gutter = gutterIn(segments, { edge: right, from: top, to: bottom }, blocks, height)
      if (gutter === undefined || !readsAcross(blocks, gutter, segments)) continue
      if (best === undefined || gutter.bottom - gutter.top > best.bottom - best.top) best = gutter
    }
  }
  return best
}

// In line heights: the minimum width of the gap between two pages on a sheet, which no text crosses.
const MIN_PAGE_GAP = 3
// The minimum number of lines of text on each page.
const MIN_PAGE_LINES = 8
// The maximum share of these lines at the height of a line on the other page. With more they are rows of a table.
const MAX_ALIGNED_SHARE = 0.6

/** The gap between two pages on one sheet, also if liteparse saw tables across it. */
function gapBetweenPages(segments: readonly Segment[], height: number): Gutter | undefined {
  let textEnd = Number.POSITIVE_INFINITY
  let widestGap: [number, number] = [0, 0]
  for (const { bbox } of [...segments].sort((a, b) => a.bbox[0] - b.bbox[0])) {
    if (bbox[0] - textEnd > widestGap[1] - widestGap[0]) widestGap = [textEnd, bbox[0]]
    textEnd = textEnd === Number.POSITIVE_INFINITY ? bbox[2] : Math.max(textEnd, bbox[2])
  }
  const [left, right] = widestGap
  if (right - left < height * MIN_PAGE_GAP) return undefined
  const sides = [
    segments.filter(({ bbox }) => bbox[2] <= left),
    segments.filter(({ bbox }) => bbox[0] >= right),
  ].map((side) => side.filter(isText))
  const [leftLines = [], rightLines = []] = sides
  const minLines = Math.min(leftLines.length, rightLines.length)
  if (minLines < MIN_PAGE_LINES) return undefined
  const alignedLines = leftLines.filter(({ bbox }) =>
    rightLines.some((text) => Math.abs(text.bbox[3] - bbox[3]) < height * BASELINE),
  )
  if (alignedLines.length > minLines * MAX_ALIGNED_SHARE) return undefined
  const tops = segments.map(({ bbox }) => bbox[1])
  const bottoms = segments.map(({ bbox }) => bbox[3])
  return { left, right, top: Math.min(...tops), bottom: Math.max(...bottoms), height }
}

// In line heights: the minimum gap between columns with few lines.
const MIN_SHORT_GAP = 2
// The minimum number of lines in each of them.
const MIN_SHORT_LINES = 2

/** The gutter in a paragraph that was read across two columns with few lines. Their lines continue in mid-sentence. */
function gutterOfShortColumns(
  segments: readonly Segment[],
  blocks: readonly PlacedBlock[],
  height: number,
): Gutter | undefined {
  for (const { kind, bbox: blockBox } of blocks) {
    if (kind !== 'paragraph') continue
    const segmentsInBlock = segments.filter(({ bbox }) => isCentreInside(bbox, blockBox))
    const firstStart = Math.min(...segmentsInBlock.map(({ bbox }) => bbox[0]))
    const right = Math.min(
      ...segmentsInBlock.map(({ bbox }) => bbox[0]).filter((x) => x > firstStart + height * MIN_SHORT_GAP),
    )
    const sides = [
      segmentsInBlock.filter(({ bbox }) => bbox[0] < right),
      segmentsInBlock.filter(({ bbox }) => bbox[0] >= right),
    ]
    const left = Math.max(...(sides[0] ?? []).map(({ bbox }) => bbox[2]))
    if (right - left > height * MIN_SHORT_GAP && sides.every(isContinuousText))
      return { left, right, top: blockBox[1], bottom: blockBox[3], height }
  }
  return undefined
}

/** Whether lines are one text: they have the same left edge, and most of them continue a sentence. */
function isContinuousText([first, ...others]: readonly Segment[]): boolean {
  if (first === undefined || others.length + 1 < MIN_SHORT_LINES) return false
  const continuingLines = others.filter(({ text }) => /^\p{Ll}/u.test(text))
  return (
    others.every(({ bbox }) => isSameEdge(bbox[0], first.bbox[0], heightOf(bbox))) &&
    continuingLines.length * 2 > others.length
  )
}

/** Whether a block is a table without running text on either side of an edge. With such text it contains a column of text. */
function isTableAcross(
  { kind, bbox: tableBox }: PlacedBlock,
  segments: readonly Segment[],
  right: number,
): boolean {
  if (kind !== 'table') return false
  const segmentsBeside = segments.filter(
    ({ bbox }) => middle(bbox) > tableBox[1] && middle(bbox) < tableBox[3],
  )
  const sides = [
    segmentsBeside.filter(({ bbox }) => bbox[0] < right - heightOf(bbox) * EDGE),
    segmentsBeside.filter(({ bbox }) => bbox[0] >= right - heightOf(bbox) * EDGE),
  ]
  return sides.every((side) => runningLines(side).length < MIN_LINES_IN_TABLE)
}

/** The segments of a line. The box of a segment includes the mark of an entry before it. */
function withMarks({ segments }: Line): Segment[] {
  const result: Segment[] = []
  for (const segment of segments) {
    const last = result.at(-1)
    if (last === undefined || !isMark(last.text) || segment.bbox[0] - last.bbox[2] > MAX_MARK_GAP)
      result.push(segment)
    else result[result.length - 1] = { ...segment, bbox: union(last.bbox, segment.bbox) }
  }
  return result
}

/** The left edges of several lines of text, except for the left margin of the page. Most pages have none. */
function edgesOf(segments: readonly PlacedText[]): number[] {
  const counts = new Map<number, number>()
  const first = Math.min(...segments.map(({ bbox }) => bbox[0]))
  for (const segment of segments) {
    const x = Math.round(segment.bbox[0])
    if (x > first + MIN_GUTTER_WIDTH && isText(segment)) counts.set(x, (counts.get(x) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count * 2 >= MIN_LINES).map(([x]) => x)
}

/** The blank bands across the page. Notes below such a band belong to no column. */
function blankBands(segments: readonly Segment[]): BBox[] {
  const bands: BBox[] = []
  let bottom = Number.POSITIVE_INFINITY
  for (const { bbox } of [...segments].sort((a, b) => a.bbox[1] - b.bbox[1])) {
    if (bbox[1] - bottom > MIN_BLANK_BAND) bands.push([0, bottom, 0, bbox[1]])
    bottom = Math.max(bbox[3], bottom === Number.POSITIVE_INFINITY ? 0 : bottom)
  }
  return bands
}

/** The vertical ranges of the page between the boxes, from the top. */
function rangesBetween(boxes: readonly BBox[]): [top: number, bottom: number][] {
  const ranges: [number, number][] = []
  let top = 0
  for (const [, from, , to] of boxes) {
    if (from > top) ranges.push([top, from])
    top = Math.max(top, to)
  }
  return [...ranges, [top, Number.POSITIVE_INFINITY]]
}

/** The gutter to the left of `edge` in a vertical range, if both sides have running text outside of the tables across it. */
function gutterIn(
  all: readonly Segment[],
  { edge, from, to }: { edge: number; from: number; to: number },
  blocks: readonly PlacedBlock[],
  height: number,
): Gutter | undefined {
  const tables = blocks.flatMap(({ kind, bbox }) =>
    kind === 'table' && bbox[0] < edge - height * EDGE && bbox[2] > edge ? [bbox] : [],
  )
  const isOutside = ({ bbox }: Segment): boolean =>
    !tables.some(([, top, , bottom]) => middle(bbox) > top && middle(bbox) < bottom)
  const segments = all.filter(({ bbox }) => middle(bbox) > from && middle(bbox) < to)
  const left = segments.filter(({ bbox }) => bbox[0] < edge - MIN_GUTTER_WIDTH)
  const right = segments.filter(({ bbox }) => bbox[0] >= edge - MIN_GUTTER_WIDTH)
  const [leftLines, rightLines] = [left, right].map((side) => runningLines(side.filter(isOutside)))
  if (leftLines === undefined || rightLines === undefined) return undefined
  const linesAtEdge = rightLines.filter(({ bbox }) => isSameEdge(bbox[0], edge, height))
  if (leftLines.length < MIN_LINES || linesAtEdge.length < MIN_LINES) return undefined
  if (areRows(leftLines, rightLines, height)) return undefined
  return {
    left: Math.max(...left.map(({ bbox }) => bbox[2])),
    right: Math.min(...right.map(({ bbox }) => bbox[0])),
    top: Math.min(...segments.map(({ bbox }) => bbox[1])),
    bottom: Math.max(...segments.map(({ bbox }) => bbox[3])),
    height,
  }
}

/** The vertical centre of a box. */
const middle = (bbox: BBox): number => (bbox[1] + bbox[3]) / 2

interface TextLine {
  bbox: BBox
  beginsParagraph: boolean
}

type PlacedText = Pick<Segment, 'text' | 'bbox'>
const placedText = (item: TextItem): PlacedText => ({ text: item.text, bbox: rectBox(item) })

const isText = ({ text }: PlacedText): boolean =>
  weightedLength(text) >= MIN_LETTERS && /\p{Ll}|\p{Lo}/u.test(text)

/** The lines of running text: long and close to each other. */
function runningLines(segments: readonly Segment[]): TextLine[] {
  const textSegments = segments.filter(isText)
  const maxWidth = Math.max(...textSegments.map(({ bbox }) => bbox[2] - bbox[0]))
  const lines = textSegments
    .filter(({ bbox }) => bbox[2] - bbox[0] > maxWidth * MIN_SHARE_OF_WIDEST)
    .sort((a, b) => a.bbox[3] - b.bbox[3])
  const follows = (a: Segment | undefined, b: Segment | undefined): boolean =>
    a !== undefined && b !== undefined && b.bbox[3] - a.bbox[3] < (b.bbox[3] - b.bbox[1]) * MAX_PITCH
  return lines.flatMap((line, i) => {
    const [above, below] = [lines[i - 1], lines[i + 1]]
    if (!follows(above, line) && !follows(line, below)) return []
    const height = line.bbox[3] - line.bbox[1]
    const beginsParagraph = above === undefined || line.bbox[3] - above.bbox[3] > height * MIN_PARAGRAPH_PITCH
    return [{ bbox: line.bbox, beginsParagraph }]
  })
}

// In line heights: the minimum distance from the last line of a paragraph to the first line of the next paragraph.
const MIN_PARAGRAPH_PITCH = 1.35

/** Whether the paragraphs of both sides begin at the same heights, row by row. */
function areRows(left: readonly TextLine[], right: readonly TextLine[], height: number): boolean {
  const [leftTops = [], rightTops = []] = [left, right].map((side) =>
    side.filter(({ beginsParagraph }) => beginsParagraph).map(({ bbox }) => bbox[1]),
  )
  // The first paragraphs do not count, because columns of text also begin at the same height.
  const [, ...laterTops] = leftTops
  const minParagraphs = Math.min(leftTops.length, rightTops.length)
  const sharedRows = laterTops.filter((top) =>
    rightTops.some((other) => Math.abs(top - other) < height * BASELINE),
  )
  return minParagraphs > 2 && sharedRows.length > (minParagraphs - 1) * MIN_ROWS_SHARE
}

/** Whether a block mixes lines of both sides, or a block of the left side comes after a block of the right side. */
function readsAcross(blocks: readonly PlacedBlock[], gutter: Gutter, segments: readonly Segment[]): boolean {
  const { left, right, top, bottom, height } = gutter
  let hasRightBlock = false
  return blocks.some((block) => {
    const { bbox } = block
    if (middle(bbox) < top || middle(bbox) > bottom) return false
    const isLeft = bbox[2] <= left + height * EDGE
    if (isLeft)
      return (
        hasRightBlock && segments.some((segment) => isText(segment) && isCentreInside(segment.bbox, bbox))
      )
    hasRightBlock = true
    return bbox[0] < right - height * EDGE && mixesSides(block, right, segments)
  })
}

/** Whether a line of the left side comes after one of the right. In the other order, a paragraph continues in the next column. */
function mixesSides(
  { kind, text, bbox: blockBox }: PlacedBlock,
  right: number,
  segments: readonly Segment[],
): boolean {
  if (kind === 'table') return true
  const letters = lettersIn(text)
  const blockLines = segments
    .filter((segment) => isText(segment) && isCentreInside(segment.bbox, blockBox))
    .map((segment) => ({
      at: letters.indexOf(lettersOf([segment])),
      isLeft: segment.bbox[0] < right - heightOf(segment.bbox) * EDGE,
    }))
    .filter(({ at }) => at >= 0)
  const firstRight = Math.min(...blockLines.filter(({ isLeft }) => !isLeft).map(({ at }) => at))
  return blockLines.some(({ at, isLeft }) => isLeft && at > firstRight)
}
