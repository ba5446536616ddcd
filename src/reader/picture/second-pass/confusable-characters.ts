// Corrects confused characters in words whose form shows what they are: units after numbers, Roman numerals, "3 of 3",
// web addresses. In most sans-serif typefaces I, l and | have the same shape, which recognition cannot tell apart. Pure.

import type { Line, Word } from '../ocr/recognised.ts'
import type { Vocabulary } from './vocabulary.ts'

export const correctConfusions = (line: Line, isKnown: Vocabulary): Line => ({
  ...line,
  words: joinUrls(line.words)
    .map((word, i, words) => withText(word, correctUnit(word.text, words[i - 1]?.text)))
    .map((word) => (isConfident(word) ? word : withText(word, correctRoman(word.text, isKnown))))
    .flatMap((word, i, words) => splitPageOf(word, words[i - 1]?.text, words[i + 1]?.text)),
})

// Of 100.
const CONFIDENT = 90

const isConfident = ({ confidence }: Word): boolean => confidence >= CONFIDENT

const withText = (word: Word, text: string): Word => (text === word.text ? word : { ...word, text })

// A scheme begins with a letter (RFC 3986): "1p://".
const CONFUSED_SCHEME = /^([^\p{L}\p{N}]*)1([a-z]+:\/\/)/u

/** Joins "https: //example.com", and corrects the first letter of a scheme. */
function joinUrls(words: readonly Word[]): Word[] {
  const joined: Word[] = []
  for (const word of words) {
    const last = joined.at(-1)
    if (last !== undefined && /[a-z]:$/.test(last.text) && /^\/\/\w/.test(word.text))
      joined[joined.length - 1] = joinWords(last, word)
    else
      joined.push(withText(word, isConfident(word) ? word.text : word.text.replace(CONFUSED_SCHEME, '$1l$2')))
  }
  return joined
}

const joinWords = (first: Word, second: Word): Word => ({
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

// Concentrations of UCUM (ucum.org), as they are printed.
const UNIT = /^[kmµunpf]?(?:g|mol|IU|U|Eq|kat)\/(?:[dmµun]?L|k?g|m[2²]|min|h|d|day)$/

export const isUnit = (text: string): boolean => UNIT.test(text)

// The lowercase "iu" of a reading.
const CONFUSED_IU = /[!Il|1i][uU](?=\/)/
const STROKES = /[!Il|1i]/g

/** After a number, text that is a unit but for one stroke: "mlU/L" is mIU/L, "mgidL" is mg/dL. */
export function correctUnit(text: string, before = ''): string {
  const [, number = '', letters = text] = /^([<>]?[\d.,]+)?(\D.*)$/.exec(text) ?? []
  if (UNIT.test(letters) || !/\d$/.test(number === '' ? before : number)) return text
  const corrected = [...letters.matchAll(STROKES)].flatMap(({ index }) =>
    ['I', '/'].map((character) => letters.slice(0, index) + character + letters.slice(index + 1)),
  )
  const units = new Set([...corrected, letters.replace(CONFUSED_IU, 'IU')].filter(isUnit))
  return units.size === 1 ? number + [...units].join('') : text
}

const ROMAN = /^X{0,3}(?:IX|IV|V?I{0,3})$/

/** "|I-XIl" is II-XII. */
function correctRoman(text: string, isKnown: Vocabulary): string {
  const [, open = '', core = '', end = ''] =
    /^([([]*)([IVXl|]+(?:[-–][IVXl|]+)?)([)\].,:;]*)$/.exec(text) ?? []
  if (!/[l|]/.test(core) || !/[VX]|I.*[Il|]|[Il|].*I/.test(core) || isKnown(core)) return text
  const numerals = core.replace(/[l|]/g, 'I')
  return numerals.split(/[-–]/).every((one) => ROMAN.test(one)) ? open + numerals + end : text
}

/** "30f" between "Page" and "3" is "3 of". */
function splitPageOf(word: Word, before = '', after = ''): Word[] {
  const [, digits = '', of = ''] = /^(\d{1,4})([0o]f)$/.exec(word.text) ?? []
  if (of === '' || !/^(?:page|sheet|slide)$/i.test(before) || !/^\d+\.?$/.test(after)) return [word]
  const last = Number.parseInt(after, 10)
  const page = [digits, digits.replace(/0$/, '')].find((one) => Number(one) >= 1 && Number(one) <= last)
  if (page === undefined) return [word]
  const { x0, x1 } = word.bbox
  const middle = x0 + ((x1 - x0) * page.length) / (page.length + 2.5)
  return [
    { ...word, text: page, bbox: { ...word.bbox, x1: middle } },
    { ...word, text: 'of', bbox: { ...word.bbox, x0: middle } },
  ]
}
