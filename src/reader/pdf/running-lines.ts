// Drops running headers and footers: short lines in the top or bottom band that come back page after page, and page
// numbers. Counted over the whole document (liteparse sees only a batch); the first of each stays, it may name the company.

import type { Block } from '../block.ts'

export interface PlacedPage {
  number: number
  height: number
  blocks: Block[]
}

// Share of the page's height at its top and at its bottom where such lines live.
const BAND = 0.1
const MOST_CHARACTERS = 200
const LEAST_PAGES = 3
const LEAST_SHARE = 0.25
// So many pages with the same line make it one, however long the document: "Notes to the statements (continued)".
const ENOUGH_PAGES = 8
// A line that says the number of its page needs no more.
const LEAST_NUMBERED = 2
// A title set larger reaches further down.
const HEADING_BAND = 0.14
const numeral = String.raw`(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]{1,2}-\d{1,3})`
const pageNumber = new RegExp(
  String.raw`^[-–—\s|]*(?:(?:page|p\.|seite|página|pagina)\s*)?${numeral}(?:\s*(?:of|\/|von|de|sur|di)\s*\d{1,4})?[-–—\s|.]*$`,
  'i',
)

// "Page 3 of 12" within a line; the second number is the count of pages.
const pageOf =
  /(?:\b(?:page|p\.|seite|página|pagina|pág\.|blatt)\s*|第\s*)(\d{1,5})(?:\s*(?:of|\/|von|de|sur|di)\s*(\d{1,5})|\s*[页頁])?|(?<![\d/.])(\d{1,5})\s*(?:of|\/|von|de|sur|di)\s*(\d{1,5})(?![\d/.])/iu

/** Where a line says the number of its page: "Page 3 of 12", or "3 / 12" when there are twelve. */
export function pageNumberIn(text: string, number: number, count: number): RegExpExecArray | undefined {
  const match = pageOf.exec(text) ?? undefined
  const [, named, ofNamed, bare, ofBare] = match ?? []
  const isOwn = Number(named ?? bare) === number
  const whole = ofNamed ?? ofBare
  return isOwn && (named !== undefined || Number(whole) === count) ? match : undefined
}

/** On how many of a document's pages a line comes back that is a running line. */
export const leastPages = (count: number): number =>
  Math.max(LEAST_PAGES, Math.min(ENOUGH_PAGES, count * LEAST_SHARE))

/** Takes running lines out of the pages' blocks, in place. A document of one page has none. */
export function dropRunningLines(pages: readonly PlacedPage[]): void {
  if (pages.length < 2) return
  const seen = countLines(pages)
  const least = leastPages(pages.length)
  const kept = new Set<string>()
  for (const page of pages) {
    const left = page.blocks.filter((block) => {
      const key = keyOf(block, page.height)
      if (key === undefined) return true
      if (pageNumber.test(block.text.trim())) return false
      const phrase = pageNumberIn(block.text, page.number, pages.length)
      if ((seen.get(key) ?? 0) < (phrase === undefined ? least : LEAST_NUMBERED)) return true
      if (kept.has(key)) return false
      kept.add(key)
      if (phrase !== undefined) block.text = withoutNumber(block.text, phrase)
      return true
    })
    // A page with nothing else keeps its lines: no page with text may be missing from the document.
    if (left.length > 0) page.blocks = left
  }
}

function countLines(pages: readonly PlacedPage[]): Map<string, number> {
  const seen = new Map<string, number>()
  for (const page of pages) {
    for (const key of new Set(page.blocks.flatMap((block) => keyOf(block, page.height) ?? []))) {
      seen.set(key, (seen.get(key) ?? 0) + 1)
    }
  }
  return seen
}

/** A kept line without the number of the page it was kept on, nor what parted them. */
function withoutNumber(text: string, phrase: RegExpExecArray): string {
  const before = text.slice(0, phrase.index).replace(/[\s|·•–—-]+$/u, '')
  const after = text.slice(phrase.index + phrase[0].length).replace(/^[\s|·•–—-]+/u, '')
  return [before, after].filter(Boolean).join(' ') || text
}

/** What makes two lines the same line on two pages: band and text, digits aside. */
function keyOf(block: Block, height: number): string | undefined {
  if (block.bbox === undefined || block.kind === 'table' || block.text.length > MOST_CHARACTERS)
    return undefined
  const isTitle = block.kind === 'heading' && block.bbox[1] <= height * BAND
  const top = block.bbox[3] <= height * (isTitle ? HEADING_BAND : BAND)
  const bottom = block.bbox[1] >= height * (1 - BAND)
  if (!top && !bottom) return undefined
  const text = block.text.toLowerCase().replace(/\s+/g, ' ').trim()
  // "Chapter 2" is another title than "Chapter 1".
  return `${top ? 'top' : 'bottom'} ${isTitle ? text : text.replace(/\d+/g, '#')}`
}
