// Finds the pictures of a PDF, and renders each from its page. liteparse extracts most pictures at 72 dpi, whatever their
// resolution. Of a chart's labels, only half were recognised in such a picture, but all in the rendered page.

import { createHash } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtractedImage } from '@llamaindex/liteparse'
import type { PictureSource } from '../../backend.ts'
import type { BBox } from '../../block.ts'
import { isLargeEnough, MAX_PICTURES } from '../../shared/pictures/minimum-size.ts'
import { ENLARGEMENT, LONG_SIDE_PIXELS, type RenderedPicture } from '../../shared/pictures/render-picture.ts'
import type { PictureCandidate, Report } from '../../task.ts'
import { readImageSizes } from './image-sizes.ts'
import { openPdf } from './open-pdf.ts'

// The batches are small, because their pictures are in memory.
const BATCH_PAGES = 5
const MAX_PAGES = 1_000_000
// A letter page then has 15 million pixels.
const MAX_DPI = 400
// A larger page has a lower resolution, so that it has at most this many pixels.
const MAX_PIXELS = 20_000_000
const PROBE_DPI = 18
const MIN_SQUARE_POINTS = 5000
const MIN_SIDE_POINTS = 30
// Assumed for a side whose length is not in the image's dictionary.
const ASSUMED_SIDE_PIXELS = 1000

/** The pictures that are large enough on their page and in pixels, in order. */
export const findPdfPictures = (file: PictureSource, report: Report): Promise<PictureCandidate[]> =>
  withPdf(file, async (path) => {
    const { LiteParse } = await import('@llamaindex/liteparse')
    const parser = new LiteParse({
      quiet: true,
      ocrEnabled: false,
      imageMode: 'off',
      extractImages: true,
      continueOnPageError: true,
      maxPages: MAX_PAGES,
    })
    const pictures: PictureCandidate[] = []
    for await (const { result, endPage, totalPages } of parser.parseBatches(path, {
      batchSize: BATCH_PAGES,
    })) {
      for (const image of result.images) if (isCandidate(image)) pictures.push(toCandidate(image))
      report({ share: endPage / totalPages, pages: endPage })
      // A file may state more pages than it has.
      if (pictures.length >= MAX_PICTURES || result.pages.length === 0) break
    }
    // A page may show the same picture any number of times.
    return pictures.slice(0, MAX_PICTURES)
  })

function isCandidate({ bbox, width, height }: ExtractedImage): boolean {
  const [shortSide, area] = [Math.min(bbox.width, bbox.height), bbox.width * bbox.height]
  return shortSide >= MIN_SIDE_POINTS && area >= MIN_SQUARE_POINTS && isLargeEnough({ width, height })
}

const toCandidate = ({ id, page, bbox: box, width, height, bytes }: ExtractedImage): PictureCandidate => {
  const bbox = [box.x, box.y, box.x + box.width, box.y + box.height].map((coordinate) =>
    Math.round(coordinate),
  ) as BBox
  return { name: id, page, bbox, width, height, hash: createHash('sha256').update(bytes).digest('hex') }
}

/** Renders the page of a picture, and gives the picture's rectangle on it. Undefined for a page of one colour. */
export const renderPdfPicture = (
  file: PictureSource,
  picture: PictureCandidate,
): Promise<RenderedPicture | undefined> =>
  withPdf(file, async (path) => {
    const { page = 1, bbox = [0, 0, 1, 1] } = picture
    const [left, top, right, bottom] = bbox
    const longSide = Math.min(LONG_SIDE_PIXELS, ENLARGEMENT * Math.max(picture.width, picture.height))
    const { LiteParse } = await import('@llamaindex/liteparse')
    const screenshot = async (dpi: number) =>
      (await new LiteParse({ dpi, quiet: true, ocrEnabled: false }).screenshot(path, [page]))[0]
    const probe = await screenshot(PROBE_DPI)
    if (probe === undefined || probe.isSolidFill) return undefined
    const maxDpi = PROBE_DPI * Math.sqrt(MAX_PIXELS / (probe.width * probe.height))
    const fittingDpi = (72 * longSide) / Math.max(right - left, bottom - top)
    const dpi = Math.max(1, Math.floor(Math.min(MAX_DPI, maxDpi, fittingDpi)))
    const drawing = await screenshot(dpi)
    if (drawing === undefined) return undefined
    const scale = dpi / 72
    const corner = { left: Math.max(0, Math.floor(left * scale)), top: Math.max(0, Math.floor(top * scale)) }
    const width = Math.min(drawing.width, Math.ceil(right * scale)) - corner.left
    const height = Math.min(drawing.height, Math.ceil(bottom * scale)) - corner.top
    return width < 1 || height < 1
      ? undefined
      : { png: drawing.imageBuffer, rect: { ...corner, width, height } }
  })

async function withPdf<T>(
  { id, path, folder }: PictureSource,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const link = join(folder, `${id}.pdf`)
  await openPdf(path, link, async () => undefined)
  try {
    return await work(link)
  } finally {
    await unlink(link)
  }
}

/** Whether a PDF has a picture that is large enough, by its bytes alone. */
export async function hasLargePicture(path: string): Promise<boolean> {
  for await (const { width = ASSUMED_SIDE_PIXELS, height = ASSUMED_SIDE_PIXELS } of readImageSizes(path)) {
    if (isLargeEnough({ width, height })) return true
  }
  return false
}
