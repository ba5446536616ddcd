// An image as a document: its text, recognised. Every page of a TIFF; other formats are one page.

import { UnreadableFile } from '../block.ts'
import { roundOf } from '../scratch.ts'
import type { Parser } from '../task.ts'
import { type ImageFile, openImage } from './formats/image-file.ts'
import { readPictures, warningsOf } from './ocr/recognise-pages.ts'
import type { Picture } from './ocr/render-page.ts'

/** The text of an image, as paragraphs with confidence; refuses more than 50 million pixels by header. */
export const parseImage: Parser = async (task, report) => {
  const image = await openImage(task)
  const { pages } = image
  try {
    const numbers = Array.from({ length: pages }, (_, at) => at + 1)
    const series = { numbers, open: (number: number) => pictureOf(image, number) }
    const onShare = (share: number): void => report({ share, pages, ocrPages: pages })
    const read = await readPictures(image.path, series, onShare, await roundOf(task))
    if (read.unfinished) return { pages, blocks: [], unfinished: read.unfinished }
    if (read.lost) throw read.lost
    const blocks = numbers.flatMap((number) => read.found.get(number) ?? [])
    if (blocks.length === 0) throw new UnreadableFile('no_text')
    if (read.hopeless) throw new UnreadableFile('unrecognised')
    const warnings = warningsOf(read)
    return { pages, blocks, ...(warnings.length === 0 ? {} : { warnings }) }
  } finally {
    await image.close()
  }
}

/** A page as what the file shows; its size in points as liteparse lays it out from the stated resolution. */
async function pictureOf(image: ImageFile, number: number): Promise<Picture> {
  const { stated, size } = await image.turnTo(number)
  const { LiteParse } = await import('@llamaindex/liteparse')
  const drawer = new LiteParse({ dpi: 72, quiet: true, ocrEnabled: false })
  const [shot] = await drawer.screenshot(image.path, [1])
  if (shot === undefined) throw new Error('the image cannot be drawn')
  return { number, drawnAs: 1, stated, pixels: size, width: shot.width, height: shot.height }
}
