// Converts a recognised page to the form of a PDF page: words in lines with font size and weight, and ruling lines. So the same
// code finds columns, tables, headings and lists in scans and in PDF pages.

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

/** What an upright page has besides the text of its words, in pixels. */
export interface PageGraphics {
  lines?: RulingLines
  strokes?: StrokeWidths
}

// Dust and ruling lines are recognised as these signs.
const SPECK = /^[:;.,|'`~_\\]+$/

// Heights of letters, and the box of a line as PDFium gives it, as shares of the font size.
const CAPITAL_HEIGHT = 0.72
const SMALL_LETTER_HEIGHT = 0.52
const DESCENT = 0.2
const ASCENT = 0.93
const LINE_HEIGHT = 1.15
const WITH_ASCENDER = /[\p{Lu}\p{N}bdfhklt()[\]{}|/@$&%§!?"'“”‘’]|\p{Script=Han}|\p{Script=Hangul}/u
const WITH_DESCENDER = /[gjpqyQ,;()[\]{}|/@$§_]/u
const MEASURABLE_WORD = /[\p{L}\p{N}]{2}/u
// In points. The page is scaled so that its text has this size, whatever resolution the image states.
const TEXT_SIZE = 10
// The boxes of letters are not exact, so a line whose size differs by less has the usual size of the page's text.
const MAX_SIZE_DIFFERENCE = 0.12
// In font sizes: a wider gap is not a space between words.
const MIN_GAP = 1

// The minimum stroke width of a bold line, and of each of its words, as a multiple of the stroke width of the text. Bold
// lines of 40 scanned pages had 1.2 to 1.7, other lines .85 to 1.1.
const MIN_BOLD_STROKE = 1.17
const MIN_BOLD_WORD_STROKE = 1.05

/** The page's blocks in reading order; boxes are in pixels. */
export async function layOut(
  recognisedLines: readonly Line[],
  size: PixelSize | undefined,
  { lines = { horizontal: [], vertical: [] }, strokes = new Map() }: PageGraphics = {},
): Promise<Block[]> {
  const readableLines = recognisedLines.flatMap(readablePart)
  const textSize = median(readableLines.flatMap(({ words }) => words.filter(isMeasurable).map(fontSizeOf)))
  if (textSize === undefined) return []
  const scale = TEXT_SIZE / textSize
  const typography: Typography = { textSize, scale, strokes, usualStroke: median([...strokes.values()]) }
  const textItems = withBullets(readableLines, textSize).flatMap((line) => itemsOf(line, typography))
  const [right, bottom] = [Math.max(...edges(readableLines, 'x1')), Math.max(...edges(readableLines, 'y1'))]
  const [width, height] = [size?.width ?? right, size?.height ?? bottom]
  const segmentsOf = (rules: readonly RulingLine[], toSegment: (rule: RulingLine) => Segment): Segment[] =>
    rules.map(toSegment).map((segment) => segment.map((side) => side * scale) as unknown as Segment)
  const rules = [
    ...segmentsOf(lines.horizontal, ({ at, from, to }) => [from, at, to, at]),
    ...segmentsOf(lines.vertical, ({ at, from, to }) => [at, from, at, to]),
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

interface Typography {
  /** The usual font size of the page in pixels. */
  textSize: number
  /** Points per pixel. */
  scale: number
  strokes: StrokeWidths
  /** The usual stroke width of the page. */
  usualStroke: number | undefined
}

const edges = (lines: readonly Line[], side: 'x1' | 'y1'): number[] =>
  lines.flatMap(({ words }) => words.map(({ bbox }) => bbox[side]))

/** The line without specks and words of low confidence; empty if no words remain. */
function readablePart(line: Line): Line[] {
  const left = Math.min(line.bbox.x0, ...line.words.map(({ bbox }) => bbox.x0))
  const words = line.words.filter(
    ({ text, confidence }) => (confidence >= MIN_WORD_CONFIDENCE || isUnspaced(text)) && !SPECK.test(text),
  )
  return words.length === 0 ? [] : [{ ...line, words, bbox: { ...line.bbox, x0: left } }]
}

const isMeasurable = ({ text }: Word): boolean => MEASURABLE_WORD.test(text)

/** The font size of a word by the height of its letters. */
const fontSizeOf = ({ text, bbox: { y0, y1 } }: Word): number =>
  (y1 - y0) /
  ((WITH_ASCENDER.test(text) ? CAPITAL_HEIGHT : SMALL_LETTER_HEIGHT) +
    (WITH_DESCENDER.test(text) ? DESCENT : 0))

/** The words of a line as text items, divided at wide gaps. All have the baseline and the font of the line. */
function itemsOf({ words }: Line, typography: Typography): TextItem[] {
  const { textSize, scale } = typography
  const sampleWords = words.filter(isMeasurable)
  const measuredSize = median((sampleWords.length > 0 ? sampleWords : words).map(fontSizeOf)) ?? textSize
  const hasUsualSize = Math.abs(measuredSize / textSize - 1) < MAX_SIZE_DIFFERENCE
  const size = hasUsualSize ? textSize : measuredSize
  const baseline =
    median(words.map((word) => word.bbox.y1 - (WITH_DESCENDER.test(word.text) ? DESCENT * size : 0))) ?? 0
  const [y, height] = [(baseline - ASCENT * size) * scale, LINE_HEIGHT * size * scale]
  const points = Math.round(size * scale * 2) / 2
  const isBold = isBoldLine(words, size, typography)
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

function isBoldLine(words: readonly Word[], size: number, typography: Typography): boolean {
  const { textSize, strokes, usualStroke } = typography
  const measuredWords = words.flatMap((word) => {
    const width = strokes.get(word)
    return width === undefined ? [] : [{ width, letters: word.text.length }]
  })
  if (usualStroke === undefined || measuredWords.length === 0) return false
  const expectedWidth = usualStroke * Math.max(1, size / textSize)
  const letters = measuredWords.reduce((sum, word) => sum + word.letters, 0)
  const meanWidth = measuredWords.reduce((sum, word) => sum + word.width * word.letters, 0) / letters
  return (
    meanWidth >= MIN_BOLD_STROKE * expectedWidth &&
    measuredWords.every(({ width }) => width >= MIN_BOLD_WORD_STROKE * expectedWidth)
  )
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
