// Text recognition by Tesseract or a server: pages as lines of words, and crops of a page.

import type { BBox } from '../../block.ts'
import { CROP_MARGIN, type Rect } from '../rasters/grey-image.ts'
import { type PixelSize, pixelSize } from '../rasters/image-size.ts'
import { ocrServer } from './languages.ts'
import {
  countLetters,
  hasLetters,
  type ImageKind,
  type Line,
  type Recognised,
  type RecogniseOptions,
  type Recogniser,
  type Word,
  wordsOf,
} from './recognised.ts'
import { type RecognisedLine, scoredWords } from './second-pass/unrecognised-lines.ts'
import { openOcrServer } from './server.ts'
import { openTesseract } from './tesseract.ts'

/** Boxes are in pixels of the deskewed image. */
export interface Recognition extends Recognised {
  /** Mean over the words weighted by their length, 0 to 1; 0 without words. */
  confidence: number
  /** The number of words with at least two characters and a confidence of at least .6. */
  confidentWords: number
  /** Median height of the words in pixels; 0 without words. */
  textHeight: number
  /** Share of words that are wider than high. Tesseract also reads lines that run up or down, but in the wrong order. */
  horizontalShare: number
  /** The size of the image. */
  size: PixelSize | undefined
}

export interface LineWord {
  text: string
  /** 0 to 100. */
  confidence: number
  left: number
  top: number
  right: number
  bottom: number
}

export interface OcrEngine {
  /** Recognises the whole image, or a rectangle of it. @throws Error when the language has no training data */
  recognise: (png: Buffer, language: string, rect?: Rect) => Promise<Recognition>
  /** Recognises the whole image with adaptive (local) binarization. @throws as `recognise` */
  recogniseAdaptive: (png: Buffer, language: string) => Promise<Recognition>
  /** Recognises images of one block of text each, such as table cells. Returns the lines of each. @throws as `recognise` */
  recogniseBlocks: (
    images: readonly Buffer[],
    language: string,
    onImage: () => void,
  ) => Promise<LineWord[][][]>
  /** Recognises images of one line each; positions are relative to the image without its margin. @throws as `recognise` */
  recogniseLines: (images: readonly Buffer[], language: string, onImage: () => void) => Promise<LineWord[][]>
  /** Whether the engine recognises crops of a page, which the second pass needs. */
  readsCrops: boolean
  close: () => Promise<void>
}

// The minimum confidence of a confident word, of 100.
const MIN_WORD_CONFIDENCE = 60

export function openOcrEngine(): OcrEngine {
  const askServer = ocrServer()
  const recogniser = askServer ? openOcrServer(askServer) : openTesseract()
  return {
    recognise: (png, language, rect) =>
      recognisePage(recogniser, png, { language, imageKind: 'page', ...(rect && { rect }) }),
    recogniseAdaptive: (png, language) =>
      recognisePage(recogniser, png, { language, imageKind: 'page', adaptive: true }),
    recogniseBlocks: async (images, language, onImage) =>
      (await recogniseEach(recogniser, images, { language, imageKind: 'block' }, onImage)).map((lines) =>
        lines.map(({ words }) => words.map(toLineWord)),
      ),
    recogniseLines: async (images, language, onImage) =>
      (await recogniseEach(recogniser, images, { language, imageKind: 'line' }, onImage)).map((lines) =>
        wordsOf(lines).map(toLineWord),
      ),
    readsCrops: recogniser.readsCrops,
    close: recogniser.close,
  }
}

async function recognisePage(
  recogniser: Recogniser,
  png: Buffer,
  options: RecogniseOptions,
): Promise<Recognition> {
  const { lines, skew } = await recogniser.recognise(png, options)
  return recognitionOf(lines, skew, pixelSize(png))
}

async function recogniseEach(
  recogniser: Recogniser,
  images: readonly Buffer[],
  options: { language: string; imageKind: ImageKind },
  onImage: () => void,
): Promise<Line[][]> {
  const results: Line[][] = []
  for (const image of images) {
    results.push((await recogniser.recognise(image, options)).lines)
    onImage()
  }
  return results
}

function recognitionOf(lines: Line[], skew: number, size: PixelSize | undefined): Recognition {
  const words = wordsOf(lines).filter(hasLetters)
  const heights = words.map(({ bbox }) => bbox.y1 - bbox.y0).sort((a, b) => a - b)
  return {
    lines,
    skew,
    size,
    confidence: meanConfidence(words),
    confidentWords: words.filter((word) => word.confidence >= MIN_WORD_CONFIDENCE && word.text.length > 1)
      .length,
    textHeight: heights[heights.length >> 1] ?? 0,
    horizontalShare: horizontalShare(words),
  }
}

/** The same page with other lines. */
export const withLines = <Page extends Recognition>(page: Page, lines: Line[]): Page => ({
  ...page,
  ...recognitionOf(lines, page.skew, page.size),
})

/** The text of a page, line by line in the engine's order. */
export const textOf = ({ lines }: Recognised): string =>
  lines.map(({ words }) => words.map(({ text }) => text).join(' ')).join('\n')

/** Lines with letters or digits, with their positions on the page as it was before deskewing. */
export const linesBeforeDeskew = (page: Recognition): RecognisedLine[] =>
  page.lines.flatMap((line) => lineBeforeDeskew(line.words.filter(hasLetters), page))

function lineBeforeDeskew(words: readonly Word[], page: Recognition): RecognisedLine[] {
  if (words.length === 0) return []
  const [lefts, tops] = [words.map(({ bbox }) => bbox.x0), words.map(({ bbox }) => bbox.y0)]
  const [rights, bottoms] = [words.map(({ bbox }) => bbox.x1), words.map(({ bbox }) => bbox.y1)]
  const box: BBox = [Math.min(...lefts), Math.min(...tops), Math.max(...rights), Math.max(...bottoms)]
  const letters = words.reduce((sum, { text }) => sum + countLetters(text), 0)
  return [{ bbox: boxBeforeDeskew(box, page), confidence: meanConfidence(scoredWords(words)), letters }]
}

/** A box of the deskewed page, moved to its position on the page before deskewing. */
export const boxBeforeDeskew = (box: BBox, { skew, size }: Pick<Recognition, 'skew' | 'size'>): BBox =>
  skew === 0 || size === undefined ? box : undoDeskew(box, skew, size)

/** The mean confidence of words, weighted by their length, 0 to 1. */
export function meanConfidence(words: readonly Word[]): number {
  const length = words.reduce((sum, word) => sum + word.text.length, 0)
  const weighted = words.reduce((sum, word) => sum + word.text.length * word.confidence, 0)
  return length === 0 ? 0 : weighted / length / 100
}

function toLineWord({ text, confidence, bbox: { x0, y0, x1, y1 } }: Word): LineWord {
  const [left = 0, top = 0, right = 0, bottom = 0] = [x0, y0, x1, y1].map((side) => side - CROP_MARGIN)
  return { text, confidence, left, top, right, bottom }
}

// A shorter word may be higher than wide.
const MIN_LONG_WORD_LETTERS = 4

function horizontalShare(words: readonly Word[]): number {
  const longWords = words.filter(({ text }) => text.length >= MIN_LONG_WORD_LETTERS)
  const horizontal = longWords.filter(({ bbox }) => bbox.x1 - bbox.x0 > bbox.y1 - bbox.y0)
  return longWords.length === 0 ? 1 : horizontal.length / longWords.length
}

function undoDeskew([left, top, right, bottom]: BBox, skew: number, size: PixelSize): BBox {
  const [midX, midY] = [size.width / 2, size.height / 2]
  const [sin, cos] = [Math.sin(-skew), Math.cos(-skew)]
  const x = (left + right) / 2 - midX
  const y = (top + bottom) / 2 - midY
  const dx = midX + cos * x - sin * y - (midX + x)
  const dy = midY + sin * x + cos * y - (midY + y)
  return [left + dx, top + dy, right + dx, bottom + dy]
}
