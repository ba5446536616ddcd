// Recognises each cell between ruling lines by itself. In a whole page Tesseract takes ruling lines for letters, drops single
// digits in cells and joins words across ruling lines.

import { frames, ruledCells } from '../../page/tables/frames.ts'
import { pageRules } from '../../page/tables/rules.ts'
import { RULE_END } from '../../page/tolerance.ts'
import { cropToPgm, type GreyImage, inkBounds, type Rect } from '../../rasters/grey-image.ts'
import type { RulingLine, RulingLines } from '../../rasters/ruling-lines.ts'
import type { OcrContext, PageRecognition } from '../context.ts'
import { withLines } from '../engine.ts'
import { countLetters, MIN_WORD_CONFIDENCE, type Word, wordsOf } from '../recognised.ts'
import { isInRect, toLines, withoutWords } from './crops.ts'

// A cell takes 0.05 to 0.2 s. A page with more cells is a calendar or squared paper.
const MAX_CELLS = 400
// With fewer filled cells the ruling lines are a form, a frame or the grid of a chart.
const MIN_FILLED_CELLS = 4
const MIN_FILLED_SHARE = 1 / 3
// The result for a cell alone is used if it has at least this share of the letters of the first pass. Not all: ruling lines may
// have been read as letters.
const MIN_LETTER_SHARE = 0.9

/** The page in which each ruled cell has the lines that it gives when recognised alone, unless these have less text. */
export async function rereadCells(
  context: OcrContext,
  grey: GreyImage,
  lines: RulingLines,
  page: PageRecognition,
): Promise<{ page: PageRecognition; cells: Rect[] }> {
  const cells = cellsOf(lines, page.textHeight).flatMap((cell) => {
    const ink = inkBounds(grey, cell)
    return ink === undefined ? [] : [{ cell, ink }]
  })
  if (cells.length === 0 || cells.length > MAX_CELLS) return { page, cells: [] }
  let doneCount = 0
  // A table of 300 cells takes as long as a page of text, so the progress of each cell extends the deadline.
  const linesByCell = await context.engine.recogniseBlocks(
    cells.map(({ ink }) => cropToPgm(grey, ink)),
    page.language,
    () => context.progress(++doneCount / (cells.length + 1)),
  )
  const betterCells = cells.flatMap(({ cell, ink }, i) => {
    const cellLines = toLines(linesByCell[i] ?? [], ink)
    const wordsInCell = wordsOf(page.lines).filter(
      (word) => word.confidence >= MIN_WORD_CONFIDENCE && isInRect(word, cell),
    )
    return lettersIn(wordsOf(cellLines)) < MIN_LETTER_SHARE * lettersIn(wordsInCell)
      ? []
      : [{ cell, cellLines }]
  })
  const nonEmptyCells = betterCells.filter(({ cellLines }) => lettersIn(wordsOf(cellLines)) > 0)
  // Too few cells have text, as in a chart, whose curves are also ink between ruling lines.
  if (nonEmptyCells.length < Math.max(MIN_FILLED_CELLS, MIN_FILLED_SHARE * cells.length))
    return { page, cells: [] }
  const rereadBoxes = nonEmptyCells.map(({ cell }) => cell)
  const otherLines = withoutWords(page.lines, rereadBoxes)
  return {
    page: withLines(page, [...otherLines, ...nonEmptyCells.flatMap(({ cellLines }) => cellLines)]),
    cells: rereadBoxes,
  }
}

const lettersIn = (words: readonly Word[]): number =>
  words.reduce((sum, { text }) => sum + countLetters(text), 0)

// In points. Ruling lines are scaled so that the text has this height, because the code for PDF pages evaluates them.
const TEXT_HEIGHT = 7

/** The insides of the cells of all grids, in pixels. */
function cellsOf({ horizontal, vertical }: RulingLines, textHeight: number): Rect[] {
  const scale = TEXT_HEIGHT / textHeight
  const rules = [
    ...horizontal.map(({ at, from, to }) => ({ x1: from, y1: at, x2: to, y2: at })),
    ...vertical.map(({ at, from, to }) => ({ x1: at, y1: from, x2: at, y2: to })),
  ].map(({ x1, y1, x2, y2 }) => ({ x1: x1 * scale, y1: y1 * scale, x2: x2 * scale, y2: y2 * scale }))
  const lines = rules.map((line) => ({ ...line, stroke: true, fill: false }))
  return frames(pageRules({ shapes: [], lines })).flatMap((frame) => {
    const { xs, ys } = frame
    if (xs.length < 3 || ys.length < 3) return []
    return (ruledCells(frame) ?? []).map(({ row, column, rows, columns }) => {
      const [left, right] = innerEdges(vertical, xs[column], xs[column + columns], scale)
      const [top, bottom] = innerEdges(horizontal, ys[row], ys[row + rows], scale)
      return { left, top, width: right - left, height: bottom - top }
    })
  })
}

/** The space between two edges of a grid without the thickness of their lines, in pixels. Text may be only 1.5 points away. */
function innerEdges(lines: readonly RulingLine[], first = 0, last = 0, scale = 1): [number, number] {
  let [from, to] = [first / scale, last / scale]
  for (const { at, thickness } of lines) {
    if (Math.abs(at * scale - first) <= RULE_END) from = Math.max(from, at + thickness / 2)
    if (Math.abs(at * scale - last) <= RULE_END) to = Math.min(to, at - thickness / 2)
  }
  return [from, to]
}
