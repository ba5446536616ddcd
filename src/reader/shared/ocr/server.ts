// Recognition by the operator's own server (docs/text-recognition.md). A parser child has no network. It passes the page as a
// file to the process that started it, and that process calls the server.

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
    // A server does not read crops, because a page may have hundreds of them.
    readsCrops: false,
    recognise: async (image, { language, rect }) => {
      // The home and the temporary folder of a parser child are the pool's scratch folder.
      const path = join(tmpdir(), `ocr-${randomUUID()}.png`)
      await writeFile(path, upright(image, rect), { mode: 0o600 })
      try {
        return { lines: await ask({ path, language }), skew: 0 }
      } finally {
        await rm(path, { force: true })
      }
    },
    close: async () => undefined,
  }
}

/** Servers do not consider a rotation in the EXIF header, or a part of an image. */
function upright(png: Buffer, rect: Rect | undefined): Buffer {
  const angle = exifAngle(png)
  if (angle === 0 && rect === undefined) return png
  const grey = decodeGrey(png)
  if (grey === undefined) return png
  const uprightImage = rotateUpright(grey, angle)
  return encodePng(rect === undefined ? uprightImage : partOf(uprightImage, rect))
}

function partOf({ width, height, data }: GreyImage, rect: Rect): GreyImage {
  const [right, bottom] = [Math.min(width, rect.left + rect.width), Math.min(height, rect.top + rect.height)]
  const across = right - rect.left
  const partData = new Uint8Array(across * (bottom - rect.top))
  for (let y = rect.top; y < bottom; y++)
    partData.set(data.subarray(y * width + rect.left, y * width + right), (y - rect.top) * across)
  return { width: across, height: bottom - rect.top, data: partData }
}
