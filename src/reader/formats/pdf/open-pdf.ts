// Opening a PDF with liteparse: a path it accepts, pages read ahead and pages turned upright.

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

// Pages whose text lies on its side or upside down, such as a wide table on a tall page: as they are, words are cut and lines
// run backwards. They are read again, turned.

type Angle = 90 | 180 | 270

export interface UprightPage {
  page: ParsedPage
  /** Options with which liteparse draws and reads the page as upright as `page`. */
  turn: Pick<LiteParseConfig, 'pageOrientationCorrections'> | undefined
}

// A turned page may carry an upright page number. With more of such text, that which runs up the page is a part of it.
const TURNED_SHARE = 0.7
const RISING_SHARE = 0.95

/** The pages, turned ones read again upright. The boxes of these are on the upright page. */
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

// liteparse works in a thread of its own, so it can read the next pages while the last ones are laid out.

/** The items of `source` in order. The next one is already requested, so at most two are held. */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let next = iterator.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = iterator.next()
      // Its error is thrown where it is awaited.
      next.catch(() => undefined)
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}
