// An image as a document: its text, recognised. Every page of a TIFF; other formats are one page.

import { UnreadableFile } from '../block.ts'
import type { Parser } from '../task.ts'
import { type ImageFile, openImage } from './image-file.ts'
import { readPictures } from './read-pages.ts'
import type { Picture } from './sheet/sheet.ts'

/** The text of an image, as paragraphs with confidence; refuses more than 50 million pixels by header. */
export const parseImage: Parser = async (task, report) => {
  const image = await openImage(task)
  const { pages } = image
  try {
    const series = { length: pages, pictures: pictures(image) }
    const { found, unread, doubtful, leftOut, hopeless } = await readPictures(image.path, series, (share) =>
      report({ share, pages, ocrPages: pages }),
    )
    const blocks = [...found.values()].flat()
    if (blocks.length === 0) throw new UnreadableFile('no_text')
    if (hopeless) throw new UnreadableFile('unrecognised')
    const warnings = warningsOf(unread, doubtful, leftOut)
    return { pages, blocks, ...(warnings.length === 0 ? {} : { warnings }) }
  } finally {
    await image.close()
  }
}

/** Each page in turn as what the file shows; its size in points as liteparse lays it out from the stated resolution. */
async function* pictures(image: ImageFile): AsyncGenerator<Picture> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  for (let number = 1; number <= image.pages; number++) {
    const { stated, size } = await image.turnTo(number)
    const drawer = new LiteParse({ dpi: 72, quiet: true, ocrEnabled: false })
    const [shot] = await drawer.screenshot(image.path, [1])
    if (shot === undefined) throw new Error('the image cannot be drawn')
    yield { number, drawnAs: 1, stated, pixels: size, width: shot.width, height: shot.height }
  }
}

/** What a reader should know of pages that were left or whose words are mostly guesses. */
export function warningsOf(
  unread: readonly number[],
  doubtful: readonly number[],
  leftOut: readonly number[],
): string[] {
  const which = (pages: readonly number[]): string =>
    pages.length === 1 ? `page ${pages[0]}` : `${pages.length} pages from page ${pages[0]} on`
  return [
    ...(unread.length === 0 ? [] : [`The text of ${which(unread)} was not read: it took too long.`]),
    ...(doubtful.length === 0
      ? []
      : [`The text of ${which(doubtful)} was hard to recognise and may be wrong.`]),
    ...(leftOut.length === 0
      ? []
      : [
          `Lines of ${which(leftOut)} were left out: they are drawn, or in a language that the administrator has not ` +
            'named in KENNING_OCR_LANGUAGES.',
        ]),
  ]
}
