// A second look at lines that were read but for a word or two, or not at all: cut out of the page they often come whole.

import type { Block, Line } from 'tesseract.js'
import type { BBox } from '../../block.ts'
import { type Grey, pgmOf } from '../grid/grey.ts'
import type { Look, Sight } from '../look.ts'
import type { LineWord } from '../recognise.ts'
import { cutOut } from './cut-out.ts'
import { lostInk } from './lost-ink.ts'
import { cutTails, withTail } from './tails.ts'
import { figureLines, isSettled, type Reading, settled, weakLines } from './weak-words.ts'

// Each takes 0.05 to 0.2 s; a page that has more is poor all over.
const MOST_LINES = 30
// As the page was drawn, and larger: what comes alike from both is there.
const SCALES = [1, 1.5]
// Of a line's height.
const ROOM_BESIDE = 1 / 2
const ROOM_ABOVE = 1 / 3
// Radians: on a page that leans by more, boxes of ink are no lines, and words stand elsewhere than its rules.
export const LEVEL = 0.01
// Of ink that the whole reading made nothing of: leaves are read as letters too.
const SURE_CONFIDENCE = 80
const LEAST_LETTERS = 4

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
  if (weak.length === 0 && tails.size === 0 && lost.length === 0) return sight
  return { ...sight, ...sight.amended(inOrder(amended, lost)) }
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

/** Lines of sure words where there was ink and no words, a block each. */
async function readLost(look: Look, grey: Grey, sight: Sight): Promise<Block[]> {
  if (Math.abs(sight.turned) > LEVEL) return []
  const boxes = lostInk(
    grey,
    sight.lines.map(({ bbox }) => bbox),
    sight.height,
  )
  const texts = await readBoxes(look, grey, { ...sight, turned: 0 }, boxes, 1)
  return texts.flatMap((read) => {
    const words = read.filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    return isSure(words) ? [blockOf(words)] : []
  })
}

async function readBoxes(
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

const isSure = (words: readonly LineWord[]): boolean =>
  words.every(({ confidence }) => confidence >= SURE_CONFIDENCE) &&
  words.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0) >= LEAST_LETTERS

function blockOf(read: readonly LineWord[]): Block {
  const words = read.map(({ text, confidence, left, top, right, bottom }) => ({
    text,
    confidence,
    bbox: { x0: left, y0: top, x1: right, y1: bottom },
  }))
  const [lefts, tops] = [words.map((word) => word.bbox.x0), words.map((word) => word.bbox.y0)]
  const [rights, bottoms] = [words.map((word) => word.bbox.x1), words.map((word) => word.bbox.y1)]
  const bbox = {
    x0: Math.min(...lefts),
    y0: Math.min(...tops),
    x1: Math.max(...rights),
    y1: Math.max(...bottoms),
  }
  return { bbox, paragraphs: [{ bbox, lines: [{ bbox, words }] }] } as unknown as Block
}

/** Each before the first block that stands below it in its column. */
function inOrder(blocks: readonly Block[], lost: readonly Block[]): Block[] {
  const all = [...blocks]
  for (const block of lost) {
    const { x0, x1, y1 } = block.bbox
    const at = all.findIndex(({ bbox }) => bbox.y0 >= y1 && bbox.x0 < x1 && bbox.x1 > x0)
    all.splice(at === -1 ? all.length : at, 0, block)
  }
  return all
}

const wholePgm = (grey: Grey): Buffer =>
  pgmOf(grey, { left: 0, top: 0, width: grey.width, height: grey.height })

/** With room around it, but not beyond the page: what is cut off there would be drawn on. */
function around({ bbox: { x0, y0, x1, y1 } }: Pick<Line, 'bbox'>, { width, height }: Grey): BBox {
  const [beside, above] = [(y1 - y0) * ROOM_BESIDE, (y1 - y0) * ROOM_ABOVE]
  const [left, top] = [Math.max(0, Math.round(x0 - beside)), Math.max(0, Math.round(y0 - above))]
  return [left, top, Math.min(width, Math.round(x1 + beside)), Math.min(height, Math.round(y1 + above))]
}
