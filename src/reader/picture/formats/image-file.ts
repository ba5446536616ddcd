// An uploaded image as pages that can be drawn: every page of a TIFF, one page of anything else; refused by header when
// drawing it would take too much (BAD-26).

import { open, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UnreadableFile } from '../../block.ts'
import type { ParseTask } from '../../task.ts'
import { type Angle, statedAngle } from './exif-orientation.ts'
import { heicToBitmap, isHeic } from './heic.ts'
import { type PixelSize, pixelSize, tiffPageSize } from './image-size.ts'
import { firstPageMark, readTiff } from './tiff.ts'

// 200 MB as the recogniser and the drawer hold it.
const MOST_PIXELS = 50_000_000

export interface ImagePage {
  /** Pixels as stored. */
  size: PixelSize
  /** How the camera was held. */
  stated: Angle
}

export interface ImageFile {
  /** A copy with the extension drawing goes by; shows the page that was turned to last. */
  path: string
  pages: number
  /** Makes `page` (1-based) what drawing sees as page 1. @throws UnreadableFile */
  turnTo: (page: number) => Promise<ImagePage>
  close: () => Promise<void>
}

/** Opens the image of a task in its scratch folder. @throws UnreadableFile for no image or too many pixels */
export async function openImage(task: Pick<ParseTask, 'id' | 'path' | 'folder'>): Promise<ImageFile> {
  const original = await readFile(task.path)
  const bytes = isHeic(original) ? await heicToBitmap(original, MOST_PIXELS) : original
  const directories = directoriesOf(bytes)
  const path = join(task.folder, `${task.id}.${extension(bytes)}`)
  refuse(pixelSize(bytes))
  await writeFile(path, bytes)
  return {
    path,
    pages: Math.max(1, directories.length),
    turnTo: async (page) => {
      const directory = directories[page - 1]
      const size = refuse(directory === undefined ? pixelSize(bytes) : tiffPageSize(bytes, directory))
      if (directory !== undefined) await write(path, firstPageMark(bytes, directory), 4)
      return { size, stated: statedAngle(bytes, directory) }
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

function refuse(size: PixelSize | undefined): PixelSize {
  if (size === undefined || size.width === 0 || size.height === 0)
    throw new UnreadableFile('damaged', 'no image header')
  if (size.width * size.height > MOST_PIXELS) {
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
