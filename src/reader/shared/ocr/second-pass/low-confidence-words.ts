// Decides words of low confidence by a vote between several readings of their line. Pure.

import { hasLetters, type Line, MIN_WORD_CONFIDENCE, type Word } from '../recognised.ts'
import { isUnspaced } from '../unspaced-scripts.ts'

/** A word of another recognition of a line, at its position on the page. */
export interface Reading {
  text: string
  /** 0 to 100. */
  confidence: number
  left: number
  right: number
}

// Of 100. Of 20 words of real scans with less, 14 were right after their line was recognised again.
const MIN_CONFIDENCE = 60
// Of 100. Higher for numbers, because nobody notices their errors: "<5.7%" in a laboratory report was read as "<57%".
const MIN_NUMBER_CONFIDENCE = 90
// Added to the confidence of each reading, so that two equal readings mostly win over one with a higher confidence.
const VOTE_BONUS = 40
const NUMBER = /^\d[\d.,]*$/
const UNIT = /^[^\d\s]{1,4}$/
// Two equal readings get at least this confidence, with which the layout keeps a word: "aliquam" and "Transcribed" had 0.
const MIN_AGREED_CONFIDENCE = MIN_WORD_CONFIDENCE
// The share of letters in uncertain words. A line with more is the noise of a drawing if the words are short.
const MAX_UNCERTAIN_SHARE = 0.5
const MIN_LONG_WORD_LETTERS = 4
// A line of a script without spaces has few and long words, and a part of a word may be missing. So it is read again as a whole
// if a word has less.
const MIN_UNSPACED_CONFIDENCE = 90

/** Whether a text has a digit or two letters. A single letter is a speck, a list mark, or cannot be improved. */
const isWord = (text: string): boolean => /\p{N}|[\p{L}].*\p{L}/u.test(text)

const isUnspacedLine = ({ words }: Line): boolean => words.some(({ text }) => isUnspaced(text))

/** Whether at least half of the letters and digits are digits. "faster2rcnn" is a word, not a number. */
const isNumber = (text: string): boolean =>
  (text.match(/\p{N}/gu)?.length ?? 0) * 2 >= (text.match(/[\p{L}\p{N}]/gu)?.length ?? 1)

const isUncertainNumber = ({ text, confidence }: Word): boolean =>
  confidence >= MIN_CONFIDENCE && confidence < MIN_NUMBER_CONFIDENCE && isNumber(text)

/** Whether a word of at least two characters is noise. It may be a number: "+1" was read as "%q". */
const isNoise = ({ text, confidence }: Word): boolean =>
  confidence < MIN_WORD_CONFIDENCE && text.length > 1 && !isWord(text)

const hasNumbers = ({ words }: Line): boolean =>
  words.filter(({ text, confidence }) => confidence >= MIN_NUMBER_CONFIDENCE && isNumber(text)).length > 1

const isDoubtful = (word: Word): boolean =>
  (word.confidence < MIN_CONFIDENCE && isWord(word.text)) || isUncertainNumber(word) || isNoise(word)

/** Lines with words of low confidence that are not mostly noise. */
export const lowConfidenceLines = (lines: readonly Line[]): Line[] => lines.filter(isLowConfidenceLine)

/** The other lines with numbers that may be wrong, the least confident first. */
export function uncertainNumberLines(lines: readonly Line[]): Line[] {
  const lowest = ({ words }: Line): number =>
    Math.min(...words.filter(isUncertainNumber).map(({ confidence }) => confidence))
  return lines
    .filter(
      (line) => !isUnspacedLine(line) && !isLowConfidenceLine(line) && line.words.some(isUncertainNumber),
    )
    .sort((a, b) => lowest(a) - lowest(b))
}

function isLowConfidenceLine(line: Line): boolean {
  if (isUnspacedLine(line)) return line.words.some(({ confidence }) => confidence < MIN_UNSPACED_CONFIDENCE)
  const words = line.words.filter(hasLetters)
  const uncertainWords = words.filter(({ confidence }) => confidence < MIN_CONFIDENCE)
  const lengthOf = (someWords: readonly Word[]): number =>
    someWords.reduce((sum, { text }) => sum + text.length, 0)
  const isMostlyCertain = lengthOf(uncertainWords) <= MAX_UNCERTAIN_SHARE * lengthOf(words)
  const mayImprove = (word: Word): boolean => isWord(word.text) || (isNoise(word) && hasNumbers(line))
  return (
    uncertainWords.some(mayImprove) &&
    (isMostlyCertain || uncertainWords.every(({ text }) => text.length >= MIN_LONG_WORD_LETTERS))
  )
}

/** The line in which each word of low confidence is replaced by the reading that wins the vote. */
export function resolveLine(line: Line, readings: readonly (readonly Reading[])[]): Line {
  if (!isUnspacedLine(line)) {
    const words = line.words.map((word) => (isDoubtful(word) ? resolveByVote(word, line, readings) : word))
    return { ...line, words }
  }
  const { y0, y1 } = line.bbox
  const bestReading = readings.reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a), [])
  if (scoreOf(bestReading) <= scoreOf(line.words)) return line
  const words = bestReading.map(({ left, right, ...word }) => ({
    ...word,
    bbox: { x0: left, y0, x1: right, y1 },
  }))
  return { ...line, words: words as Word[] }
}

/** The length of the text, weighted by its confidence. */
const scoreOf = (words: readonly { text: string; confidence: number }[]): number =>
  words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0)

/** Whether a reading decides all words of low confidence, so that no further reading is needed. */
export const isResolved = (line: Line, reading: readonly Reading[]): boolean =>
  !isUnspacedLine(line) &&
  line.words.filter(isDoubtful).every((word) => {
    const other = wordAt(word, line, reading)
    if (other === undefined) return false
    return other.text === word.text || (!isUncertainNumber(word) && other.confidence >= MIN_CONFIDENCE)
  })

function resolveByVote(word: Word, line: Line, readings: readonly (readonly Reading[])[]): Word {
  const votes = new Map<string, { text: string; sum: number; count: number; maxConfidence: number }>()
  const candidates = [word, ...readings.flatMap((reading) => wordAt(word, line, reading) ?? [])]
  for (const { text, confidence } of candidates) {
    const key = withoutPoints(text)
    const vote = votes.get(key) ?? { text, sum: 0, count: 0, maxConfidence: 0 }
    votes.set(key, {
      text: text.length > vote.text.length ? text : vote.text,
      sum: vote.sum + confidence + VOTE_BONUS,
      count: vote.count + 1,
      maxConfidence: Math.max(vote.maxConfidence, confidence),
    })
  }
  const { text, count, maxConfidence } = [...votes.values()].reduce((a, b) => (b.sum > a.sum ? b : a))
  return {
    ...word,
    text,
    confidence: count > 1 ? Math.max(maxConfidence, MIN_AGREED_CONFIDENCE) : maxConfidence,
  }
}

/** A key without points and commas between digits. A reading may lose one but never adds one, so the longest text is right. */
const withoutPoints = (text: string): string => text.replace(/(?<=\p{N})[.,](?=\p{N})/gu, '')

/**
 * The word of a reading at the position of a word: the one with the nearest edges, which a part of a split word does not have.
 * A word over the centre of another word of the line is left out. So if "1" in "1 2" is a speck, the reading "2" does not give
 * "2 2".
 */
function wordAt(word: Word, line: Line, reading: readonly Reading[]): Reading | undefined {
  const { x0, y0, x1, y1 } = word.bbox
  const distance = ({ left, right }: Reading): number => Math.max(Math.abs(left - x0), Math.abs(right - x1))
  const isOtherWord = ({ left, right }: Reading): boolean =>
    line.words.some((other) => other !== word && left < centreOf(other) && right > centreOf(other))
  const nearWords = [...reading, ...withUnits(reading)].filter(
    (other) => isWord(other.text) && distance(other) <= y1 - y0 && !isOtherWord(other),
  )
  return nearWords.sort((a, b) => distance(a) - distance(b))[0]
}

/** Numbers joined with the units after them, because "14.2 °C" was read as the single word "142°C". */
const withUnits = (reading: readonly Reading[]): Reading[] =>
  reading.flatMap((number, i) => {
    const unit = reading[i + 1]
    if (unit === undefined || !NUMBER.test(number.text) || !UNIT.test(unit.text)) return []
    const confidence = Math.min(number.confidence, unit.confidence)
    return [{ text: `${number.text} ${unit.text}`, confidence, left: number.left, right: unit.right }]
  })

const centreOf = ({ bbox: { x0, x1 } }: Word): number => (x0 + x1) / 2
