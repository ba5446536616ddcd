// Numerators of fractions set in small figures. The library drops one that the fraction's bar overlaps ("⁄4" for ¼), and
// writes one behind a whole number as its last figure ("21⁄4" for 2¼). pdf.js has each as a text of its own.

import type { ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse'
import { around, type Change, withChanges } from './raised-figures.ts'

const BAR = /[⁄∕/]/
// A plain slash begins a word where what stands before it is set smaller.
const WORD_WITH_BAR = /[⁄∕]\d|^\/\d/
const FRACTION = /(\d*)([⁄∕/])(?=\d)/g
// Share of a text's size: how much further down the bar begins, how much smaller figures are, and the gap to what they touch.
const LEAST_RISE = 0.1
const SMALLER = 0.8
const TOUCHING = 0.2
// Points by which boxes of one text differ.
const SLACK = 1

/** A text as pdf.js hands it over, in the order it is drawn; `y` is its baseline, from the page's upper edge. */
export interface DrawnText {
  text: string
  x: number
  y: number
  width: number
  size: number
}

/** A numerator by the place of its bar, with the figures of the whole number it touches. */
interface Numerator {
  text: string
  whole: string
  x: number
  y: number
  /** Its own middle. */
  middle: number
}

/** Whether the page may have a fraction whose numerator the library lost or misread. */
export const mayLackNumerators = ({ textItems }: Pick<ParsedPage, 'textItems'>): boolean =>
  textItems.some(
    ({ text, words }) => BAR.test(text) && (words ?? []).some((word) => WORD_WITH_BAR.test(word.text)),
  )

/** The page with the numerators of its fractions as they are drawn. */
export function withNumerators(page: ParsedPage, drawn: readonly DrawnText[]): ParsedPage {
  const words = page.textItems.map(withJoinedBars)
  const others = words.flat().filter(({ text }) => /\d$/.test(text) && !BAR.test(text))
  // One that stands in another text is not lost.
  const numerators = numeratorsOf(drawn).filter(
    ({ text, middle, y }) =>
      !others.some((word) => word.text.endsWith(text) && holds(word, middle, y - word.height / 2)),
  )
  if (numerators.length === 0) return page
  const changes: Change[] = []
  const textItems = page.textItems.map((item, i) => readItem(item, words[i] ?? [], numerators, changes))
  return withChanges(page, textItems, changes)
}

const holds = (word: WordBox, x: number, y: number): boolean =>
  x > word.x - SLACK && x < word.x + word.width && y > word.y && y < word.y + word.height + SLACK

function numeratorsOf(drawn: readonly DrawnText[]): Numerator[] {
  const texts = drawn.filter(({ text }) => text.trim() !== '')
  return texts.flatMap((bar, i) => {
    const figure = texts[i - 1]
    if (figure === undefined || !BAR.test(bar.text[0] ?? '') || !/^\d{1,3}$/.test(figure.text.trim()))
      return []
    const isSmall = bar.y - figure.y > figure.size * LEAST_RISE || figure.size < bar.size * SMALLER
    if (!isSmall || Math.abs(bar.x - figure.x - figure.width) > figure.size) return []
    const before = texts[i - 2]
    const isWhole = before !== undefined && touches(before, figure)
    const whole = isWhole ? (/\d+$/.exec(before.text)?.[0] ?? '') : ''
    const middle = figure.x + figure.width / 2
    return [{ text: figure.text.trim(), whole, x: bar.x, y: bar.y, middle }]
  })
}

const touches = (before: DrawnText, { x, y }: DrawnText): boolean =>
  Math.abs(x - before.x - before.width) < before.size * TOUCHING && Math.abs(y - before.y) < before.size

function readItem(
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

/** The item's words; one that begins with a bar is part of the figures it touches. */
function withJoinedBars({ words = [] }: TextItem): WordBox[] {
  const joined: WordBox[] = []
  for (const word of words) {
    const last = joined.at(-1)
    const isOne =
      last !== undefined &&
      /^[⁄∕/]\d/.test(word.text) &&
      /\d$/.test(last.text) &&
      Math.abs(word.x - last.x - last.width) < word.height * TOUCHING
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

/** The word with the numerators that belong to its bars; as it is where they are not as many. */
function spelled(word: WordBox, numerators: readonly Numerator[]): string {
  const own = numerators.filter(({ x, y }) => holds(word, x, y)).sort((a, b) => a.x - b.x)
  if (own.length !== word.text.match(FRACTION)?.length) return word.text
  return word.text.replace(FRACTION, (drawn, figures: string, bar: string) => {
    const { text = '', whole = '' } = own.shift() ?? {}
    // Whether the library kept the numerator or dropped it.
    if (figures !== whole + text && figures !== whole) return drawn
    return `${whole === '' ? '' : `${whole} `}${text}${bar}`
  })
}
