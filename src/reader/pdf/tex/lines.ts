// The runs of a page line by line, each with the words that it reads: indices stand on the line of what they touch.

import type { PlacedWord, Run } from './levels.ts'

/** One line of a page: its words, and the runs they are read by. */
export interface Row {
  words: PlacedWord[]
  runs: Run[]
}

interface Band extends Row {
  top: number
  bottom: number
}

/** What marks of a line may stand in. */
function bandOf(runs: readonly Run[]): { top: number; bottom: number } {
  const baselines = runs.map(({ baseline }) => baseline)
  const size = runs[0]?.size ?? 0
  return { top: Math.min(...baselines) - size * 2, bottom: Math.max(...baselines) + size }
}

/** The lines with their words; a low word on no run is one of two marks that one run is read from. */
export function linesOf(runs: readonly Run[], words: readonly PlacedWord[]): Row[] {
  const found: Band[] = rowsOf(runs).map((own) => ({ words: [], runs: own, ...bandOf(own) }))
  for (const word of words) {
    const near = found.filter(({ top, bottom }) => word.y < bottom && word.y + word.height > top)
    const row = near.find(({ runs: own }) => own.some((run) => isOn(word, run))) ?? nearest(word, near)
    row?.words.push(word)
  }
  return found
}

// Shares of a line's type: runs on one line, how much smaller an index is, and how far off its letter it begins.
const SAME_LINE = 0.12
const SMALLER = 0.85
const INDEX_OFF = 0.65
const INDEX_GAP = 0.5

/** The runs line by line, indices on the line of what they touch. */
function rowsOf(runs: readonly Run[]): Run[][] {
  const rows: Run[][] = []
  for (const run of [...runs].sort((a, b) => b.size - a.size || a.x - b.x)) {
    const row = rows.find((own) => isOf(own, run))
    if (row === undefined) rows.push([run])
    else row.push(run)
  }
  return rows
}

/** Whether a run stands on a line, or is an index of what stands there. */
function isOf(row: readonly Run[], run: Run): boolean {
  const [first] = row
  if (first === undefined) return false
  const off = Math.abs(first.baseline - run.baseline)
  if (run.size >= first.size * SMALLER)
    return off < run.size * (run.font.includes('CMEX') ? INDEX_GAP : SAME_LINE)
  if (off >= first.size * INDEX_OFF) return false
  return row.some(({ x, width }) => run.x - x - width < first.size * INDEX_GAP && run.x > x)
}

// Of a run's type: how much of it is above the baseline, and below.
const ASCENT = 0.7
const DESCENT = 0.2

// A mark's middle is this share of an index' type off the index', at most, and of other type less.
const MARK_OFF = 1
const MARK_OFF_LINE = 0.55
const MIDDLE = 0.3

/** The row of which one run has a low word that is on none in it: two marks over each other are read as one. */
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

/** Whether a word stands on a run. */
export function isOn(word: PlacedWord, run: Run): boolean {
  const across = Math.min(word.x + word.width, run.x + run.width) - Math.max(word.x, run.x)
  const down =
    Math.min(word.y + word.height, run.baseline + run.size * DESCENT) -
    Math.max(word.y, run.baseline - run.size * ASCENT)
  return across > 0 && down > Math.min(word.height, run.size) * 0.5
}
