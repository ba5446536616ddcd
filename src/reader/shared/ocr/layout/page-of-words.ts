// Gives a recognised page the form of a page of a PDF: words in lines with the size and weight of their type, and ruling lines.
// It is then laid out by the same rules, so that columns, tables, headings and lists are found by the same code for both.

import type { Graphic, ParsedPage, TextItem } from '@llamaindex/liteparse'
import type { BBox, Block } from '../../../block.ts'
import type { PlacedBlock } from '../../page/layout/boxes.ts'
import { pageBlocks } from '../../page/layout/page-blocks.ts'
import { panelBlocks } from '../../page/layout/panels.ts'
import { liteparseOptions } from '../../page/liteparse-options.ts'
import type { PixelSize } from '../../rasters/image-size.ts'
import type { RulingLine, RulingLines } from '../../rasters/ruling-lines.ts'
import { type Line, MIN_WORD_CONFIDENCE, type Word } from '../recognised.ts'
import type { StrokeWidths } from '../stroke-width.ts'
import { isUnspaced, joinWords } from '../unspaced-scripts.ts'
import { withBullets } from './bullets.ts'

/** What an upright page shows besides its words, in pixels. */
export interface PageGraphics {
  lines?: RulingLines
  strokes?: StrokeWidths
}

// Dust and ruling lines are recognised as these signs.
const SPECK = /^[:;.,|'`~_\\]+$/

// Heights of letters as shares of the type's size, and the box of a line as PDFium gives it.
const CAPITAL_HEIGHT = 0.72
const SMALL_LETTER_HEIGHT = 0.52
const DESCENT = 0.2
const ASCENT = 0.93
const LINE_HEIGHT = 1.15
const WITH_ASCENDER = /[\p{Lu}\p{N}bdfhklt()[\]{}|/@$&%§!?"'“”‘’]|\p{Script=Han}|\p{Script=Hangul}/u
const WITH_DESCENDER = /[gjpqyQ,;()[\]{}|/@$§_]/u
const MEASURABLE_WORD = /[\p{L}\p{N}]{2}/u
// Points: the assumed size of the page's text, whatever resolution the image states.
const TEXT_SIZE = 10
// Boxes of letters are blurred, so a line of nearly the text's size has that size.
const MAX_SIZE_DIFFERENCE = 0.12
// In sizes of the type: a gap that is wider than a word space.
const MIN_GAP = 1

// The minimum stroke width of a bold line, and of each of its words, as a multiple of the stroke width of the text. Bold
// lines of 40 scanned pages had 1.2 to 1.7, other lines .85 to 1.1.
const MIN_BOLD = 1.17
const MIN_BOLD_WORD = 1.05

/** The page's blocks in reading order; boxes are in pixels. */
export async function layOut(
  recognisedLines: readonly Line[],
  size: PixelSize | undefined,
  { lines = { horizontal: [], vertical: [] }, strokes = new Map() }: PageGraphics = {},
): Promise<Block[]> {
  const readableLines = recognisedLines.flatMap(readable)
  const text = median(readableLines.flatMap(({ words }) => words.filter(isMeasurable).map(sizeOf)))
  if (text === undefined) return []
  const scale = TEXT_SIZE / text
  const type: PageType = { text, scale, strokes, stroke: median([...strokes.values()]) }
  const textItems = withBullets(readableLines, text).flatMap((line) => itemsOf(line, type))
  const [right, bottom] = [Math.max(...edges(readableLines, 'x1')), Math.max(...edges(readableLines, 'y1'))]
  const [width, height] = [size?.width ?? right, size?.height ?? bottom]
  const strokesOf = (rules: readonly RulingLine[], place: (rule: RulingLine) => Segment): Segment[] =>
    rules.map(place).map((rule) => rule.map((side) => side * scale) as unknown as Segment)
  const rules = [
    ...strokesOf(lines.horizontal, ({ at, from, to }) => [from, at, to, at]),
    ...strokesOf(lines.vertical, ({ at, from, to }) => [at, from, at, to]),
  ].map(([x1, y1, x2, y2]) => ({ x1, y1, x2, y2 }))
  const { LiteParse } = await import('@llamaindex/liteparse')
  const graphics = rules.map((rule): Graphic => ({ kind: 'stroke', ...rule, hasStroke: true, lineWidth: 1 }))
  const input = { pageNumber: 1, pageWidth: width * scale, pageHeight: height * scale, textItems, graphics }
  const [page] = new LiteParse(liteparseOptions).parsePages([input]).pages
  if (page === undefined) return []
  const drawing = { shapes: [], lines: rules.map((rule) => ({ ...rule, stroke: true, fill: false })) }
  // The library's copies of the items have no words.
  const fullPage: ParsedPage = { ...page, textItems, vectorGraphics: drawing }
  const words = readableLines.flatMap((line) => line.words)
  return panelBlocks(fullPage, (part) => pageBlocks(part))
    .filter((block) => /[\p{L}\p{N}]/u.test(block.text))
    .map((block) => inPixels(block, scale, words))
}

type Segment = readonly [x1: number, y1: number, x2: number, y2: number]

interface PageType {
  /** The size of the text's type in pixels. */
  text: number
  /** Points of a pixel. */
  scale: number
  strokes: StrokeWidths
  /** The usual width of a stroke. */
  stroke: number | undefined
}

const edges = (lines: readonly Line[], side: 'x1' | 'y1'): number[] =>
  lines.flatMap(({ words }) => words.map(({ bbox }) => bbox[side]))

function readable(line: Line): Line[] {
  const left = Math.min(line.bbox.x0, ...line.words.map(({ bbox }) => bbox.x0))
  const words = line.words.filter(
    ({ text, confidence }) => (confidence >= MIN_WORD_CONFIDENCE || isUnspaced(text)) && !SPECK.test(text),
  )
  return words.length === 0 ? [] : [{ ...line, words, bbox: { ...line.bbox, x0: left } }]
}

const isMeasurable = ({ text }: Word): boolean => MEASURABLE_WORD.test(text)

/** The size of a word's type, by the height of its letters. */
const sizeOf = ({ text, bbox: { y0, y1 } }: Word): number =>
  (y1 - y0) /
  ((WITH_ASCENDER.test(text) ? CAPITAL_HEIGHT : SMALL_LETTER_HEIGHT) +
    (WITH_DESCENDER.test(text) ? DESCENT : 0))

/** The line's words as texts without wide gaps, each on the baseline of the line and in its type. */
function itemsOf({ words }: Line, type: PageType): TextItem[] {
  const { text, scale } = type
  const sampleWords = words.filter(isMeasurable)
  const measured = median((sampleWords.length > 0 ? sampleWords : words).map(sizeOf)) ?? text
  const size = Math.abs(measured / text - 1) < MAX_SIZE_DIFFERENCE ? text : measured
  const baseline =
    median(words.map((word) => word.bbox.y1 - (WITH_DESCENDER.test(word.text) ? DESCENT * size : 0))) ?? 0
  const [y, height] = [(baseline - ASCENT * size) * scale, LINE_HEIGHT * size * scale]
  const points = Math.round(size * scale * 2) / 2
  const isBold = isBoldLine(words, size, type)
  const font = {
    fontName: isBold ? 'Scan-Bold' : 'Scan',
    fontWeight: isBold ? 700 : 400,
    fontSize: points,
    fontHeight: points,
  }
  const runs: Word[][] = []
  for (const word of words) {
    const previousWord = runs.at(-1)?.at(-1)
    if (previousWord !== undefined && word.bbox.x0 - previousWord.bbox.x1 < size * MIN_GAP)
      runs.at(-1)?.push(word)
    else runs.push([word])
  }
  return runs.map((run) => {
    const boxes = run.map(({ text: wordText, bbox: { x0, x1 } }) => ({
      text: wordText,
      x: x0 * scale,
      y,
      width: (x1 - x0) * scale,
      height,
    }))
    const [x, right] = [
      Math.min(...boxes.map((box) => box.x)),
      Math.max(...boxes.map((box) => box.x + box.width)),
    ]
    return {
      text: joinWords(run.map(({ text: wordText }) => wordText)),
      x,
      y,
      width: right - x,
      height,
      rotation: 0,
      ...font,
      words: boxes,
    }
  })
}

function isBoldLine(words: readonly Word[], size: number, { text, strokes, stroke }: PageType): boolean {
  const measured = words.flatMap((word) => {
    const width = strokes.get(word)
    return width === undefined ? [] : [{ width, letters: word.text.length }]
  })
  if (stroke === undefined || measured.length === 0) return false
  const expected = stroke * Math.max(1, size / text)
  const letters = measured.reduce((sum, word) => sum + word.letters, 0)
  const mean = measured.reduce((sum, word) => sum + word.width * word.letters, 0) / letters
  return mean >= MIN_BOLD * expected && measured.every(({ width }) => width >= MIN_BOLD_WORD * expected)
}

/** The block with its position in pixels and the mean confidence of the words there. */
function inPixels(
  { page: _, kind, bbox, ...block }: PlacedBlock,
  scale: number,
  words: readonly Word[],
): Block {
  const text = kind === 'table' ? block.text : joinWords(block.text.split(' '))
  const [left, top, right, bottom] = bbox.map((side) => side / scale) as BBox
  const blockWords = words.filter(({ bbox: { x0, x1, y0, y1 } }) => {
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2]
    return x >= left && x <= right && y >= top && y <= bottom
  })
  const letters = blockWords.reduce((sum, { text }) => sum + text.length, 0)
  const weighted = blockWords.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0)
  const confidence = Math.round(weighted / Math.max(1, letters)) / 100
  return { ...block, kind, text, bbox: [left, top, right, bottom], confidence }
}

const median = (values: readonly number[]): number | undefined =>
  [...values].sort((a, b) => a - b)[values.length >> 1]
