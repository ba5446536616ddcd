// An image as a document: its text, recognised. Every page of a TIFF; other formats are one page.

import { type ParsedDocument, UnreadableFile } from '../block.ts'
import type { Parser } from '../task.ts'
import { openImage } from './image-file.ts'
import { type Picture, readPictures } from './read-pages.ts'

/** The text of an image, as paragraphs with confidence; refuses more than 50 million pixels by header. */
export const parseImage: Parser = async (task, report) => {
  const image = await openImage(task)
  const document: ParsedDocument = { pages: image.pages, blocks: [] }
  const doubtful: number[] = []
  try {
    for (let page = 1; page <= image.pages; page++) {
      report({ share: (page - 1) / image.pages, pages: image.pages, ocrPages: image.pages })
      const { stated } = await image.turnTo(page)
      const read = await readPictures(image.path, [await placed(image.path)], () => undefined, stated)
      document.blocks.push(...(read.found.get(1) ?? []).map((block) => ({ ...block, page })))
      if (read.doubtful.length > 0) doubtful.push(page)
    }
  } finally {
    await image.close()
  }
  if (document.blocks.length === 0) throw new UnreadableFile('no_text')
  if (doubtful.length > 0) document.warnings = [doubt(doubtful)]
  return document
}

/** The sentence about pages whose words are mostly guesses. */
export const doubt = (pages: readonly number[]): string =>
  `The text of ${pages.length === 1 ? `page ${pages[0]}` : `${pages.length} pages from page ${pages[0]} on`} was hard to recognise and may be wrong.`

/** The image's page in points, as liteparse lays it out from the resolution the file states. */
async function placed(path: string): Promise<Picture> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const [shot] = await new LiteParse({ dpi: 72, quiet: true, ocrEnabled: false }).screenshot(path, [1])
  if (shot === undefined) throw new Error('the image cannot be drawn')
  return { number: 1, width: shot.width, height: shot.height }
}
