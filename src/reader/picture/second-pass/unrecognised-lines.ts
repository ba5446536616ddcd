// Lines that a page's reading made nothing of, among others that it read well: another script, or a drawing. Pure.

import type { BBox } from '../../block.ts'

export interface ReadLine {
  bbox: BBox
  /** Mean over its words by length, 0 to 1. */
  confidence: number
  /** Letters and digits. */
  letters: number
}

// Korean read as English has .14 to .51 a line; where half of a line's words are right it has .6 and more.
export const UNSURE_CONFIDENCE = 0.55
// A line of another script whose letters look Latin, beside others that do not.
const WEAK_CONFIDENCE = 0.7
// A smudge is read as a few letters.
const LEAST_LETTERS = 10
// All of a poor scan is unsure, and half of it right.
const LEAST_ELSEWHERE = 0.85

// Of 100: a figure at the end of an entry, the word it begins with, and any word that is kept.
const SURE_FIGURE = 85
const SURE_WORD = 50
const KEPT_WORD = 30

/**
 * The words that say how well a line was read. The leader of an entry of a table of contents or a price list comes as letters
 * ("Gauges neice eee e nee 17"), and all of the table was left out for it.
 */
export function tellingWords<W extends { text: string; confidence: number }>(words: readonly W[]): W[] {
  const [first, last] = [words[0], words.at(-1)]
  const isLed =
    (first?.confidence ?? 0) >= SURE_WORD &&
    (last?.confidence ?? 0) >= SURE_FIGURE &&
    /^[$€£]?\d[\d.,]*$/.test(last?.text ?? '')
  return words.filter(({ confidence }) => !isLed || confidence >= KEPT_WORD)
}

export interface UnsurePart {
  bbox: BBox
  /** Lines in succession are: one by itself may be code or small print, of which some words are right. */
  noise: boolean
}

/** Where such lines stand, each run of them in one box with a line's height around it. */
export function unsureParts(lines: readonly ReadLine[]): UnsurePart[] {
  const isUnsure = ({ confidence }: ReadLine): boolean => confidence < UNSURE_CONFIDENCE
  const sure = lines.filter(({ confidence }) => confidence >= WEAK_CONFIDENCE)
  const letters = sure.reduce((sum, line) => sum + line.letters, 0)
  const weighted = sure.reduce((sum, line) => sum + line.letters * line.confidence, 0)
  if (weighted < LEAST_ELSEWHERE * Math.max(1, letters)) return []
  const runs: ReadLine[][] = []
  lines.forEach((line, i) => {
    const weak = line.confidence < WEAK_CONFIDENCE
    if (weak && (lines[i - 1]?.confidence ?? 1) < WEAK_CONFIDENCE) runs.at(-1)?.push(line)
    else if (weak) runs.push([line])
  })
  return runs
    .filter((run) => run.some(isUnsure))
    .filter((run) => run.reduce((sum, line) => sum + line.letters, 0) >= LEAST_LETTERS)
    .map((run) => ({
      bbox: boxAround(run, sure),
      noise: run.some(
        (line, i) => isUnsure(line) && run[i - 1] !== undefined && isUnsure(run[i - 1] ?? line),
      ),
    }))
}

/** Wider by a line's height and higher by a quarter of one, but not over what was read well. */
function boxAround(run: readonly ReadLine[], sure: readonly ReadLine[]): BBox {
  const boxes = run.map(({ bbox }) => bbox)
  const height = Math.min(...boxes.map(([, top, , bottom]) => bottom - top))
  const left = Math.max(0, Math.min(...boxes.map((box) => box[0])) - height)
  const right = Math.max(...boxes.map((box) => box[2])) + height
  const top = Math.min(...boxes.map((box) => box[1]))
  const bottom = Math.max(...boxes.map((box) => box[3]))
  const beside = sure.filter(({ bbox }) => bbox[0] < right && bbox[2] > left)
  const above = Math.max(0, ...beside.map(({ bbox }) => bbox[3]).filter((end) => end <= top))
  const below = Math.min(Infinity, ...beside.map(({ bbox }) => bbox[1]).filter((start) => start >= bottom))
  return [left, Math.max(above, top - height / 4), right, Math.min(below, bottom + height / 4)]
}
