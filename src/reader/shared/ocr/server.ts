// Recognition by the operator's own server (docs/text-recognition.md). A parser process has no network. It writes the page to a
// file for the process that started it, and that process calls the server.

import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PageForOcr } from '../../task.ts'
import { encodePng } from '../rasters/encode-png.ts'
import { exifAngle } from '../rasters/exif-orientation.ts'
import { decodeGrey, type GreyImage, type Rect, rotateUpright } from '../rasters/grey-image.ts'
import type { Line, Recogniser } from './recognised.ts'

/** @throws Error when the server fails */
export type AskOcrServer = (page: PageForOcr) => Promise<Line[]>

export function openOcrServer(ask: AskOcrServer): Recogniser {
  return {
    // A page may have hundreds of crops, each of which would be a request.
    readsCrops: false,
    recognise: async (image, { language, rect }) => {
      // In a parser process the temporary folder is the scratch folder of the pool.
      const path = join(tmpdir(), `ocr-${randomUUID()}.png`)
      await writeFile(path, uprightPart(image, rect), { mode: 0o600 })
      try {
        return { lines: await ask({ path, language }), skew: 0 }
      } finally {
        await rm(path, { force: true })
      }
    },
    close: async () => undefined,
  }
}

/** The image, or a part of it, rotated upright, because servers ignore the rotation in EXIF data. */
function uprightPart(png: Buffer, rect: Rect | undefined): Buffer {
  const angle = exifAngle(png)
  if (angle === 0 && rect === undefined) return png
  const grey = decodeGrey(png)
  if (grey === undefined) return png
  const uprightImage = rotateUpright(grey, angle)
  return encodePng(rect === undefined ? uprightImage : partOf(uprightImage, rect))
}

function partOf({ width, height, data }: GreyImage, rect: Rect): GreyImage {
  const [right, bottom] = [Math.min(width, rect.left + rect.width), Math.min(height, rect.top + rect.height)]
  const partWidth = right - rect.left
  const partData = new Uint8Array(partWidth * (bottom - rect.top))
  for (let y = rect.top; y < bottom; y++)
    partData.set(data.subarray(y * width + rect.left, y * width + right), (y - rect.top) * partWidth)
  return { width: partWidth, height: bottom - rect.top, data: partData }
}
