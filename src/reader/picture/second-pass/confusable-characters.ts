// Words whose form says what they are, where one stroke was read as another: units behind figures, Roman numerals, "3 of 3",
// addresses. In most typefaces without serifs I, l and | are one shape, so that no reading can tell them. Pure.

import type { Line, Word } from 'tesseract.js'
import type { Known } from './vocabulary.ts'

/** The line with what its words' forms tell. */
export const inForm = (line: Line, known: Known): Line => ({
  ...line,
  words: addresses(line.words)
    .map((word, i, words) => withText(word, unit(word.text, words[i - 1]?.text)))
    .map((word) => (isSure(word) ? word : withText(word, roman(word.text, known))))
    .flatMap((word, i, words) => pageOf(word, words[i - 1]?.text, words[i + 1]?.text)),
})

const SURE_CONFIDENCE = 90

const isSure = ({ confidence }: Word): boolean => confidence >= SURE_CONFIDENCE

const withText = (word: Word, text: string): Word => (text === word.text ? word : { ...word, text })

// A scheme begins with a letter (RFC 3986), and goes on without a space.
const SCHEME = /^([^\p{L}\p{N}]*)1([a-z]+:\/\/)/u

function addresses(words: readonly Word[]): Word[] {
  const joined: Word[] = []
  for (const word of words) {
    const last = joined.at(-1)
    if (last !== undefined && /[a-z]:$/.test(last.text) && /^\/\/\w/.test(word.text))
      joined[joined.length - 1] = together(last, word)
    else joined.push(withText(word, isSure(word) ? word.text : word.text.replace(SCHEME, '$1l$2')))
  }
  return joined
}

const together = (first: Word, second: Word): Word => ({
  ...first,
  text: first.text + second.text,
  confidence: Math.max(first.confidence, second.confidence),
  bbox: {
    x0: first.bbox.x0,
    y0: Math.min(first.bbox.y0, second.bbox.y0),
    x1: second.bbox.x1,
    y1: Math.max(first.bbox.y1, second.bbox.y1),
  },
})

// Concentrations as UCUM has them (ucum.org), in the letters that are printed.
const UNIT = /^[kmµunpf]?(?:g|mol|IU|U|Eq|kat)\/(?:[dmµun]?L|k?g|m[2²]|min|h|d|day)$/

export const isUnit = (text: string): boolean => UNIT.test(text)

// Of small letters only one of two readings has the U.
const IU = /[!Il|1i][uU](?=\/)/
const STROKES = /[!Il|1i]/g

/** Behind a figure, what is no unit and is one with one stroke read otherwise: "mlU/L" is mIU/L, "mgidL" mg/dL. */
export function unit(text: string, before = ''): string {
  const [, figure = '', letters = text] = /^([<>]?[\d.,]+)?(\D.*)$/.exec(text) ?? []
  if (UNIT.test(letters) || !/\d$/.test(figure === '' ? before : figure)) return text
  const others = [...letters.matchAll(STROKES)].flatMap(({ index }) =>
    ['I', '/'].map((sign) => letters.slice(0, index) + sign + letters.slice(index + 1)),
  )
  const units = new Set([...others, letters.replace(IU, 'IU')].filter((other) => UNIT.test(other)))
  return units.size === 1 ? figure + [...units].join('') : text
}

const ROMAN = /^X{0,3}(?:IX|IV|V?I{0,3})$/

/** "|I-XIl" is II-XII. */
export function roman(text: string, known: Known): string {
  const [, open = '', core = '', end = ''] =
    /^([([]*)([IVXl|]+(?:[-–][IVXl|]+)?)([)\].,:;]*)$/.exec(text) ?? []
  if (!/[l|]/.test(core) || !/[VX]|I.*[Il|]|[Il|].*I/.test(core) || known(core)) return text
  const numerals = core.replace(/[l|]/g, 'I')
  return numerals.split(/[-–]/).every((one) => ROMAN.test(one)) ? open + numerals + end : text
}

/** "30f" behind "Page" and before "3" is "3 of". */
function pageOf(word: Word, before = '', after = ''): Word[] {
  const [, figures = '', of = ''] = /^(\d{1,4})([0o]f)$/.exec(word.text) ?? []
  if (of === '' || !/^(?:page|sheet|slide)$/i.test(before) || !/^\d+\.?$/.test(after)) return [word]
  const most = Number.parseInt(after, 10)
  const page = [figures, figures.replace(/0$/, '')].find((one) => Number(one) >= 1 && Number(one) <= most)
  if (page === undefined) return [word]
  const { x0, x1 } = word.bbox
  const middle = x0 + ((x1 - x0) * page.length) / (page.length + 2.5)
  return [
    { ...word, text: page, bbox: { ...word.bbox, x1: middle } },
    { ...word, text: 'of', bbox: { ...word.bbox, x0: middle } },
  ]
}
