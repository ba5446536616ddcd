// Text recognition for the rest of the room, whichever engine does it: pages as blocks with their boxes, and crops of a page.

import type { BBox, Block } from '../../block.ts'
import { type PixelSize, pixelSize } from '../formats/image-size.ts'
import { type PageGraphics, toBlocks } from '../layout/blocks.ts'
import { CROP_MARGIN, type Rect } from '../raster/grey-image.ts'
import { type RecognisedLine, scoredWords } from '../second-pass/unrecognised-lines.ts'
import { ocrServer } from './languages.ts'
import {
  countLetters,
  hasLetters,
  type ImageOf,
  type Line,
  linesOf,
  mapLines,
  type OcrBlock,
  type RecogniseOptions,
  type Recogniser,
  type Word,
  wordsOf,
} from './recognised.ts'
import { openOcrServer } from './server.ts'
import { openTesseract } from './tesseract.ts'

export interface Recognition {
  /** In reading order, boxes in pixels of the image as it was passed in. */
  blocks: Block[]
  /** Mean over the words weighted by their length, 0 to 1; 0 without words. */
  confidence: number
  /** How many words of two characters or more have at least a confidence of .6. */
  confidentWords: number
  /** Median height of the words in pixels; 0 without words. */
  textHeight: number
  /** Share of words that are wider than high. Tesseract also reads lines that run up or down, but in the wrong order. */
  horizontalShare: number
  /** Lines with letters or digits, in order; boxes in pixels. */
  lines: RecognisedLine[]
  /** The engine's own result, boxes in the deskewed image. */
  ocrBlocks: readonly OcrBlock[]
  /** Radians by which the engine turned the image about its centre to deskew it. */
  skew: number
  /** The same recognition with changed words, or with graphics that lay out its blocks better. */
  withBlocks: (ocrBlocks: readonly OcrBlock[], graphics?: PageGraphics) => Recognition
  /** Blocks without the words inside the given boxes, and the number of letters and digits of those words. */
  outside: (boxes: readonly BBox[]) => { blocks: Block[]; lettersInside: number }
}

/** The text of an image that is a single block, such as a table cell. */
export interface BlockText {
  /** One line of text per line of the image. */
  text: string
  lines: number
  /** 0 to 1. */
  confidence: number
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
  /** Recognises images of one block of text each, such as table cells. @throws as `recognise` */
  recogniseBlocks: (images: readonly Buffer[], language: string, onImage: () => void) => Promise<BlockText[]>
  /** Recognises images of one line each; places are relative to the image without its margin. @throws as `recognise` */
  recogniseLines: (images: readonly Buffer[], language: string, onImage: () => void) => Promise<LineWord[][]>
  /** It recognises crops of a page, which the second pass needs. */
  readsCrops: boolean
  close: () => Promise<void>
}

// Of 100.
const CONFIDENT = 60
export function openOcrEngine(): OcrEngine {
  const ask = ocrServer()
  const recogniser = ask ? openOcrServer(ask) : openTesseract()
  return {
    recognise: (png, language, rect) =>
      recognisePage(recogniser, png, { language, of: 'page', ...(rect && { rect }) }),
    recogniseAdaptive: (png, language) =>
      recognisePage(recogniser, png, { language, of: 'page', adaptive: true }),
    recogniseBlocks: async (images, language, onImage) =>
      (await recogniseEach(recogniser, images, language, 'block', onImage)).map((blocks) =>
        toBlockText(linesOf(blocks)),
      ),
    recogniseLines: async (images, language, onImage) =>
      (await recogniseEach(recogniser, images, language, 'line', onImage)).map(toLineWords),
    readsCrops: recogniser.readsCrops,
    close: recogniser.close,
  }
}

async function recognisePage(
  recogniser: Recogniser,
  png: Buffer,
  wanted: RecogniseOptions,
): Promise<Recognition> {
  const { blocks, skew } = await recogniser.recognise(png, wanted)
  return toRecognition(blocks, skew, pixelSize(png))
}

async function recogniseEach(
  recogniser: Recogniser,
  images: readonly Buffer[],
  language: string,
  of: ImageOf,
  onImage: () => void,
): Promise<OcrBlock[][]> {
  const results: OcrBlock[][] = []
  for (const image of images) {
    results.push((await recogniser.recognise(image, { language, of })).blocks)
    onImage()
  }
  return results
}

function toRecognition(
  ocrBlocks: readonly OcrBlock[],
  skew: number,
  size: PixelSize | undefined,
  graphics?: PageGraphics,
): Recognition {
  const toOriginal = (bbox: BBox): BBox =>
    skew === 0 || size === undefined ? bbox : undoDeskew(bbox, skew, size)
  const blocksOf = (some: readonly OcrBlock[]): Block[] =>
    toBlocks(some, graphics).map((block) => (block.bbox ? { ...block, bbox: toOriginal(block.bbox) } : block))
  const words = wordsOf(ocrBlocks).filter(hasLetters)
  const heights = words.map(({ bbox }) => bbox.y1 - bbox.y0).sort((a, b) => a - b)
  return {
    blocks: blocksOf(ocrBlocks),
    confidence: meanConfidence(words),
    confidentWords: words.filter((word) => word.confidence >= CONFIDENT && word.text.length > 1).length,
    textHeight: heights[heights.length >> 1] ?? 0,
    horizontalShare: horizontalShare(words),
    lines: linesOf(ocrBlocks).flatMap((line) => toLine(line.words.filter(hasLetters), toOriginal)),
    ocrBlocks,
    skew,
    withBlocks: (other, more = graphics) => toRecognition(other, skew, size, more),
    outside: (boxes) => {
      const isInside = ({ bbox: { x0, y0, x1, y1 } }: Word): boolean =>
        boxes.some((box) => isCentreIn(toOriginal([x0, y0, x1, y1]), box))
      const lettersInside = words.filter(isInside).reduce((sum, { text }) => sum + countLetters(text), 0)
      return { blocks: blocksOf(withoutWords(ocrBlocks, isInside)), lettersInside }
    },
  }
}

function toLine(words: readonly Word[], toOriginal: (bbox: BBox) => BBox): RecognisedLine[] {
  if (words.length === 0) return []
  const [lefts, tops] = [words.map(({ bbox }) => bbox.x0), words.map(({ bbox }) => bbox.y0)]
  const [rights, bottoms] = [words.map(({ bbox }) => bbox.x1), words.map(({ bbox }) => bbox.y1)]
  const bbox = toOriginal([Math.min(...lefts), Math.min(...tops), Math.max(...rights), Math.max(...bottoms)])
  const letters = words.reduce((sum, { text }) => sum + countLetters(text), 0)
  return [{ bbox, confidence: meanConfidence(scoredWords(words)), letters }]
}

/** Weighted by length, 0 to 1. */
function meanConfidence(words: readonly Word[]): number {
  const length = words.reduce((sum, word) => sum + word.text.length, 0)
  const weighted = words.reduce((sum, word) => sum + word.text.length * word.confidence, 0)
  return length === 0 ? 0 : weighted / length / 100
}

export function toBlockText(found: readonly Line[]): BlockText {
  const lines = found.map(({ words }) => words.map((word) => word.text).join(' '))
  const confidence = meanConfidence(found.flatMap(({ words }) => words))
  return { text: lines.join('\n'), lines: lines.length, confidence }
}

const toLineWords = (blocks: readonly OcrBlock[]): LineWord[] =>
  wordsOf(blocks).map(({ text, confidence, bbox: { x0, y0, x1, y1 } }) => {
    const [left = 0, top = 0, right = 0, bottom = 0] = [x0, y0, x1, y1].map((side) => side - CROP_MARGIN)
    return { text, confidence, left, top, right, bottom }
  })

function isCentreIn([left, top, right, bottom]: BBox, box: BBox): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  return x > box[0] && x < box[2] && y > box[1] && y < box[3]
}

const withoutWords = (blocks: readonly OcrBlock[], isOut: (word: Word) => boolean): OcrBlock[] =>
  mapLines(blocks, (line) => ({ ...line, words: line.words.filter((word) => !isOut(word)) }))

// A shorter word may be higher than wide.
const MIN_TELLING_LETTERS = 4

function horizontalShare(words: readonly Word[]): number {
  const telling = words.filter(({ text }) => text.length >= MIN_TELLING_LETTERS)
  const horizontal = telling.filter(({ bbox }) => bbox.x1 - bbox.x0 > bbox.y1 - bbox.y0)
  return telling.length === 0 ? 1 : horizontal.length / telling.length
}

/** A box of the deskewed image, moved to where it is in the original. */
function undoDeskew([left, top, right, bottom]: BBox, skew: number, size: PixelSize): BBox {
  const [midX, midY] = [size.width / 2, size.height / 2]
  const [sin, cos] = [Math.sin(-skew), Math.cos(-skew)]
  const x = (left + right) / 2 - midX
  const y = (top + bottom) / 2 - midY
  const dx = midX + cos * x - sin * y - (midX + x)
  const dy = midY + sin * x + cos * y - (midY + y)
  return [left + dx, top + dy, right + dx, bottom + dy]
}
