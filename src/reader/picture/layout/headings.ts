// Lines of a scan that are headings: taller than the text or bold, alone, no sentence. Pure.

import type { Strokes } from '../raster/stroke-width.ts'
import { boldEnd, boldRows, isOneText, standsAbove } from './bold-lines.ts'
import { MARK } from './lists.ts'
import type { Row } from './rows.ts'

// What a word has that is as tall as a capital, and nothing that reaches below the line or, as an accent does, above its
// capitals; of short words boxes are blurred.
const RISES = /[\p{Lu}bdfhklt]/u
const WORD = /\p{L}{3}/u
const HANGS = /[gjpqyQ,;()[\]{}|/@$§_βγζημξρςφχψµДЦЩдрцуфщ]|\p{Lu}\p{M}|[\u0327\u0328]/u
// A bullet is read as "e" or "o" as well.
const LONE_LETTER = /^\p{Ll}$/u
const FIGURE = /^[\d.:+-]*\d{2}$/
// Of the text's capitals. A line in a block of its own, or beside lines of its own size alone, may be less tall.
const TALL = 1.4
const TALL_ALONE = 1.17
const TITLE = 1.8
// Heights of one size of type differ by what its letters are.
const SAME_SIZE = 1.15
const MOST_LINES = 3
const ENDING = /[.,:;]$/
// "Recommendations:" in bold letters.
const BOLD_END = /[.,;]$/
const MOST_BEFORE_COLON = 8
// A sentence ends within.
const SENTENCE_END = /^\p{Ll}{4,}[.?!]$/u
const BEGINS = /^[\p{Lu}\p{N}"“]/u
// "Invoice no.: 20481", an address of a mail; a heading may have years so, or a number in brackets: "Estimate (no.: 7)".
const VALUE = /:( \S*\d\S*)+(?<!\))$|\S@\S/
const YEARS = /: (?:19|20)\d\d(?:[-–/]\d{2,4})?$/
const MOST_WORDS = 14
const MOST_BOLD_WORDS = 24
// Names of authors.
const MOST_COMMAS = 2
const LEAST_CONFIDENCE = 80
const LEAST_LETTERS = 4
// Of the text: a picture with less says nothing of what is large.
const LEAST_LINES = 5
// Text is of two sizes: where rows of tables and sentences are as tall, small print is most of the words. Only of what is
// less than TALL: boxes of figures on a poor scan are as tall as its headings.
const AS_TALL = 0.95
const TEXT_SHARE = 0.05
const LEAST_TEXT = 3

const median = (values: readonly number[]): number | undefined =>
  [...values].sort((a, b) => a - b)[values.length >> 1]

/** How tall the capitals of a line are, in pixels; undefined where none of its words tells. */
function capitalsOf({ words }: Pick<Row, 'words'>): number | undefined {
  const telling = words.filter(
    ({ text }) => WORD.test(text) && RISES.test(text) && !HANGS.test(text.normalize('NFD')),
  )
  return median(telling.map(({ bbox }) => bbox.y1 - bbox.y0))
}

/** Figures are as tall as capitals. */
const figuresOf = ({ words }: Row): number | undefined =>
  median(words.filter(({ text }) => FIGURE.test(text)).map(({ bbox }) => bbox.y1 - bbox.y0))

/** How tall the capitals of most of the text are; undefined for a few lines. */
function textCapitals(rows: readonly Row[]): number | undefined {
  const heights = rows
    .flatMap((row) => {
      const height = capitalsOf(row)
      return row.words.map(() => height)
    })
    .filter((height) => height !== undefined)
  return rows.length < LEAST_LINES ? undefined : median(heights)
}

export interface Heading {
  /** The row behind its last one. */
  end: number
  level: number
}

/** The headings of a page, by the row they start with. */
export function headingsOf(rows: readonly Row[], strokes: Strokes): ReadonlyMap<number, Heading> {
  const text = textCapitals(rows)
  const bold = boldRows(rows, strokes, capitalsOf, text)
  const found = new Map<number, Heading>()
  let last = 0
  for (let at = 0; at < rows.length; at++) {
    const heading = tallAt(rows, at, text) ?? boldAt(rows, at, bold, text, at === last)
    if (heading === undefined) continue
    found.set(at, heading)
    last = heading.end
    at = last - 1
  }
  return found
}

function boldAt(
  rows: readonly Row[],
  at: number,
  bold: ReadonlySet<Row>,
  text: number | undefined,
  isBelowHeading: boolean,
): Heading | undefined {
  const end = boldEnd(rows, at, bold, isBelowHeading)
  const lines = rows.slice(at, end)
  const [first] = lines
  if (end === undefined || first === undefined || first.block.box !== undefined) return undefined
  if (!BEGINS.test(first.words[0]?.text ?? '') || !isTitle(lines, BOLD_END, MOST_BOLD_WORDS)) return undefined
  if (isTextOrValue(lines) || !standsAbove(rows, lines)) return undefined
  const size = Math.max(...lines.map((row) => capitalsOf(row) ?? 0))
  return { end, level: size >= (text ?? Infinity) * TALL ? 2 : 3 }
}

function isTextOrValue(lines: readonly Row[]): boolean {
  const words = lines.flatMap((line) => line.words)
  const said = words.map(({ text }) => text).join(' ')
  return (
    (VALUE.test(said) && !YEARS.test(said)) ||
    words.filter(({ text }) => text.endsWith(',')).length > MOST_COMMAS ||
    words.some(({ text }) => SENTENCE_END.test(text)) ||
    (words.length > MOST_BEFORE_COLON && (words.at(-1)?.text.endsWith(':') ?? false))
  )
}

function tallAt(rows: readonly Row[], at: number, text: number | undefined): Heading | undefined {
  const first = rows[at]
  const size = first && capitalsOf(first)
  if (first === undefined || size === undefined || text === undefined || size < text * TALL_ALONE)
    return undefined
  // What stands on top in one of two boxes heads nothing below them: a stamp beside a signature.
  if (first.block.box !== undefined) return undefined
  const isSameSize = (row: Row): boolean => {
    const own = capitalsOf(row) ?? 0
    return row.block === first.block && Math.max(own, size) <= Math.min(own, size) * SAME_SIZE
  }
  let end = at + 1
  for (let row = rows[end]; row !== undefined && isSameSize(row); row = rows[end]) end++
  const lines = rows.slice(at, end)
  const isAlone = rows.filter(({ block }) => block === first.block).every(isSameSize)
  if (lines.length > MOST_LINES || (!isAlone && size < text * TALL)) return undefined
  if (!isTitle(lines) || (size < text * TALL && isTextSize(rows, size))) return undefined
  return { end, level: size >= text * TITLE ? 1 : size >= text * TALL ? 2 : 3 }
}

/** Whether text that is no title stands in letters of this height, too. */
function isTextSize(rows: readonly Row[], size: number): boolean {
  const heightOf = (row: Row): number => capitalsOf(row) ?? figuresOf(row) ?? 0
  const tall = rows.filter((row) => heightOf(row) >= size * AS_TALL && !isTitle([row]))
  return tall.length >= Math.max(LEAST_TEXT, rows.length * TEXT_SHARE)
}

function isTitle(lines: readonly Row[], ending = ENDING, mostWords = MOST_WORDS): boolean {
  const words = lines.flatMap((line) => line.words)
  const said = words.map(({ text }) => text).join(' ')
  const letters = said.match(/\p{L}/gu)?.length ?? 0
  return (
    lines.every(isOneText) &&
    !MARK.test(words[0]?.text ?? '') &&
    !LONE_LETTER.test(words[0]?.text ?? '') &&
    words.length <= mostWords &&
    letters >= LEAST_LETTERS &&
    letters * 2 > said.length &&
    !ending.test(said) &&
    (median(words.map(({ confidence }) => confidence)) ?? 0) >= LEAST_CONFIDENCE
  )
}
