// The lines of a formula page: runs of letters and words, line by line. Indices and exponents belong to the line of the letter
// they touch.

import type { WordBox } from '@llamaindex/liteparse'

/** One line of a page: its words and their runs. */
export interface Row {
  words: PlacedWord[]
  runs: Run[]
}

interface Band extends Row {
  top: number
  bottom: number
}

/** The band that may hold the marks of a line. */
function bandOf(runs: readonly Run[]): { top: number; bottom: number } {
  const baselines = runs.map(({ baseline }) => baseline)
  const size = runs[0]?.size ?? 0
  return { top: Math.min(...baselines) - size * 2, bottom: Math.max(...baselines) + size }
}

/** The lines with their words. A small word on no run is one of two marks that are one run. */
export function linesOf(runs: readonly Run[], words: readonly PlacedWord[]): Row[] {
  const found: Band[] = rowsOf(runs).map((own) => ({ words: [], runs: own, ...bandOf(own) }))
  for (const word of words) {
    const near = found.filter(({ top, bottom }) => word.y < bottom && word.y + word.height > top)
    const row = near.find(({ runs: own }) => own.some((run) => isOn(word, run))) ?? nearest(word, near)
    row?.words.push(word)
  }
  return found
}

// Shares of a line's type: how far runs of one line are off its baseline (baselines are exact, BASELINE is for boxes), the
// size of an
// index, its distance from the baseline, and from its letter.
const ON_BASELINE = 0.12
const SMALLER = 0.85
const INDEX_OFF = 0.65
const INDEX_GAP = 0.5

/** The runs by line, indices on the line of the letter that they touch. */
function rowsOf(runs: readonly Run[]): Run[][] {
  const rows: Run[][] = []
  for (const run of [...runs].sort((a, b) => b.size - a.size || a.x - b.x)) {
    const row = rows.find((own) => isOf(own, run))
    if (row === undefined) rows.push([run])
    else row.push(run)
  }
  return rows
}

/** Whether a run belongs to a line: on its baseline, or as an index of it. */
function isOf(row: readonly Run[], run: Run): boolean {
  const [first] = row
  if (first === undefined) return false
  const off = Math.abs(first.baseline - run.baseline)
  if (run.size >= first.size * SMALLER)
    return off < run.size * (run.font.includes('CMEX') ? INDEX_GAP : ON_BASELINE)
  if (off >= first.size * INDEX_OFF) return false
  return row.some(({ x, width }) => run.x - x - width < first.size * INDEX_GAP && run.x > x)
}

// Shares of a run's type above and below the baseline.
const ASCENT = 0.7
const DESCENT = 0.2

// The most distance between the middles of a mark and an index, as a share of the index's type; less for other type.
const MARK_OFF = 1
const MARK_OFF_LINE = 0.55
const MIDDLE = 0.3

/** The row with the run nearest to a small word that is on no run: two marks above each other are read as one. */
function nearest(word: PlacedWord, rows: readonly Row[]): Row | undefined {
  let best: { row: Row; off: number } | undefined
  for (const row of rows) {
    const size = row.runs[0]?.size ?? 0
    for (const run of row.runs) {
      if (word.height >= size * SMALLER || word.x >= run.x + run.width || run.x >= word.x + word.width)
        continue
      const off = Math.abs(run.baseline - run.size * MIDDLE - word.y - word.height / 2) / run.size
      if (off < (run.size < size * SMALLER ? MARK_OFF : MARK_OFF_LINE) && off < (best?.off ?? MARK_OFF))
        best = { row, off }
    }
  }
  return best?.row
}

/** Whether a word is on a run. */
export function isOn(word: PlacedWord, run: Run): boolean {
  const across = Math.min(word.x + word.width, run.x + run.width) - Math.max(word.x, run.x)
  const down =
    Math.min(word.y + word.height, run.baseline + run.size * DESCENT) -
    Math.max(word.y, run.baseline - run.size * ASCENT)
  return across > 0 && down > Math.min(word.height, run.size) * 0.5
}

// Levels: which pieces of a line stand on its baseline, and which are raised or lowered.

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
  /** Whether separate marks were added to it. */
  grown?: boolean
}

export type Level = 'base' | 'raised' | 'lowered'

// Shares of a line's type: smaller type may be an index, much smaller type the index of an index; and the distance from the
// baseline.
const SMALL = 0.85
const SMALLEST = 0.6
const OFF_BASELINE = 0.08
// Shares of a line's type: the gap before an index, and a kern, which is no space.
export const TOUCHING = 0.35
export const KERN = 0.12

/** The level of a run, by its size and baseline. */
export function runLevel(run: Run, size: number, baseline: number): Level {
  const rise = run.size < size * SMALL ? baseline - run.baseline : 0
  // The index of an index may be on the baseline.
  if (run.size < size * SMALLEST && rise <= size * OFF_BASELINE) return 'lowered'
  return rise > size * OFF_BASELINE ? 'raised' : rise < -size * OFF_BASELINE ? 'lowered' : 'base'
}

// Boxes of marks have less than this share of the line's type, those of small signs on the line have more.
const MARK_HEIGHT = 0.7
// The middle of small letters above the baseline, as a share of the type.
const MARK_MIDDLE = 0.25

/** The level of a word, by its box. */
export function markLevel(word: PlacedWord, size: number, baseline: number): Level {
  if (word.height > size * MARK_HEIGHT) return 'base'
  return baseline - word.y - word.height / 2 > size * MARK_MIDDLE ? 'raised' : 'lowered'
}

/** Splits a word whose start is an index below another mark: "s+1," is an index and a comma on the line. */
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

// Points: places of pdf-inspector and liteparse differ by rounding only.
const ROUNDING = 0.1

/** From left to right; of marks above each other the lower ones first. */
export function inOrder<Box extends { x: number; width: number }>(
  boxes: readonly Box[],
  levelOf: (box: Box) => Level,
  size: number,
): Box[] {
  const ordered: Box[] = []
  let [above, right]: [Box[], number] = [[], 0]
  // A mark without a width begins where the next text begins.
  const rank = (box: Box): number => (levelOf(box) === 'base' ? 1 : 0)
  const before = (a: Box, b: Box): number =>
    Math.abs(a.x - b.x) < ROUNDING ? rank(a) - rank(b) || a.x - b.x : a.x - b.x
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

/** The level of a digit that is a superscript or subscript character. */
export const ownLevel = (text: string, level: Level): Level =>
  /[⁰¹²³⁴-⁹]/.test(text) ? 'raised' : /[₀-₉]/.test(text) ? 'lowered' : level
