// A picture file inside a document as PNG of a size that suits the recogniser.

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ParseTask } from '../../task.ts'
import { stateAngle } from '../formats/exif-orientation.ts'
import { openImage } from '../formats/image-file.ts'
import type { Part } from '../raster/rect.ts'

/** What is to be read: a picture, or a part of it. */
export interface Drawing {
  png: Buffer
  part?: Part
}

// Type on a screen is 8 to 16 pixels high, what Tesseract likes is 20 to 40.
export const ENLARGED = 2
export const LONG_SIDE_PIXELS = 3300
const MOST_DPI = 1200

/** Undefined when all of it is of one colour. @throws UnreadableFile for no picture and for too many pixels */
export async function drawPicture(
  { id, folder }: Pick<ParseTask, 'id' | 'folder'>,
  bytes: Buffer,
): Promise<Drawing | undefined> {
  const path = join(folder, `${id}.picture`)
  await writeFile(path, bytes)
  const image = await openImage({ id, path, folder })
  try {
    const { size, stated } = await image.turnTo(1)
    const { LiteParse } = await import('@llamaindex/liteparse')
    const shoot = async (dpi: number) => {
      const [shot] = await new LiteParse({ dpi, quiet: true, ocrEnabled: false }).screenshot(image.path, [1])
      return shot === undefined || shot.isSolidFill ? undefined : shot
    }
    // It is laid out at the resolution it states, if any.
    const probe = await shoot(72)
    if (probe === undefined) return undefined
    const longSide = Math.min(LONG_SIDE_PIXELS, ENLARGED * Math.max(size.width, size.height))
    const shot = await shoot(Math.min(MOST_DPI, (72 * longSide) / Math.max(probe.width, probe.height)))
    return shot && { png: stateAngle(shot.imageBuffer, stated) }
  } finally {
    await image.close()
    await rm(path, { force: true })
  }
}
