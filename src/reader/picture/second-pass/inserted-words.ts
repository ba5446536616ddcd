// Words of ink that the whole reading made nothing of, put where they stand: a figure or a short word in its line, other
// lines as blocks of their own. Pure.

import type { Bbox, Block, Line, Word } from 'tesseract.js'
import type { LineWord } from '../ocr/engine.ts'

// Leaves are read as letters too, the corners of a frame as figures.
const SURE_CONFIDENCE = 80
const SURE_CELL = 90
const LEAST_LETTERS = 4
const LEAST_IN_CELL = 2
const FIGURE = /^[-–—+($€£~]*\d[\d.,]*[)%]*$/
// Of so many places most are cells.
const MANY_PLACES = 12
// Of the line's height: further from its other words a figure stands in another part of the page.
const REACH = 40

/** The blocks with what was read of places without words, each a line: kept where all of it is sure and stands nowhere yet. */
export function withLost(blocks: readonly Block[], places: readonly (readonly LineWord[])[]): Block[] {
  const taken = linesOf(blocks).flatMap(({ words }) => words)
  const read = places
    .map((place) => place.filter(isSolid).map(wordOf))
    .filter((words) => words.length > 0 && !words.some((word) => isThere(word, taken)))
  const isMany = places.length > MANY_PLACES
  const texts = read.filter((words) => isSureText(words) && !isMany)
  const cells = read.filter((words) => isSureCell(words) && !texts.includes(words))
  return cells.reduce(withCell, texts.map(blockOf).reduce(inOrder, [...blocks]))
}

/** The blocks with figures that were read alone, each in the line that it is level with. */
export const withFigures = (blocks: readonly Block[], places: readonly (readonly LineWord[])[]): Block[] =>
  places
    .filter((words) => words.length > 0)
    .map((words) => words.map(wordOf))
    .reduce(withCell, [...blocks])

/** The blocks with the sure lines of another reading of the page that stand where there are no words. */
export function withLinesOf(blocks: readonly Block[], other: readonly Block[]): Block[] {
  // Of letters alone: a band with letters that was taken for a drawing has bars and dashes.
  const taken = linesOf(blocks).flatMap(({ words }) => words.filter(isSolid))
  const lines = linesOf(other)
    .map(({ words }) => withoutEnds(words.filter(isSolid)))
    .filter((words) => isSureText(words) && !words.some((word) => isThere(word, taken)))
  return lines.map(blockOf).reduce(inOrder, [...blocks])
}

/** A sign drawn beside a line is read as letters of it, the edge of a band behind it. */
function withoutEnds(words: readonly Word[]): Word[] {
  const isSure = ({ confidence }: Word): boolean => confidence >= SURE_CONFIDENCE
  return words.slice(words.findIndex(isSure), words.findLastIndex(isSure) + 1)
}

const isSolid = ({ text }: Pick<Word, 'text'>): boolean => /[\p{L}\p{N}]/u.test(text)

const wordOf = ({ text, confidence, left, top, right, bottom }: LineWord): Word =>
  ({ text, confidence, bbox: { x0: left, y0: top, x1: right, y1: bottom } }) as Word

const count = (words: readonly Word[], what: RegExp): number =>
  words.reduce((sum, { text }) => sum + (text.match(what)?.length ?? 0), 0)

const isSureText = (words: readonly Word[]): boolean =>
  words.every(({ confidence }) => confidence >= SURE_CONFIDENCE) && count(words, /\p{L}/gu) >= LEAST_LETTERS

const isSureCell = (words: readonly Word[]): boolean =>
  words.every(({ confidence }) => confidence >= SURE_CELL) &&
  words.every(({ text }) => FIGURE.test(text) || /^\p{L}+$/u.test(text)) &&
  count(words, /[\p{L}\p{N}]/gu) >= LEAST_IN_CELL

const linesOf = (blocks: readonly Block[]): Line[] =>
  blocks.flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))

/** Whether words were read there: the frame around a stamp is ink without words, and its box holds them. */
const isThere = ({ bbox: { x0, y0, x1, y1 } }: Word, taken: readonly Word[]): boolean =>
  taken.some(({ bbox: box }) => {
    const [x, y] = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2]
    return x > x0 && x < x1 && y > y0 && y < y1
  })

/** A cell, or an amount behind its words, is of the nearest line that it is level with, else of none. */
function withCell(blocks: readonly Block[], cell: readonly Word[]): Block[] {
  const { x0, x1, y0, y1 } = around(cell)
  const middle = (y0 + y1) / 2
  const off = ({ words }: Line): number =>
    Math.min(...words.map(({ bbox }) => Math.max(bbox.x0 - x1, x0 - bbox.x1)))
  const isLevel = ({ words }: Line): boolean =>
    words.some(({ bbox }) => {
      const other = (bbox.y0 + bbox.y1) / 2
      return middle > bbox.y0 && middle < bbox.y1 && other > y0 && other < y1
    })
  const [nearest] = linesOf(blocks)
    .filter((line) => isLevel(line) && off(line) < REACH * (y1 - y0))
    .sort((one, other) => off(one) - off(other))
  const joined = (line: Line): Line => {
    if (line !== nearest) return line
    const words = [...line.words, ...cell].sort((one, other) => one.bbox.x0 - other.bbox.x0)
    return { ...line, words, bbox: around([line, ...cell]) }
  }
  return blocks.map((block) => ({
    ...block,
    paragraphs: block.paragraphs.map((one) => ({ ...one, lines: one.lines.map(joined) })),
  }))
}

const around = (boxes: readonly { bbox: Bbox }[]): Bbox => ({
  x0: Math.min(...boxes.map(({ bbox }) => bbox.x0)),
  y0: Math.min(...boxes.map(({ bbox }) => bbox.y0)),
  x1: Math.max(...boxes.map(({ bbox }) => bbox.x1)),
  y1: Math.max(...boxes.map(({ bbox }) => bbox.y1)),
})

function blockOf(words: readonly Word[]): Block {
  const bbox = around(words)
  return { bbox, paragraphs: [{ bbox, lines: [{ bbox, words }] }] } as unknown as Block
}

/** Before the first block that stands below it in its column. */
function inOrder(blocks: readonly Block[], block: Block): Block[] {
  const { x0, x1, y1 } = block.bbox
  const at = blocks.findIndex(({ bbox }) => bbox.y0 >= y1 && bbox.x0 < x1 && bbox.x1 > x0)
  return blocks.toSpliced(at === -1 ? blocks.length : at, 0, block)
}
