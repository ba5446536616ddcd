// Finds lines of very low confidence on a page that is otherwise well recognised. They are another script or a drawing. Pure.

import type { BBox } from '../../../block.ts'
import { MIN_WORD_CONFIDENCE } from '../recognised.ts'

export interface RecognisedLine {
  bbox: BBox
  /** The mean confidence of its words, weighted by their length, 0 to 1. */
  confidence: number
  /** The number of letters and digits. */
  letters: number
}

// A line of Korean recognised as English has .14 to .51. A line in which half of the words are right has .6 and more.
export const MIN_LINE_CONFIDENCE = 0.55
// The same for lines next to such a line. It is higher, because a line of another script may have letters that look Latin.
const MIN_NEIGHBOUR_CONFIDENCE = 0.7
// Fewer letters may come from a smudge.
const MIN_LETTERS = 10
// The mean confidence of the other lines. On a poor scan all lines have a low confidence, and half of them are right.
const MIN_CONFIDENCE_ELSEWHERE = 0.85

// Of 100, in an entry with a dot leader: the minimum confidence of its first word and of the number at its end.
const MIN_FIRST_CONFIDENCE = 50
const MIN_NUMBER_CONFIDENCE = 85

/**
 * The words that show how well a line was recognised. Dot leaders in a table of contents or a price list are recognised as
 * letters ("Gauges neice eee e nee 17"). They do not count, so that such a table is not taken for noise.
 */
export function scoredWords<W extends { text: string; confidence: number }>(words: readonly W[]): W[] {
  const [first, last] = [words[0], words.at(-1)]
  const isEntryWithNumber =
    (first?.confidence ?? 0) >= MIN_FIRST_CONFIDENCE &&
    (last?.confidence ?? 0) >= MIN_NUMBER_CONFIDENCE &&
    /^[$€£]?\d[\d.,]*$/.test(last?.text ?? '')
  return isEntryWithNumber ? words.filter(({ confidence }) => confidence >= MIN_WORD_CONFIDENCE) : [...words]
}

export interface UnrecognisedRegion {
  bbox: BBox
  /** Whether it has two successive lines of very low confidence. A single one may be code or small print that is partly right. */
  isNoise: boolean
}

/** Successive lines of low confidence, each group in one box with padding. */
export function unrecognisedRegions(lines: readonly RecognisedLine[]): UnrecognisedRegion[] {
  const isUnrecognised = ({ confidence }: RecognisedLine): boolean => confidence < MIN_LINE_CONFIDENCE
  const recognised = lines.filter(({ confidence }) => confidence >= MIN_NEIGHBOUR_CONFIDENCE)
  const letters = recognised.reduce((sum, line) => sum + line.letters, 0)
  const weighted = recognised.reduce((sum, line) => sum + line.letters * line.confidence, 0)
  if (weighted < MIN_CONFIDENCE_ELSEWHERE * Math.max(1, letters)) return []
  const runs: RecognisedLine[][] = []
  lines.forEach((line, i) => {
    const isLow = line.confidence < MIN_NEIGHBOUR_CONFIDENCE
    if (isLow && (lines[i - 1]?.confidence ?? 1) < MIN_NEIGHBOUR_CONFIDENCE) runs.at(-1)?.push(line)
    else if (isLow) runs.push([line])
  })
  return runs
    .filter((run) => run.some(isUnrecognised))
    .filter((run) => run.reduce((sum, line) => sum + line.letters, 0) >= MIN_LETTERS)
    .map((run) => ({
      bbox: paddedBox(run, recognised),
      isNoise: run.some((line, i) => isUnrecognised(line) && run.slice(i - 1, i).some(isUnrecognised)),
    }))
}

/**
 * The box of the lines with padding: a line's height at the sides and a quarter of it above and below, but not over recognised
 * lines.
 */
function paddedBox(run: readonly RecognisedLine[], recognised: readonly RecognisedLine[]): BBox {
  const boxes = run.map(({ bbox }) => bbox)
  const height = Math.min(...boxes.map(([, top, , bottom]) => bottom - top))
  const left = Math.max(0, Math.min(...boxes.map((box) => box[0])) - height)
  const right = Math.max(...boxes.map((box) => box[2])) + height
  const top = Math.min(...boxes.map((box) => box[1]))
  const bottom = Math.max(...boxes.map((box) => box[3]))
  const inColumn = recognised.filter(({ bbox }) => bbox[0] < right && bbox[2] > left)
  const above = Math.max(0, ...inColumn.map(({ bbox }) => bbox[3]).filter((end) => end <= top))
  const below = Math.min(Infinity, ...inColumn.map(({ bbox }) => bbox[1]).filter((start) => start >= bottom))
  return [left, Math.max(above, top - height / 4), right, Math.min(below, bottom + height / 4)]
}
