// A second look at lines that were read but for a word or two: cut out of the page they often come whole.

import type { Line } from 'tesseract.js'
import type { BBox } from '../../block.ts'
import { type Grey, pgmOf } from '../grid/grey.ts'
import type { Look, Sight } from '../look.ts'
import { cutOut } from './cut-out.ts'
import { isSettled, type Reading, settled, weakLines } from './weak-words.ts'

// Each takes 0.05 to 0.2 s; a page that has more is poor all over.
const MOST_LINES = 30
// As the page was drawn, and larger: what comes alike from both is there.
const SCALES = [1, 1.5]
// Of a line's height.
const ROOM_BESIDE = 1 / 2
const ROOM_ABOVE = 1 / 3

/** The sight with its weak words as further readings of their lines have them. */
export async function lookAgain(look: Look, grey: Grey, sight: Sight): Promise<Sight> {
  const weak = weakLines(sight.found)
  if (weak.length === 0 || weak.length > MOST_LINES) return sight
  const readings = new Map<Line, Reading[][]>(weak.map((line) => [line, []]))
  for (const scale of SCALES) {
    const open = weak.filter(
      (line) => !(readings.get(line) ?? []).some((reading) => isSettled(line, reading)),
    )
    const boxes = open.map((line) => around(line))
    const pictures = boxes.map((box) => wholePgm(cutOut(grey, box, sight.turned, scale)))
    let read = 0
    const texts = await look.reader.readLines(pictures, sight.language, () =>
      look.step(++read / (pictures.length + 1)),
    )
    for (const [i, line] of open.entries()) {
      const left = boxes[i]?.[0] ?? 0
      const words = (texts[i] ?? []).map(
        (word): Reading => ({ ...word, left: left + word.left / scale, right: left + word.right / scale }),
      )
      readings.get(line)?.push(words)
    }
  }
  const found = sight.found.map((block) => ({
    ...block,
    paragraphs: block.paragraphs.map((paragraph) => ({
      ...paragraph,
      lines: paragraph.lines.map((line) => settled(line, readings.get(line) ?? [])),
    })),
  }))
  return { ...sight, ...sight.amended(found) }
}

const wholePgm = (grey: Grey): Buffer =>
  pgmOf(grey, { left: 0, top: 0, width: grey.width, height: grey.height })

function around({ bbox: { x0, y0, x1, y1 } }: Line): BBox {
  const height = y1 - y0
  const [beside, above] = [height * ROOM_BESIDE, height * ROOM_ABOVE]
  return [x0 - beside, y0 - above, x1 + beside, y1 + above].map(Math.round) as BBox
}
