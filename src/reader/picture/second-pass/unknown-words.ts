// Words that are in no vocabulary are cropped tightly and recognised alone, without the ink of their neighbours: "midiine"
// becomes midline, "R-CNX" R-CNN.

import type { BBox } from '../../block.ts'
import type { OcrContext, PageRecognition } from '../ocr/context.ts'
import { type LineWord, withLines } from '../ocr/engine.ts'
import type { Line, Word } from '../ocr/recognised.ts'
import { isUnspaced } from '../ocr/unspaced-scripts.ts'
import type { GreyImage } from '../raster/grey-image.ts'
import { correctConfusions, correctUnit, isUnit } from './confusable-characters.ts'
import { recogniseCrops, SCALES } from './reread-lines.ts'
import { addWords, tokensOf, type Vocabulary, vocabularyOf } from './vocabulary.ts'

// Each takes 20 ms a reading, and most are resolved by the first. A page with more is full of names, or in another language.
const MAX_WORDS = 40
// In word heights.
const PADDING_BESIDE = 0.12
const PADDING_ABOVE = 0.2
// Pixels: a line this close to the edge of the image may be cut off.
const IMAGE_EDGE = 4

/** The page with unknown words as two readings of them alone agree, and with confused characters corrected. */
export async function rereadUnknownWords(
  context: OcrContext,
  grey: GreyImage,
  page: PageRecognition,
): Promise<PageRecognition> {
  const pageWords = new Set<string>()
  for (const line of page.lines) if (!isCutOff(line, grey)) addWords(pageWords, line)
  const isKnown = vocabularyOf(pageWords)
  const suspects = page.language === 'eng' ? suspectWords(page.lines, grey, isKnown) : []
  const resolved = await resolve(context, grey, page, suspects, isKnown)
  const lines = page.lines.map((line) =>
    correctConfusions(
      { ...line, words: line.words.flatMap((word) => resolved.get(word) ?? [word]) },
      isKnown,
    ),
  )
  return withLines(page, lines)
}

interface Suspect {
  word: Word
  /** The text before it: a unit follows a number. */
  before: string
}

/** The least confident first. */
function suspectWords(lines: readonly Line[], grey: GreyImage, isKnown: Vocabulary): Suspect[] {
  const suspects = lines.flatMap((line) =>
    line.words
      .map((word, i) => ({ word, before: line.words[i - 1]?.text ?? '' }))
      .filter(({ word }) => isSuspect(word, isKnown, isCutOff(line, grey)) && isApart(word, line.words)),
  )
  return suspects.sort((a, b) => a.word.confidence - b.word.confidence).slice(0, MAX_WORDS)
}

const isCutOff = ({ bbox }: Line, { height }: GreyImage): boolean =>
  bbox.y0 <= IMAGE_EDGE || bbox.y1 >= height - IMAGE_EDGE

/** Whether its box contains no other word of the line, which would come twice. */
const isApart = ({ bbox }: Word, words: readonly Word[]): boolean =>
  words.filter(({ bbox: { x0, x1 } }) => (x0 + x1) / 2 > bbox.x0 && (x0 + x1) / 2 < bbox.x1).length === 1

/** Words by their readings at two scales; the second is made only where the first would change the word. */
async function resolve(
  context: OcrContext,
  grey: GreyImage,
  page: PageRecognition,
  suspects: readonly Suspect[],
  isKnown: Vocabulary,
): Promise<Map<Word, Word[]>> {
  const readAt = async (some: readonly Suspect[], scale: number): Promise<LineWord[][]> => {
    const boxes = some.map(({ word }) => padded(word))
    const readings = await recogniseCrops(context, grey, page, boxes, scale)
    return readings.map((words, i) =>
      words.map((word) => ({ ...word, text: correctUnit(word.text, some[i]?.before) })),
    )
  }
  const first = await readAt(suspects, SCALES[0])
  const firstOf = new Map(suspects.map(({ word }, i) => [word, first[i] ?? []]))
  const resolveWith = (word: Word, second: readonly LineWord[]): Word[] =>
    resolveWord(word, [firstOf.get(word) ?? [], second], isKnown)
  const open = suspects.filter(({ word }) => resolveWith(word, firstOf.get(word) ?? [])[0] !== word)
  const second = await readAt(open, SCALES[1])
  return new Map(open.map(({ word }, i) => [word, resolveWith(word, second[i] ?? [])]))
}

/** Also beyond the edge of the image, which is continued there: letters that it cuts get an end. */
function padded({ bbox: { x0, y0, x1, y1 } }: Word): BBox {
  const [beside, above] = [(y1 - y0) * PADDING_BESIDE, (y1 - y0) * PADDING_ABOVE]
  return [x0 - beside, y0 - above, x1 + beside, y1 + above]
}

// Of 100. Words above it are right, but for lines that the edge of the image cuts: "you" came as "vou" with 95.
const CONFIDENT = 90
const MIN_UNIT_CONFIDENCE = 60
// What is shorter is part of a drawing.
const MIN_LETTERS = 3
// Of the word's letters and digits: a reading with fewer has lost a part of it.
const MIN_KEPT_SHARE = 0.6

const isNumber = (token: string): boolean => /^\p{N}+$/u.test(token)
const isLetter = (token: string): boolean => /^\p{L}$/u.test(token)
// A single character in brackets is a letter of a list: "(¢)".
const isBracketed = (text: string): boolean => /^\(\S\)$/u.test(text)
// A bracket recognised twice: "[HARUTO)]" over two words.
const hasDoubleBracket = (text: string): boolean => /[)\]}]{2}/.test(text) && !/[([{]/.test(text)

/** Whether the word is to be recognised alone. */
export function isSuspect({ text, confidence }: Word, isKnown: Vocabulary, isCutOff: boolean): boolean {
  if (isUnspaced(text) || (confidence >= CONFIDENT && !isCutOff)) return false
  if (hasDoubleBracket(text)) return true
  if (isUnit(text)) return confidence < MIN_UNIT_CONFIDENCE
  if (isBracketed(text)) return !/[\p{L}\p{N}]/u.test(text)
  return (
    /\p{L}.*[\p{L}\p{N}]|\p{N}.*\p{L}/u.test(text) &&
    !tokensOf(text).every((token) => isNumber(token) || isKnown(token))
  )
}

interface WordReading {
  words: readonly LineWord[]
  text: string
  /** Without punctuation at its ends. */
  core: string
}

function toReading(words: readonly LineWord[]): WordReading {
  const text = words.map((word) => word.text).join(' ')
  return { words, text, core: coreOf(text) }
}

const coreOf = (text: string): string => text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')

/** The word as both readings have it, where that is plausible; unchanged otherwise. */
export function resolveWord(
  word: Word,
  readings: readonly [readonly LineWord[], readonly LineWord[]],
  isKnown: Vocabulary,
): Word[] {
  const [one, other] = [toReading(readings[0]), toReading(readings[1])]
  if (one.core !== other.core || one.text === word.text) return [word]
  const lowest = Math.min(...[...one.words, ...other.words].map(({ confidence }) => confidence))
  const isSame = one.text === other.text
  const text = isSame ? one.text : withPunctuation(word.text, one.core, [one.text, other.text])
  if (!isPlausible(word, text, isKnown)) return [word]
  const confidence = Math.max(word.confidence, lowest)
  if (!isSame || one.words.length === 1) return [{ ...word, text, confidence }]
  const { y0, y1 } = word.bbox
  return one.words.map(
    (read) =>
      ({ ...word, ...read, confidence, bbox: { x0: read.left, y0, x1: read.right, y1 } }) as unknown as Word,
  )
}

function isPlausible({ text: before, confidence }: Word, text: string, isKnown: Vocabulary): boolean {
  const [old, tokens] = [tokensOf(before), tokensOf(text)]
  const numbersOf = (some: readonly string[]): string => some.filter(isNumber).join(' ')
  if (!isBracketed(text) && !isUnit(text) && tokens.join('').length < MIN_LETTERS) return false
  if (numbersOf(old) !== numbersOf(tokens)) return false
  if (isUnit(text)) return !isUnit(before) || confidence < MIN_UNIT_CONFIDENCE
  if (old.join('') === tokens.join('')) return hasDoubleBracket(before)
  if (tokens.join('').length < MIN_KEPT_SHARE * old.join('').length) return false
  const added = tokens.filter((token) => !isNumber(token) && !old.includes(token))
  return added.every((token) => (isLetter(token) ? isBracketed(text) || text.includes(' ') : isKnown(token)))
}

/** The core with those of the word's punctuation characters that one of the readings has, too. */
function withPunctuation(text: string, core: string, readings: readonly string[]): string {
  const [before, after] = punctuationOf(text)
  const others = readings.map(punctuationOf)
  const kept = (characters: string, side: 0 | 1): string =>
    [...characters].filter((one) => others.some((other) => other[side].includes(one))).join('')
  return kept(before, 0) + core + kept(after, 1)
}

function punctuationOf(text: string): [before: string, after: string] {
  const core = coreOf(text)
  const at = text.indexOf(core)
  return [text.slice(0, at), text.slice(at + core.length)]
}
