// Pages of a PDF with little or no text of their own: empty, unreadable for the library, or pictures to be recognised.

import type { LiteParseConfig } from '@llamaindex/liteparse'
import { type BBox, type ScanRound, UnreadableFile } from '../block.ts'
import type { PageSeries } from '../picture/ocr/render-page.ts'
import { roundOf } from '../scratch.ts'
import type { ParseTask, Report } from '../task.ts'
import { looksGarbled } from './glyphs/garbled.ts'
import type { SizedHeading } from './headings/levels.ts'
import type { PlacedPage } from './running-lines.ts'
import { together } from './scans/together.ts'

// liteparse's own default stops silently after 1,000 pages.
const MOST_PAGES = 1_000_000
/** What a scanner or a records office prints over a full-page scan. */
export const STAMP_LETTERS = 250
// A page number alone is no lost text: asking the other libraries about it cost 3.5 s on a 72-page report.
const LOST_CHARACTERS = 5

export interface PdfPage extends PlacedPage {
  width: number
  /** Letters and digits in its blocks. */
  letters: number
  /** Where its text stands, of pages with little of it alone. */
  texts: BBox[]
  /** Little text, or text that reads like none: to be looked at. */
  doubtful: boolean
  /** Its letters make no words of any language. */
  garbled: boolean
  /** The library could not read it. */
  unread: boolean
  headings: SizedHeading[]
}

/** How the library is asked, for whichever pages. */
export const config: Partial<LiteParseConfig> = {
  ocrEnabled: false,
  extractBlocks: true,
  maxPages: MOST_PAGES,
  continueOnPageError: true,
  quiet: true,
  imageMode: 'off',
  extractLinks: false,
  // Left in here, dropped by us: over the whole document instead of a batch.
  keepHeadersFooters: true,
  extractFormFields: true,
  // What tables are read from: each word's place, and the ruling lines.
  emitWordBoxes: true,
  extractVectorGraphics: true,
}

// A page with little text may be a picture, at which this has looked and no more.
const LOOKED_SHARE = 0.02

/** 0 to 1, of `all` pages, once these have been looked at. */
export function shareLooked(pages: readonly PdfPage[], all: number): number {
  const read = pages.filter(({ doubtful }) => !doubtful).length
  return (LOOKED_SHARE * pages.length + (1 - LOOKED_SHARE) * read) / all
}

/**
 * Pages that the library could not read, or found nothing on though PDFium counts characters: another one may (asking
 * costs 3 s on a 72-page report).
 */
export async function readUnread(path: string, pages: readonly PdfPage[]): Promise<void> {
  const empty = pages.filter(({ letters }) => letters === 0)
  const lost = await lostTexts(
    path,
    empty.filter(({ unread }) => !unread),
  )
  const open = empty.filter(({ unread, number }) => unread || lost.has(number))
  if (open.length === 0) return
  const { otherReading } = await import('./fallback.ts')
  const found = await otherReading(
    path,
    open.map((page) => page.number),
  )
  for (const page of open) {
    page.blocks = found.get(page.number) ?? []
    page.garbled = looksGarbled(page.blocks.map(({ text }) => text).join('\n'))
    page.doubtful = page.blocks.length === 0 || page.garbled
  }
}

/** The numbers of those on which PDFium counts characters: asked of every page it costs a quarter of the parser's time. */
async function lostTexts(path: string, pages: readonly PdfPage[]): Promise<Set<number>> {
  if (pages.length === 0) return new Set()
  const { LiteParse } = await import('@llamaindex/liteparse')
  const targetPages = pages.map((page) => page.number).join(',')
  const parser = new LiteParse({ ...config, extractBlocks: false, includeComplexity: true, targetPages })
  const looks = (await parser.parse(path)).pages
  const lost = looks.filter(({ complexity }) => (complexity?.textLength ?? 0) >= LOST_CHARACTERS)
  return new Set(lost.map(({ pageNum }) => pageNum))
}

/** Reads the doubtful pages that show more than their text says, as far as the round goes. */
export async function recognise(
  task: ParseTask,
  path: string,
  pages: readonly PdfPage[],
  report: Report,
): Promise<{ warnings: string[]; unfinished?: ScanRound }> {
  const doubtful = pages.filter((page) => page.doubtful)
  if (doubtful.length === 0) return { warnings: [] }
  const { recognisePages, pageWarning, warningsOf } = await import('../picture/ocr/recognise-pages.ts')
  const onShare = (share: number): void =>
    report({
      share: 1 - ((1 - LOOKED_SHARE) * (1 - share) * doubtful.length) / pages.length,
      pages: pages.length,
      ocrPages: doubtful.length,
    })
  const read = await recognisePages(path, await showing(path, doubtful), onShare, await roundOf(task))
  if (read.unfinished) return { warnings: [], unfinished: read.unfinished }
  const pictures = doubtful.filter(({ number }) => !read.empty.includes(number))
  for (const page of pictures) {
    const isGuess = page.garbled && read.doubtful.includes(page.number)
    if (!isGuess) page.blocks = together(page, read.found.get(page.number) ?? [])
  }
  // A scan says nothing by its stamp; text that seems garbled is better than none.
  const isScan = new Set(pictures.filter(({ letters }) => letters < STAMP_LETTERS))
  const failure = read.hopeless ? new UnreadableFile('unrecognised') : read.lost
  if (failure && pages.every((page) => isScan.has(page) || page.blocks.length === 0)) throw failure
  const wordless = pages.filter(({ number, blocks }) => blocks.length === 0 && read.wordless.includes(number))
  const nothing = pageWarning(
    wordless.map(({ number }) => number),
    (which) => `No text was found on ${which}, though something is drawn there.`,
  )
  return { warnings: [...warningsOf(read), ...nothing] }
}

/** Each is looked at when its turn comes: a page that takes the parser down when it is drawn is told as such. */
async function showing(path: string, pages: readonly PdfPage[]): Promise<PageSeries> {
  const { pdfPages } = await import('../picture/ocr/render-page.ts')
  const { showsMore } = await import('./scans/shows-more.ts')
  const series = await pdfPages(path, pages)
  const known = new Map(pages.map((page) => [page.number, page]))
  return {
    ...series,
    open: async (number) => {
      const page = known.get(number)
      return page && (await showsMore(path, page)) ? series.open(number) : undefined
    },
  }
}
