// Tesseract in WebAssembly, offline, one language at a time: a German page recognised with eng+deu+fra+spa has 90 % of its words
// right and takes 13.7 s, with deu alone all of them in 5.8 s (docs/decisions/0031). Only this file uses tesseract.js.
// liteparse's built-in Tesseract is twice as fast, but drops brackets, so that (188) becomes 188, and mixes columns: 24 % of the
// words of a page with two columns were in order, and 86 % of those of a table.

import type { Worker } from 'tesseract.js'
import { ocrSettings, trainedData } from './languages.ts'
import type { ImageKind, Recognised, RecogniseOptions, Recogniser } from './recognised.ts'
import { mergeUnspacedWords } from './unspaced-scripts.ts'

// Tesseract's codes of binarization methods. Otsu uses one threshold for the page, Sauvola one for each neighbourhood.
const OTSU = '0'
const SAUVOLA = '2'

/** The engine loads with the first image (0.2 to 0.3 s, 160 MB) and again whenever the language changes. */
export function openTesseract(): Recogniser {
  let openWorker: { language: string; worker: Worker; imageKind: ImageKind; adaptive: boolean } | undefined
  const close = async (): Promise<void> => {
    await openWorker?.worker.terminate()
    openWorker = undefined
  }
  const workerFor = async ({ language, imageKind, adaptive = false }: RecogniseOptions): Promise<Worker> => {
    if (openWorker?.language !== language) {
      await close()
      openWorker = { language, worker: await startWorker(language), imageKind: 'page', adaptive: false }
    }
    if (openWorker.imageKind !== imageKind || openWorker.adaptive !== adaptive) {
      const { PSM } = await import('tesseract.js')
      const mode = { page: PSM.AUTO, block: PSM.SINGLE_BLOCK, line: PSM.SINGLE_LINE }[imageKind]
      await openWorker.worker.setParameters({
        tessedit_pageseg_mode: mode,
        thresholding_method: adaptive ? SAUVOLA : OTSU,
      })
      Object.assign(openWorker, { imageKind, adaptive })
    }
    return openWorker.worker
  }
  return {
    readsCrops: true,
    recognise: async (image, options) => recognise(await workerFor(options), image, options),
    close,
  }
}

async function recognise(
  worker: Worker,
  image: Buffer,
  { imageKind, rect }: RecogniseOptions,
): Promise<Recognised> {
  // Tesseract detects a skew of 0.3° to about 10° and deskews the image.
  const options = rect ? { rectangle: rect } : imageKind === 'page' ? { rotateAuto: true } : {}
  const { data } = await worker.recognize(image, options, { text: false, blocks: true })
  const paragraphs = (data.blocks ?? []).flatMap((block) => block.paragraphs)
  const lines = paragraphs.flatMap((paragraph) => paragraph.lines)
  return { lines: lines.map(mergeUnspacedWords), skew: data.rotateRadians ?? 0 }
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
  // The library's default assumes that the page has a single column.
  await worker.setParameters({ tessedit_pageseg_mode: PSM.AUTO })
  return worker
}
