// Pages of a PDF with little or no text of their own: empty, unreadable for the library, or pictures to be recognised.

import type { LiteParseConfig, PageComplexityStats } from '@llamaindex/liteparse'
import { type Block, type ScanRound, UnreadableFile } from '../block.ts'
import { roundOf } from '../scratch.ts'
import type { ParseTask, Report } from '../task.ts'
import type { SizedHeading } from './headings/levels.ts'
import type { PlacedPage } from './running-lines.ts'

// liteparse's own default stops silently after 1,000 pages.
const MOST_PAGES = 1_000_000
// A page with fewer letters than this and a picture over it is a scan with a stamp or a page number.
const FEW_LETTERS = 40
/** What a scanner or a records office prints over a full-page scan. */
export const STAMP_LETTERS = 250
// A page number alone is no lost text: asking the other libraries about it cost 3.5 s on a 72-page report.
const LOST_CHARACTERS = 5

export interface PdfPage extends PlacedPage {
  width: number
  /** Letters and digits in its blocks. */
  letters: number
  /** Little text, or text that reads like none: to be looked at. */
  doubtful: boolean
  /** No text but a picture: to be recognised. */
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

/** Looks at the doubtful pages alone: asked of every page it costs a quarter of the parser's time. */
export async function examine(path: string, pages: readonly PdfPage[]): Promise<void> {
  const doubtful = pages.filter((page) => page.doubtful)
  if (doubtful.length === 0) return
  const { LiteParse } = await import('@llamaindex/liteparse')
  const targetPages = doubtful.map((page) => page.number).join(',')
  const parser = new LiteParse({ ...config, extractBlocks: false, includeComplexity: true, targetPages })
  const looks = new Map(
    (await parser.parse(path)).pages.map(({ pageNum, complexity }) => [pageNum, complexity]),
  )
  for (const page of doubtful) {
    const look = looks.get(page.number)
    page.picture = look?.needsOcr === true && isPicture(look, page.letters)
    page.unread = page.letters === 0 && !page.picture
    page.lostText = (look?.textLength ?? 0) >= LOST_CHARACTERS
  }
}

/** Recognise what has next to no text of its own under a picture, a scan with more than a stamp, and garbled fonts. */
function isPicture(look: PageComplexityStats, letters: number): boolean {
  const pictured = look.fullPageImage || look.imageCoverage > 0.3 || (look.uncoveredVectorArea ?? 0) > 0
  return (
    (letters < FEW_LETTERS && pictured) || (letters < STAMP_LETTERS && look.fullPageImage) || look.isGarbled
  )
}

/**
 * Pages liteparse found nothing on: empty ones are done (asking the other libraries about one costs
 * 3 s on a 72-page report); others may have text for another library, and what is left is a picture.
 */
export async function readUnread(path: string, pages: readonly PdfPage[]): Promise<void> {
  const drawn: PdfPage[] = []
  for (const page of pages.filter((candidate) => candidate.unread)) {
    if (page.lostText || (await drawsSomething(path, page.number))) drawn.push(page)
  }
  if (drawn.length === 0) return
  const { otherReading } = await import('./fallback.ts')
  const found = await otherReading(
    path,
    drawn.map((page) => page.number),
  )
  for (const page of drawn) {
    page.blocks = found.get(page.number) ?? []
    page.picture = page.blocks.length === 0 && !page.lostText
  }
}

// Letters drawn as outlines are a shape each; a frame, a rule or a coloured band is a handful.
const LETTERLIKE_SHAPES = 20

/** Whether a page without text shows more than rules and frames. */
async function drawsSomething(path: string, page: number): Promise<boolean> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const parser = new LiteParse({
    ...config,
    targetPages: String(page),
    includeComplexity: true,
    extractBlocks: false,
  })
  const found = (await parser.parse(path).catch(() => undefined))?.pages[0]
  if (found === undefined) return true
  const look = found.complexity
  const pictured = look !== undefined && (look.fullPageImage || look.imageBlockCount > 0)
  return pictured || (found.vectorGraphics?.shapes.length ?? 0) >= LETTERLIKE_SHAPES
}

/** Reads the pages that are pictures, as far as the round goes. */
export async function recognise(
  task: ParseTask,
  path: string,
  pages: readonly PdfPage[],
  report: Report,
): Promise<{ warnings: string[]; unfinished?: ScanRound }> {
  const pictures = pages.filter((page) => page.picture)
  if (pictures.length === 0) return { warnings: [] }
  const { readPictures, warningsOf } = await import('../picture/read-pages.ts')
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
    if (recognised.length > 0) page.blocks = longer(recognised, page.blocks)
  }
  const failure = read.hopeless ? new UnreadableFile('unrecognised') : read.lost
  if (failure && pages.every(({ blocks, picture }) => picture || blocks.length === 0)) throw failure
  return { warnings: warningsOf(read) }
}

/** A garbled page keeps its own text when recognition found clearly less. */
function longer(recognised: Block[], own: Block[]): Block[] {
  const size = (blocks: Block[]): number => blocks.reduce((sum, block) => sum + block.text.length, 0)
  return size(recognised) * 2 >= size(own) ? recognised : own
}
