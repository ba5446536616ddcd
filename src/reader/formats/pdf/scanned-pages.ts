// Reads pages of a PDF with little or no text: empty pages, pages that liteparse cannot read, and scans that need OCR.

import { type BBox, type Block, type ScanRound, UnreadableFile } from '../../block.ts'
import { roundOf } from '../../scratch.ts'
import type { PageSeries } from '../../shared/ocr/render-page.ts'
import { liteparseOptions } from '../../shared/page/liteparse-options.ts'
import type { ParseTask, Report } from '../../task.ts'
import { looksGarbled } from './glyphs/garbled.ts'
import type { SizedHeading } from './heading-levels.ts'
import type { PlacedPage } from './running-lines.ts'

/** A page with fewer letters may have only a stamp that a scanner or a records office prints over a full-page scan. */
export const STAMP_LETTERS = 250
// Fewer characters are a page number, not lost text. Such pages are not read by the other libraries, because that takes seconds.
const MIN_LOST_CHARACTERS = 5

export interface PdfPage extends PlacedPage {
  width: number
  /** The number of letters and digits in its blocks. */
  letters: number
  /** The positions of its text, only filled for pages with little text. */
  texts: BBox[]
  /** Whether somebody typed text onto the page with a viewer. */
  isTyped: boolean
  /** The text of the page that nobody sees. */
  hidden: Block[]
  /** Whether the page has little or garbled text, so that it may need OCR. */
  mayNeedOcr: boolean
  /** Whether the page's letters form no words of any language. */
  isGarbled: boolean
  /** Whether liteparse could not read the page. */
  isUnread: boolean
  /** Whether the blocks were found by recognition. */
  recognised?: boolean
  headings: SizedHeading[]
}

// The progress of a page that was read but may still need OCR, as a share of a finished page.
const READ_SHARE = 0.02

/** The progress, 0 to 1, when these pages were read. @param pageCount the number of pages of the document */
export function progressOf(pages: readonly PdfPage[], pageCount: number): number {
  const finishedCount = pages.filter(({ mayNeedOcr }) => !mayNeedOcr).length
  return (READ_SHARE * pages.length + (1 - READ_SHARE) * finishedCount) / pageCount
}

/**
 * Reads pages with other libraries if liteparse could not read them, or found nothing although PDFium counts characters on them.
 * This takes 3 s for a report of 72 pages.
 */
export async function readUnread(path: string, pages: readonly PdfPage[]): Promise<void> {
  // Other libraries would also return text that was removed as hidden.
  const emptyPages = pages.filter(({ letters, hidden }) => letters === 0 && hidden.length === 0)
  const pagesWithLostText = await pagesWithCharacters(
    path,
    emptyPages.filter(({ isUnread }) => !isUnread),
  )
  const pagesToRead = emptyPages.filter(({ isUnread, number }) => isUnread || pagesWithLostText.has(number))
  if (pagesToRead.length === 0) return
  const { readByOtherLibraries } = await import('./fallback.ts')
  const readBlocks = await readByOtherLibraries(
    path,
    pagesToRead.map((page) => page.number),
  )
  for (const page of pagesToRead) {
    page.blocks = readBlocks.get(page.number) ?? []
    page.isGarbled = looksGarbled(page.blocks.map(({ text }) => text).join('\n'))
    page.mayNeedOcr = page.blocks.length === 0 || page.isGarbled
  }
}

/**
 * The numbers of the pages on which PDFium counts characters. It is not called for all pages, because that would take a quarter
 * of the time of a document.
 */
async function pagesWithCharacters(path: string, pages: readonly PdfPage[]): Promise<Set<number>> {
  if (pages.length === 0) return new Set()
  const { LiteParse } = await import('@llamaindex/liteparse')
  const targetPages = pages.map((page) => page.number).join(',')
  const parser = new LiteParse({
    ...liteparseOptions,
    extractBlocks: false,
    includeComplexity: true,
    targetPages,
  })
  const layouts = (await parser.parse(path)).pages
  const candidates = layouts.filter(({ complexity }) => (complexity?.textLength ?? 0) >= MIN_LOST_CHARACTERS)
  return new Set(candidates.map(({ pageNum }) => pageNum))
}

/** Recognises the pages that may need OCR and show more than their text, as many as fit into the round. */
export async function recognise(
  task: ParseTask,
  path: string,
  pages: readonly PdfPage[],
  report: Report,
): Promise<{ warnings: string[]; unfinished?: ScanRound }> {
  const candidates = pages.filter((page) => page.mayNeedOcr)
  if (candidates.length === 0) return { warnings: [] }
  const { recognisePages, pageWarning, warningsOf } = await import('../../shared/ocr/recognise-pages.ts')
  const onShare = (share: number): void =>
    report({
      share: 1 - ((1 - READ_SHARE) * (1 - share) * candidates.length) / pages.length,
      pages: pages.length,
      ocrPages: candidates.length,
    })
  const recognition = await recognisePages(
    path,
    await pagesToRecognise(path, candidates),
    onShare,
    await roundOf(task),
  )
  if (recognition.unfinished) return { warnings: [], unfinished: recognition.unfinished }
  const nonEmptyPages = candidates.filter(({ number }) => !recognition.empty.includes(number))
  for (const page of nonEmptyPages) {
    const isGuess = page.isGarbled && recognition.doubtful.includes(page.number)
    const blocks = isGuess
      ? page.blocks
      : ownAndRecognised(page, recognition.blocksByPage.get(page.number) ?? [])
    if (blocks === page.blocks) continue
    page.blocks = blocks
    page.recognised = true
  }
  // The stamp on a scan does not count as text. Garbled text does, because it is better than none.
  const scans = new Set(nonEmptyPages.filter(({ letters }) => letters < STAMP_LETTERS))
  const failure = recognition.isOnlyNoise ? new UnreadableFile('unrecognised') : recognition.lostError
  const isWithoutText = (page: PdfPage): boolean => scans.has(page) || page.blocks.length === 0
  if (failure && pages.every((page) => isWithoutText(page) && !page.isTyped)) throw failure
  const wordlessPages = pages.filter(
    ({ number, blocks }) => blocks.length === 0 && recognition.wordless.includes(number),
  )
  const emptyPageWarnings = pageWarning(
    wordlessPages.map(({ number }) => number),
    (pageList) => `No text was found on ${pageList}, though something is drawn there.`,
  )
  return { warnings: [...warningsOf(recognition), ...emptyPageWarnings] }
}

/**
 * The pages that show more than their text. Each page is drawn only when its turn comes, so that the journal of the round shows
 * which page crashed the parser.
 */
async function pagesToRecognise(path: string, pages: readonly PdfPage[]): Promise<PageSeries> {
  const { pdfPages } = await import('./scan-sizes.ts')
  const series = await pdfPages(path, pages)
  const pageByNumber = new Map(pages.map((page) => [page.number, page]))
  return {
    ...series,
    open: async (number) => {
      const page = pageByNumber.get(number)
      return page && (await showsMore(path, page)) ? series.open(number) : undefined
    },
  }
}

// The next part decides whether a page needs OCR: it draws the page and compares the drawing with the positions of its text.

// The minimum number of cells that look like letters. Of 36 born-digital pages with little text, those without a picture have
// two at most. A line of 60 letters has 24, scanned pages have 57 to 1,500.
const MIN_CELLS = 5
// The minimum number of such cells beside the text of a page. A mark, a logo or a signature has fewer cells.
const MIN_CELLS_BESIDE_TEXT = 20
// On a page with fewer letters, which may be a page number, a picture of this share of the page's area is the page itself.
const MAX_PAGE_NUMBER_LETTERS = 40
const MAX_PICTURE_SHARE = 0.3

interface SparsePage {
  number: number
  width: number
  height: number
  letters: number
  /** The positions of its text. */
  texts: readonly BBox[]
  isGarbled: boolean
}

/** Whether a page with little or garbled text needs OCR. Takes 10 to 30 ms. */
async function showsMore(path: string, page: SparsePage): Promise<boolean> {
  const { number, letters, texts } = page
  if (page.isGarbled) return true
  const { countUnreadCells } = await import('./page-ink.ts')
  // A page that cannot be drawn is reported as damaged.
  if (letters === 0) return ((await countUnreadCells(path, number, [])) ?? MIN_CELLS) >= MIN_CELLS
  const showsLetters = async (boxes: readonly BBox[]): Promise<boolean> =>
    ((await countUnreadCells(path, number, boxes)) ?? 0) >= MIN_CELLS_BESIDE_TEXT
  if (!(await showsLetters(texts))) return false
  const pictures = await picturesOn(path, page)
  return pictures.length === 0 || showsLetters([...texts, ...pictures])
}

/** The positions of pictures that are read separately, later. A picture that fills the page is not included. */
async function picturesOn(path: string, { number, width, height, letters }: SparsePage): Promise<BBox[]> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const options = { imageMode: 'off', extractImages: true, targetPages: String(number) } as const
  const { images } = await new LiteParse({ ...options, quiet: true, ocrEnabled: false }).parse(path)
  const maxArea = letters < MAX_PAGE_NUMBER_LETTERS ? width * height * MAX_PICTURE_SHARE : Infinity
  const boxes = images.map(({ bbox }) => bbox).filter((box) => box.width * box.height < maxArea)
  return boxes.map((box) => [box.x, box.y, box.x + box.width, box.y + box.height])
}

// The last part chooses between a page's own text and its OCR text.

// Two texts with this share of words in common are one text, read twice.
const MIN_SHARED_WORDS = 0.6
// OCR text must be longer by this factor. Otherwise the extra text is labels of a drawing, or the same text recognised less
// well.
const MIN_LENGTH_RATIO = 1.5
// If OCR text is much shorter than the garbled text, it has missed most of the page.
const MIN_LENGTH_SHARE = 0.5

interface OwnText {
  blocks: Block[]
  /** Whether the page's own letters form no words. */
  isGarbled: boolean
}

/**
 * The blocks of a page of which some text was recognised. If OCR found much more text, it comes first, followed by the page's own
 * blocks that it lacks. If the page's own letters are garbled and not what the page shows, the recognised text replaces them.
 * Otherwise the page's own blocks are kept.
 */
export function ownAndRecognised({ blocks: ownBlocks, isGarbled }: OwnText, recognised: Block[]): Block[] {
  if (recognised.length === 0) return ownBlocks
  if (ownBlocks.length === 0) return recognised
  const [ownText, recognisedWords] = [wordsOf(ownBlocks), wordsOf(recognised)]
  if (isGarbled && sharedShare(ownText, recognisedWords) < MIN_SHARED_WORDS)
    return lengthOf(recognisedWords) < lengthOf(ownText) * MIN_LENGTH_SHARE ? ownBlocks : recognised
  if (lengthOf(recognisedWords) < lengthOf(ownText) * MIN_LENGTH_RATIO) return ownBlocks
  return [
    ...recognised,
    ...ownBlocks.filter((block) => sharedShare(wordsOf([block]), recognisedWords) < MIN_SHARED_WORDS),
  ]
}

const wordsOf = (blocks: readonly Block[]): string[] =>
  blocks.flatMap(({ text }) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

const lengthOf = (words: readonly string[]): number => words.reduce((sum, word) => sum + word.length, 0)

/** The share of the words that are also among the others, 0 to 1, weighted by their length. */
function sharedShare(words: readonly string[], others: readonly string[]): number {
  const otherWords = new Set(others)
  const totalLength = lengthOf(words)
  return totalLength === 0 ? 1 : lengthOf(words.filter((word) => otherWords.has(word))) / totalLength
}
