// Opens a PDF with liteparse: gives it a path that it accepts, reads pages ahead, and rotates pages to be upright.

import { readFile, symlink, writeFile } from 'node:fs/promises'
import type { LiteParseConfig, ParsedPage } from '@llamaindex/liteparse'
import { liteparseOptions } from '../../shared/page/liteparse-options.ts'
import { withoutLoopingOutline } from './outline-loops.ts'

/** Provides the file `from` at `path`, without outlines that crash the process, and starts `read` on its original bytes. */
export async function openPdf<T>(
  from: string,
  path: string,
  read: (bytes: Buffer) => Promise<T>,
): Promise<{ reading: Promise<T> }> {
  const bytes = await readFile(from)
  const mended = withoutLoopingOutline(bytes)
  await (mended === undefined ? symlink(from, path) : writeFile(path, mended, { mode: 0o600 }))
  return { reading: read(bytes) }
}

// Pages whose text is sideways or upside down, such as a wide table on a tall page. liteparse would split their words and
// reverse their lines, so they are rotated and read again.

type Angle = 90 | 180 | 270

export interface UprightPage {
  page: ParsedPage
  /** Options with which liteparse draws and reads the page as upright as `page`. */
  turn: Pick<LiteParseConfig, 'pageOrientationCorrections'> | undefined
}

// A rotated page may have an upright page number. If there is more upright text, the sideways text is only a part of the page.
const TURNED_SHARE = 0.7
const RISING_SHARE = 0.95

/** The pages, with rotated ones read again upright. The boxes of these refer to the upright page. */
export async function uprightPages(path: string, pages: readonly ParsedPage[]): Promise<UprightPage[]> {
  const turned = pages.flatMap((page) => {
    const angle = angleOf(page)
    return angle === undefined ? [] : [{ page: page.pageNum, angle }]
  })
  if (turned.length === 0) return pages.map((page) => ({ page, turn: undefined }))
  const { LiteParse } = await import('@llamaindex/liteparse')
  const targetPages = turned.map(({ page }) => page).join(',')
  const parser = new LiteParse({ ...liteparseOptions, targetPages, pageOrientationCorrections: turned })
  const pageByNumber = new Map((await parser.parse(path)).pages.map((page) => [page.pageNum, page]))
  return pages.map((page) => {
    const turnedPage = pageByNumber.get(page.pageNum)
    return turnedPage === undefined
      ? { page, turn: undefined }
      : { page: turnedPage, turn: { pageOrientationCorrections: turned } }
  })
}

/** The clockwise rotation of most of the page's text; undefined if it is upright. */
function angleOf({ textItems }: ParsedPage): Angle | undefined {
  const counts = new Map<number, number>()
  let all = 0
  for (const { text, rotation = 0 } of textItems) {
    const angle = (((Math.round(rotation / 90) * 90) % 360) + 360) % 360
    counts.set(angle, (counts.get(angle) ?? 0) + text.length)
    all += text.length
  }
  const angles: Angle[] = [90, 180, 270]
  return angles.find(
    (angle) => (counts.get(angle) ?? 0) > all * (angle === 270 ? RISING_SHARE : TURNED_SHARE),
  )
}

// liteparse works in its own thread, so it can read the next pages while the last ones are laid out.

/** The items of `source` in order. The next one is already requested, so at most two are held. */
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
