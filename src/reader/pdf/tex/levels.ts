// Which pieces of a line of a formula stand on it, and which above or below as marks.

import type { WordBox } from '@llamaindex/liteparse'

/** A run of letters of one font, as pdf-inspector reads it; `baseline` from the page's upper edge. */
export interface Run {
  text: string
  font: string
  x: number
  width: number
  baseline: number
  size: number
}

/** A word of the page, and the item it is part of. */
export interface PlacedWord extends WordBox {
  item: number
  /** Whether its item has a space before it. */
  spaced: boolean
  /** Whether marks that stood apart are in it now. */
  grown?: boolean
}

export type Level = 'base' | 'raised' | 'lowered'

// Shares of a line's type: what is smaller may be an index, and how far it stands off the baseline.
const SMALL = 0.85
const SMALLEST = 0.6
const OFF_BASELINE = 0.08
// An index touches what it belongs to; a kern is no space.
export const TOUCHING = 0.35
export const KERN = 0.12

/** Of a run, by its type and its baseline. */
export function runLevel(run: Run, size: number, baseline: number): Level {
  const rise = run.size < size * SMALL ? baseline - run.baseline : 0
  // The mark of a mark below the line may stand on it.
  if (run.size < size * SMALLEST && rise <= size * OFF_BASELINE) return 'lowered'
  return rise > size * OFF_BASELINE ? 'raised' : rise < -size * OFF_BASELINE ? 'lowered' : 'base'
}

// Boxes of marks are lower than this share of the line's type, those of low signs on it are not.
const MARK_HEIGHT = 0.7
// The middle of small letters is this share of the type above the baseline.
const MIDDLE = 0.25

/** Of a word, by its box. */
export function markLevel(word: PlacedWord, size: number, baseline: number): Level {
  if (word.height > size * MARK_HEIGHT) return 'base'
  return baseline - word.y - word.height / 2 > size * MIDDLE ? 'raised' : 'lowered'
}

/** The word, and apart from it what stands on the line behind a mark that another one stands over: "s+1,". */
export function withoutEnd(
  word: PlacedWord,
  runs: readonly Run[],
  size: number,
  baseline: number,
): PlacedWord[] {
  if (markLevel(word, size, baseline) !== 'base') return [word]
  const mark = runs.find(
    (run) =>
      Math.abs(run.x - word.x) < KERN * size &&
      word.text.startsWith(run.text) &&
      runLevel(run, size, baseline) === 'lowered',
  )
  const right = (mark?.x ?? 0) + (mark?.width ?? 0)
  const isOver = (run: Run): boolean =>
    run.x < right && run.x + run.width > word.x && runLevel(run, size, baseline) === 'raised'
  if (mark === undefined || mark.text === word.text || !runs.some(isOver)) return [word]
  const y = mark.baseline - mark.size * MARK_HEIGHT
  return [
    { ...word, text: mark.text, width: mark.width, y, height: mark.size * MARK_HEIGHT },
    {
      ...word,
      text: word.text.slice(mark.text.length),
      x: right,
      width: word.x + word.width - right,
      spaced: false,
    },
  ]
}

// Points.
const SAME_EDGE = 0.1

/** From the left; of marks over each other the lower ones first. */
export function inOrder<Box extends { x: number; width: number }>(
  boxes: readonly Box[],
  levelOf: (box: Box) => Level,
  size: number,
): Box[] {
  const ordered: Box[] = []
  let [above, right]: [Box[], number] = [[], 0]
  // A mark without a width of its own begins where the text behind it does.
  const rank = (box: Box): number => (levelOf(box) === 'base' ? 1 : 0)
  const before = (a: Box, b: Box): number =>
    Math.abs(a.x - b.x) < SAME_EDGE ? rank(a) - rank(b) || a.x - b.x : a.x - b.x
  for (const box of [...boxes].sort(before)) {
    const level = levelOf(box)
    if (level === 'base' || box.x > right + size * TOUCHING) {
      ordered.push(...above)
      above = []
    }
    if (level === 'raised') above.push(box)
    else ordered.push(box)
    right = Math.max(right, box.x + box.width)
  }
  return [...ordered, ...above]
}

/** The level of a figure that is written as a mark itself. */
export const ownLevel = (text: string, level: Level): Level =>
  /[⁰¹²³⁴-⁹]/.test(text) ? 'raised' : /[₀-₉]/.test(text) ? 'lowered' : level
