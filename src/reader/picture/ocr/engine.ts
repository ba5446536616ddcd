// Text recognition by Tesseract in WebAssembly, offline, one language at a time: German read with eng+deu+fra+spa came
// back with 90 % of its words in 13.7 s, with deu alone with all of them in 5.8 s (docs/decisions/0008).
// liteparse's built-in Tesseract is twice as fast, but strips brackets, so that (188) becomes 188, and mixes columns:
// 24 % of a two-column page's words came back in order, 86 % of a table's.

import type { Line, PSM, Block as TesseractBlock, Word, Worker } from 'tesseract.js'
import type { BBox, Block } from '../../block.ts'
import { type PixelSize, pixelSize } from '../formats/image-size.ts'
import { type Drawn, lineBlocks } from '../layout/blocks.ts'
import { MARGIN } from '../raster/grey-image.ts'
import type { Part } from '../raster/rect.ts'
import { type ReadLine, tellingWords } from '../second-pass/unrecognised-lines.ts'
import { ocrSettings, trainedData } from './languages.ts'
import { withWholeWords } from './unspaced-scripts.ts'

export interface Recognised {
  /** In reading order, boxes in pixels. */
  blocks: Block[]
  /** Mean over the words, 0 to 1, weighted by their length; 0 when there are none. */
  confidence: number
  /** Words read with some certainty. */
  words: number
  /** Middle of the words' heights in pixels; 0 without words. */
  height: number
  /** Share of the words that run from left to right: Tesseract also reads lines that stand on end, but not their order. */
  level: number
  /** Those with letters or digits, in order; boxes in pixels. */
  lines: ReadLine[]
  /** As Tesseract found it, boxes in the picture turned by `turned` about its middle. */
  found: readonly TesseractBlock[]
  turned: number
  /** The same with other words, or with what the picture says beside them. */
  amended: (found: readonly TesseractBlock[], drawn?: Drawn) => Recognised
  /** The blocks without the words that stand in one of the boxes, and how many letters and digits those words have. */
  beside: (boxes: readonly BBox[]) => { blocks: Block[]; letters: number }
}

/** What a block of text, a cell of a table, says. */
export interface CellText {
  /** Line by line. */
  text: string
  lines: number
  /** 0 to 1. */
  confidence: number
}

export interface Reader {
  /** All of the picture, or a part of it as it lies. @throws Error when the language has no training data */
  read: (png: Buffer, language: string, part?: Part) => Promise<Recognised>
  /** All of a picture whose ground is of several shades, each place held against those around it. @throws as `read` */
  readUneven: (png: Buffer, language: string) => Promise<Recognised>
  /**
   * Pictures of one block of text each, a table's cells; `onCell` hears of each.
   * @throws Error when the language has no training data
   */
  readCells: (pictures: readonly Buffer[], language: string, onCell: () => void) => Promise<CellText[]>
  /** Pictures of one line each: their words, how far they stand from its edges, confidence of 100. */
  readLines: (pictures: readonly Buffer[], language: string, onLine: () => void) => Promise<LineWord[][]>
  close: () => Promise<void>
}

export interface LineWord {
  text: string
  confidence: number
  left: number
  top: number
  right: number
  bottom: number
}

const SURE_CONFIDENCE = 60
// Tesseract's names for how black is parted from white: one shade for all of the page, or for each place its own.
const OTSU = '0'
const SAUVOLA = '2'

/** A recogniser; it loads with the first page (0.2 to 0.3 s, 160 MB) and anew for each change of language. */
export function openReader(): Reader {
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
    read: async (png, language, part) => recognise(await workerFor(language), png, part),
    readUneven: async (png, language) => {
      const worker = await workerFor(language)
      await worker.setParameters({ thresholding_method: SAUVOLA })
      const read = await recognise(worker, png)
      await worker.setParameters({ thresholding_method: OTSU })
      return read
    },
    readCells: async (pictures, language, onCell) => {
      const worker = await workerFor(language)
      const { PSM } = await import('tesseract.js')
      return (await readEach(worker, pictures, PSM.SINGLE_BLOCK, onCell)).map(cellText)
    },
    readLines: async (pictures, language, onLine) => {
      const worker = await workerFor(language)
      const { PSM } = await import('tesseract.js')
      return (await readEach(worker, pictures, PSM.SINGLE_LINE, onLine)).map(lineWords)
    },
    close,
  }
}

async function recognise(worker: Worker, png: Buffer, part?: Part): Promise<Recognised> {
  // Finds the angle of a sheet that went askew through the scanner, 0.3° to about 10°, and turns the picture.
  const options = part === undefined ? { rotateAuto: true } : { rectangle: part }
  const { data } = await worker.recognize(png, options, { text: false, blocks: true })
  return toRecognised(withWholeWords(data.blocks ?? []), data.rotateRadians ?? 0, pixelSize(png))
}

async function readEach(
  worker: Worker,
  pictures: readonly Buffer[],
  mode: PSM,
  onPicture: () => void,
): Promise<TesseractBlock[][]> {
  const { PSM } = await import('tesseract.js')
  await worker.setParameters({ tessedit_pageseg_mode: mode })
  const read: TesseractBlock[][] = []
  for (const picture of pictures) {
    const { data } = await worker.recognize(picture, {}, { text: false, blocks: true })
    read.push(withWholeWords(data.blocks ?? []))
    onPicture()
  }
  await worker.setParameters({ tessedit_pageseg_mode: PSM.AUTO })
  return read
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
  // The library's default takes the page for one column.
  await worker.setParameters({ tessedit_pageseg_mode: PSM.AUTO })
  return worker
}

function toRecognised(
  found: readonly TesseractBlock[],
  turned: number,
  size: PixelSize | undefined,
  drawn?: Drawn,
): Recognised {
  const straight = (bbox: BBox): BBox =>
    turned === 0 || size === undefined ? bbox : straighten(bbox, turned, size)
  const blocksOf = (some: readonly TesseractBlock[]): Block[] =>
    lineBlocks(some, drawn).map((block) => (block.bbox ? { ...block, bbox: straight(block.bbox) } : block))
  const solid = wordsOf(found).filter(isSolid)
  const heights = solid.map(({ bbox }) => bbox.y1 - bbox.y0).sort((a, b) => a - b)
  return {
    blocks: blocksOf(found),
    confidence: meanConfidence(solid),
    words: solid.filter((word) => word.confidence >= SURE_CONFIDENCE && word.text.length > 1).length,
    height: heights[heights.length >> 1] ?? 0,
    level: levelShare(solid),
    lines: linesOf(found).flatMap(({ words }) => readLine(words.filter(isSolid), straight)),
    found,
    turned,
    amended: (other, more = drawn) => toRecognised(other, turned, size, more),
    beside: (boxes) => {
      const isInside = ({ bbox: { x0, y0, x1, y1 } }: Word): boolean =>
        boxes.some((box) => isMiddleIn(straight([x0, y0, x1, y1]), box))
      const inside = solid.filter(isInside).reduce((sum, { text }) => sum + lettersIn(text), 0)
      return { blocks: blocksOf(withoutWords(found, isInside)), letters: inside }
    },
  }
}

const linesOf = (found: readonly TesseractBlock[]): Line[] =>
  found.flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines))

const wordsOf = (found: readonly TesseractBlock[]): Word[] => linesOf(found).flatMap(({ words }) => words)

function readLine(words: readonly Word[], straight: (bbox: BBox) => BBox): ReadLine[] {
  if (words.length === 0) return []
  const [lefts, tops] = [words.map(({ bbox }) => bbox.x0), words.map(({ bbox }) => bbox.y0)]
  const [rights, bottoms] = [words.map(({ bbox }) => bbox.x1), words.map(({ bbox }) => bbox.y1)]
  const bbox = straight([Math.min(...lefts), Math.min(...tops), Math.max(...rights), Math.max(...bottoms)])
  const letters = words.reduce((sum, { text }) => sum + lettersIn(text), 0)
  return [{ bbox, confidence: meanConfidence(tellingWords(words)), letters }]
}

/** How many letters and digits. */
export const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

const isSolid = (word: Word): boolean => /[\p{L}\p{N}]/u.test(word.text)

/** 0 to 1, by length. */
function meanConfidence(words: readonly Word[]): number {
  const length = words.reduce((sum, word) => sum + word.text.length, 0)
  const weighted = words.reduce((sum, word) => sum + word.text.length * word.confidence, 0)
  return length === 0 ? 0 : weighted / length / 100
}

function cellText(found: readonly TesseractBlock[]): CellText {
  const lines = linesOf(found).map(({ words }) => words.map((word) => word.text).join(' '))
  return { text: lines.join('\n'), lines: lines.length, confidence: meanConfidence(wordsOf(found)) }
}

const lineWords = (found: readonly TesseractBlock[]): LineWord[] =>
  wordsOf(found).map(({ text, confidence, bbox: { x0, y0, x1, y1 } }) => {
    const [left = 0, top = 0, right = 0, bottom = 0] = [x0, y0, x1, y1].map((side) => side - MARGIN)
    return { text, confidence, left, top, right, bottom }
  })

function isMiddleIn([left, top, right, bottom]: BBox, box: BBox): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  return x > box[0] && x < box[2] && y > box[1] && y < box[3]
}

function withoutWords(found: readonly TesseractBlock[], isOut: (word: Word) => boolean): TesseractBlock[] {
  return found.map((block) => ({
    ...block,
    paragraphs: block.paragraphs.map((paragraph) => ({
      ...paragraph,
      lines: paragraph.lines.map((line) => ({ ...line, words: line.words.filter((word) => !isOut(word)) })),
    })),
  }))
}

// A short word may be taller than wide.
const TELLING_LETTERS = 4

function levelShare(words: readonly Word[]): number {
  const telling = words.filter(({ text }) => text.length >= TELLING_LETTERS)
  const level = telling.filter(({ bbox }) => bbox.x1 - bbox.x0 > bbox.y1 - bbox.y0)
  return telling.length === 0 ? 1 : level.length / telling.length
}

/** A box of the turned picture where it stands on the sheet as it is. */
function straighten([left, top, right, bottom]: BBox, turned: number, size: PixelSize): BBox {
  const [midX, midY] = [size.width / 2, size.height / 2]
  const [sin, cos] = [Math.sin(-turned), Math.cos(-turned)]
  const x = (left + right) / 2 - midX
  const y = (top + bottom) / 2 - midY
  const dx = midX + cos * x - sin * y - (midX + x)
  const dy = midY + sin * x + cos * y - (midY + y)
  return [left + dx, top + dy, right + dx, bottom + dy]
}
