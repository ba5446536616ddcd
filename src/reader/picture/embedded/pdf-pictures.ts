// Pictures of a PDF: where they stand, and each drawn as its page shows it. liteparse hands over most of them at 72 dots
// an inch, whatever they have: of a chart's labels half came back, drawn from the page all.

import { createHash } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtractedImage } from '@llamaindex/liteparse'
import type { BBox } from '../../block.ts'
import { openPdf } from '../../pdf/opening/open-pdf.ts'
import type { FoundPicture, ParseTask, Report } from '../../task.ts'
import { pictureSizes } from '../ocr/pdf-image-sizes.ts'
import { isLargeEnough, MOST_FOUND } from './minimum-size.ts'
import { type Drawing, ENLARGED, LONG_SIDE_PIXELS } from './render-picture.ts'

// Their pictures stand in memory.
const BATCH_PAGES = 5
const MOST_PAGES = 1_000_000
// 15 million pixels of a letter page; what a larger page may have.
const MOST_DPI = 400
const MOST_PIXELS = 20_000_000
const PROBE_DPI = 18
const LEAST_POINTS = 5000
const LEAST_SIDE_POINTS = 30
// A side that its dictionary does not say.
const LARGE = 1000

/** Those large enough on their page and by themselves, in order. */
export const findPdfPictures = (task: Place, report: Report): Promise<FoundPicture[]> =>
  asPdf(task, async (path) => {
    const { LiteParse } = await import('@llamaindex/liteparse')
    const parser = new LiteParse({
      quiet: true,
      ocrEnabled: false,
      imageMode: 'off',
      extractImages: true,
      continueOnPageError: true,
      maxPages: MOST_PAGES,
    })
    const found: FoundPicture[] = []
    for await (const { result, endPage, totalPages } of parser.parseBatches(path, {
      batchSize: BATCH_PAGES,
    })) {
      for (const image of result.images) if (mayHoldWords(image)) found.push(foundPicture(image))
      report({ share: endPage / totalPages, pages: endPage })
      // A file may state more pages than it has.
      if (found.length >= MOST_FOUND || result.pages.length === 0) break
    }
    // One page may draw a picture any number of times.
    return found.slice(0, MOST_FOUND)
  })

function mayHoldWords({ bbox, width, height }: ExtractedImage): boolean {
  const [less, area] = [Math.min(bbox.width, bbox.height), bbox.width * bbox.height]
  return less >= LEAST_SIDE_POINTS && area >= LEAST_POINTS && isLargeEnough({ width, height })
}

const foundPicture = ({ id, page, bbox: box, width, height, bytes }: ExtractedImage): FoundPicture => {
  const bbox = [box.x, box.y, box.x + box.width, box.y + box.height].map((at) => Math.round(at)) as BBox
  return { name: id, page, bbox, width, height, hash: createHash('sha256').update(bytes).digest('hex') }
}

/** The picture's page with the part of it where the picture stands; undefined when the page is of one colour. */
export const drawPdfPicture = (task: Place, picture: FoundPicture): Promise<Drawing | undefined> =>
  asPdf(task, async (path) => {
    const { page = 1, bbox = [0, 0, 1, 1] } = picture
    const [left, top, right, bottom] = bbox
    const longSide = Math.min(LONG_SIDE_PIXELS, ENLARGED * Math.max(picture.width, picture.height))
    const { LiteParse } = await import('@llamaindex/liteparse')
    const shoot = async (dpi: number) =>
      (await new LiteParse({ dpi, quiet: true, ocrEnabled: false }).screenshot(path, [page]))[0]
    const probe = await shoot(PROBE_DPI)
    if (probe === undefined || probe.isSolidFill) return undefined
    const most = PROBE_DPI * Math.sqrt(MOST_PIXELS / (probe.width * probe.height))
    const wanted = (72 * longSide) / Math.max(right - left, bottom - top)
    const dpi = Math.max(1, Math.floor(Math.min(MOST_DPI, most, wanted)))
    const shot = await shoot(dpi)
    if (shot === undefined) return undefined
    const scale = dpi / 72
    const from = { left: Math.max(0, Math.floor(left * scale)), top: Math.max(0, Math.floor(top * scale)) }
    const width = Math.min(shot.width, Math.ceil(right * scale)) - from.left
    const height = Math.min(shot.height, Math.ceil(bottom * scale)) - from.top
    return width < 1 || height < 1 ? undefined : { png: shot.imageBuffer, part: { ...from, width, height } }
  })

type Place = Pick<ParseTask, 'id' | 'path' | 'folder'>

async function asPdf<T>({ id, path, folder }: Place, work: (path: string) => Promise<T>): Promise<T> {
  const link = join(folder, `${id}.pdf`)
  await openPdf(path, link, async () => undefined)
  try {
    return await work(link)
  } finally {
    await unlink(link)
  }
}

/** Whether a PDF holds a picture worth looking for, by its bytes alone. */
export async function holdsPictures(path: string): Promise<boolean> {
  for await (const { width = LARGE, height = LARGE } of pictureSizes(path)) {
    if (isLargeEnough({ width, height })) return true
  }
  return false
}
