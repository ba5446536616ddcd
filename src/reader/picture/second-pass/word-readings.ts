// Words that nobody knows, judged by two readings of the word alone. Pure.

import type { Line, Word } from 'tesseract.js'
import type { LineWord } from '../ocr/engine.ts'
import { isUnspaced } from '../ocr/unspaced-scripts.ts'
import { isUnit } from './confusable-characters.ts'
import { type Known, partsOf } from './vocabulary.ts'

// Of 100. A word with more is right, but where the picture's edge cuts its line: "you" came as "vou" with 95.
const SURE_CONFIDENCE = 90
const WEAK_CONFIDENCE = 60
// What is dropped gives way to whatever both readings are sure of.
const LOST_CONFIDENCE = 30
const SURE_READING = 80
// What is shorter stands in drawings.
const LEAST_LETTERS = 3
// Of the letters and digits there were: less is half of the word.
const LEAST_SHARE = 0.6

const isFigure = (part: string): boolean => /^\p{N}+$/u.test(part)
const isLetter = (part: string): boolean => /^\p{L}$/u.test(part)
// A sign alone in brackets is the letter of a list: "(¢)".
const isBracketed = (text: string): boolean => /^\(\S\)$/u.test(text)
// The stroke of a bracket read twice: "[HARUTO)]" over two words.
const isClosedTwice = (text: string): boolean => /[)\]}]{2}/.test(text) && !/[([{]/.test(text)

/** Whether the word is looked at by itself; at the picture's edge a sure one is, too. */
export function isDoubtful({ text, confidence }: Word, known: Known, isAtEdge: boolean): boolean {
  if (isUnspaced(text) || (confidence >= SURE_CONFIDENCE && !isAtEdge)) return false
  if (isClosedTwice(text)) return true
  if (isUnit(text)) return confidence < WEAK_CONFIDENCE
  if (isBracketed(text)) return !/[\p{L}\p{N}]/u.test(text)
  return (
    /\p{L}.*[\p{L}\p{N}]|\p{N}.*\p{L}/u.test(text) &&
    !partsOf(text).every((part) => isFigure(part) || known(part))
  )
}

interface Alone {
  words: readonly LineWord[]
  text: string
  core: string
}

function alone(words: readonly LineWord[]): Alone {
  const text = words.map((word) => word.text).join(' ')
  return { words, text, core: coreOf(text) }
}

const coreOf = (text: string): string => text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')

/** The word as both readings have it, where that is known or surely there; otherwise as it was. */
export function settledAlone(
  word: Word,
  readings: readonly [readonly LineWord[], readonly LineWord[]],
  known: Known,
): Word[] {
  const [one, other] = [alone(readings[0]), alone(readings[1])]
  if (one.core !== other.core || one.text === word.text) return [word]
  const least = Math.min(...[...one.words, ...other.words].map(({ confidence }) => confidence))
  const text = one.text === other.text ? one.text : withEdges(word.text, one.core, [one.text, other.text])
  if (!isLikely(word, text, known, least)) return [word]
  const confidence = Math.max(word.confidence, least)
  if (one.text !== other.text || one.words.length === 1) return [{ ...word, text, confidence }]
  const { y0, y1 } = word.bbox
  return one.words.map(
    (read) =>
      ({ ...word, ...read, confidence, bbox: { x0: read.left, y0, x1: read.right, y1 } }) as unknown as Word,
  )
}

function isLikely({ text: before, confidence }: Word, text: string, known: Known, least: number): boolean {
  const [was, is] = [partsOf(before), partsOf(text)]
  const figures = (parts: readonly string[]): string => parts.filter(isFigure).join(' ')
  if (!isBracketed(text) && !isUnit(text) && is.join('').length < LEAST_LETTERS) return false
  if (figures(was) !== figures(is)) return false
  if (isUnit(text)) return !isUnit(before) || confidence < WEAK_CONFIDENCE
  if (was.join('') === is.join('')) return isClosedTwice(before)
  if (confidence < LOST_CONFIDENCE && least >= SURE_READING && is.every(known)) return true
  if (is.join('').length < LEAST_SHARE * was.join('').length) return false
  const fresh = is.filter((part) => !isFigure(part) && !was.includes(part))
  return fresh.every((part) => (isLetter(part) ? isBracketed(text) || text.includes(' ') : known(part)))
}

/** The core between the signs that the word had, as far as a reading of it alone has them, too. */
function withEdges(text: string, core: string, readings: readonly string[]): string {
  const [before, after] = edges(text)
  const others = readings.map(edges)
  const kept = (signs: string, i: 0 | 1): string =>
    [...signs].filter((sign) => others.some((edge) => edge[i].includes(sign))).join('')
  return kept(before, 0) + core + kept(after, 1)
}

function edges(text: string): [string, string] {
  const core = coreOf(text)
  const at = text.indexOf(core)
  return [text.slice(0, at), text.slice(at + core.length)]
}

/** The lines with other words in the place of some. */
export const replaced = (line: Line, settled: ReadonlyMap<Word, Word[]>): Line => ({
  ...line,
  words: line.words.flatMap((word) => settled.get(word) ?? [word]),
})
