// An image as a document: its text, recognised. Every page of a TIFF; other formats are one page.

import { readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ParsedDocument, UnreadableFile } from '../block.ts'
import type { Parser, ParseTask } from '../task.ts'
import { type Picture, readPictures } from './read-pages.ts'
import { pixelSize, tiffPages } from './size.ts'

const MOST_PIXELS = 50_000_000

/** The text of an image, as paragraphs with confidence; refuses more than 50 million pixels by header. */
export const parseImage: Parser = async (task, report) => {
  const bytes = await readFile(task.path)
  const offsets = tiffPages(bytes)
  const document: ParsedDocument = { pages: Math.max(1, offsets.length), blocks: [] }
  for (let i = 0; i < Math.max(1, offsets.length); i++) {
    report({
      share: i / Math.max(1, offsets.length),
      pages: offsets.length,
      ocrPages: Math.max(1, offsets.length),
    })
    const offset = offsets[i]
    if (offset !== undefined) pointAt(bytes, offset)
    const found = await readOne(task, bytes)
    document.blocks.push(...found.map((block) => ({ ...block, page: i + 1 })))
  }
  if (document.blocks.length === 0) throw new UnreadableFile('no_text')
  return document
}

/** Makes a page of a TIFF its first one: a reader that only takes the first then reads this. */
function pointAt(bytes: Buffer, offset: number): void {
  if (bytes.toString('latin1', 0, 2) === 'II') bytes.writeUInt32LE(offset, 4)
  else bytes.writeUInt32BE(offset, 4)
}

async function readOne(task: ParseTask, bytes: Buffer): Promise<ParsedDocument['blocks']> {
  const size = pixelSize(bytes)
  if (size === undefined || size.width === 0 || size.height === 0)
    throw new UnreadableFile('damaged', 'no image header')
  if (size.width * size.height > MOST_PIXELS) {
    throw new UnreadableFile('too_large_unpacked', `${size.width} × ${size.height} pixels`)
  }
  const path = join(task.folder, `${task.id}.${extension(bytes)}`)
  await writeFile(path, bytes)
  try {
    const page = await placed(path)
    const { found } = await readPictures(path, [page], () => undefined)
    return found.get(1) ?? []
  } finally {
    await unlink(path)
  }
}

/** The image's page in points, as liteparse lays it out from the resolution the file states. */
async function placed(path: string): Promise<Picture> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const [shot] = await new LiteParse({ dpi: 72, quiet: true, ocrEnabled: false }).screenshot(path, [1])
  if (shot === undefined) throw new Error('the image cannot be drawn')
  return { number: 1, width: shot.width, height: shot.height }
}

function extension(bytes: Buffer): string {
  const mark = bytes.toString('latin1', 0, 4)
  if (mark.startsWith('GIF')) return 'gif'
  if (mark.startsWith('BM')) return 'bmp'
  if (mark === 'RIFF') return 'webp'
  if (mark.startsWith('II') || mark.startsWith('MM')) return 'tiff'
  return mark === '\x89PNG' ? 'png' : 'jpg'
}
