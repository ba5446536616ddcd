// Parses an image as a document by recognising its text: every page of a TIFF, one page of any other format.

import { UnreadableFile } from '../../block.ts'
import { roundOf } from '../../scratch.ts'
import { recognisePages, warningsOf } from '../../shared/ocr/recognise-pages.ts'
import type { PageSource } from '../../shared/ocr/render-page.ts'
import { type ImageFile, openImage } from '../../shared/rasters/image-file.ts'
import type { Parser } from '../../task.ts'

export const parseImage: Parser = async (task, report) => {
  const image = await openImage(task)
  const { pages } = image
  try {
    const numbers = Array.from({ length: pages }, (_, at) => at + 1)
    const series = { numbers, open: (number: number) => pageOf(image, number) }
    const onShare = (share: number): void => report({ share, pages, ocrPages: pages })
    const read = await recognisePages(image.path, series, onShare, await roundOf(task))
    if (read.unfinished) return { pages, blocks: [], unfinished: read.unfinished }
    if (read.lostError) throw read.lostError
    const blocks = numbers.flatMap((number) => read.found.get(number) ?? [])
    if (blocks.length === 0) throw new UnreadableFile('no_text')
    if (read.hopeless) throw new UnreadableFile('unrecognised')
    const warnings = warningsOf(read)
    return { pages, blocks, ...(warnings.length === 0 ? {} : { warnings }) }
  } finally {
    await image.close()
  }
}

/** Selects the page in the file. Its size in points is liteparse's, from the resolution that the image states. */
async function pageOf(image: ImageFile, number: number): Promise<PageSource> {
  const { exifAngle, size } = await image.selectPage(number)
  const { LiteParse } = await import('@llamaindex/liteparse')
  const renderer = new LiteParse({ dpi: 72, quiet: true, ocrEnabled: false })
  const [shot] = await renderer.screenshot(image.path, [1])
  if (shot === undefined) throw new Error('the image cannot be rendered')
  return { number, pageInFile: 1, exifAngle, pixels: size, width: shot.width, height: shot.height }
}
