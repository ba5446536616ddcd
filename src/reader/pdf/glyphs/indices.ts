// Raised and lowered marks that the layout pass makes a block of their own: the indices of a formula stood between the lines
// of its paragraph ("S = {L", "1 d"), and the mark of a note given back by lost-texts.ts stood nowhere. Where each of such
// a block's texts touches a larger word it is put behind that word.

import type { LayoutBlock, ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse'
import { raised } from '../../blocks/raised.ts'
import { BLOCK_EDGE } from '../../page/tolerance.ts'
import { centreIn, rectBox } from '../layout/boxes.ts'

// A block of more characters is text; a mark of more is a word.
const MOST_BLOCK = 16
const MOST_MARK = 6
// Shares of a word's height: how high its mark may be, how far off its end and, of a mark, how much of it stands on its line.
const MOST_HEIGHT = 0.84
const TOUCHING = 0.15
const LEAST_SHARED = 0.12
// A mark at another one's foot is this much larger at most.
const MOST_LARGER = 1.3
// Characters around a mark by which its place is found in a block's text.
const AROUND = 24
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉'

interface Placed {
  item: TextItem
  mark: TextItem
  /** Of the item's words the mark is put behind, and whether it stands higher than that word. */
  word: number
  isRaised: boolean
}

/** The page with such marks in the words they belong to; most pages have none and come back as they are. */
export function withIndices(page: ParsedPage): ParsedPage {
  const strays = (page.blocks ?? []).filter(isShort)
  const lost = page.textItems.filter((item) => item.fontName === undefined && isMark(item))
  const found: [TextItem[], LayoutBlock?][] = [
    ...strays.map((stray): [TextItem[], LayoutBlock] => [marksOf(stray, page), stray]),
    ...lost.map((mark): [TextItem[]] => [[mark]]),
  ]
  return found.reduce((read, [marks, stray]) => withMarks(read, marks, stray) ?? read, page)
}

const isShort = ({ kind, text, bbox }: LayoutBlock): boolean =>
  kind !== 'table' && bbox !== undefined && text !== undefined && text.length <= MOST_BLOCK

const isMark = ({ text, rotation = 0 }: TextItem): boolean =>
  text.length <= MOST_MARK && !text.includes(' ') && Math.abs(rotation) < 1

const holds = ({ bbox }: LayoutBlock, item: TextItem): boolean =>
  bbox !== undefined && centreIn(item, rectBox(bbox), BLOCK_EDGE)

/** The block's items if they are all of it and each may be a mark; none otherwise. */
function marksOf({ bbox, text = '' }: LayoutBlock, { textItems }: ParsedPage): TextItem[] {
  if (bbox === undefined) return []
  const inside = textItems.filter(
    ({ x, y, width, height }) =>
      x > bbox.x - BLOCK_EDGE &&
      y > bbox.y - BLOCK_EDGE &&
      x + width < bbox.x + bbox.width + BLOCK_EDGE &&
      y + height < bbox.y + bbox.height + BLOCK_EDGE,
  )
  const letters = (of: string): string => [...of.replace(/[\s*\\]/g, '')].sort().join('')
  const whole = letters(inside.map((item) => item.text).join('')) === letters(text)
  return whole && inside.every(isMark) ? inside.sort((a, b) => a.x - b.x) : []
}

/** The page with all of the marks put behind words, without the block they were; undefined when one has no place. */
function withMarks(
  page: ParsedPage,
  marks: readonly TextItem[],
  stray: LayoutBlock | undefined,
): ParsedPage | undefined {
  if (marks.length === 0) return undefined
  let textItems = page.textItems.filter((item) => !marks.includes(item))
  let blocks = (page.blocks ?? []).filter((block) => block !== stray)
  for (const mark of marks) {
    const placed = placeOf(mark, textItems, marks)
    const changed = placed && put(placed, blocks, textItems)
    if (placed === undefined || changed === undefined) return undefined
    textItems = textItems.map((item) => (item === placed.item ? changed.item : item))
    blocks = changed.blocks
  }
  return { ...page, textItems, blocks }
}

/** The nearest word on the mark's left that is larger and that it touches. */
function placeOf(mark: TextItem, items: readonly TextItem[], marks: readonly TextItem[]): Placed | undefined {
  for (const item of items) {
    if (item.y > mark.y + mark.height || mark.y > item.y + item.height) continue
    if (item.x > mark.x || item.x + item.width < mark.x - item.height * TOUCHING) continue
    const words = item.words ?? []
    const at = words.findIndex((word) => isBase(word, mark, isOneOf(marks, word) ? MOST_LARGER : MOST_HEIGHT))
    const base = words[at]
    if (base === undefined) continue
    // A mark above the same letter comes first.
    const above = words.findLastIndex(({ x }, i) => i > at && Math.abs(x - mark.x) < BLOCK_EDGE)
    const isRaised = mark.y + mark.height / 2 < base.y + base.height / 2
    return { item, mark, word: Math.max(at, above), isRaised }
  }
  return undefined
}

const isOneOf = (marks: readonly TextItem[], { x, y }: WordBox): boolean =>
  marks.some((mark) => mark.x === x && mark.y === y)

function isBase(word: WordBox, { x, y, width, height }: TextItem, most: number): boolean {
  const right = word.x + word.width
  const shared = Math.min(word.y + word.height, y + height) - Math.max(word.y, y)
  return (
    height < word.height * most &&
    shared > height * LEAST_SHARED &&
    x > word.x &&
    x > right - width - BLOCK_EDGE &&
    x < right + word.height * TOUCHING &&
    // What stands in the middle of a line's height is on it.
    (y + height > word.y + word.height || y < word.y + word.height * TOUCHING)
  )
}

/** The item with the mark, and the blocks with it in the text they have of the item; undefined where none has it. */
function put(
  { item, mark, word, isRaised }: Placed,
  blocks: readonly LayoutBlock[],
  items: readonly TextItem[],
): { item: TextItem; blocks: LayoutBlock[] } | undefined {
  const words = item.words ?? []
  const end = endOf(item.text, words, word)
  if (end === undefined) return undefined
  const before = item.text.slice(0, end)
  const own = spelled(before, mark.text, isRaised)
  const from = before.slice(-AROUND) + item.text.slice(end, end + AROUND)
  const block = blocks.find((each) => holds(each, item) && each.text?.includes(from))
  if (block?.text === undefined) return undefined
  const at = nearest(block.text, from, lengthBefore(item, block, items) + end) + Math.min(end, AROUND)
  const text = block.text.slice(0, at) + own + closedUp(block.text.slice(at))
  const { x, y, width, height } = mark
  const marked = { text: own, x, y, width, height }
  return {
    item: {
      ...item,
      text: before + own + closedUp(item.text.slice(end)),
      width: Math.max(item.width, x + width - item.x),
      words: [...words.slice(0, word + 1), marked, ...words.slice(word + 1)],
    },
    blocks: blocks.map((each) => (each === block ? { ...each, text } : each)),
  }
}

/** Where the part stands that is next to `expected`: a formula says the same letter several times. */
function nearest(text: string, part: string, expected: number): number {
  let best = text.indexOf(part)
  for (let at = best; at >= 0; at = text.indexOf(part, at + 1))
    if (Math.abs(at - expected) < Math.abs(best - expected)) best = at
  return best
}

/** How long the block's text is before the item. */
function lengthBefore(item: TextItem, block: LayoutBlock, items: readonly TextItem[]): number {
  const before = items.slice(0, items.indexOf(item)).filter((each) => holds(block, each))
  return before.reduce((sum, { text }) => sum + text.length + 1, 0)
}

/** A space before punctuation was the mark's room. */
const closedUp = (text: string): string => text.replace(/^\s+(?=[,.;:)\]}])/, '')

/** Where in the text the word ends. */
function endOf(text: string, words: readonly WordBox[], word: number): number | undefined {
  let end = 0
  for (const each of words.slice(0, word + 1)) {
    const start = text.indexOf(each.text, end)
    if (start < 0) return undefined
    end = start + each.text.length
  }
  return end
}

/** Behind a figure another one is an exponent or an index, not its next digit. */
function spelled(before: string, mark: string, isRaised: boolean): string {
  if (!/^\d+$/.test(mark) || !/\d$/.test(before)) return mark
  return isRaised ? raised(before, mark) : [...mark].map((digit) => SUBSCRIPTS[Number(digit)]).join('')
}
