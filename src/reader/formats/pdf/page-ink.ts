// Measures how much of a page looks like letters but has no text. It uses a small drawing of the page, so that it does not
// matter whether the letters are a picture, outlines or a pattern.

import type { BBox } from '../../block.ts'
import { decodeGrey, type GreyImage } from '../../shared/rasters/grey-image.ts'

/**
 * At this resolution a line of 10 points is 5 pixels high. Letters cannot be recognised at that size, but their contrasts
 * can.
 */
const DPI = 36
const CELL_PIXELS = 6
// Of 255. Paper grain, and print that shows through from the other side, have less contrast.
const MIN_CONTRAST = 32
// A run of at least this many pixels is a ruling line and not a word.
const MIN_RULE_PIXELS = 30
// The minimum number of changes between light and dark in a cell, along its rows and its columns. Straight lines have such
// changes in one direction only.
const MIN_STEPS = 5
// The margin in points around the box of a text, because letters may extend beyond it.
const MARGIN_POINTS = 3

/**
 * The number of cells of 12 by 12 points that look like letters and are outside all boxes. Undefined if the page cannot be drawn.
 * A line of 60 letters fills 24 cells. @param boxes the boxes of the page's text, in points
 */
export async function countUnreadCells(
  path: string,
  page: number,
  boxes: readonly BBox[],
): Promise<number | undefined> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const drawer = new LiteParse({ dpi: DPI, quiet: true, ocrEnabled: false, maxPages: 1_000_000 })
  const [drawing] = await drawer.screenshot(path, [page]).catch(() => [])
  if (drawing === undefined) return undefined
  const grey = drawing.isSolidFill ? undefined : decodeGrey(drawing.imageBuffer)
  return grey === undefined ? 0 : letterlikeCells(grey, boxes)
}

function letterlikeCells(grey: GreyImage, boxes: readonly BBox[]): number {
  // An extra column separates the end of a row from the start of the next.
  const [columns, rows] = [Math.ceil(grey.width / CELL_PIXELS) + 1, Math.ceil(grey.height / CELL_PIXELS)]
  const coveredCells = cellsOf(boxes, columns)
  const isBusy = busyCellTest(grey)
  const busyCells = new Set<number>()
  for (let cell = 0; cell < columns * rows; cell++) {
    const [column, row] = [cell % columns, Math.floor(cell / columns)]
    if (!coveredCells.has(cell) && isBusy(column * CELL_PIXELS, row * CELL_PIXELS)) busyCells.add(cell)
  }
  // A cell without a neighbour is a speck.
  return [...busyCells].filter((cell) =>
    [1, -1, columns, -columns].some((step) => busyCells.has(cell + step)),
  ).length
}

function cellsOf(boxes: readonly BBox[], columns: number): Set<number> {
  const cell = (72 / DPI) * CELL_PIXELS
  const cells = new Set<number>()
  for (const [left, top, right, bottom] of boxes) {
    const from = Math.max(0, Math.floor((left - MARGIN_POINTS) / cell))
    const to = Math.min(columns - 1, Math.floor((right + MARGIN_POINTS) / cell))
    for (
      let row = Math.max(0, Math.floor((top - MARGIN_POINTS) / cell));
      row <= (bottom + MARGIN_POINTS) / cell;
      row++
    )
      for (let column = from; column <= to; column++) cells.add(row * columns + column)
  }
  return cells
}

/** A function that returns whether a cell is busy: it has changes between light and dark in both directions. */
function busyCellTest({ width, height, data }: GreyImage): (left: number, top: number) => boolean {
  const horizontalEdges = new Uint8Array(data.length)
  const verticalEdges = new Uint8Array(data.length)
  for (let at = 0; at < data.length - width; at++) {
    const shade = data[at] ?? 0
    if (at % width < width - 1 && Math.abs(shade - (data[at + 1] ?? 0)) > MIN_CONTRAST)
      horizontalEdges[at] = 1
    if (Math.abs(shade - (data[at + width] ?? 0)) > MIN_CONTRAST) verticalEdges[at] = 1
  }
  for (let x = 0; x < width; x++) removeRules(horizontalEdges, x, width, height)
  for (let y = 0; y < height; y++) removeRules(verticalEdges, y * width, 1, width)
  return (left, top) => {
    let [horizontalSteps, verticalSteps] = [0, 0]
    for (let y = top; y < Math.min(top + CELL_PIXELS, height); y++)
      for (let at = y * width + left; at < y * width + Math.min(left + CELL_PIXELS, width); at++) {
        horizontalSteps += horizontalEdges[at] ?? 0
        verticalSteps += verticalEdges[at] ?? 0
      }
    return horizontalSteps >= MIN_STEPS && verticalSteps >= MIN_STEPS
  }
}

/** Removes long runs of such changes from a row or a column, because these are the edges of ruling lines and frames. */
function removeRules(steps: Uint8Array, from: number, stride: number, count: number): void {
  let length = 0
  for (let i = 0; i <= count; i++) {
    if (i < count && steps[from + i * stride] === 1) length++
    else {
      for (let k = 1; length >= MIN_RULE_PIXELS && k <= length; k++) steps[from + (i - k) * stride] = 0
      length = 0
    }
  }
}
