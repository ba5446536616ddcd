// Pages of a PDF with little or no text of their own: empty, unreadable for the library, or pictures to be recognised.

import type { LiteParseConfig } from '@llamaindex/liteparse'
import { type BBox, type Block, type ScanRound, UnreadableFile } from '../block.ts'
import { roundOf } from '../scratch.ts'
import type { ParseTask, Report } from '../task.ts'
import { looksGarbled } from './glyphs/garbled.ts'
import type { SizedHeading } from './headings/levels.ts'
import type { PlacedPage } from './running-lines.ts'
import { together } from './scans/together.ts'

// liteparse's own default stops silently after 1,000 pages.
const MOST_PAGES = 1_000_000
// With fewer letters a page has no text but a page number, and no picture on it is read by itself.
const FEW_LETTERS = 40
/** What a scanner or a records office prints over a full-page scan. */
export const STAMP_LETTERS = 250
// A page number alone is no lost text: asking the other libraries about it cost 3.5 s on a 72-page report.
const LOST_CHARACTERS = 5

// Places that look like letters (`unreadInk`). Of 36 pages with little text among 1,801 born digital, those without a
// picture have none to two, a frame four, half a line ten, a scanned page 25 to 1,500.
const LEAST_INK = 5
// Beside a text: a mark, a logo or a signature has fewer.
const LEAST_INK_BESIDE = 20

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
  /** It shows more than its text says: to be recognised. */
  picture: boolean
  /** Nothing was found on it. */
  unread: boolean
  /** PDFium counts characters that liteparse does not hand over. */
  lostText: boolean
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

// A page without text is probably a picture, at which this has looked and no more.
const LOOKED_SHARE = 0.02

/** 0 to 1, of `all` pages, once these have been looked at. */
export function shareLooked(pages: readonly PdfPage[], all: number): number {
  const read = pages.filter(({ letters }) => letters > 0).length
  return (LOOKED_SHARE * pages.length + (1 - LOOKED_SHARE) * read) / all
}

/**
 * Whether a page needs recognition says the page as it is drawn, held against its text; not what it is made of. Doubtful
 * pages are drawn, 10 to 30 ms each.
 */
export async function examine(path: string, pages: readonly PdfPage[]): Promise<void> {
  const lost = await lostTexts(
    path,
    pages.filter((page) => page.doubtful && page.letters === 0),
  )
  const { unreadInk } = await import('./scans/ink.ts')
  for (const page of pages.filter(({ doubtful }) => doubtful)) {
    page.lostText = lost.has(page.number)
    if (page.garbled) page.picture = true
    else if (page.letters === 0) {
      const ink = await unreadInk(path, page.number, [])
      page.picture = !page.lostText && ink !== undefined && ink >= LEAST_INK
      page.unread = page.lostText || ink === undefined
    } else page.picture = await saysMore(path, page)
  }
}

/** Whether a page shows more than its own text, and the pictures on it that are read by themselves. */
async function saysMore(path: string, { number, letters, texts }: PdfPage): Promise<boolean> {
  const { unreadInk } = await import('./scans/ink.ts')
  const shows = async (boxes: readonly BBox[]): Promise<boolean> =>
    ((await unreadInk(path, number, boxes)) ?? 0) >= LEAST_INK_BESIDE
  if (!(await shows(texts))) return false
  if (letters < FEW_LETTERS) return true
  const { LiteParse } = await import('@llamaindex/liteparse')
  const parser = new LiteParse({ ...config, extractImages: true, targetPages: String(number) })
  const { images } = await parser.parse(path)
  if (images.length === 0) return true
  const boxes = images.map(({ bbox: { x, y, width, height } }): BBox => [x, y, x + width, y + height])
  return shows([...texts, ...boxes])
}

/** The numbers of those on which PDFium counts characters: asked of every page it costs a quarter of the parser's time. */
async function lostTexts(path: string, pages: readonly PdfPage[]): Promise<Set<number>> {
  if (pages.length === 0) return new Set()
  const { LiteParse } = await import('@llamaindex/liteparse')
  const targetPages = pages.map((page) => page.number).join(',')
  const parser = new LiteParse({ ...config, extractBlocks: false, includeComplexity: true, targetPages })
  const looks = (await parser.parse(path)).pages
  return new Set(
    looks
      .filter(({ complexity }) => (complexity?.textLength ?? 0) >= LOST_CHARACTERS)
      .map(({ pageNum }) => pageNum),
  )
}

/**
 * Pages liteparse found nothing on, though PDFium counts characters or it could not read them at all: another library
 * may (asking costs 3 s on a 72-page report); what is left is a picture.
 */
export async function readUnread(path: string, pages: readonly PdfPage[]): Promise<void> {
  const unread = pages.filter((page) => page.unread)
  if (unread.length === 0) return
  const { otherReading } = await import('./fallback.ts')
  const found = await otherReading(
    path,
    unread.map((page) => page.number),
  )
  for (const page of unread) {
    page.blocks = found.get(page.number) ?? []
    page.garbled = looksGarbled(textOf(page.blocks))
    page.picture = page.blocks.length === 0 || page.garbled
  }
}

const textOf = (blocks: readonly Block[]): string => blocks.map(({ text }) => text).join('\n')

/** Reads the pages that are pictures, as far as the round goes. */
export async function recognise(
  task: ParseTask,
  path: string,
  pages: readonly PdfPage[],
  report: Report,
): Promise<{ warnings: string[]; unfinished?: ScanRound }> {
  const pictures = pages.filter((page) => page.picture)
  if (pictures.length === 0) return { warnings: [] }
  const { readPictures, warningsOf, which } = await import('../picture/read-pages.ts')
  const { pagesOfPdf } = await import('../picture/sheet/sheet.ts')
  const onShare = (share: number): void =>
    report({
      share: 1 - ((1 - LOOKED_SHARE) * (1 - share) * pictures.length) / pages.length,
      pages: pages.length,
      ocrPages: pictures.length,
    })
  const read = await readPictures(path, await pagesOfPdf(path, pictures), onShare, await roundOf(task))
  if (read.unfinished) return { warnings: [], unfinished: read.unfinished }
  for (const page of pictures) {
    const recognised = read.found.get(page.number) ?? []
    const isGuess = page.garbled && read.doubtful.includes(page.number)
    if (!isGuess) page.blocks = together(page, recognised)
  }
  const failure = read.hopeless ? new UnreadableFile('unrecognised') : read.lost
  if (failure && pages.every(saysNothing)) throw failure
  return { warnings: [...warningsOf(read), ...wordless(pictures, which)] }
}

/** A scan with no more than a stamp of its own; where text seems garbled, it is better than none. */
const saysNothing = ({ blocks, picture, letters }: PdfPage): boolean =>
  blocks.length === 0 || (picture && letters < STAMP_LETTERS)

function wordless(pictures: readonly PdfPage[], which: (pages: readonly number[]) => string): string[] {
  const pages = pictures.filter(({ blocks }) => blocks.length === 0).map(({ number }) => number)
  return pages.length === 0 ? [] : [`No text was found on ${which(pages)}, though something is drawn there.`]
}
