// Opens an uploaded image to render its pages. Only a TIFF has several pages. An image whose header states too many pixels is
// refused (BAD-26).

import { open, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UnreadableFile } from '../../block.ts'
import type { ParseTask } from '../../task.ts'
import { type Angle, exifAngle } from './exif-orientation.ts'
import { heicToBitmap, isHeic } from './heic.ts'
import { type PixelSize, pixelSize, tiffPageSize } from './image-size.ts'
import { firstPageOffset, readTiff } from './tiff.ts'

// OCR and rendering of such an image take 200 MB of memory.
const MAX_PIXELS = 50_000_000

interface ImagePage {
  /** The size of the stored image, before it is rotated. */
  size: PixelSize
  exifAngle: Angle
}

export interface ImageFile {
  /** A copy with the extension of its format. Its first page is the page that was selected last. */
  path: string
  pages: number
  /** Makes `page` (1-based) the first page of the copy. @throws UnreadableFile */
  selectPage: (page: number) => Promise<ImagePage>
  close: () => Promise<void>
}

/** Copies the image of a task to its scratch folder. @throws UnreadableFile if it is no image or has too many pixels */
export async function openImage(task: Pick<ParseTask, 'id' | 'path' | 'folder'>): Promise<ImageFile> {
  const original = await readFile(task.path)
  const bytes = isHeic(original) ? await heicToBitmap(original, MAX_PIXELS) : original
  const directories = directoriesOf(bytes)
  const path = join(task.folder, `${task.id}.${extension(bytes)}`)
  requireSize(pixelSize(bytes))
  await writeFile(path, bytes)
  return {
    path,
    pages: Math.max(1, directories.length),
    selectPage: async (page) => {
      const directory = directories[page - 1]
      const size = requireSize(directory === undefined ? pixelSize(bytes) : tiffPageSize(bytes, directory))
      if (directory !== undefined) await write(path, firstPageOffset(bytes, directory), 4)
      return { size, exifAngle: exifAngle(bytes, directory) }
    },
    close: () => unlink(path),
  }
}

function directoriesOf(bytes: Buffer): number[] {
  try {
    return readTiff(bytes)?.pages ?? []
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}

/** @throws UnreadableFile if the size is missing or too large */
function requireSize(size: PixelSize | undefined): PixelSize {
  if (size === undefined || size.width === 0 || size.height === 0)
    throw new UnreadableFile('damaged', 'no image header')
  if (size.width * size.height > MAX_PIXELS) {
    throw new UnreadableFile('too_large_unpacked', `${size.width} × ${size.height} pixels`)
  }
  return size
}

async function write(path: string, bytes: Buffer, at: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.write(bytes, 0, bytes.length, at)
  } finally {
    await file.close()
  }
}

function extension(bytes: Buffer): string {
  const mark = bytes.toString('latin1', 0, 4)
  if (mark.startsWith('GIF')) return 'gif'
  if (mark.startsWith('BM')) return 'bmp'
  if (mark === 'RIFF') return 'webp'
  if (mark.startsWith('II') || mark.startsWith('MM')) return 'tiff'
  return mark === '\x89PNG' ? 'png' : 'jpg'
}
