// Raised and lowered marks that the layout pass makes blocks of their own: the indices of a formula came between the lines of
// its
// paragraph ("S = {L", "1 d"), and marks of notes restored by lost-texts.ts were in no block. If every text of such a block
// touches
// a larger word, it is put after that word.

import type { LayoutBlock, ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse'
import { raised } from '../../blocks/raised.ts'
import { BLOCK_EDGE } from '../../page/tolerance.ts'
import { centreIn, rectBox } from '../layout/boxes.ts'

// The most characters of such a block and of a mark.
const MOST_BLOCK = 16
const MOST_MARK = 6
// Shares of a word's height: the mark's height, its distance from the word's end, and how much of it overlaps the word's line.
const MOST_HEIGHT = 0.84
const TOUCHING = 0.15
const LEAST_SHARED = 0.12
// The most by which a mark at the foot of another mark is larger.
const MOST_LARGER = 1.3
// Characters before and after a mark that locate it in a block's text.
const AROUND = 24
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉'

interface Placed {
  item: TextItem
  mark: TextItem
  /** The index of the item's word before the mark, and whether the mark is higher than that word. */
  word: number
  isRaised: boolean
}

/** The page with such marks in their words; unchanged if it has none, like most pages. */
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

/** The block's items, if they are all of its text and each may be a mark; otherwise none. */
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

/** The page with all the marks put after words, without their block; undefined if one has no place. */
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

/** The larger word left of the mark that it touches. */
function placeOf(mark: TextItem, items: readonly TextItem[], marks: readonly TextItem[]): Placed | undefined {
  for (const item of items) {
    if (item.y > mark.y + mark.height || mark.y > item.y + item.height) continue
    if (item.x > mark.x || item.x + item.width < mark.x - item.height * TOUCHING) continue
    const words = item.words ?? []
    const at = words.findIndex((word) => isBase(word, mark, isOneOf(marks, word) ? MOST_LARGER : MOST_HEIGHT))
    const base = words[at]
    if (base === undefined) continue
    // A mark above the same letter goes first.
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
    // Signs in the middle of a line's height are on the line.
    (y + height > word.y + word.height || y < word.y + word.height * TOUCHING)
  )
}

/** The item with the mark, and the blocks with it in the item's text; undefined if no block has that text. */
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

/** The occurrence of the part nearest to `expected`: a formula repeats letters. */
function nearest(text: string, part: string, expected: number): number {
  let best = text.indexOf(part)
  for (let at = best; at >= 0; at = text.indexOf(part, at + 1))
    if (Math.abs(at - expected) < Math.abs(best - expected)) best = at
  return best
}

/** The length of the block's text before the item. */
function lengthBefore(item: TextItem, block: LayoutBlock, items: readonly TextItem[]): number {
  const before = items.slice(0, items.indexOf(item)).filter((each) => holds(block, each))
  return before.reduce((sum, { text }) => sum + text.length + 1, 0)
}

/** A space before punctuation was the mark's place. */
const closedUp = (text: string): string => text.replace(/^\s+(?=[,.;:)\]}])/, '')

/** The end of the word in the text. */
function endOf(text: string, words: readonly WordBox[], word: number): number | undefined {
  let end = 0
  for (const each of words.slice(0, word + 1)) {
    const start = text.indexOf(each.text, end)
    if (start < 0) return undefined
    end = start + each.text.length
  }
  return end
}

/** After a digit, a mark of digits is spelled as exponent or index, so that the number does not change. */
function spelled(before: string, mark: string, isRaised: boolean): string {
  if (!/^\d+$/.test(mark) || !/\d$/.test(before)) return mark
  return isRaised ? raised(before, mark) : [...mark].map((digit) => SUBSCRIPTS[Number(digit)]).join('')
}
