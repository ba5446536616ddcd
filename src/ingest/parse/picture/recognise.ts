// Text recognition by Tesseract in WebAssembly, offline, with the training data of @tesseract.js-data.
// liteparse's built-in Tesseract is faster (1.2 against 2.1 s a page) but strips brackets, so that (188) becomes 188,
// drops words and mixes columns; tesseract.js with full page segmentation did neither on the same scans.

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Block as TesseractBlock, Worker } from 'tesseract.js'
import type { Block } from '../block.ts'
import { lineBlocks } from './lines.ts'

export interface Recognised {
  /** Paragraphs and tables in reading order, boxes in pixels. Headings are not trusted: everything is text. */
  blocks: Block[]
  /** Mean over the words, 0 to 1, weighted by their length; 0 when there are none. */
  confidence: number
  /** Words read with some certainty. */
  words: number
}

export interface Reader {
  read: (png: Buffer) => Promise<Recognised>
  close: () => Promise<void>
}

const SURE_CONFIDENCE = 60

/** Loads the recogniser (0.2 to 0.3 s, 160 MB): once a file, and only for a file with pictures. */
export async function openReader(): Promise<Reader> {
  const { createWorker, PSM } = await import('tesseract.js')
  const require = createRequire(import.meta.url)
  const data = dirname(require.resolve('@tesseract.js-data/eng/package.json'))
  const worker: Worker = await createWorker('eng', 1, {
    langPath: join(data, '4.0.0_best_int'),
    cacheMethod: 'none',
    gzip: true,
    errorHandler: () => undefined,
  })
  // The library's default takes the page for one column.
  await worker.setParameters({ tessedit_pageseg_mode: PSM.AUTO })
  return {
    read: async (png) =>
      toRecognised((await worker.recognize(png, {}, { text: false, blocks: true })).data.blocks ?? []),
    close: async () => {
      await worker.terminate()
    },
  }
}

function toRecognised(found: readonly TesseractBlock[]): Recognised {
  const paragraphs = found.flatMap((block) => block.paragraphs)
  const words = paragraphs.flatMap((paragraph) => paragraph.lines.flatMap((line) => line.words))
  const solid = words.filter((word) => /[\p{L}\p{N}]/u.test(word.text))
  const length = solid.reduce((sum, word) => sum + word.text.length, 0)
  const weighted = solid.reduce((sum, word) => sum + word.text.length * word.confidence, 0)
  return {
    blocks: lineBlocks(paragraphs),
    confidence: length === 0 ? 0 : weighted / length / 100,
    words: solid.filter((word) => word.confidence >= SURE_CONFIDENCE && word.text.length > 1).length,
  }
}
