// Figures raised after a figure: liteparse runs them together, so that 10⁶ is read as 106 and the price "€1,250.00¹" as
// 1,250.001.
// The boxes of words show it: a raised figure has a smaller box, which ends above the baseline and touches the figure before
// it.
// If one box holds both ("cm2", or the mark of a note and its first word: "3We"), it begins above all others of its line.
// Letters raised after a figure are split from it: "34 th".

import type { LayoutBlock, ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse'
import { raised } from '../../blocks/raised.ts'
import { BLOCK_EDGE } from '../../page/tolerance.ts'
import { centreIn, rectBox } from '../layout/boxes.ts'

// Shares of the height of the figure before: the height of a raised one, how far above its bottom it ends, and the gap.
const MOST_HEIGHT = 0.8
const LEAST_RISE = 0.2
const TOUCHING = 0.15
// A word with a raised figure: how much higher it begins than others of its line (share of the height), how many others there
// are at least, and by how many points those may differ.
const LEAST_HIGHER = 0.07
const LEAST_OTHERS = 2
const ROUNDING = 0.2
// The letters confirm it.
const MOST_ORDINAL = 0.9
const ORDINAL = /^(?:st|nd|rd|th|er|re|ère|ème)$/
// Characters around a raised figure that locate it in the layout pass' text, which may not have its whole line.
const AROUND = 16

export interface Change {
  from: string
  to: string
  /** Its item: the same number in another block is not changed. */
  item: TextItem
}

/** The page with raised figures as exponents or marks; unchanged if it has none, like most pages. */
export function withRaisedFigures(page: ParsedPage): ParsedPage {
  const changes: Change[] = []
  const textItems = withOrdinals(page.textItems, changes).map((item) => readItem(item, changes))
  return withChanges(page, textItems, changes)
}

/** The page with the new items, and the same changes in the texts of its blocks. */
function withChanges(page: ParsedPage, textItems: TextItem[], changes: readonly Change[]): ParsedPage {
  if (changes.length === 0) return page
  return {
    ...page,
    textItems,
    ...(page.blocks === undefined ? {} : { blocks: page.blocks.map((block) => readBlock(block, changes)) }),
  }
}

/** "34", "th Street": a raised ending is an item of its own with what follows. */
function withOrdinals(items: readonly TextItem[], changes: Change[]): TextItem[] {
  const read: TextItem[] = []
  for (const item of items) {
    const before = read.at(-1)
    const figure = before?.words?.at(-1)
    const [ending, ...words] = item.words ?? []
    if (before === undefined || figure === undefined || ending === undefined || !isOrdinal(figure, ending)) {
      read.push(item)
      continue
    }
    changes.push({ from: `${figure.text} ${ending.text}`, to: figure.text + ending.text, item: before })
    const whole = {
      ...figure,
      text: figure.text + ending.text,
      width: ending.x + ending.width - figure.x,
    }
    read[read.length - 1] = {
      ...before,
      text: before.text.trimEnd() + item.text.trimStart(),
      width: item.x + item.width - before.x,
      words: [...(before.words ?? []).slice(0, -1), whole, ...words],
    }
  }
  return read
}

const isOrdinal = (figure: WordBox, ending: WordBox): boolean =>
  ORDINAL.test(ending.text) && /^\(?\d+$/.test(figure.text) && standsRaised(figure, ending, MOST_ORDINAL)

function readItem(item: TextItem, changes: Change[]): TextItem {
  if (!/\d/.test(item.text)) return item
  const words = item.words ?? []
  const mends = words.map((word, i) => mendOf(words, i, /\d\p{L}|\p{L}\d/u.test(word.text)))
  if (!mends.some(Boolean)) return item
  let text = item.text
  let at = 0
  const read = words.map((word, i) => {
    const start = text.indexOf(word.text, at)
    if (start < 0) return word
    const own = mends[i]?.(text.slice(0, start), start === at) ?? word.text
    const end = start + word.text.length
    at = start + own.length
    if (own === word.text) return word
    const [before, behind] = around(text, start, end)
    changes.push({ from: before + word.text + behind, to: before + own + behind, item })
    text = text.slice(0, start) + own + text.slice(end)
    return { ...word, text: own }
  })
  return text === item.text ? item : { ...item, text, words: read }
}

/** The spelling of a word with a raised figure, after the text before it. */
type Mend = (before: string, touches: boolean) => string | undefined

function mendOf(words: readonly WordBox[], i: number, isMixed: boolean): Mend | undefined {
  const word = words[i]
  if (word === undefined) return undefined
  if (isRaised(words[i - 1], word))
    return (before, touches) => (touches ? raised(before, word.text) : undefined)
  if (!isMixed || !risesAboveOthers(word, words)) return undefined
  return (before) => {
    const [, mark, first] = /^(\d{1,2})(\p{Lu}.*)$/u.exec(word.text) ?? []
    if (mark !== undefined) return `${mark} ${first}`
    const [, unit, exponent] = /^(.*\p{L})(\d{1,2})$/u.exec(word.text) ?? []
    if (unit === undefined || exponent === undefined) return undefined
    const own = raised(before + unit, exponent)
    return own.startsWith('[') ? undefined : unit + own
  }
}

/** Whether a word's box begins above those of the others, which all have the same top and bottom. */
function risesAboveOthers(word: WordBox, words: readonly WordBox[]): boolean {
  const others = words.filter((other) => other !== word)
  const [first] = others
  if (first === undefined || others.length < LEAST_OTHERS) return false
  const foot = first.y + first.height
  return (
    first.y - word.y > first.height * LEAST_HIGHER &&
    Math.abs(word.y + word.height - foot) < ROUNDING &&
    others.every(
      ({ y, height }) => Math.abs(y - first.y) < ROUNDING && Math.abs(y + height - foot) < ROUNDING,
    )
  )
}

function isRaised(before: WordBox | undefined, word: WordBox): boolean {
  const { text } = word
  if (before === undefined || !/^\d{1,2}$/.test(text) || !/[\d)]$/.test(before.text)) return false
  return standsRaised(before, word)
}

/** Whether the box is smaller, ends above the baseline and touches the word before. */
function standsRaised(before: WordBox, { x, y, height }: WordBox, most = MOST_HEIGHT): boolean {
  return (
    height < before.height * most &&
    before.y + before.height - (y + height) > before.height * LEAST_RISE &&
    y + height > before.y &&
    Math.abs(x - before.x - before.width) < before.height * TOUCHING
  )
}

/** The characters before and after, without cutting a number. */
export function around(text: string, start: number, end: number): [before: string, behind: string] {
  const before = text.slice(Math.max(0, start - AROUND), start)
  const behind = text.slice(end, end + AROUND)
  return [
    start > AROUND ? before.replace(/^[\d.,]+(?=[^\d.,])/, '') : before,
    end + AROUND < text.length ? behind.replace(/(?<=[^\d.,])[\d.,]+$/, '') : behind,
  ]
}

function readBlock(block: LayoutBlock, changes: readonly Change[]): LayoutBlock {
  if (block.text === undefined) return block
  const place = block.bbox && rectBox(block.bbox)
  const own = changes.filter(({ item }) => place === undefined || centreIn(item, place, BLOCK_EDGE))
  const text = own.reduce(changed, block.text)
  return text === block.text ? block : { ...block, text }
}

/** Changes the first occurrence that is not part of another number: the 121 that is 12¹ occurs in 5,121 too. */
function changed(text: string, { from, to }: Change): string {
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + 1)) {
    const end = at + from.length
    const goesOn =
      (/^\d/.test(from) && /\d[.,]?$/.test(text.slice(Math.max(0, at - 2), at))) ||
      (/\d$/.test(from) && /^[.,]?\d/.test(text.slice(end, end + 2)))
    if (!goesOn) return text.slice(0, at) + to + text.slice(end)
  }
  return text
}

// Numerators of fractions in small figures. liteparse drops a numerator that the bar overlaps ("⁄4" for ¼), and appends one to
// the whole number before it ("21⁄4" for 2¼). pdf.js gives each as a text of its own.

const BAR = /[⁄∕/]/
// A plain slash begins a word if smaller type is before it.
const WORD_WITH_BAR = /[⁄∕]\d|^\/\d/
const FRACTION = /(\d*)([⁄∕/])(?=\d)/g
// Shares of a text's size: how much lower the bar begins, how much smaller its figures are, and the gap between them and what
// they touch.
const BAR_BELOW = 0.1
const SMALLER = 0.8
const WHOLE_GAP = 0.2

/** A text from pdf.js, in drawing order; `y` is its baseline, from the page's upper edge. */
export interface DrawnText {
  text: string
  x: number
  y: number
  width: number
  size: number
}

/** A numerator with the place of its bar and the whole number that it touches. */
interface Numerator {
  text: string
  whole: string
  x: number
  y: number
  /** The middle of the numerator. */
  middle: number
}

/** Whether the page may have a fraction whose numerator liteparse lost or misread. */
export const mayLackNumerators = ({ textItems }: Pick<ParsedPage, 'textItems'>): boolean =>
  textItems.some(
    ({ text, words }) => BAR.test(text) && (words ?? []).some((word) => WORD_WITH_BAR.test(word.text)),
  )

/** The page with the numerators as they are drawn. */
export function withNumerators(page: ParsedPage, drawn: readonly DrawnText[]): ParsedPage {
  const words = page.textItems.map(withJoinedBars)
  const others = words.flat().filter(({ text }) => /\d$/.test(text) && !BAR.test(text))
  // A numerator inside another text is not lost.
  const numerators = numeratorsOf(drawn).filter(
    ({ text, middle, y }) =>
      !others.some((word) => word.text.endsWith(text) && holds(word, middle, y - word.height / 2)),
  )
  if (numerators.length === 0) return page
  const changes: Change[] = []
  const textItems = page.textItems.map((item, i) => readFractions(item, words[i] ?? [], numerators, changes))
  return withChanges(page, textItems, changes)
}

const holds = (word: WordBox, x: number, y: number): boolean =>
  x > word.x - BLOCK_EDGE && x < word.x + word.width && y > word.y && y < word.y + word.height + BLOCK_EDGE

function numeratorsOf(drawn: readonly DrawnText[]): Numerator[] {
  const texts = drawn.filter(({ text }) => text.trim() !== '')
  return texts.flatMap((bar, i) => {
    const figure = texts[i - 1]
    if (figure === undefined || !BAR.test(bar.text[0] ?? '') || !/^\d{1,3}$/.test(figure.text.trim()))
      return []
    const isSmall = bar.y - figure.y > figure.size * BAR_BELOW || figure.size < bar.size * SMALLER
    if (!isSmall || Math.abs(bar.x - figure.x - figure.width) > figure.size) return []
    const before = texts[i - 2]
    const isWhole = before !== undefined && touches(before, figure)
    const whole = isWhole ? (/\d+$/.exec(before.text)?.[0] ?? '') : ''
    const middle = figure.x + figure.width / 2
    return [{ text: figure.text.trim(), whole, x: bar.x, y: bar.y, middle }]
  })
}

const touches = (before: DrawnText, { x, y }: DrawnText): boolean =>
  Math.abs(x - before.x - before.width) < before.size * WHOLE_GAP && Math.abs(y - before.y) < before.size

function readFractions(
  item: TextItem,
  joined: readonly WordBox[],
  numerators: readonly Numerator[],
  changes: Change[],
): TextItem {
  if (!BAR.test(item.text)) return item
  let text = item.text
  let at = 0
  const words = joined.map((word) => {
    const start = text.indexOf(word.text, at)
    if (start < 0) return word
    const own =
      WORD_WITH_BAR.test(word.text) || /\d\/\d/.test(word.text) ? spelled(word, numerators) : word.text
    const end = start + word.text.length
    at = start + own.length
    if (own === word.text) return word
    const [before, behind] = around(text, start, end)
    changes.push({ from: before + word.text + behind, to: before + own + behind, item })
    text = text.slice(0, start) + own + text.slice(end)
    return { ...word, text: own }
  })
  return text === item.text ? item : { ...item, text, words }
}

/** The item's words. A word that begins with a bar is joined to the figures it touches. */
function withJoinedBars({ words = [] }: TextItem): WordBox[] {
  const joined: WordBox[] = []
  for (const word of words) {
    const last = joined.at(-1)
    const isOne =
      last !== undefined &&
      /^[⁄∕/]\d/.test(word.text) &&
      /\d$/.test(last.text) &&
      Math.abs(word.x - last.x - last.width) < word.height * WHOLE_GAP
    if (!isOne) joined.push(word)
    else {
      const y = Math.min(last.y, word.y)
      const bottom = Math.max(last.y + last.height, word.y + word.height)
      const place = { x: last.x, y, width: word.x + word.width - last.x, height: bottom - y }
      joined[joined.length - 1] = { text: last.text + word.text, ...place }
    }
  }
  return joined
}

/** The word with the numerators of its bars; unchanged if there are not as many numerators as bars. */
function spelled(word: WordBox, numerators: readonly Numerator[]): string {
  const own = numerators.filter(({ x, y }) => holds(word, x, y)).sort((a, b) => a.x - b.x)
  if (own.length !== word.text.match(FRACTION)?.length) return word.text
  return word.text.replace(FRACTION, (drawn, figures: string, bar: string) => {
    const { text = '', whole = '' } = own.shift() ?? {}
    // liteparse kept the numerator or dropped it.
    if (figures !== whole + text && figures !== whole) return drawn
    return `${whole === '' ? '' : `${whole} `}${text}${bar}`
  })
}
