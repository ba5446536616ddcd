// Text recognition by Tesseract in WebAssembly, offline, one language at a time: German read with eng+deu+fra+spa came
// back with 90 % of its words in 13.7 s, with deu alone with all of them in 5.8 s (docs/decisions/0008).
// liteparse's built-in Tesseract is twice as fast, but strips brackets, so that (188) becomes 188, and mixes columns:
// 24 % of a two-column page's words came back in order, 86 % of a table's.

import type { Block as TesseractBlock, Word, Worker } from 'tesseract.js'
import type { BBox, Block } from '../block.ts'
import { ocrSettings, trainedData } from './languages.ts'
import { lineBlocks } from './lines.ts'
import { type PixelSize, pixelSize } from './size.ts'

export interface Recognised {
  /** Paragraphs and tables in reading order, boxes in pixels. Headings are not trusted: everything is text. */
  blocks: Block[]
  /** Mean over the words, 0 to 1, weighted by their length; 0 when there are none. */
  confidence: number
  /** Words read with some certainty. */
  words: number
  /** Middle of the words' heights in pixels; 0 without words. */
  height: number
  /** Share of the words that run from left to right: Tesseract also reads lines that stand on end, but not their order. */
  level: number
}

/** Pixels of the picture as it is read, turned by what its header says. */
export interface Part {
  left: number
  top: number
  width: number
  height: number
}

export interface Reader {
  /** All of the picture, or a part of it as it lies. @throws Error when the language has no training data */
  read: (png: Buffer, language: string, part?: Part) => Promise<Recognised>
  close: () => Promise<void>
}

const SURE_CONFIDENCE = 60

/** A recogniser; it loads with the first page (0.2 to 0.3 s, 160 MB) and anew for each change of language. */
export function openReader(): Reader {
  let open: { language: string; worker: Worker } | undefined
  const close = async (): Promise<void> => {
    await open?.worker.terminate()
    open = undefined
  }
  return {
    read: async (png, language, part) => {
      if (open?.language !== language) {
        await close()
        open = { language, worker: await startWorker(language) }
      }
      // Finds the angle of a sheet that went askew through the scanner, 0.3° to about 10°, and turns the picture.
      const options = part === undefined ? { rotateAuto: true } : { rectangle: part }
      const { data } = await open.worker.recognize(png, options, { text: false, blocks: true })
      return toRecognised(data.blocks ?? [], data.rotateRadians ?? 0, pixelSize(png))
    },
    close,
  }
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
): Recognised {
  const words = found.flatMap((block) =>
    block.paragraphs.flatMap((paragraph) => paragraph.lines.flatMap((line) => line.words)),
  )
  const solid = words.filter((word) => /[\p{L}\p{N}]/u.test(word.text))
  const length = solid.reduce((sum, word) => sum + word.text.length, 0)
  const weighted = solid.reduce((sum, word) => sum + word.text.length * word.confidence, 0)
  const heights = solid.map(({ bbox }) => bbox.y1 - bbox.y0).sort((a, b) => a - b)
  return {
    blocks: lineBlocks(found).map((block) =>
      turned === 0 || size === undefined ? block : straighten(block, turned, size),
    ),
    confidence: length === 0 ? 0 : weighted / length / 100,
    words: solid.filter((word) => word.confidence >= SURE_CONFIDENCE && word.text.length > 1).length,
    height: heights[heights.length >> 1] ?? 0,
    level: levelShare(solid),
  }
}

// A short word may be taller than wide.
const TELLING_LETTERS = 4

function levelShare(words: readonly Word[]): number {
  const telling = words.filter(({ text }) => text.length >= TELLING_LETTERS)
  const level = telling.filter(({ bbox }) => bbox.x1 - bbox.x0 > bbox.y1 - bbox.y0)
  return telling.length === 0 ? 1 : level.length / telling.length
}

/** A box of the turned picture where it stands on the sheet as it is. */
function straighten(block: Block, turned: number, size: PixelSize): Block {
  if (block.bbox === undefined) return block
  const [left, top, right, bottom] = block.bbox
  const [midX, midY] = [size.width / 2, size.height / 2]
  const [sin, cos] = [Math.sin(-turned), Math.cos(-turned)]
  const x = (left + right) / 2 - midX
  const y = (top + bottom) / 2 - midY
  const dx = midX + cos * x - sin * y - (midX + x)
  const dy = midY + sin * x + cos * y - (midY + y)
  const bbox: BBox = [left + dx, top + dy, right + dx, bottom + dy]
  return { ...block, bbox }
}
