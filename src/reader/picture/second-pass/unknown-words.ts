// Words that nobody knows are read once more by themselves, tightly cut out: without their neighbours, and on their own
// ground, "midiine" is midline and "R-CNX" R-CNN.

import type { Block, Line, Word } from 'tesseract.js'
import type { BBox } from '../../block.ts'
import type { Look, Sight } from '../ocr/context.ts'
import type { LineWord } from '../ocr/engine.ts'
import type { Grey } from '../raster/grey-image.ts'
import { inForm, unit } from './confusable-characters.ts'
import { readBoxes, SCALES } from './lines.ts'
import { type Known, knownTo, remember } from './vocabulary.ts'
import { isDoubtful, replaced, settledAlone } from './word-readings.ts'

// Each takes 20 ms a reading, and most come alike from the first; a page with more is of names, or of another language.
const MOST_WORDS = 40
// Of the word's height.
const ROOM_BESIDE = 0.12
const ROOM_ABOVE = 0.2
// Pixels from the picture's edge: a line so close may be cut off there.
const EDGE = 4

/** The sight with the words that nobody knows as they read by themselves, and with those whose form tells them. */
export async function lookCloser(look: Look, grey: Grey, sight: Sight): Promise<Sight> {
  const written = new Set<string>()
  for (const line of linesOf(sight.found)) if (!isCut(line, grey)) remember(written, line)
  const known = knownTo(written)
  const doubtful = sight.language === 'eng' ? doubtfulWords(sight.found, grey, known) : []
  const settled = await settle(look, grey, sight, doubtful, known)
  const amended = sight.found.map((block) => ({
    ...block,
    paragraphs: block.paragraphs.map((paragraph) => ({
      ...paragraph,
      lines: paragraph.lines.map((line) => inForm(replaced(line, settled), known)),
    })),
  }))
  return { ...sight, ...sight.amended(amended) }
}

interface Doubtful {
  word: Word
  /** What stands before it: a unit stands behind a figure. */
  before: string
}

/** The least sure first. */
function doubtfulWords(found: readonly Block[], grey: Grey, known: Known): Doubtful[] {
  const words = linesOf(found).flatMap((line) =>
    line.words
      .map((word, i) => ({ word, before: line.words[i - 1]?.text ?? '' }))
      .filter(({ word }) => isDoubtful(word, known, isCut(line, grey)) && standsAlone(word, line.words)),
  )
  return words.sort((a, b) => a.word.confidence - b.word.confidence).slice(0, MOST_WORDS)
}

/** Whether the picture's edge may go through its letters. */
const isCut = ({ bbox }: Line, { height }: Grey): boolean => bbox.y0 <= EDGE || bbox.y1 >= height - EDGE

/** Some boxes reach over the next words, which would come twice. */
const standsAlone = ({ bbox }: Word, words: readonly Word[]): boolean =>
  words.filter(({ bbox: { x0, x1 } }) => (x0 + x1) / 2 > bbox.x0 && (x0 + x1) / 2 < bbox.x1).length === 1

const linesOf = (found: readonly Block[]): Line[] =>
  found.flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))

/** What both readings of a word have; the second is asked for where the first says something else. */
async function settle(
  look: Look,
  grey: Grey,
  sight: Sight,
  doubtful: readonly Doubtful[],
  known: Known,
): Promise<Map<Word, Word[]>> {
  const readAt = async (some: readonly Doubtful[], scale: number): Promise<LineWord[][]> => {
    const boxes = some.map(({ word }) => close(word))
    const readings = await readBoxes(look, grey, sight, boxes, scale)
    return readings.map((reading, i) =>
      reading.map((read) => ({ ...read, text: unit(read.text, some[i]?.before) })),
    )
  }
  const once = await readAt(doubtful, SCALES[0])
  const first = new Map(doubtful.map(({ word }, i) => [word, once[i] ?? []]))
  const settledBy = (word: Word, other: readonly LineWord[]): Word[] =>
    settledAlone(word, [first.get(word) ?? [], other], known)
  const open = doubtful.filter(({ word }) => settledBy(word, first.get(word) ?? [])[0] !== word)
  const twice = await readAt(open, SCALES[1])
  return new Map(open.map(({ word }, i) => [word, settledBy(word, twice[i] ?? [])]))
}

/** Beyond the picture its edge goes on: letters that it cuts have their ends so. */
function close({ bbox: { x0, y0, x1, y1 } }: Word): BBox {
  const [beside, above] = [(y1 - y0) * ROOM_BESIDE, (y1 - y0) * ROOM_ABOVE]
  return [x0 - beside, y0 - above, x1 + beside, y1 + above]
}
