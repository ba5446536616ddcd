// Parses an image by recognising the text of its pages. Only a TIFF has several pages.

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
    const numbers = Array.from({ length: pages }, (_, index) => index + 1)
    const series = { numbers, open: (number: number) => pageOf(image, number) }
    const onShare = (share: number): void => report({ share, pages, ocrPages: pages })
    const recognition = await recognisePages(image.path, series, onShare, await roundOf(task))
    if (recognition.unfinished) return { pages, blocks: [], unfinished: recognition.unfinished }
    if (recognition.lostError) throw recognition.lostError
    const blocks = numbers.flatMap((number) => recognition.blocksByPage.get(number) ?? [])
    if (blocks.length === 0) throw new UnreadableFile('no_text')
    if (recognition.isOnlyNoise) throw new UnreadableFile('unrecognised')
    const warnings = warningsOf(recognition)
    return { pages, blocks, ...(warnings.length === 0 ? {} : { warnings }) }
  } finally {
    await image.close()
  }
}

/** Selects the page in the file. liteparse computes its size in points from the resolution of the image. */
async function pageOf(image: ImageFile, number: number): Promise<PageSource> {
  const { exifAngle, size } = await image.selectPage(number)
  const { LiteParse } = await import('@llamaindex/liteparse')
  const renderer = new LiteParse({ dpi: 72, quiet: true, ocrEnabled: false })
  const [screenshot] = await renderer.screenshot(image.path, [1])
  if (screenshot === undefined) throw new Error('the image cannot be rendered')
  return {
    number,
    pageInFile: 1,
    exifAngle,
    pixels: size,
    width: screenshot.width,
    height: screenshot.height,
  }
}
