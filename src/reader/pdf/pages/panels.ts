// Two pages on a sheet, and the panels of a brochure: parts of a page that are read one after the other. Where the page's
// blocks were read across the white between them, each part is read as a page of its own.

import type { LayoutBlock, ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse'
import type { BBox, Block } from '../../block.ts'
import { centreIn, rectBox, union } from '../layout/place.ts'
import { endOf, lettersOf } from '../layout/words.ts'
import { type Gutter, gutterOf } from './gutters.ts'

type Read = (page: ParsedPage) => Block[]

// A drawing has more texts.
const MOST_ITEMS = 2000
// Points a block's edges may be off.
const SLACK = 1.5

/** The page's blocks as `read` gives them, part by part where it was read across a gutter. */
export function panelBlocks(page: ParsedPage, read: Read): Block[] {
  const blocks = read(page)
  if (page.textItems.length > MOST_ITEMS) return blocks
  const gutter = gutterOf(page, blocks)
  if (gutter === undefined) return blocks
  const parts = partsOf(page, gutter).filter(({ textItems }) => textItems.length > 0)
  return parts.flatMap((part) => panelBlocks(part, read))
}

/** What stands above the gutter, left and right of it, and below. */
function partsOf(page: ParsedPage, { left, right, top, bottom }: Gutter): ParsedPage[] {
  const [first, last] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const edge = (left + right) / 2
  const items = page.textItems.flatMap((item) => cutItem(item, edge, top, bottom))
  const boxes: BBox[] = [
    [first, first, last, top],
    [first, top, edge, bottom],
    [edge, top, last, bottom],
    [first, bottom, last, last],
  ]
  return boxes.map((box) => partIn({ ...page, textItems: items }, box, page.textItems))
}

/** An item that reaches over the gutter, as two. */
function cutItem(item: TextItem, edge: number, top: number, bottom: number): TextItem[] {
  const y = item.y + item.height / 2
  const words = item.words ?? []
  if (y < top || y > bottom || item.x > edge || item.x + item.width < edge || words.length < 2) return [item]
  const sides = [words.filter(({ x }) => x < edge), words.filter(({ x }) => x >= edge)]
  return sides.flatMap((own) => (own.length === 0 ? [] : [itemOf(item, own)]))
}

function itemOf(item: TextItem, words: WordBox[]): TextItem {
  const [x, end] = [words[0]?.x ?? 0, Math.max(...words.map((word) => word.x + word.width))]
  return { ...item, text: words.map(({ text }) => text).join(' '), x, width: end - x, words }
}

const isIn = (x: number, y: number, [left, top, right, bottom]: BBox): boolean =>
  x >= left && x < right && y >= top && y < bottom

function partIn(page: ParsedPage, box: BBox, all: readonly TextItem[]): ParsedPage {
  const own = (item: TextItem): boolean => isIn(item.x + item.width / 2, item.y + item.height / 2, box)
  const textItems = page.textItems.filter(own)
  const { vectorGraphics } = page
  const lines = vectorGraphics?.lines.filter(({ x1, x2, y1, y2 }) => isIn((x1 + x2) / 2, (y1 + y2) / 2, box))
  const blocks = (page.blocks ?? []).flatMap((block) => layoutIn(block, box, textItems, all))
  return {
    ...page,
    textItems,
    blocks: withoutTorn(blocks, textItems),
    ...(vectorGraphics && lines ? { vectorGraphics: { ...vectorGraphics, lines } } : {}),
  }
}

/** A block of the layout pass where all of it stands in the part; of others their letters in it, of a table its place. */
function layoutIn(
  block: LayoutBlock,
  box: BBox,
  own: readonly TextItem[],
  all: readonly TextItem[],
): LayoutBlock[] {
  if (block.bbox === undefined) return []
  const place = rectBox(block.bbox)
  const within = (items: readonly TextItem[]): TextItem[] =>
    items.filter(({ x, y, width, height }) => isIn(x + width / 2, y + height / 2, place))
  const inside = within(own)
  if (inside.length === 0) return []
  const outside = within(all).filter((item) => !inside.includes(item))
  if (outside.length === 0) return [block]
  if (block.kind === 'table') {
    const [x, y] = [Math.max(place[0], box[0]), Math.max(place[1], box[1])]
    const [right, bottom] = [Math.min(place[2], box[2]), Math.min(place[3], box[3])]
    return [{ ...block, bbox: { x, y, width: right - x, height: bottom - y } }]
  }
  const text = textIn(block.text ?? '', inside, outside)
  const [x, y, right, bottom] = inside.map(rectBox).reduce(union)
  return text === undefined ? [] : [{ ...block, text, bbox: { x, y, width: right - x, height: bottom - y } }]
}

/** Of a text that goes on in another part what is in this one; undefined where its lines are mixed. */
function textIn(text: string, inside: readonly TextItem[], outside: readonly TextItem[]): string | undefined {
  const end = endOf(text, lettersOf(inside))
  if (end !== undefined) return text.slice(0, end)
  const before = endOf(text, lettersOf(outside))
  return before === undefined ? undefined : text.slice(before).trimStart()
}

/** The blocks without the paragraphs that lost a line to a block of both sides: all of their lines are read again. */
function withoutTorn(blocks: readonly LayoutBlock[], items: readonly TextItem[]): LayoutBlock[] {
  const places = blocks.flatMap(({ bbox }) => (bbox === undefined ? [] : [rectBox(bbox)]))
  const lost = items.filter((item) => !places.some((place) => centreIn(item, place, SLACK)))
  return blocks.filter(({ kind, bbox }) => {
    if (kind !== 'paragraph' || bbox === undefined) return true
    const [left, top, right, bottom] = rectBox(bbox)
    return !lost.some(
      ({ x, y, width, height }) =>
        x < right && x + width > left && y < bottom + height / 2 && y + height > top - height / 2,
    )
  })
}
