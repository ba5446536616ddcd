// How much of a page looks like letters beside the text it has. The page is drawn small and looked at, whatever it is
// made of: a picture, a form in a form, outlines, a pattern.

import type { BBox } from '../../block.ts'
import { type Grey, greyOf } from '../../picture/grid/grey.ts'

/** A line of 10 points is 5 pixels tall: letters are lost in it, their unrest is not. */
const DPI = 36
const CELL_PIXELS = 6
// Of 255: paper grain and what shows through from a sheet's other side stay below.
const CONTRAST = 32
// Steps of light and dark in a cell, along its rows and down its columns: a rule has the one, letters have both.
const LEAST_STEPS = 5
// Points around a text: its letters reach over its box.
const MARGIN = 3

/**
 * In how many places of 12 by 12 points the page looks like letters that none of the boxes (in points) holds; undefined
 * where it cannot be drawn. A line of 60 letters fills 24 of them.
 */
export async function unreadInk(
  path: string,
  page: number,
  boxes: readonly BBox[],
): Promise<number | undefined> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const drawer = new LiteParse({ dpi: DPI, quiet: true, ocrEnabled: false, maxPages: 1_000_000 })
  const [shot] = await drawer.screenshot(path, [page]).catch(() => [])
  if (shot === undefined) return undefined
  const grey = shot.isSolidFill ? undefined : greyOf(shot.imageBuffer)
  return grey === undefined ? 0 : letterlike(grey, boxes)
}

function letterlike(grey: Grey, boxes: readonly BBox[]): number {
  // A column beyond the last parts the end of a row from the beginning of the next.
  const [columns, rows] = [Math.ceil(grey.width / CELL_PIXELS) + 1, Math.ceil(grey.height / CELL_PIXELS)]
  const taken = cellsOf(boxes, columns)
  const busy = new Set<number>()
  for (let cell = 0; cell < columns * rows; cell++) {
    const [column, row] = [cell % columns, Math.floor(cell / columns)]
    if (!taken.has(cell) && isBusy(grey, column * CELL_PIXELS, row * CELL_PIXELS)) busy.add(cell)
  }
  // Alone stand specks, and the corners and crossings of rules.
  return [...busy].filter((cell) => [1, -1, columns, -columns].some((step) => busy.has(cell + step))).length
}

function cellsOf(boxes: readonly BBox[], columns: number): Set<number> {
  const cell = (72 / DPI) * CELL_PIXELS
  const taken = new Set<number>()
  for (const [left, top, right, bottom] of boxes) {
    const from = Math.max(0, Math.floor((left - MARGIN) / cell))
    const to = Math.min(columns - 1, Math.floor((right + MARGIN) / cell))
    for (let row = Math.max(0, Math.floor((top - MARGIN) / cell)); row <= (bottom + MARGIN) / cell; row++)
      for (let column = from; column <= to; column++) taken.add(row * columns + column)
  }
  return taken
}

function isBusy({ width, height, data }: Grey, left: number, top: number): boolean {
  let [along, down] = [0, 0]
  const [right, bottom] = [Math.min(left + CELL_PIXELS, width - 1), Math.min(top + CELL_PIXELS, height - 1)]
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const at = y * width + x
      const shade = data[at] ?? 0
      if (Math.abs(shade - (data[at + 1] ?? 0)) > CONTRAST) along++
      if (Math.abs(shade - (data[at + width] ?? 0)) > CONTRAST) down++
    }
  return along >= LEAST_STEPS && down >= LEAST_STEPS
}
