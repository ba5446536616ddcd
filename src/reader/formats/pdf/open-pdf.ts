// Prepares a PDF for liteparse: links it at a path that liteparse accepts, reads pages ahead, and rotates pages to be upright.

import { readFile, symlink, writeFile } from 'node:fs/promises'
import type { LiteParseConfig, ParsedPage } from '@llamaindex/liteparse'
import { liteparseOptions } from '../../shared/page/liteparse-options.ts'
import { withoutLoopingOutline } from './outline-loops.ts'

/**
 * Makes the file available at `path`, without outlines that would crash the process. Also starts `read` with the original
 * bytes.
 */
export async function openPdf<T>(
  sourcePath: string,
  path: string,
  read: (bytes: Buffer) => Promise<T>,
): Promise<{ reading: Promise<T> }> {
  const bytes = await readFile(sourcePath)
  const repairedBytes = withoutLoopingOutline(bytes)
  await (repairedBytes === undefined
    ? symlink(sourcePath, path)
    : writeFile(path, repairedBytes, { mode: 0o600 }))
  return { reading: read(bytes) }
}

// Pages whose text is sideways or upside down, such as a wide table on a tall page. liteparse would split their words and
// reverse their lines, so they are rotated and read again.

type Angle = 90 | 180 | 270

export interface UprightPage {
  page: ParsedPage
  /** Options with which liteparse draws and reads the page as upright as `page`. */
  rotationOptions: Pick<LiteParseConfig, 'pageOrientationCorrections'> | undefined
}

// The minimum share of a page's characters that are rotated. A rotated page may have an upright page number. With more upright
// text, the sideways text is only a part of the page, which sideways-parts.ts reads if its lines run up the page.
const MIN_ROTATED_SHARE = 0.7
const MIN_RISING_SHARE = 0.95

/** The pages, with rotated ones read again upright. The boxes of rotated pages refer to the upright page. */
export async function uprightPages(path: string, pages: readonly ParsedPage[]): Promise<UprightPage[]> {
  const rotatedPages = pages.flatMap((page) => {
    const angle = angleOf(page)
    return angle === undefined ? [] : [{ page: page.pageNum, angle }]
  })
  if (rotatedPages.length === 0) return pages.map((page) => ({ page, rotationOptions: undefined }))
  const { LiteParse } = await import('@llamaindex/liteparse')
  const targetPages = rotatedPages.map(({ page }) => page).join(',')
  const parser = new LiteParse({ ...liteparseOptions, targetPages, pageOrientationCorrections: rotatedPages })
  const pageByNumber = new Map((await parser.parse(path)).pages.map((page) => [page.pageNum, page]))
  return pages.map((page) => {
    const rotatedPage = pageByNumber.get(page.pageNum)
    return rotatedPage === undefined
      ? { page, rotationOptions: undefined }
      : { page: rotatedPage, rotationOptions: { pageOrientationCorrections: rotatedPages } }
  })
}

/** The clockwise rotation of most of the page's text. Undefined if it is upright. */
function angleOf({ textItems }: ParsedPage): Angle | undefined {
  const counts = new Map<number, number>()
  let totalLength = 0
  for (const { text, rotation = 0 } of textItems) {
    const angle = (((Math.round(rotation / 90) * 90) % 360) + 360) % 360
    counts.set(angle, (counts.get(angle) ?? 0) + text.length)
    totalLength += text.length
  }
  const angles: Angle[] = [90, 180, 270]
  return angles.find(
    (angle) =>
      (counts.get(angle) ?? 0) > totalLength * (angle === 270 ? MIN_RISING_SHARE : MIN_ROTATED_SHARE),
  )
}

// liteparse works in its own thread, so it can read the next pages while the previous ones are laid out.

/** The items of `source` in order. The next item is already requested, so at most two are in memory. */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let next = iterator.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = iterator.next()
      // The error is thrown where the promise is awaited.
      next.catch(() => undefined)
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}
