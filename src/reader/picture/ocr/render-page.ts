// A page as it is drawn for the recogniser: 300 dpi on letter, but never far beyond the pixels that its picture has.

import type { Angle } from '../formats/exif-orientation.ts'
import { type PixelSize, pixelSize } from '../formats/image-size.ts'
import { pictureSizes } from './pdf-image-sizes.ts'

/** A page to be read. */
export interface Picture {
  number: number
  /** Points; 0 when unknown. */
  width: number
  height: number
  /** What the file calls the page; its number without it. */
  drawnAs?: number
  /** How the camera was held. */
  stated?: Angle
  /** What the page is a picture of, in its own pixels, where that is known. */
  pixels?: PixelSize
}

/** A page as drawn, as it lies. */
export interface Sheet {
  png: Buffer
  width: number
  height: number
  pixelsPerPoint: number
}

// Pixels along the longer side: 300 dpi on a letter page, which most scanners give. Fewer made of those lose brackets: of
// a table's words 91.9 % came back at 2,200, 99.4 at this size; prose reads the same and takes a fifth longer.
const LONG_SIDE_PIXELS = 3300
// Of a picture's own pixels. Letters drawn larger than that lose their corners, so that N reads as M: of a report scanned at
// 100 dpi 86.9 % of the words came back at four times its pixels and at three, 94.3 at two, 94.8 at two and a half; of a
// paper's page at 93 dpi 86.9, 89.0, 91.9 and 92.9 % (docs/decisions/0008).
const MOST_ENLARGED = 2.5
const MOST_DPI = 600
const MOST_PAGES = 1_000_000

/** Undefined when nothing is on the page. */
export async function drawSheet(path: string, page: Picture): Promise<Sheet | undefined> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const dpi = drawnDpi(page)
  const drawer = new LiteParse({ dpi, quiet: true, ocrEnabled: false, maxPages: MOST_PAGES })
  const [shot] = await drawer.screenshot(path, [page.drawnAs ?? page.number])
  const size = shot === undefined || shot.isSolidFill ? undefined : pixelSize(shot.imageBuffer)
  if (shot === undefined || size === undefined) return undefined
  return { png: shot.imageBuffer, ...size, pixelsPerPoint: dpi / 72 }
}

/** Dots an inch at which a page of the given points, filled by a picture of the given pixels, is read best. */
export function drawnDpi({ width, height, pixels }: Omit<Picture, 'number'>): number {
  // A page that could not be read has no size; a letter page's is near enough.
  const points = longSide({ width, height }) || 792
  const own = pixels === undefined ? Infinity : MOST_ENLARGED * longSide(pixels)
  return Math.max(1, Math.round(Math.min(MOST_DPI, (Math.min(LONG_SIDE_PIXELS, own) / points) * 72)))
}

// A scanner's page and its picture differ by the rounding to points.
const SAME_SHAPE = 0.02
// Dots an inch: with fewer it is the ground under drawn letters, or the page seen small.
const LEAST_SCANNED_DPI = 60
// Pages of one file differ by their edges; what is longer is a strip of a page, or the letters over its ground in pieces.
const LONGER = 1.3

/** Pictures that are made ready when their turn comes. */
export interface PictureSeries {
  /** 1-based. */
  numbers: readonly number[]
  /** Undefined where nothing on the page is to be read. */
  open: (number: number) => Promise<Picture | undefined>
}

/** Pages of a PDF, with the pixels of what fills them. */
export async function pagesOfPdf(path: string, pages: readonly Picture[]): Promise<PictureSeries> {
  const fillers = await pageFillers(path)
  const known = new Map(pages.map((page) => [page.number, page]))
  return {
    numbers: [...known.keys()],
    open: async (number) => {
      const page = known.get(number) ?? { number, width: 0, height: 0 }
      const pixels = filling(page, fillers)
      return { ...page, ...(pixels && { pixels }) }
    },
  }
}

/** The pixels of a PDF's pictures that can fill a page; which page shows which is not asked. */
export async function pageFillers(path: string): Promise<PixelSize[]> {
  const sizes: PixelSize[] = []
  for await (const { width, height } of pictureSizes(path)) {
    // Another object may say anything: then nothing is known of this file.
    if (width === undefined || height === undefined) return []
    if (width > 0 && height > 0) sizes.push({ width, height })
  }
  return sizes
}

const longSide = ({ width, height }: PixelSize): number => Math.max(width, height)

/** The finest picture that has the page's shape, upright or on its side; undefined where others may say more of the page. */
export function filling(page: PixelSize, fillers: readonly PixelSize[]): PixelSize | undefined {
  const shape = (of: PixelSize): number => longSide(of) / Math.min(of.width, of.height)
  const fits = fillers.filter((one) => Math.abs(shape(one) / shape(page) - 1) <= SAME_SHAPE)
  const finest = fits.reduce<PixelSize | undefined>(
    (best, one) => (best === undefined || longSide(one) > longSide(best) ? one : best),
    undefined,
  )
  if (finest === undefined || longSide(finest) < (longSide(page) / 72) * LEAST_SCANNED_DPI) return undefined
  return fillers.some((one) => longSide(one) > longSide(finest) * LONGER) ? undefined : finest
}
