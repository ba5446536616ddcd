// Reads a PDF with liteparse in batches of pages, which takes less memory and time than reading all pages at once. Then adds what
// liteparse misses (text in no block, pages on which it finds nothing, scans), and removes running headers and footers.

import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { LiteParse, ParsedPage } from '@llamaindex/liteparse'
import { type BBox, type ParsedDocument, UnreadableFile } from '../../block.ts'
import { chooseTitle } from '../../shared/blocks/title.ts'
import { type PlacedBlock, rectBox } from '../../shared/page/layout/boxes.ts'
import { pageBlocks } from '../../shared/page/layout/page-blocks.ts'
import { panelBlocks } from '../../shared/page/layout/panels.ts'
import { liteparseOptions } from '../../shared/page/liteparse-options.ts'
import type { Parser, ParseTask, Report } from '../../task.ts'
import { attachedFiles } from './attachments.ts'
import { applyBookmarks, bookmarkNames } from './bookmarks.ts'
import { joinContinuedTables } from './continued-tables.ts'
import { withFormFields } from './form-fields.ts'
import { withDrawnAccents } from './glyphs/accents.ts'
import { letterCount, looksGarbled } from './glyphs/garbled.ts'
import { type LostTextFinder, lostTextFinder, mayLackSigns } from './glyphs/lost-texts.ts'
import { withSuperscripts } from './glyphs/superscripts.ts'
import { withCheckboxes, withMinusSigns } from './glyphs/symbols.ts'
import { withLigatures, withWholeWords } from './glyphs/torn-words.ts'
import { isNumbered, setHeadingLevels, sizedHeadings } from './heading-levels.ts'
import { withoutHiddenText } from './hidden-text.ts'
import { addBrokenWords, type BrokenWords, restoreHyphens } from './hyphens.ts'
import { withoutLineNumbers } from './line-numbers.ts'
import { openPdf, readAhead, uprightPages } from './open-pdf.ts'
import { type PdfProperties, readProperties } from './properties.ts'
import type { Spellings } from './right-to-left.ts'
import { isRightToLeft, mirrorBack, mirroredPage, wordsOfPages } from './right-to-left.ts'
import { dropOutermostRunningLines, dropRunningLines } from './running-lines.ts'
import { type PdfPage, progressOf, readUnread, recognise, STAMP_LETTERS } from './scanned-pages.ts'
import { readSidewaysParts } from './sideways-parts.ts'
import { addTypedTexts, hasTypedText, type TypedText, typedTexts } from './typed-texts.ts'

export const BATCH_PAGES = 20
// liteparse reads the file again for each batch, so large files have larger batches.
const LARGE_FILE_BYTES = 20e6
const LARGE_BATCH_PAGES = 100

/** Reads a PDF's pages as blocks in reading order, with the document's title. The text of scans is recognised. */
export const parsePdf: Parser = async (task, report) => {
  const path = join(task.folder, `${task.id}.pdf`)
  // The properties are read while liteparse reads the first pages in a thread of its own.
  const { reading } = await openPdf(task.path, path, (bytes) => readProperties(bytes, attachedFiles))
  reading.catch(() => undefined)
  try {
    const brokenWords: BrokenWords = new Map()
    const pages = await readPages(task, path, { properties: reading, brokenWords }, report)
    const properties = await reading
    await readUnread(path, pages)
    const typedPages = await addTypedPositions(path, pages)
    const { warnings, unfinished } = await recognise(task, path, pages, report)
    if (unfinished) return { pages: pages.length, blocks: [], unfinished }
    dropRunningLines(pages)
    dropOutermostRunningLines(pages)
    joinContinuedTables(pages)
    // This comes after the tables are joined, because a table continues from the last block of a page.
    addTypedTexts(pages, typedPages)
    setHeadingLevels(pages.flatMap(({ headings }) => headings))
    applyBookmarks(pages, properties.bookmarks)
    return { ...assemble(properties.title, pages, brokenWords, warnings), enclosed: properties.attached }
  } finally {
    await unlink(path)
  }
}

/**
 * Finds the texts that were typed onto the pages, and adds their positions to the pages. Texts at these positions need no
 * recognition.
 */
async function addTypedPositions(path: string, pages: readonly PdfPage[]): Promise<TypedText[]> {
  const numbers = pages.flatMap(({ number, isTyped }) => (isTyped ? [number] : []))
  const annotations = await typedTexts(path, numbers).catch(() => [])
  for (const page of pages) {
    const pageTexts = annotations.filter((text) => text.page === page.number)
    page.isTyped = pageTexts.length > 0
    page.texts.push(...pageTexts.map(({ bbox }) => bbox))
  }
  return annotations
}

function assemble(
  property: string | undefined,
  pages: readonly PdfPage[],
  brokenWords: BrokenWords,
  warnings: string[],
): ParsedDocument {
  const blocks = pages.flatMap((page) => page.blocks)
  restoreHyphens(blocks, brokenWords)
  const unnumberedBlocks = blocks.filter((block) => block.kind !== 'heading' || !isNumbered(block))
  const title = chooseTitle(property, unnumberedBlocks)
  return {
    ...(title === undefined ? {} : { title }),
    pages: pages.length,
    blocks: [...blocks, ...pages.flatMap(({ hidden }) => hidden)],
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

async function readPages(
  { bytes }: ParseTask,
  path: string,
  { properties, brokenWords }: { properties: Promise<PdfProperties>; brokenWords: BrokenWords },
  report: Report,
): Promise<PdfPage[]> {
  const parser = await openParser()
  const batchSize = bytes < LARGE_FILE_BYTES ? BATCH_PAGES : LARGE_BATCH_PAGES
  let namesByPage: Map<number, string[]> | undefined
  const pages: PdfPage[] = []
  const finder = lostTextFinder(path)
  try {
    for await (const batch of readAhead(parser.parseBatches(path, { batchSize }))) {
      const { bookmarks, ink, pages: pageCount = batch.totalPages } = await properties
      namesByPage ??= bookmarkNames(bookmarks)
      // PDFium trusts the number of pages that the file states. pdf.js checks it.
      const pageTotal = Math.max(Math.min(batch.totalPages, pageCount), pages.length)
      // The texts refer to the page as it is drawn, before it is rotated.
      const texts = new Map(batch.result.pages.map((page) => [page.pageNum, textBoxes(page)]))
      const uprightBatch = await uprightPages(path, batch.result.pages)
      const visiblePages = await withoutHiddenText(path, uprightBatch, ink)
      const wordsOf = await wordsOfPages(
        path,
        visiblePages.map(({ page }) => page),
      )
      for (const { page, hidden } of visiblePages) {
        const repaired = repairedPage(withDrawnAccents(await finder.withLostNumbers(page)))
        const result = await readPage(
          repaired,
          wordsOf(page.pageNum),
          namesByPage.get(page.pageNum) ?? [],
          finder,
        )
        const textPositions = result.mayNeedOcr ? { texts: texts.get(page.pageNum) ?? [] } : {}
        pages.push({ ...result, ...textPositions, hidden })
        addBrokenWords(page.textItems, brokenWords)
      }
      for (const { pageNum } of batch.result.pageErrors)
        if (pageNum <= pageTotal) pages.push(failedPage(pageNum))
      report({ share: progressOf(pages, pageTotal), pages: pageTotal })
      if (batch.result.pageErrors.some(({ pageNum }) => pageNum > pageTotal)) break
    }
  } catch (error) {
    if (/password|encrypt/i.test(String(error))) throw new UnreadableFile('encrypted')
    throw error
  } finally {
    await finder.close()
  }
  return pages.sort((a, b) => a.number - b.number)
}

async function openParser(): Promise<LiteParse> {
  const library = await import('@llamaindex/liteparse')
  return new library.LiteParse(liteparseOptions)
}

/** Corrects signs, words and exponents that liteparse reads wrong, and removes line numbers. */
const repairedPage = (page: ParsedPage): ParsedPage =>
  // The order matters, because each step needs the corrections of those before it.
  [
    withMinusSigns,
    withCheckboxes,
    withWholeWords,
    withLigatures,
    withSuperscripts,
    withoutLineNumbers,
  ].reduce((repairedSoFar, repair) => repair(repairedSoFar), page)

async function readPage(
  page: ParsedPage,
  words: Spellings,
  names: readonly string[],
  finder: LostTextFinder,
): Promise<PdfPage> {
  if (isRightToLeft(page)) return rightToLeftPage(mirroredPage(page, words), names)
  const result = toPage(page, names)
  const pageWithSigns = mayLackSigns(result.blocks) ? await finder.withLoneSigns(page) : undefined
  return pageWithSigns === undefined ? result : toPage(pageWithSigns, names)
}

function rightToLeftPage(page: ParsedPage, names: readonly string[]): PdfPage {
  const result = toPage(page, names)
  // The positions are changed in place, because `headings` has the same block objects.
  mirrorBack(result.blocks, page.width)
  return result
}

function toPage(page: ParsedPage, names: readonly string[]): PdfPage {
  const readPart = (part: ParsedPage): PlacedBlock[] => panelBlocks(part, (panel) => pageBlocks(panel, names))
  const blocks = withFormFields(page, readSidewaysParts(page, readPart) ?? readPart(page))
  const text = blocks.map((block) => block.text).join('\n')
  const letters = letterCount(text)
  const isGarbled = looksGarbled(text)
  const isSparse = letters < STAMP_LETTERS
  return {
    number: page.pageNum,
    width: page.width,
    height: page.height,
    blocks,
    letters,
    texts: [],
    isTyped: hasTypedText(page),
    hidden: [],
    mayNeedOcr: isSparse || isGarbled,
    isGarbled,
    isUnread: false,
    headings: sizedHeadings(blocks, page.textItems),
  }
}

const textBoxes = ({ textItems }: ParsedPage): BBox[] =>
  textItems.filter(({ text }) => text.trim() !== '').map(rectBox)

function failedPage(number: number): PdfPage {
  return {
    number,
    width: 0,
    height: 0,
    blocks: [],
    letters: 0,
    texts: [],
    isTyped: false,
    hidden: [],
    mayNeedOcr: true,
    isGarbled: false,
    isUnread: true,
    headings: [],
  }
}
