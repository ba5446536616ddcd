// PDF by liteparse in batches of 20 pages (a third of the memory, 1.2 times as fast: reference/parsing.md), then what
// it leaves open: words in no block, pages it finds nothing on, pages that are pictures, running lines.

import { readFile, symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { LiteParse, LiteParseConfig, PageComplexityStats, ParsedPage } from '@llamaindex/liteparse'
import { type Block, type ParsedDocument, UnreadableFile } from '../block.ts'
import { chooseTitle } from '../blocks/title.ts'
import type { Parser, ParseTask, Report } from '../task.ts'
import { ahead } from './ahead.ts'
import { joinContinuedTables } from './continued-tables.ts'
import { formBlocks } from './forms/fields.ts'
import { letterCount, looksGarbled } from './glyphs/garbled.ts'
import { type FigureFinder, figureFinder } from './glyphs/lost-figures.ts'
import { mayLackSigns } from './glyphs/lost-signs.ts'
import { isRightToLeft, mirrorBack, mirroredPage, wordsOfPages } from './glyphs/right-to-left.ts'
import { withPhrasesRead } from './glyphs/right-to-left-phrases.ts'
import { applyBookmarks, bookmarkNames } from './headings/bookmarks.ts'
import { isNumbered, type SizedHeading, settleLevels, sizedHeadings } from './headings/levels.ts'
import { pageBlocks } from './layout/page-blocks.ts'
import { type BrokenWords, noteBrokenWords, restoreHyphens } from './line-breaks.ts'
import { mended } from './mended.ts'
import { type PdfProperties, readProperties } from './properties.ts'
import { dropRunningLines, type PlacedPage } from './running-lines.ts'
import { withDrawnAccents } from './tex/accents.ts'
import { formulasOf } from './tex/formulas.ts'
import { uprightPages } from './upright.ts'

export const BATCH_PAGES = 20
// It reads the file anew for each batch: with 91 MB and 15,000 pages that took 7.6 of 13.6 ms a page, 1.7 with these.
const LARGE_FILE_BYTES = 20e6
const LARGE_BATCH_PAGES = 100
// liteparse's own default stops silently after 1,000 pages.
const MOST_PAGES = 1_000_000
// A page with fewer letters than this and a picture over it is a scan with a stamp or a page number.
const FEW_LETTERS = 40
// What a scanner or a records office prints over a full-page scan.
const STAMP_LETTERS = 250
// A page number alone is no lost text: asking the other libraries about it cost 3.5 s on a 72-page report.
const LOST_CHARACTERS = 5

interface PdfPage extends PlacedPage {
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

/** A PDF's pages as blocks in reading order, with the document's title; scans are recognised. */
export const parsePdf: Parser = async (task, report) => {
  // liteparse tells kinds by extension and blobs have none.
  const path = join(task.folder, `${task.id}.pdf`)
  await symlink(task.path, path)
  try {
    const broken: BrokenWords = new Map()
    // Read while liteparse is at the first pages, in a thread of its own.
    const reading = readFile(path).then(readProperties)
    reading.catch(() => undefined)
    const pages = await readPages(task, path, reading, report, broken)
    const properties = await reading
    await examine(path, pages)
    await readUnread(path, pages)
    const warnings = await recognise(path, pages, report)
    dropRunningLines(pages)
    joinContinuedTables(pages)
    settleLevels(pages.flatMap(({ headings }) => headings))
    applyBookmarks(pages, properties.bookmarks)
    return assemble(properties.title, pages, broken, warnings)
  } finally {
    await unlink(path)
  }
}

function assemble(
  property: string | undefined,
  pages: readonly PdfPage[],
  broken: BrokenWords,
  warnings: string[],
): ParsedDocument {
  const blocks = pages.flatMap((page) => page.blocks)
  restoreHyphens(blocks, broken)
  const named = blocks.filter((block) => block.kind !== 'heading' || !isNumbered(block))
  const title = chooseTitle(property, named)
  return {
    ...(title === undefined ? {} : { title }),
    pages: pages.length,
    blocks,
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

async function readPages(
  { bytes }: ParseTask,
  path: string,
  properties: Promise<PdfProperties>,
  report: Report,
  broken: BrokenWords,
): Promise<PdfPage[]> {
  const parser = await openParser()
  const batchSize = bytes < LARGE_FILE_BYTES ? BATCH_PAGES : LARGE_BATCH_PAGES
  let names: Map<number, string[]> | undefined
  const pages: PdfPage[] = []
  const figures = figureFinder(path)
  try {
    for await (const batch of ahead(parser.parseBatches(path, { batchSize }))) {
      names ??= bookmarkNames((await properties).bookmarks)
      const upright = await uprightPages(path, batch.result.pages, config)
      const wordsOf = await wordsOfPages(path, upright)
      const formulas = await formulasOf(path, upright)
      for (const page of upright) {
        const whole = mended(formulas(withDrawnAccents(await figures.restored(page))))
        pages.push(await readPage(whole, wordsOf(page.pageNum), names.get(page.pageNum) ?? [], figures))
        noteBrokenWords(page.textItems, broken)
      }
      for (const { pageNum } of batch.result.pageErrors) pages.push(failedPage(pageNum))
      report({ share: batch.endPage / batch.totalPages, pages: batch.totalPages })
    }
  } catch (error) {
    if (/password|encrypt/i.test(String(error))) throw new UnreadableFile('encrypted')
    throw error
  } finally {
    await figures.close()
  }
  return pages.sort((a, b) => a.number - b.number)
}

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

async function openParser(): Promise<LiteParse> {
  const library = await import('@llamaindex/liteparse')
  return new library.LiteParse(config)
}

async function readPage(
  page: ParsedPage,
  words: ReadonlySet<string>,
  names: readonly string[],
  figures: FigureFinder,
): Promise<PdfPage> {
  if (isRightToLeft(page)) return rightToLeftPage(mirroredPage(page, words), names)
  const phrased = withPhrasesRead(page, words)
  const read = toPage(phrased, names)
  const signed = mayLackSigns(read.blocks) ? await figures.withLoneSigns(phrased) : undefined
  return signed === undefined ? read : toPage(signed, names)
}

function rightToLeftPage(page: ParsedPage, names: readonly string[]): PdfPage {
  const read = toPage(page, names)
  // Headings are the same objects in both lists: places are set, not copied.
  mirrorBack(read.blocks, page.width)
  return read
}

function toPage(page: ParsedPage, names: readonly string[]): PdfPage {
  const blocks = pageBlocks(page, names)
  blocks.push(...formBlocks(page, blocks))
  const text = blocks.map((block) => block.text).join('\n')
  const letters = letterCount(text)
  return {
    number: page.pageNum,
    width: page.width,
    height: page.height,
    blocks,
    letters,
    doubtful: letters < STAMP_LETTERS || looksGarbled(text),
    picture: false,
    unread: false,
    lostText: false,
    headings: sizedHeadings(blocks, page.textItems),
  }
}

/** Looks at the doubtful pages alone: asked of every page it costs a quarter of the parser's time. */
async function examine(path: string, pages: readonly PdfPage[]): Promise<void> {
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

function failedPage(number: number): PdfPage {
  return {
    number,
    width: 0,
    height: 0,
    blocks: [],
    letters: 0,
    doubtful: false,
    picture: false,
    unread: true,
    lostText: false,
    headings: [],
  }
}

/**
 * Pages liteparse found nothing on: empty ones are done (asking the other libraries about one costs
 * 3 s on a 72-page report); others may have text for another library, and what is left is a picture.
 */
async function readUnread(path: string, pages: readonly PdfPage[]): Promise<void> {
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

async function recognise(path: string, pages: readonly PdfPage[], report: Report): Promise<string[]> {
  const pictures = pages.filter((page) => page.picture)
  if (pictures.length === 0) return []
  const { readPictures } = await import('../picture/read-pages.ts')
  const { warningsOf } = await import('../picture/image.ts')
  const { found, unread, doubtful, leftOut, hopeless } = await readPictures(path, pictures, (share) =>
    report({ share, pages: pages.length, ocrPages: pictures.length }),
  )
  for (const page of pictures) {
    const recognised = found.get(page.number) ?? []
    if (recognised.length > 0) page.blocks = longer(recognised, page.blocks)
  }
  if (hopeless && pages.every(({ blocks, picture }) => picture || blocks.length === 0))
    throw new UnreadableFile('unrecognised')
  return warningsOf(unread, doubtful, leftOut)
}

/** A garbled page keeps its own text when recognition found clearly less. */
function longer(recognised: Block[], own: Block[]): Block[] {
  const size = (blocks: Block[]): number => blocks.reduce((sum, block) => sum + block.text.length, 0)
  return size(recognised) * 2 >= size(own) ? recognised : own
}
