// A second look at lines that were read but for a word or two, or not at all: cut out of the page they often come whole.

import type { Line, Block as TesseractBlock } from 'tesseract.js'
import type { BBox } from '../../block.ts'
import type { Look, Sight } from '../ocr/context.ts'
import type { LineWord } from '../ocr/engine.ts'
import { cutOut } from '../raster/deskewed-crop.ts'
import { type Grey, pgmOf } from '../raster/grey-image.ts'
import { lostInk, smallInk } from '../raster/unread-ink.ts'
import { cutTails, withTail } from './cut-off-lines.ts'
import { withFigures, withLost } from './inserted-words.ts'
import { figureLines, isSettled, type Reading, settled, weakLines } from './low-confidence-words.ts'
import { inFigureColumns, sureFigure } from './single-digits.ts'

// Each takes 0.05 to 0.2 s; a page that has more is poor all over.
const MOST_LINES = 30
// As the page was drawn, and larger: what comes alike from both is there.
export const SCALES = [1, 1.5] as const
// Of a line's height.
const ROOM_BESIDE = 1 / 2
const ROOM_ABOVE = 1 / 3
// Radians: on a page that leans by more, boxes of ink are no lines, and words stand elsewhere than its rules.
export const LEVEL = 0.01

/** The sight with its weak words as further readings of their lines have them, and the lines it has no words for. */
export async function lookAgain(look: Look, grey: Grey, sight: Sight): Promise<Sight> {
  const poor = weakLines(sight.found)
  const weak = poor.length > MOST_LINES ? [] : [...poor, ...figureLines(sight.found)].slice(0, MOST_LINES)
  const readings = await readAgain(look, grey, sight, weak)
  const tails = await readTails(look, grey, sight)
  const amended = sight.found.map((block) => ({
    ...block,
    paragraphs: block.paragraphs.map((paragraph) => ({
      ...paragraph,
      lines: paragraph.lines.map((line) =>
        withTail(settled(line, readings.get(line) ?? []), tails.get(line) ?? []),
      ),
    })),
  }))
  const lost = await readLost(look, grey, sight)
  const whole = withLost(amended, lost)
  const figures = await readFigures(look, grey, sight, whole)
  if (weak.length === 0 && tails.size === 0 && lost.length === 0 && figures.length === 0) return sight
  return { ...sight, ...sight.amended(withFigures(whole, figures)) }
}

async function readAgain(
  look: Look,
  grey: Grey,
  sight: Sight,
  weak: readonly Line[],
): Promise<Map<Line, Reading[][]>> {
  const readings = new Map<Line, Reading[][]>(weak.map((line) => [line, []]))
  for (const scale of SCALES) {
    const open = weak.filter(
      (line) => !(readings.get(line) ?? []).some((reading) => isSettled(line, reading)),
    )
    const boxes = open.map((line) => around(line, grey))
    const texts = await readBoxes(look, grey, sight, boxes, scale)
    for (const [i, line] of open.entries()) readings.get(line)?.push(texts[i] ?? [])
  }
  return readings
}

async function readTails(look: Look, grey: Grey, sight: Sight): Promise<Map<Line, Reading[]>> {
  const tails = cutTails(grey, sight.found, sight.turned)
  if (tails.length > MOST_LINES) return new Map()
  const boxes = tails.map(({ box }) => around({ bbox: box }, grey))
  const texts = await readBoxes(look, grey, sight, boxes, 1)
  return new Map(tails.map(({ line }, i) => [line, texts[i] ?? []]))
}

/** What stands where there was ink and no words. */
async function readLost(look: Look, grey: Grey, sight: Sight): Promise<LineWord[][]> {
  if (Math.abs(sight.turned) > LEVEL) return []
  const lines = sight.lines.map(({ bbox }) => bbox)
  const boxes = lostInk(grey, lines, sight.height)
  return readBoxes(look, grey, { ...sight, turned: 0 }, boxes, 1)
}

/** Figures of one digit that stand where there was a speck. */
async function readFigures(
  look: Look,
  grey: Grey,
  sight: Sight,
  found: readonly TesseractBlock[],
): Promise<LineWord[][]> {
  if (Math.abs(sight.turned) > LEVEL) return []
  const lines = sight.lines.map(({ bbox }) => bbox)
  const boxes = inFigureColumns(smallInk(grey, lines, sight.height), found, sight.height)
  if (boxes.length === 0) return []
  const readings: LineWord[][][] = []
  for (const scale of SCALES)
    readings.push(await readBoxes(look, grey, { ...sight, turned: 0 }, boxes, scale))
  return boxes.map((_, i) => sureFigure(readings.map((places) => places[i] ?? [])))
}

export async function readBoxes(
  look: Look,
  grey: Grey,
  { turned, language }: Sight,
  boxes: readonly BBox[],
  scale: number,
): Promise<LineWord[][]> {
  const pictures = boxes.map((box) => wholePgm(cutOut(grey, box, turned, scale)))
  let read = 0
  const texts = await look.reader.readLines(pictures, language, () =>
    look.step(++read / (pictures.length + 1)),
  )
  return texts.map((words, i) => {
    const [left = 0, top = 0] = boxes[i] ?? []
    return words.map((word) => ({
      ...word,
      left: left + word.left / scale,
      top: top + word.top / scale,
      right: left + word.right / scale,
      bottom: top + word.bottom / scale,
    }))
  })
}

const wholePgm = (grey: Grey): Buffer =>
  pgmOf(grey, { left: 0, top: 0, width: grey.width, height: grey.height })

/** With room around it, but not beyond the page: what is cut off there would be drawn on. */
function around({ bbox: { x0, y0, x1, y1 } }: Pick<Line, 'bbox'>, { width, height }: Grey): BBox {
  const [beside, above] = [(y1 - y0) * ROOM_BESIDE, (y1 - y0) * ROOM_ABOVE]
  const [left, top] = [Math.max(0, Math.round(x0 - beside)), Math.max(0, Math.round(y0 - above))]
  return [left, top, Math.min(width, Math.round(x1 + beside)), Math.min(height, Math.round(y1 + above))]
}
