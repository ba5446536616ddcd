// Finds the sizes of the scans in a PDF. They decide at which resolution its pages are rendered for recognition.

import { longSide, type PageSeries, type PageSource } from '../../shared/ocr/render-page.ts'
import type { PixelSize } from '../../shared/rasters/image-size.ts'
import { readImageSizes } from './image-sizes.ts'

/** Pages of a PDF, each with the size of its scan in pixels if it is known. */
export async function pdfPages(path: string, pages: readonly PageSource[]): Promise<PageSeries> {
  const images = await embeddedImageSizes(path)
  const pageByNumber = new Map(pages.map((page) => [page.number, page]))
  return {
    numbers: [...pageByNumber.keys()],
    open: async (number) => {
      const page = pageByNumber.get(number) ?? { number, width: 0, height: 0 }
      const pixels = scanSize(page, images)
      return { ...page, ...(pixels && { pixels }) }
    },
  }
}

/** The sizes of all images of a PDF, whatever page they are on. Empty if a size is not stated. */
export async function embeddedImageSizes(path: string): Promise<PixelSize[]> {
  const sizes: PixelSize[] = []
  for await (const { width, height } of readImageSizes(path)) {
    if (width === undefined || height === undefined) return []
    if (width > 0 && height > 0) sizes.push({ width, height })
  }
  return sizes
}

// The maximum change of a scanned page's aspect ratio by rounding its sides to points.
const ASPECT_TOLERANCE = 0.02
// An image of a lower resolution is the background of drawn letters, or a thumbnail.
const MIN_SCAN_DPI = 60
// Pages of one file differ slightly in length. If an image is longer than this, scans may be in strips or in layers.
const MAX_LENGTH_RATIO = 1.3

/**
 * The size of the largest image with the page's aspect ratio, in either orientation. Undefined if there is none, or if a longer
 * image could show more of the page.
 */
export function scanSize(page: PixelSize, images: readonly PixelSize[]): PixelSize | undefined {
  const aspect = (size: PixelSize): number => longSide(size) / Math.min(size.width, size.height)
  const matchingImages = images.filter(
    (image) => Math.abs(aspect(image) / aspect(page) - 1) <= ASPECT_TOLERANCE,
  )
  const largest = matchingImages.reduce<PixelSize | undefined>(
    (largestImage, image) =>
      largestImage === undefined || longSide(image) > longSide(largestImage) ? image : largestImage,
    undefined,
  )
  if (largest === undefined || longSide(largest) < (longSide(page) / 72) * MIN_SCAN_DPI) return undefined
  return images.some((image) => longSide(image) > longSide(largest) * MAX_LENGTH_RATIO) ? undefined : largest
}
