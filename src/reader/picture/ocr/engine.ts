// Text recognition by Tesseract in WebAssembly, offline, one language at a time: German recognised with eng+deu+fra+spa
// kept 90 % of its words and took 13.7 s, with deu alone all of them in 5.8 s (docs/decisions/0008).
// liteparse's built-in Tesseract is twice as fast, but drops brackets, so that (188) becomes 188, and mixes columns: it
// kept 24 % of a two-column page's words in order, and 86 % of a table's.

import type { PSM, Block as TesseractBlock, Word, Worker } from 'tesseract.js'
import type { BBox, Block } from '../../block.ts'
import { type PixelSize, pixelSize } from '../formats/image-size.ts'
import { type PageGraphics, toBlocks } from '../layout/blocks.ts'
import type { Rect } from '../raster/grey-image.ts'
import { CROP_MARGIN } from '../raster/grey-image.ts'
import { type RecognisedLine, scoredWords } from '../second-pass/unrecognised-lines.ts'
import { ocrSettings, trainedData } from './languages.ts'
import { countLetters, hasLetters, linesOf, mapLines, wordsOf } from './tesseract-blocks.ts'
import { mergeUnspacedWords } from './unspaced-scripts.ts'

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
  /** Tesseract's own result, boxes in the deskewed image. */
  tesseractBlocks: readonly TesseractBlock[]
  /** Radians by which Tesseract turned the image about its centre to deskew it. */
  skew: number
  /** The same recognition with changed words, or with graphics that lay out its blocks better. */
  withBlocks: (tesseractBlocks: readonly TesseractBlock[], graphics?: PageGraphics) => Recognition
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
  close: () => Promise<void>
}

// Of 100.
const CONFIDENT = 60
// Tesseract's codes of binarization methods: one threshold for the page, or one for each neighbourhood.
const OTSU = '0'
const SAUVOLA = '2'

/** Loads with the first page (0.2 to 0.3 s, 160 MB) and again whenever the language changes. */
export function openOcrEngine(): OcrEngine {
  let open: { language: string; worker: Worker } | undefined
  const close = async (): Promise<void> => {
    await open?.worker.terminate()
    open = undefined
  }
  const workerFor = async (language: string): Promise<Worker> => {
    if (open?.language !== language) {
      await close()
      open = { language, worker: await startWorker(language) }
    }
    return open.worker
  }
  return {
    recognise: async (png, language, rect) => recognise(await workerFor(language), png, rect),
    recogniseAdaptive: async (png, language) => {
      const worker = await workerFor(language)
      await worker.setParameters({ thresholding_method: SAUVOLA })
      const recognition = await recognise(worker, png)
      await worker.setParameters({ thresholding_method: OTSU })
      return recognition
    },
    recogniseBlocks: async (images, language, onImage) => {
      const worker = await workerFor(language)
      const { PSM } = await import('tesseract.js')
      return (await recogniseEach(worker, images, PSM.SINGLE_BLOCK, onImage)).map(toBlockText)
    },
    recogniseLines: async (images, language, onImage) => {
      const worker = await workerFor(language)
      const { PSM } = await import('tesseract.js')
      return (await recogniseEach(worker, images, PSM.SINGLE_LINE, onImage)).map(toLineWords)
    },
    close,
  }
}

async function recognise(worker: Worker, png: Buffer, rect?: Rect): Promise<Recognition> {
  // Tesseract detects a skew of 0.3° to about 10° and deskews the image.
  const options = rect === undefined ? { rotateAuto: true } : { rectangle: rect }
  const { data } = await worker.recognize(png, options, { text: false, blocks: true })
  return toRecognition(mergeUnspacedWords(data.blocks ?? []), data.rotateRadians ?? 0, pixelSize(png))
}

async function recogniseEach(
  worker: Worker,
  images: readonly Buffer[],
  mode: PSM,
  onImage: () => void,
): Promise<TesseractBlock[][]> {
  const { PSM } = await import('tesseract.js')
  await worker.setParameters({ tessedit_pageseg_mode: mode })
  const results: TesseractBlock[][] = []
  for (const image of images) {
    const { data } = await worker.recognize(image, {}, { text: false, blocks: true })
    results.push(mergeUnspacedWords(data.blocks ?? []))
    onImage()
  }
  await worker.setParameters({ tessedit_pageseg_mode: PSM.AUTO })
  return results
}

async function startWorker(language: string): Promise<Worker> {
  const { createWorker, OEM, PSM } = await import('tesseract.js')
  const data = trainedData(language, ocrSettings().folder)
  if (data === undefined) throw new Error(`no training data for ${language}`)
  const worker = await createWorker(language, OEM.LSTM_ONLY, {
    langPath: data.folder,
    cacheMethod: 'none',
    gzip: data.gzip,
    errorHandler: () => undefined,
  })
  // The library's default takes the page for a single column.
  await worker.setParameters({ tessedit_pageseg_mode: PSM.AUTO })
  return worker
}

function toRecognition(
  tesseractBlocks: readonly TesseractBlock[],
  skew: number,
  size: PixelSize | undefined,
  graphics?: PageGraphics,
): Recognition {
  const toOriginal = (bbox: BBox): BBox =>
    skew === 0 || size === undefined ? bbox : undoDeskew(bbox, skew, size)
  const blocksOf = (some: readonly TesseractBlock[]): Block[] =>
    toBlocks(some, graphics).map((block) => (block.bbox ? { ...block, bbox: toOriginal(block.bbox) } : block))
  const words = wordsOf(tesseractBlocks).filter(hasLetters)
  const heights = words.map(({ bbox }) => bbox.y1 - bbox.y0).sort((a, b) => a - b)
  return {
    blocks: blocksOf(tesseractBlocks),
    confidence: meanConfidence(words),
    confidentWords: words.filter((word) => word.confidence >= CONFIDENT && word.text.length > 1).length,
    textHeight: heights[heights.length >> 1] ?? 0,
    horizontalShare: horizontalShare(words),
    lines: linesOf(tesseractBlocks).flatMap((line) => toLine(line.words.filter(hasLetters), toOriginal)),
    tesseractBlocks,
    skew,
    withBlocks: (other, more = graphics) => toRecognition(other, skew, size, more),
    outside: (boxes) => {
      const isInside = ({ bbox: { x0, y0, x1, y1 } }: Word): boolean =>
        boxes.some((box) => isCentreIn(toOriginal([x0, y0, x1, y1]), box))
      const lettersInside = words.filter(isInside).reduce((sum, { text }) => sum + countLetters(text), 0)
      return { blocks: blocksOf(withoutWords(tesseractBlocks, isInside)), lettersInside }
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

function toBlockText(blocks: readonly TesseractBlock[]): BlockText {
  const lines = linesOf(blocks).map(({ words }) => words.map((word) => word.text).join(' '))
  return { text: lines.join('\n'), lines: lines.length, confidence: meanConfidence(wordsOf(blocks)) }
}

const toLineWords = (blocks: readonly TesseractBlock[]): LineWord[] =>
  wordsOf(blocks).map(({ text, confidence, bbox: { x0, y0, x1, y1 } }) => {
    const [left = 0, top = 0, right = 0, bottom = 0] = [x0, y0, x1, y1].map((side) => side - CROP_MARGIN)
    return { text, confidence, left, top, right, bottom }
  })

function isCentreIn([left, top, right, bottom]: BBox, box: BBox): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  return x > box[0] && x < box[2] && y > box[1] && y < box[3]
}

const withoutWords = (blocks: readonly TesseractBlock[], isOut: (word: Word) => boolean): TesseractBlock[] =>
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
