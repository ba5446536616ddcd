// Ink of a line's shape where a page's reading found no words: an underlined title that was taken for a drawing, lone words
// and figures of a table. Pure.

import type { BBox } from '../../block.ts'
import { commonest, type Grey, shadesOf } from './grey-image.ts'

// A tile is a sixth of the text's height, one pixel of four is looked at: 20 ms a page.
const TILES_A_LINE = 6
const STEP = 2
// One pixel of so many tells the ground.
const SHADE_STEP = 101
const LEAST_CONTRAST = 60
// Of the text's height. Letters of one line stand closer than the room beside them; what is read leaves a rim of its own.
const JOINED = 1
const RIM = 0.5
const LEAST_HEIGHT = 0.6
const MOST_HEIGHT = 4
const LEAST_WIDTH = 0.9
const LEAST_FIGURE = 0.8
const MOST_FIGURE = 1.7
// Of its box: rules and frames have less ink, bars and photographs more.
const LEAST_INK = 0.08
const MOST_INK = 0.75
// More are a drawing, or cells of a table, which are small: Tesseract dropped 88 of one page's ("Yes", "No", "14").
const MOST_PLACES = 12
const MOST_CELLS = 120
const CELL_WIDTH = 8
const CELL_HEIGHT = 2

/** Tiles of a page, row by row. */
interface Tiles {
  across: number
  down: number
  size: number
  /** Dark pixels of those that were looked at. */
  ink: Uint16Array
}

/** Boxes in pixels, of many places the small ones, none on a page with a drawing; `read` are the lines that have words, `height` is that of the text. */
export function lostInk(grey: Grey, read: readonly BBox[], height: number): BBox[] {
  const size = Math.max(4, Math.round(height / TILES_A_LINE))
  const tiles = tilesOf(grey, size)
  for (const box of read) clear(tiles, box)
  const places = runs(tiles, Math.ceil((height * JOINED) / size)).filter((box) => isLine(tiles, box, height))
  if (places.length <= MOST_PLACES) return places
  const cells = places.filter(
    ([left, top, right, bottom]) => right - left < CELL_WIDTH * height && bottom - top < CELL_HEIGHT * height,
  )
  return cells.length > MOST_CELLS ? [] : cells
}

/** Boxes of the shape of one figure, of which `lostInk` makes nothing: a speck, a mark or a figure alone in its cell. */
export function smallInk(grey: Grey, read: readonly BBox[], height: number): BBox[] {
  const size = Math.max(4, Math.round(height / TILES_A_LINE))
  const tiles = tilesOf(grey, size)
  for (const box of read) clear(tiles, box)
  return runs(tiles, Math.ceil((height * JOINED) / size)).filter(([left, top, right, bottom]) => {
    const [wide, high] = [right - left, bottom - top]
    return high >= LEAST_FIGURE * height && high <= MOST_FIGURE * height && wide <= high
  })
}

function tilesOf({ width, height, data }: Grey, size: number): Tiles {
  const [across, down] = [Math.ceil(width / size), Math.ceil(height / size)]
  const ink = new Uint16Array(across * down)
  const dark = commonest(shadesOf(data, SHADE_STEP)) - LEAST_CONTRAST
  for (let y = 0; y < height; y += STEP) {
    const row = Math.floor(y / size) * across
    for (let x = 0; x < width; x += STEP) {
      if ((data[y * width + x] ?? 255) > dark) continue
      const at = row + Math.floor(x / size)
      ink[at] = (ink[at] ?? 0) + 1
    }
  }
  return { across, down, size, ink }
}

function clear({ across, down, size, ink }: Tiles, [left, top, right, bottom]: BBox): void {
  const rim = (bottom - top) * RIM
  const [from, to] = [Math.max(0, Math.floor((left - rim) / size)), Math.ceil((right + rim) / size)]
  const last = Math.min(down, Math.ceil((bottom + rim) / size))
  for (let y = Math.max(0, Math.floor((top - rim) / size)); y < last; y++)
    ink.fill(0, y * across + from, y * across + Math.min(across, to))
}

/** Boxes around tiles with ink that touch, or stand in a row with no more than `gap` empty ones between them. */
function runs({ across, down, size, ink }: Tiles, gap: number): BBox[] {
  const seen = new Uint8Array(ink.length)
  const boxes: BBox[] = []
  for (let start = 0; start < ink.length; start++) {
    if (seen[start] || !ink[start]) continue
    const box: BBox = [across, down, 0, 0]
    const open = [start]
    seen[start] = 1
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const [x, y] = [at % across, Math.floor(at / across)]
      box[0] = Math.min(box[0], x)
      box[1] = Math.min(box[1], y)
      box[2] = Math.max(box[2], x + 1)
      box[3] = Math.max(box[3], y + 1)
      for (let dy = -1; dy <= 1; dy++) {
        const reach = dy === 0 ? gap : 1
        for (let nx = Math.max(0, x - reach); nx <= Math.min(across - 1, x + reach); nx++) {
          const next = (y + dy) * across + nx
          if (!ink[next] || seen[next]) continue
          seen[next] = 1
          open.push(next)
        }
      }
    }
    boxes.push(box.map((side) => side * size) as BBox)
  }
  return boxes
}

function isLine({ across, size, ink }: Tiles, [left, top, right, bottom]: BBox, height: number): boolean {
  const [wide, high] = [right - left, bottom - top]
  if (
    high < LEAST_HEIGHT * height ||
    high > MOST_HEIGHT * height ||
    wide < LEAST_WIDTH * height ||
    wide < high * LEAST_WIDTH
  )
    return false
  let dark = 0
  for (let y = top / size; y < bottom / size; y++)
    for (let x = left / size; x < right / size; x++) dark += ink[y * across + x] ?? 0
  const share = dark / ((wide * high) / STEP ** 2)
  return share >= LEAST_INK && share <= MOST_INK
}
