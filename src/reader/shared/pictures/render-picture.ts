// Renders an image file inside a document for OCR.

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ParseTask } from '../../task.ts'
import { withExifAngle } from '../rasters/exif-orientation.ts'
import type { Rect } from '../rasters/grey-image.ts'
import { openImage } from '../rasters/image-file.ts'

/** A whole image, or a rectangle of it. */
export interface RenderedPicture {
  png: Buffer
  rect?: Rect
}

// Pictures are enlarged, because letters on a screen are 8 to 16 pixels high, and Tesseract works best with 20 to 40.
export const ENLARGEMENT = 2
export const LONG_SIDE_PIXELS = 3300
const MAX_DPI = 1200

/** Renders an image. Undefined if it has only one colour. @throws UnreadableFile for no image, or too many pixels */
export async function renderPicture(
  { id, folder }: Pick<ParseTask, 'id' | 'folder'>,
  bytes: Buffer,
): Promise<RenderedPicture | undefined> {
  const path = join(folder, `${id}.picture`)
  await writeFile(path, bytes)
  const image = await openImage({ id, path, folder })
  try {
    const { size, exifAngle } = await image.selectPage(1)
    const { LiteParse } = await import('@llamaindex/liteparse')
    const screenshot = async (dpi: number) => {
      const [drawing] = await new LiteParse({ dpi, quiet: true, ocrEnabled: false }).screenshot(
        image.path,
        [1],
      )
      return drawing === undefined || drawing.isSolidFill ? undefined : drawing
    }
    // A first rendering shows the size of the page, which depends on the resolution that the image states.
    const probe = await screenshot(72)
    if (probe === undefined) return undefined
    const longSide = Math.min(LONG_SIDE_PIXELS, ENLARGEMENT * Math.max(size.width, size.height))
    const drawing = await screenshot(Math.min(MAX_DPI, (72 * longSide) / Math.max(probe.width, probe.height)))
    return drawing && { png: withExifAngle(drawing.imageBuffer, exifAngle) }
  } finally {
    await image.close()
    await rm(path, { force: true })
  }
}
