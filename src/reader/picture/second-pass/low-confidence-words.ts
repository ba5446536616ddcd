// Words that a reading is not sure of, judged by further readings of their line alone. Pure.

import type { Block, Line, Word } from 'tesseract.js'
import { isUnspaced } from '../ocr/unspaced-scripts.ts'

/** A word of a further reading, where it stands in the first one's picture; confidence of 100. */
export interface Reading {
  text: string
  confidence: number
  left: number
  right: number
}

// Below it a word is a guess: of 20 such words of real scans 14 came right when their line was read again.
const SURE_CONFIDENCE = 60
// Of a word with a figure: a laboratory's "<5.7%" came as "<57%", a telephone's 206 as 208, which nobody notices.
const SURE_FIGURE = 90
// A reading that is made twice is worth more than one that is surer by less than this.
const VOTE = 40
const FIGURE = /^\d[\d.,]*$/
const UNIT = /^[^\d\s]{1,4}$/
// What lines.ts keeps: two readings that agree are no smudge, though neither is sure ("aliquam" and "Transcribed" came
// with 0, twice).
const KEPT_CONFIDENCE = 30
// Noise of a drawing comes as many short words.
const LEAST_SURE_SHARE = 0.5
const LONG_WORD = 4

// A letter alone is a speck, a mark of a list, or as right as it will be.
const isWord = (text: string): boolean => /\p{N}|[\p{L}].*\p{L}/u.test(text)
// Scripts without spaces come in stretches of a sentence, of which a middle may be missing: the line is judged whole.
const SURE_STRETCH = 90
const isWhole = ({ words }: Line): boolean => words.some(({ text }) => isUnspaced(text))

/** Whether at least half of its letters and digits are digits: in "faster2rcnn" the letters are as likely wrong. */
const isFigure = (text: string): boolean =>
  (text.match(/\p{N}/gu)?.length ?? 0) * 2 >= (text.match(/[\p{L}\p{N}]/gu)?.length ?? 1)

const isUnsureFigure = ({ text, confidence }: Word): boolean =>
  confidence >= SURE_CONFIDENCE && confidence < SURE_FIGURE && isFigure(text)

/** Noise as it stands; of two signs at least, it may be a figure ("+1" came as "%q", and its cell was empty). */
const isNoise = ({ text, confidence }: Word): boolean =>
  confidence < KEPT_CONFIDENCE && text.length > 1 && !isWord(text)

const isRow = ({ words }: Line): boolean =>
  words.filter(({ text, confidence }) => confidence >= SURE_FIGURE && isFigure(text)).length > 1

const isWeak = (word: Word): boolean =>
  (word.confidence < SURE_CONFIDENCE && isWord(word.text)) || isUnsureFigure(word) || isNoise(word)

/** Lines that are read but for a word or two. */
export const weakLines = (found: readonly Block[]): Line[] => linesOf(found).filter(isWorthLooking)

/** The other lines with figures that may be wrong, the least sure first. */
export function figureLines(found: readonly Block[]): Line[] {
  const least = ({ words }: Line): number =>
    Math.min(...words.filter(isUnsureFigure).map(({ confidence }) => confidence))
  return linesOf(found)
    .filter((line) => !isWhole(line) && !isWorthLooking(line) && line.words.some(isUnsureFigure))
    .sort((a, b) => least(a) - least(b))
}

const linesOf = (found: readonly Block[]): Line[] =>
  found.flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))

function isWorthLooking(line: Line): boolean {
  const { words } = line
  if (isWhole(line)) return words.some(({ confidence }) => confidence < SURE_STRETCH)
  const solid = words.filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
  const weak = solid.filter(({ confidence }) => confidence < SURE_CONFIDENCE)
  const lettersOf = (some: readonly Word[]): number => some.reduce((sum, { text }) => sum + text.length, 0)
  const isMostlyRead = lettersOf(weak) <= (1 - LEAST_SURE_SHARE) * lettersOf(solid)
  return (
    weak.some((word) => isWord(word.text) || (isNoise(word) && isRow(line))) &&
    (isMostlyRead || weak.every(({ text }) => text.length >= LONG_WORD))
  )
}

/** The line with each of its weak words as the readings have it between them. */
export function settled(line: Line, readings: readonly (readonly Reading[])[]): Line {
  if (!isWhole(line)) {
    const words = line.words.map((word) => (isWeak(word) ? settledWord(word, line, readings) : word))
    return { ...line, words }
  }
  const { y0, y1 } = line.bbox
  const best = readings.reduce((one, other) => (said(other) > said(one) ? other : one), [])
  if (said(best) <= said(line.words)) return line
  const words = best.map(({ left, right, ...word }) => ({ ...word, bbox: { x0: left, y0, x1: right, y1 } }))
  return { ...line, words: words as Word[] }
}

/** How much a reading says, and how surely. */
const said = (words: readonly { text: string; confidence: number }[]): number =>
  words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0)

/** Whether a further reading would change nothing. */
export const isSettled = (line: Line, reading: readonly Reading[]): boolean =>
  !isWhole(line) &&
  line.words.filter(isWeak).every((word) => {
    const again = at(word, line, reading)
    if (again === undefined) return false
    return again.text === word.text || (!isUnsureFigure(word) && again.confidence >= SURE_CONFIDENCE)
  })

function settledWord(word: Word, line: Line, readings: readonly (readonly Reading[])[]): Word {
  const votes = new Map<string, { text: string; sum: number; count: number; best: number }>()
  const all = [word, ...readings.flatMap((reading) => at(word, line, reading) ?? [])]
  for (const { text, confidence } of all) {
    const key = withoutPoints(text)
    const vote = votes.get(key) ?? { text, sum: 0, count: 0, best: 0 }
    votes.set(key, {
      text: text.length > vote.text.length ? text : vote.text,
      sum: vote.sum + confidence + VOTE,
      count: vote.count + 1,
      best: Math.max(vote.best, confidence),
    })
  }
  const { text, count, best } = [...votes.values()].reduce((one, other) =>
    other.sum > one.sum ? other : one,
  )
  return { ...word, text, confidence: count > 1 ? Math.max(best, KEPT_CONFIDENCE) : best }
}

/** A point between figures is lost in a reading, never made: the longest of such readings has it. */
const withoutPoints = (text: string): string => text.replace(/(?<=\p{N})[.,](?=\p{N})/gu, '')

/**
 * The word that stands nearest to the same place: one that was cut in two has another edge, and what stands over another
 * word of the line is that one's ("1 2", of which the first was a speck, is not "2 2").
 */
function at(word: Word, line: Line, reading: readonly Reading[]): Reading | undefined {
  const { x0, y0, x1, y1 } = word.bbox
  const off = ({ left, right }: Reading): number => Math.max(Math.abs(left - x0), Math.abs(right - x1))
  const isOthers = ({ left, right }: Reading): boolean =>
    line.words.some((other) => other !== word && left < middleOf(other) && right > middleOf(other))
  const near = [...reading, ...withUnits(reading)].filter(
    (other) => isWord(other.text) && off(other) <= y1 - y0 && !isOthers(other),
  )
  return near.sort((one, other) => off(one) - off(other))[0]
}

/** Figures with the units behind them: run together, "14.2 °C" came as "142°C". */
const withUnits = (reading: readonly Reading[]): Reading[] =>
  reading.flatMap((one, i) => {
    const unit = reading[i + 1]
    if (unit === undefined || !FIGURE.test(one.text) || !UNIT.test(unit.text)) return []
    const confidence = Math.min(one.confidence, unit.confidence)
    return [{ text: `${one.text} ${unit.text}`, confidence, left: one.left, right: unit.right }]
  })

const middleOf = ({ bbox: { x0, x1 } }: Word): number => (x0 + x1) / 2
