// Finds ink in the shape of a line of text where a pass recognised no words: an underlined title that was taken for a drawing, or
// single words and numbers of a table.

import type { BBox } from '../../block.ts'
import { type GreyImage, histogram, mostFrequent } from './grey-image.ts'

// The page is divided into tiles whose side is a sixth of the text height. A page takes 20 ms.
const TILES_PER_LINE = 6
// Every second pixel of every second row is sampled.
const PIXEL_STEP = 2
// Only one of this many pixels is counted to find the background.
const BACKGROUND_STEP = 101
const MIN_CONTRAST = 60
// In text heights: the maximum gap between letters of a line.
const MAX_LETTER_GAP = 1
// In text heights: the margin around recognised lines in which ink is ignored.
const LINE_MARGIN = 0.5
// In text heights: the size of a line.
const MIN_LINE_HEIGHT = 0.6
const MAX_LINE_HEIGHT = 4
const MIN_LINE_WIDTH = 0.9
// The share of ink in the box of a line. Ruling lines and frames have less, bars and photographs more.
const MIN_INK_SHARE = 0.08
const MAX_INK_SHARE = 0.75
// A page with more boxes has a drawing, or a table with small cells ("Yes", "No", "14").
const MAX_BOXES = 12
// A page with more small boxes has a drawing.
const MAX_CELLS = 120
// In text heights.
const MAX_CELL_WIDTH = 8
const MAX_CELL_HEIGHT = 2

/** The ink of a page in tiles, row by row. */
interface Tiles {
  columns: number
  rows: number
  /** The width and height of a tile in pixels. */
  size: number
  /** The number of dark pixels among the samples of each tile. */
  ink: Uint16Array
}

/**
 * The boxes, in pixels, of unrecognised ink in the shape of a line. If there are many boxes, only the small ones. Empty for a page
 * with a drawing.
 * @param lines the boxes of recognised lines
 */
export function findUnreadInk(grey: GreyImage, lines: readonly BBox[], textHeight: number): BBox[] {
  const tiles = unreadTiles(grey, lines, textHeight)
  const boxes = components(tiles, textHeight).filter((box) => isLineShaped(tiles, box, textHeight))
  if (boxes.length <= MAX_BOXES) return boxes
  const cells = boxes.filter(
    ([left, top, right, bottom]) =>
      right - left < MAX_CELL_WIDTH * textHeight && bottom - top < MAX_CELL_HEIGHT * textHeight,
  )
  return cells.length > MAX_CELLS ? [] : cells
}

function unreadTiles(grey: GreyImage, lines: readonly BBox[], textHeight: number): Tiles {
  const tiles = toTiles(grey, Math.max(4, Math.round(textHeight / TILES_PER_LINE)))
  for (const box of lines) clear(tiles, box)
  return tiles
}

function toTiles({ width, height, data }: GreyImage, size: number): Tiles {
  const [columns, rows] = [Math.ceil(width / size), Math.ceil(height / size)]
  const ink = new Uint16Array(columns * rows)
  const maxInkShade = mostFrequent(histogram(data, BACKGROUND_STEP)) - MIN_CONTRAST
  for (let y = 0; y < height; y += PIXEL_STEP) {
    const row = Math.floor(y / size) * columns
    for (let x = 0; x < width; x += PIXEL_STEP) {
      if ((data[y * width + x] ?? 255) > maxInkShade) continue
      const at = row + Math.floor(x / size)
      ink[at] = (ink[at] ?? 0) + 1
    }
  }
  return { columns, rows, size, ink }
}

/** Removes the ink in a box and its margin. */
function clear({ columns, rows, size, ink }: Tiles, [left, top, right, bottom]: BBox): void {
  const margin = (bottom - top) * LINE_MARGIN
  const [from, to] = [Math.max(0, Math.floor((left - margin) / size)), Math.ceil((right + margin) / size)]
  const lastRow = Math.min(rows, Math.ceil((bottom + margin) / size))
  for (let y = Math.max(0, Math.floor((top - margin) / size)); y < lastRow; y++)
    ink.fill(0, y * columns + from, y * columns + Math.min(columns, to))
}

/** The boxes of connected tiles. Tiles of one row are also connected across the gap between two letters. */
function components({ columns, rows, size, ink }: Tiles, textHeight: number): BBox[] {
  const gap = Math.ceil((textHeight * MAX_LETTER_GAP) / size)
  const visited = new Uint8Array(ink.length)
  const boxes: BBox[] = []
  for (let start = 0; start < ink.length; start++) {
    if (visited[start] || !ink[start]) continue
    const box: BBox = [columns, rows, 0, 0]
    const queue = [start]
    visited[start] = 1
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      const [x, y] = [at % columns, Math.floor(at / columns)]
      box[0] = Math.min(box[0], x)
      box[1] = Math.min(box[1], y)
      box[2] = Math.max(box[2], x + 1)
      box[3] = Math.max(box[3], y + 1)
      for (let dy = -1; dy <= 1; dy++) {
        const maxStep = dy === 0 ? gap : 1
        for (let nextX = Math.max(0, x - maxStep); nextX <= Math.min(columns - 1, x + maxStep); nextX++) {
          const next = (y + dy) * columns + nextX
          if (!ink[next] || visited[next]) continue
          visited[next] = 1
          queue.push(next)
        }
      }
    }
    boxes.push(box.map((side) => side * size) as BBox)
  }
  return boxes
}

function isLineShaped(
  { columns, size, ink }: Tiles,
  [left, top, right, bottom]: BBox,
  textHeight: number,
): boolean {
  const [width, height] = [right - left, bottom - top]
  if (height < MIN_LINE_HEIGHT * textHeight || height > MAX_LINE_HEIGHT * textHeight) return false
  if (width < MIN_LINE_WIDTH * textHeight || width < MIN_LINE_WIDTH * height) return false
  let darkPixels = 0
  for (let y = top / size; y < bottom / size; y++)
    for (let x = left / size; x < right / size; x++) darkPixels += ink[y * columns + x] ?? 0
  const share = darkPixels / ((width * height) / PIXEL_STEP ** 2)
  return share >= MIN_INK_SHARE && share <= MAX_INK_SHARE
}
