// Two pages on one sheet, and the panels of a brochure. If the page's blocks were read across the gap between them, each part
// is read as a separate page.

import type { LayoutBlock, ParsedPage, TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../../block.ts'
import { isMark } from '../marks.ts'
import { type Line, pageWords, type Segment, textLines } from '../tables/lines.ts'
import { BASELINE, EDGE, heightOf, sameEdge, usualHeight } from '../tolerance.ts'
import { isCentreInside, joinNeighbours, type PlacedBlock, rectBox, union } from './boxes.ts'
import { joinedParagraph } from './paragraphs.ts'
import { endOf, lettersIn, lettersOf, lettersWide } from './words.ts'

type ReadPage = (page: ParsedPage) => PlacedBlock[]

// A page with more texts is a drawing.
const MAX_ITEMS = 2000
/** The page's blocks as `read` returns them, part by part if they were read across a gutter. */
export function panelBlocks(page: ParsedPage, read: ReadPage): PlacedBlock[] {
  const blocks = read(page)
  if (page.textItems.length > MAX_ITEMS) return blocks
  const gutter = gutterOf(page, blocks)
  if (gutter === undefined) return joinAcrossColumns(blocks)
  const parts = partsOf(page, gutter).filter(({ textItems }) => textItems.length > 0)
  return joinAcrossColumns(parts.flatMap((part) => panelBlocks(part, read)))
}

/** Joins paragraphs that continue in mid-sentence at the top of the next column. */
const joinAcrossColumns = (blocks: readonly PlacedBlock[]): PlacedBlock[] =>
  joinNeighbours(blocks, (last, next) =>
    continuesBeside(last, next) ? joinedParagraph(last, next) : undefined,
  )

const continuesBeside = (last: PlacedBlock, next: PlacedBlock): boolean =>
  last.kind === 'paragraph' &&
  next.kind === 'paragraph' &&
  /[\p{L}\p{N},-]$/u.test(last.text) &&
  /^\p{Ll}/u.test(next.text) &&
  next.bbox[0] >= last.bbox[2] &&
  next.bbox[1] < last.bbox[3]

/** The parts of the page: above the gutter, left of it, right of it, and below. */
function partsOf(page: ParsedPage, { left, right, top, bottom }: Gutter): ParsedPage[] {
  const [first, last] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const edge = (left + right) / 2
  const boxes: BBox[] = [
    [first, first, last, top],
    [first, top, edge, bottom],
    [edge, top, last, bottom],
    [first, bottom, last, last],
  ]
  return boxes.map((box) => partIn(page, box, page.textItems))
}

const isIn = (x: number, y: number, [left, top, right, bottom]: BBox): boolean =>
  x >= left && x < right && y >= top && y < bottom

function partIn(page: ParsedPage, box: BBox, all: readonly TextItem[]): ParsedPage {
  const isInPart = (item: TextItem): boolean => isIn(item.x + item.width / 2, item.y + item.height / 2, box)
  const textItems = page.textItems.filter(isInPart)
  const { vectorGraphics } = page
  const lines = vectorGraphics?.lines.filter(({ x1, x2, y1, y2 }) => isIn((x1 + x2) / 2, (y1 + y2) / 2, box))
  const blocks = (page.blocks ?? []).flatMap((block) => layoutIn(block, box, textItems, all))
  return {
    ...page,
    textItems,
    blocks,
    ...(vectorGraphics && lines ? { vectorGraphics: { ...vectorGraphics, lines } } : {}),
  }
}

/**
 * A layout block in a part of the page: unchanged if all of it is inside, otherwise its text or, for a table, its position
 * inside.
 */
function layoutIn(
  block: LayoutBlock,
  box: BBox,
  ownItems: readonly TextItem[],
  all: readonly TextItem[],
): LayoutBlock[] {
  if (block.bbox === undefined) return []
  const place = rectBox(block.bbox)
  const itemsInBox = (items: readonly TextItem[]): TextItem[] =>
    items.filter(({ x, y, width, height }) => isIn(x + width / 2, y + height / 2, place))
  const inside = itemsInBox(ownItems)
  if (inside.length === 0) return []
  const otherItems = itemsInBox(all).filter((item) => !inside.includes(item))
  if (otherItems.length === 0) return [block]
  if (block.kind === 'table') {
    const [x, y] = [Math.max(place[0], box[0]), Math.max(place[1], box[1])]
    const [right, bottom] = [Math.min(place[2], box[2]), Math.min(place[3], box[3])]
    return [{ ...block, bbox: { x, y, width: right - x, height: bottom - y } }]
  }
  const text = textIn(block.text ?? '', inside, otherItems)
  const [x, y, right, bottom] = inside.map(rectBox).reduce(union)
  return text === undefined ? [] : [{ ...block, text, bbox: { x, y, width: right - x, height: bottom - y } }]
}

/** The part of a text that is inside, if the text continues in another part. Undefined if its lines are mixed. */
function textIn(
  text: string,
  inside: readonly TextItem[],
  otherItems: readonly TextItem[],
): string | undefined {
  const end = endOf(text, lettersOf(inside))
  if (end !== undefined) return text.slice(0, end)
  const endBefore = endOf(text, lettersOf(otherItems))
  return endBefore === undefined ? undefined : text.slice(endBefore).trimStart()
}

// Gutters: vertical gaps with lines of running text on both sides, between two pages of a sheet or two columns.

/** A gutter. The text on its left side ends before `left`, the text on its right side begins at `right`. */
interface Gutter {
  left: number
  right: number
  top: number
  bottom: number
  /** The height of its lines. */
  height: number
}

// Points: the minimum width of a gutter.
const MIN_GUTTER_WIDTH = 7
// The minimum number of lines that begin at the gutter's right edge, and of lines of running text on each side.
const MIN_LINES = 4
// For such a line: the minimum number of letters, the minimum share of the widest line, and the maximum distance to the next
// one in line heights.
const MIN_LETTERS = 20
const MIN_SHARE_OF_WIDEST = 0.6
const MAX_PITCH = 2
// If this share of the paragraphs begins next to a paragraph on the other side, they are rows of a table.
const MIN_ROWS_SHARE = 0.5
// The minimum number of lines of running text next to a table that was read across the gutter.
const MIN_LINES_IN_TABLE = 2
// Points: a higher blank band across the page ends a column.
const MIN_BLANK_BAND = 60
// Points: the maximum distance from the mark of an entry to its text.
const MAX_MARK_GAP = 30
// Points: the minimum height of a gutter.
const MIN_GUTTER_HEIGHT = 40

/** The longest gutter across which the page's blocks were read. */
function gutterOf(
  { textItems, vectorGraphics }: ParsedPage,
  blocks: readonly PlacedBlock[],
): Gutter | undefined {
  if (edgesOf(textItems.map(placedText)).length === 0) return undefined
  const segments = textLines(pageWords(textItems)).flatMap(withMarks)
  const rules = (vectorGraphics?.lines ?? []).map(
    ({ x1, x2, y1, y2 }): BBox => [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)],
  )
  const blank = blankBands(segments)
  const height = usualHeight(segments)
  const spread = spreadOf(segments, height)
  if (spread !== undefined && readsAcross(blocks, spread, segments)) return spread
  const short = shortGutter(segments, blocks, height)
  if (short !== undefined) return short
  let best: Gutter | undefined
  for (const right of edgesOf(segments)) {
    const crosses = ([from, , to]: BBox): boolean =>
      from < right - MIN_GUTTER_WIDTH && to > right - MIN_GUTTER_WIDTH
    const crossingBoxes = [
      ...segments.map(({ bbox }) => bbox),
      ...rules.filter(([from, , to]) => to - from > MIN_GUTTER_WIDTH),
    ]
    const tables = blocks.flatMap((block) => (isTableAcross(block, segments, right) ? [block.bbox] : []))
    const cuts = [...[...crossingBoxes, ...tables].filter(crosses), ...blank].sort((a, b) => a[1] - b[1])
    for (const [top, bottom] of rangesBetween(cuts)) {
      if (bottom - top < Math.max(MIN_GUTTER_HEIGHT, best === undefined ? 0 : best.bottom - best.top))
        continue
      const gutter = gutterIn(segments, { edge: right, from: top, to: bottom }, blocks, height)
      if (gutter === undefined || !readsAcross(blocks, gutter, segments)) continue
      if (best === undefined || gutter.bottom - gutter.top > best.bottom - best.top) best = gutter
    }
  }
  return best
}

// Two pages on a sheet. In line heights: the minimum width of the gap between them, which no text crosses. The minimum number
// of lines on each side, and the maximum share of them at the height of a line on the other page. Rows of a table are at the
// same height.
const MIN_SPREAD_GAP = 3
const MIN_SPREAD_LINES = 8
const MAX_SPREAD_ALIGNED = 0.6

/** The gap between two pages on one sheet, whatever tables were seen across it. */
function spreadOf(segments: readonly Segment[], height: number): Gutter | undefined {
  let textEnd = Number.POSITIVE_INFINITY
  let widestGap: [number, number] = [0, 0]
  for (const { bbox } of [...segments].sort((a, b) => a.bbox[0] - b.bbox[0])) {
    if (bbox[0] - textEnd > widestGap[1] - widestGap[0]) widestGap = [textEnd, bbox[0]]
    textEnd = textEnd === Number.POSITIVE_INFINITY ? bbox[2] : Math.max(textEnd, bbox[2])
  }
  const [left, right] = widestGap
  if (right - left < height * MIN_SPREAD_GAP) return undefined
  const sides = [
    segments.filter(({ bbox }) => bbox[2] <= left),
    segments.filter(({ bbox }) => bbox[0] >= right),
  ].map((side) => side.filter(isText))
  const [leftLines = [], rightLines = []] = sides
  if (Math.min(leftLines.length, rightLines.length) < MIN_SPREAD_LINES) return undefined
  const aligned = leftLines.filter(({ bbox }) =>
    rightLines.some((text) => Math.abs(text.bbox[3] - bbox[3]) < height * BASELINE),
  )
  if (aligned.length > Math.min(leftLines.length, rightLines.length) * MAX_SPREAD_ALIGNED) return undefined
  const tops = segments.map(({ bbox }) => bbox[1])
  const bottoms = segments.map(({ bbox }) => bbox[3])
  return { left, right, top: Math.min(...tops), bottom: Math.max(...bottoms), height }
}

// Columns with few lines. In line heights: the minimum gap between them. Then the minimum number of lines in each.
const MIN_SHORT_GAP = 2
const MIN_SHORT_LINES = 2

/** The gutter in a paragraph of at least two lines that has, on both sides of it, lines that continue in mid-sentence. */
function shortGutter(
  segments: readonly Segment[],
  blocks: readonly PlacedBlock[],
  height: number,
): Gutter | undefined {
  for (const { kind, bbox: place } of blocks) {
    if (kind !== 'paragraph') continue
    const inside = segments.filter(({ bbox }) => isCentreInside(bbox, place))
    const firstStart = Math.min(...inside.map(({ bbox }) => bbox[0]))
    const right = Math.min(
      ...inside.map(({ bbox }) => bbox[0]).filter((x) => x > firstStart + height * MIN_SHORT_GAP),
    )
    const sides = [
      inside.filter(({ bbox }) => bbox[0] < right),
      inside.filter(({ bbox }) => bbox[0] >= right),
    ]
    const left = Math.max(...(sides[0] ?? []).map(({ bbox }) => bbox[2]))
    if (right - left > height * MIN_SHORT_GAP && sides.every(isContinuousText))
      return { left, right, top: place[1], bottom: place[3], height }
  }
  return undefined
}

/** Whether lines are one text: they have the same left edge, and most continue in mid-sentence. */
function isContinuousText([first, ...others]: readonly Segment[]): boolean {
  const inSentence = others.filter(({ text }) => /^\p{Ll}/u.test(text))
  return (
    first !== undefined &&
    others.length + 1 >= MIN_SHORT_LINES &&
    others.every(({ bbox }) => sameEdge(bbox[0], first.bbox[0], heightOf(bbox))) &&
    inSentence.length * 2 > others.length
  )
}

/** Whether a table extends to both sides and neither has running text. Otherwise text of a column was included in it. */
function isTableAcross(
  { kind, bbox: place }: PlacedBlock,
  segments: readonly Segment[],
  right: number,
): boolean {
  if (kind !== 'table') return false
  const inside = segments.filter(({ bbox }) => middle(bbox) > place[1] && middle(bbox) < place[3])
  const sides = [
    inside.filter(({ bbox }) => bbox[0] < right - heightOf(bbox) * EDGE),
    inside.filter(({ bbox }) => bbox[0] >= right - heightOf(bbox) * EDGE),
  ]
  return sides.every((side) => runningLines(side).length < MIN_LINES_IN_TABLE)
}

/** A line's segments, with marks of entries joined to their text. */
function withMarks({ segments }: Line): Segment[] {
  const joined: Segment[] = []
  for (const segment of segments) {
    const last = joined.at(-1)
    if (last === undefined || !isMark(last.text) || segment.bbox[0] - last.bbox[2] > MAX_MARK_GAP)
      joined.push(segment)
    else joined[joined.length - 1] = { ...segment, bbox: union(last.bbox, segment.bbox) }
  }
  return joined
}

/** Left edges of several lines of text, except the page's left margin. Most pages have none, and then the search ends. */
function edgesOf(segments: readonly PlacedText[]): number[] {
  const counts = new Map<number, number>()
  const first = Math.min(...segments.map(({ bbox }) => bbox[0]))
  for (const segment of segments) {
    const x = Math.round(segment.bbox[0])
    if (x > first + MIN_GUTTER_WIDTH && isText(segment)) counts.set(x, (counts.get(x) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count * 2 >= MIN_LINES).map(([x]) => x)
}

/** Blank bands across the page: notes at the bottom belong to no column. */
function blankBands(segments: readonly Segment[]): BBox[] {
  const bands: BBox[] = []
  let bottom = Number.POSITIVE_INFINITY
  for (const { bbox } of [...segments].sort((a, b) => a.bbox[1] - b.bbox[1])) {
    if (bbox[1] - bottom > MIN_BLANK_BAND) bands.push([0, bottom, 0, bbox[1]])
    bottom = Math.max(bbox[3], bottom === Number.POSITIVE_INFINITY ? 0 : bottom)
  }
  return bands
}

/** The ranges of the page's height between the boxes, from the top. */
function rangesBetween(cuts: readonly BBox[]): [top: number, bottom: number][] {
  const ranges: [number, number][] = []
  let top = 0
  for (const [, from, , to] of cuts) {
    if (from > top) ranges.push([top, from])
    top = Math.max(top, to)
  }
  return [...ranges, [top, Number.POSITIVE_INFINITY]]
}

/** The gutter before an edge in a part of the page, if both sides have running text outside the tables across it. */
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
  const inside = all.filter(({ bbox }) => middle(bbox) > from && middle(bbox) < to)
  const left = inside.filter(({ bbox }) => bbox[0] < edge - MIN_GUTTER_WIDTH)
  const right = inside.filter(({ bbox }) => bbox[0] >= edge - MIN_GUTTER_WIDTH)
  const [texts, others] = [left, right].map((side) => runningLines(side.filter(isOutside)))
  if (texts === undefined || others === undefined) return undefined
  const atEdge = others.filter(({ bbox }) => sameEdge(bbox[0], edge, height))
  if (texts.length < MIN_LINES || atEdge.length < MIN_LINES || areRows(texts, others, height))
    return undefined
  return {
    left: Math.max(...left.map(({ bbox }) => bbox[2])),
    right: Math.min(...right.map(({ bbox }) => bbox[0])),
    top: Math.min(...inside.map(({ bbox }) => bbox[1])),
    bottom: Math.max(...inside.map(({ bbox }) => bbox[3])),
    height,
  }
}

const middle = (bbox: BBox): number => (bbox[1] + bbox[3]) / 2

interface TextLine {
  bbox: BBox
  /** Whether the line begins a paragraph. */
  begins: boolean
}

type PlacedText = Pick<Segment, 'text' | 'bbox'>
const placedText = (item: TextItem): PlacedText => ({ text: item.text, bbox: rectBox(item) })

const isText = ({ text }: PlacedText): boolean =>
  lettersWide(text) >= MIN_LETTERS && /\p{Ll}|\p{Lo}/u.test(text)

/** The lines of running text: long and close to each other. */
function runningLines(segments: readonly Segment[]): TextLine[] {
  const long = segments.filter(isText)
  const widest = Math.max(...long.map(({ bbox }) => bbox[2] - bbox[0]))
  const lines = long
    .filter(({ bbox }) => bbox[2] - bbox[0] > widest * MIN_SHARE_OF_WIDEST)
    .sort((a, b) => a.bbox[3] - b.bbox[3])
  const follows = (a: Segment | undefined, b: Segment | undefined): boolean =>
    a !== undefined && b !== undefined && b.bbox[3] - a.bbox[3] < (b.bbox[3] - b.bbox[1]) * MAX_PITCH
  return lines.flatMap((line, i) => {
    const [above, below] = [lines[i - 1], lines[i + 1]]
    if (!follows(above, line) && !follows(line, below)) return []
    const pitch = line.bbox[3] - line.bbox[1]
    return [
      {
        bbox: line.bbox,
        begins: above === undefined || line.bbox[3] - above.bbox[3] > pitch * MIN_PARAGRAPH_PITCH,
      },
    ]
  })
}

// In line heights: the minimum distance from the last line of a paragraph to the first line of the next paragraph.
const MIN_PARAGRAPH_PITCH = 1.35

/** Whether paragraphs of both sides are next to each other, row by row. */
function areRows(left: readonly TextLine[], right: readonly TextLine[], height: number): boolean {
  const [tops, others] = [left, right].map((side) =>
    side.filter(({ begins }) => begins).map(({ bbox }) => bbox[1]),
  )
  // Columns of text also begin at one height.
  const [, ...paragraphTops] = tops ?? []
  const minParagraphs = Math.min(tops?.length ?? 0, others?.length ?? 0)
  const sharedRows = paragraphTops.filter((top) =>
    others?.some((other) => Math.abs(top - other) < height * BASELINE),
  )
  return minParagraphs > 2 && sharedRows.length > (minParagraphs - 1) * MIN_ROWS_SHARE
}

/** Whether a block mixes lines of both sides, or a block of the left side comes after one of the right. */
function readsAcross(blocks: readonly PlacedBlock[], gutter: Gutter, segments: readonly Segment[]): boolean {
  const { left, right, top, bottom, height } = gutter
  let isRight = false
  return blocks.some((block) => {
    const { bbox } = block
    if (middle(bbox) < top || middle(bbox) > bottom) return false
    const isLeft = bbox[2] <= left + height * EDGE
    if (isLeft)
      return isRight && segments.some((segment) => isText(segment) && isCentreInside(segment.bbox, bbox))
    isRight = true
    return bbox[0] < right - height * EDGE && mixesSides(block, right, segments)
  })
}

/** Whether a line of the left side comes after one of the right. A paragraph may continue at the top of the next column. */
function mixesSides(
  { kind, text, bbox: place }: PlacedBlock,
  right: number,
  segments: readonly Segment[],
): boolean {
  if (kind === 'table') return true
  const letters = lettersIn(text)
  const crossing = segments
    .filter((segment) => isText(segment) && isCentreInside(segment.bbox, place))
    .map((segment) => ({
      at: letters.indexOf(lettersOf([segment])),
      isLeft: segment.bbox[0] < right - heightOf(segment.bbox) * EDGE,
    }))
    .filter(({ at }) => at >= 0)
  const first = Math.min(...crossing.filter(({ isLeft }) => !isLeft).map(({ at }) => at))
  return crossing.some(({ at, isLeft }) => isLeft && at > first)
}
