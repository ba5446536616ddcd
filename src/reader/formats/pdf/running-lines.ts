// Removes running headers and footers: short lines at the top or bottom that are repeated on page after page, and page numbers.
// liteparse can remove them too, but it sees only a batch of pages. So this is turned off there (`keepHeadersFooters`), and the
// lines are counted here over the whole document. The first occurrence of each line is kept, because it may contain the name of the
// company.

import type { Block } from '../../block.ts'
import { union } from '../../shared/page/layout/boxes.ts'
import { BASELINE } from '../../shared/page/tolerance.ts'

export interface PlacedPage {
  number: number
  height: number
  blocks: Block[]
}

// Running lines are within this share of the page's height at its top and bottom.
const EDGE_BAND = 0.1
const MAX_CHARACTERS = 200
// A running line is on this share of all pages, but on at least this many. MAX_REQUIRED_PAGES are always enough.
const MIN_PAGES = 3
const MIN_PAGE_SHARE = 0.25
// A line on this many pages is a running line, however long the document is: "Notes to the statements (continued)".
const MAX_REQUIRED_PAGES = 8
// A line that states the number of its page is a running line on this many pages.
const MIN_PAGES_WITH_STATED_NUMBER = 2
// The band at the top for headings, whose larger type extends further down.
const HEADING_BAND = 0.14
const NUMERAL = String.raw`(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]{1,2}-\d{1,3})`
// Matches a line that is only a page number: `- 12 -`, `Page 3 of 12`, `iv`, `A-5`.
const PAGE_NUMBER_LINE = new RegExp(
  String.raw`^[-–—\s|]*(?:(?:page|p\.|seite|página|pagina)\s*)?${NUMERAL}(?:\s*(?:of|\/|von|de|sur|di)\s*\d{1,4})?[-–—\s|.]*$`,
  'i',
)

// Matches `Page 3 of 12`, `第3页` or `3 / 12` within a line. The second number is the number of pages.
const PAGE_NUMBER_PHRASE =
  /(?:\b(?:page|p\.|seite|página|pagina|pág\.|blatt)\s*|第\s*)(\d{1,5})(?:\s*(?:of|\/|von|de|sur|di)\s*(\d{1,5})|\s*[页頁])?|(?<![\d/.])(\d{1,5})\s*(?:of|\/|von|de|sur|di)\s*(\d{1,5})(?![\d/.])/iu

/** Where a line states the number of its page: "Page 3 of 12", or "3 / 12" if there are twelve. */
function pageNumberIn(text: string, number: number, count: number): RegExpExecArray | undefined {
  const match = PAGE_NUMBER_PHRASE.exec(text) ?? undefined
  const [, labelledNumber, labelledTotal, bareNumber, bareTotal] = match ?? []
  const isPageNumber = Number(labelledNumber ?? bareNumber) === number
  const total = labelledTotal ?? bareTotal
  return isPageNumber && (labelledNumber !== undefined || Number(total) === count) ? match : undefined
}

/** The minimum number of pages on which a running line occurs. */
const minRunningPages = (count: number): number =>
  Math.max(MIN_PAGES, Math.min(MAX_REQUIRED_PAGES, count * MIN_PAGE_SHARE))

/** Removes running lines from the pages' blocks, in place. A document of one page has none. */
export function dropRunningLines(pages: readonly PlacedPage[]): void {
  if (pages.length < 2) return
  const lineCounts = countLines(pages)
  const minPages = minRunningPages(pages.length)
  const firstOccurrences = new Set<string>()
  for (const page of pages) {
    const remainingBlocks = page.blocks.filter((block) => {
      const key = keyOf(block, page.height)
      if (key === undefined) return true
      if (PAGE_NUMBER_LINE.test(block.text.trim())) return false
      const numberPhrase = pageNumberIn(block.text, page.number, pages.length)
      const line = lineCounts.get(key)
      if (
        (line?.pages ?? 0) < (numberPhrase === undefined ? minPages : MIN_PAGES_WITH_STATED_NUMBER) ||
        hasChangingValues(line)
      )
        return true
      if (firstOccurrences.has(key)) return false
      firstOccurrences.add(key)
      if (numberPhrase !== undefined) block.text = withoutPhrase(block.text, numberPhrase)
      return true
    })
    // A page with only running lines keeps them, because no page with text may be lost.
    if (remainingBlocks.length > 0) page.blocks = remainingBlocks
  }
}

interface LineCount {
  pages: number
  /** For each number in the line, from left to right: the different values that it has on the pages. */
  numbers: Set<string>[]
}

function countLines(pages: readonly PlacedPage[]): Map<string, LineCount> {
  const lineCounts = new Map<string, LineCount>()
  for (const page of pages) {
    const lines = page.blocks.flatMap((block): [string, string][] => {
      const key = keyOf(block, page.height)
      return key === undefined ? [] : [[key, block.text]]
    })
    for (const [key, text] of new Map(lines)) {
      const line = lineCounts.get(key) ?? { pages: 0, numbers: [] }
      line.pages++
      for (const [i, [number]] of [...text.matchAll(/\d+/g)].entries()) {
        line.numbers[i] ??= new Set()
        line.numbers[i].add(number)
      }
      lineCounts.set(key, line)
    }
  }
  return lineCounts
}

// The page number, and one number that increases with it.
const MAX_CHANGING_NUMBERS = 2

/** Whether too many numbers of the line change from page to page, as the values of a form, a payslip or a statement do. */
const hasChangingValues = (line: LineCount | undefined): boolean =>
  (line?.numbers ?? []).filter(({ size }) => size > 1).length > MAX_CHANGING_NUMBERS

/** The text of a line without its page number and the separator before or after it. */
function withoutPhrase(text: string, phrase: RegExpExecArray): string {
  const textBefore = text.slice(0, phrase.index).replace(/[\s|·•–—-]+$/u, '')
  const textAfter = text.slice(phrase.index + phrase[0].length).replace(/^[\s|·•–—-]+/u, '')
  return [textBefore, textAfter].filter(Boolean).join(' ') || text
}

/** The key of a running line: its band and its text without digits. Lines with the same key are the same running line. */
function keyOf(block: Block, height: number): string | undefined {
  if (block.bbox === undefined || block.kind === 'table' || block.text.length > MAX_CHARACTERS)
    return undefined
  const isTitle = block.kind === 'heading' && block.bbox[1] <= height * EDGE_BAND
  const isAtTop = block.bbox[3] <= height * (isTitle ? HEADING_BAND : EDGE_BAND)
  const isAtBottom = block.bbox[1] >= height * (1 - EDGE_BAND)
  if (!isAtTop && !isAtBottom) return undefined
  const text = block.text.toLowerCase().replace(/\s+/g, ' ').trim()
  // "Chapter 2" and "Chapter 1" are two different titles.
  return `${isAtTop ? 'top' : 'bottom'} ${isTitle ? text : text.replace(/\d+/g, '#')}`
}

// Headers and footers away from the page's edges. For example, the footer of a page printed from the web is right below its
// text. The first or last line of a page is a running line if a number in it increases with the pages, or if it is repeated
// letter by letter at the same position with space between it and the text. Lines within the page are text, however often they
// are repeated.

type Side = 'top' | 'bottom'

interface OutermostLine {
  page: PlacedPage
  side: Side
  blocks: Block[]
  text: string
  /** The distance to the page's edge in points. */
  distance: number
  /** The distance to the next text in line heights. */
  gap: number
  height: number
}

/** A number in a line that may be the page number. */
interface LineNumber {
  /** The line without this number. */
  key: string
  /** The number minus the number of the page. */
  offset: number
  /** The position of the number in the text. */
  index: number
  length: number
}

// The minimum number of pages on which a number increases. Two are enough if another line has the same difference between its
// number and the page number on enough pages.
const MIN_COUNTED_PAGES = 3
const MIN_PAGES_OF_SAME_COUNT = 2
// The minimum gap to the text in line heights. A heading and the name of a table are nearer to their text.
const MIN_GAP_TO_TEXT = 1
// A header may have two lines of text and a third one with the page number.
const MAX_LINES = 3
// A number that is not part of a date, an amount or a larger number, and that does not identify something.
const NUMBER = /(?<![\p{L}\d.,/:$€£]|(?:\bn[or°]\.?|№|#)\s*)\d{1,4}(?![\p{L}\d%:/]|[.,]\d)/giu
// Before a page number: a word for page, the beginning of the line, or a separator. After it: a separator.
const PAGE_WORD = /(?:page|p\.|seite|página|pagina|pág\.|blatt)\s*$/iu
const BEFORE_NUMBER = /(?:^|[|·•–—-])\s*$/u
const AFTER_NUMBER = /^\s*[|·•–—-]/u

/**
 * Removes running lines at the edges of the pages' text, in place. The first occurrence of each line is kept without its
 * number.
 */
export function dropOutermostRunningLines(pages: readonly PlacedPage[]): void {
  if (pages.length < MIN_COUNTED_PAGES) return
  const handledBlocks = new Set<Block>()
  const firstOccurrences = new Set<string>()
  for (let i = 0; i < MAX_LINES; i++) {
    const lines = pages.flatMap((page) =>
      (['top', 'bottom'] as const).flatMap((side) => outermostLine(page, side, handledBlocks)),
    )
    const increasingNumberOf = pageNumberFinder(lines, pages.length)
    const isRepeated = repeatedLineTest(lines, minRunningPages(pages.length))
    const matches = lines.flatMap((line) => {
      const number = increasingNumberOf(line)
      return number !== undefined || isRepeated(line) ? [{ line, number }] : []
    })
    for (const { line, number } of matches) dropLine(line, number, firstOccurrences, handledBlocks)
    if (matches.length === 0) return
  }
}

/**
 * The outermost line that was not handled yet, with all its blocks, in an array. Empty if there is none, if a block of it is a
 * table, or if it is too long.
 */
function outermostLine(page: PlacedPage, side: Side, handledBlocks: ReadonlySet<Block>): OutermostLine[] {
  const candidates = page.blocks.filter((block) => block.bbox !== undefined && !handledBlocks.has(block))
  const edge = ({ bbox = [0, 0, 0, 0] }: Block): number => (side === 'top' ? bbox[1] : page.height - bbox[3])
  const [first] = [...candidates].sort((a, b) => edge(a) - edge(b))
  const box = first?.bbox
  if (first === undefined || box === undefined) return []
  const sharesLine = ({ bbox = box }: Block): boolean =>
    Math.min(bbox[3], box[3]) - Math.max(bbox[1], box[1]) > Math.min(bbox[3] - bbox[1], box[3] - box[1]) / 2
  const blocks = candidates.filter(sharesLine).sort((a, b) => (a.bbox?.[0] ?? 0) - (b.bbox?.[0] ?? 0))
  const text = blocks.map((block) => block.text).join(' ')
  if (text.length > MAX_CHARACTERS || blocks.some(({ kind }) => kind === 'table')) return []
  const lineBox = blocks.map(({ bbox = box }) => bbox).reduce(union)
  const [top, bottom] = [lineBox[1], lineBox[3]]
  const others = candidates.filter((block) => !blocks.includes(block))
  const gaps = others.map(({ bbox = box }) => (side === 'top' ? bbox[1] - bottom : top - bbox[3]))
  return [
    {
      page,
      side,
      blocks,
      text,
      distance: edge(first),
      gap: Math.min(...gaps) / (bottom - top),
      height: bottom - top,
    },
  ]
}

/** Returns a function that finds the number of a line that increases with the pages. */
function pageNumberFinder(
  lines: readonly OutermostLine[],
  count: number,
): (line: OutermostLine) => LineNumber | undefined {
  const pagesById = new Map<string, Set<number>>()
  for (const line of lines)
    for (const { key, offset } of numbersOf(line, count)) {
      const id = `${offset} ${key}`
      pagesById.set(id, (pagesById.get(id) ?? new Set()).add(line.page.number))
    }
  const establishedOffsets = new Set(
    [...pagesById]
      .filter(([, pagesOfKey]) => pagesOfKey.size >= MIN_COUNTED_PAGES)
      .map(([id]) => id.split(' ', 1)[0]),
  )
  return (line) =>
    numbersOf(line, count).find(({ key, offset }) => {
      const minCount = establishedOffsets.has(String(offset)) ? MIN_PAGES_OF_SAME_COUNT : MIN_COUNTED_PAGES
      return (pagesById.get(`${offset} ${key}`)?.size ?? 0) >= minCount
    })
}

/** The numbers of a line that may be page numbers. The key of each is the line without it. */
function numbersOf({ text, side, page }: OutermostLine, count: number): LineNumber[] {
  const phrase = pageNumberIn(text, page.number, count)
  if (phrase !== undefined) {
    const [index, length] = [phrase.index, phrase[0].length]
    return [
      { key: `${side} ${text.slice(0, index)}#${text.slice(index + length)}`, offset: 0, index, length },
    ]
  }
  return [...text.matchAll(NUMBER)].flatMap((match) => {
    const [textBefore, textAfter] = [text.slice(0, match.index), text.slice(match.index + match[0].length)]
    const isApart =
      BEFORE_NUMBER.test(textBefore) || PAGE_WORD.test(textBefore) || AFTER_NUMBER.test(textAfter)
    // A number at the end of a line counts only at the bottom, where a section's name may come before the page number. At the top
    // it may belong to a title ("Lesson 3").
    const isLast = side === 'bottom' && textAfter.trim() === '' && Number(match[0]) <= count
    if (!isApart && !isLast) return []
    const key = `${side} ${textBefore}#${textAfter}`.toLowerCase()
    return [{ key, offset: Number(match[0]) - page.number, index: match.index, length: match[0].length }]
  })
}

/** Returns a function that decides whether a line is repeated at its position, separate from the text, on enough pages. */
function repeatedLineTest(
  lines: readonly OutermostLine[],
  minCount: number,
): (line: OutermostLine) => boolean {
  const lineKey = ({ side, text }: OutermostLine): string => `${side} ${text}`
  const distancesByLine = new Map<string, number[]>()
  for (const line of lines.filter(({ gap }) => gap > MIN_GAP_TO_TEXT))
    distancesByLine.set(lineKey(line), [...(distancesByLine.get(lineKey(line)) ?? []), line.distance])
  return (line) => {
    const linesAtHeight =
      distancesByLine
        .get(lineKey(line))
        ?.filter((distance) => Math.abs(distance - line.distance) < line.height * BASELINE) ?? []
    return line.gap > MIN_GAP_TO_TEXT && linesAtHeight.length >= minCount
  }
}

/** Removes the line from its page. Its first occurrence in the document is kept without the page number. */
function dropLine(
  { page, blocks, text }: OutermostLine,
  number: LineNumber | undefined,
  firstOccurrences: Set<string>,
  handledBlocks: Set<Block>,
): void {
  const remainingBlocks = page.blocks.filter((block) => !blocks.includes(block))
  for (const block of blocks) handledBlocks.add(block)
  const remainingText = number === undefined ? text : withoutPageNumber(text, number)
  const key = remainingText.toLowerCase()
  // A page with nothing else keeps its lines.
  if (remainingBlocks.length === 0 || (remainingText !== '' && !firstOccurrences.has(key))) {
    firstOccurrences.add(key)
    const [first, ...others] = blocks
    if (first === undefined || remainingBlocks.length === 0) return
    first.text = remainingText
    page.blocks = page.blocks.filter((block) => !others.includes(block))
    return
  }
  page.blocks = remainingBlocks
}

function withoutPageNumber(text: string, { index, length }: LineNumber): string {
  const textBefore = text
    .slice(0, index)
    .replace(PAGE_WORD, '')
    .replace(/[\s|·•–—-]+$/u, '')
  const textAfter = text.slice(index + length).replace(/^[\s|·•–—-]+/u, '')
  return [textBefore, textAfter].filter(Boolean).join(' ')
}
