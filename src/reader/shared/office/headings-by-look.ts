// Headings of documents written without heading styles: short lines that stand alone and are bold, larger than the
// text, or typed in capitals like a title ("A. PURPOSE", or "RECITALS" centred). Used only where styles and outline
// levels name no headings.

import type { Block } from '../../block.ts'

/** How a whole paragraph is formatted. */
export interface Look {
  bold: boolean
  /** Half points, the smallest in the paragraph. */
  size: number
  centred: boolean
}

// Word's default when a document sets no size.
const PLAIN_SIZE = 20
const MAX_CHARACTERS = 100
const MAX_WORDS = 14
// Smaller differences come from the choice of font.
const LARGER = 1.15
// Three in a row are an address, a list of names or a title page.
const MAX_IN_A_ROW = 2
// When more than this share of paragraphs, items and tables are bold lines, bold means something else.
const MAX_SHARE = 0.5
const TITLE_SIZE = 1.5
const COVER_BLOCKS = 12
const MAX_TITLE_CHARACTERS = 120
const LOWEST_LEVEL = 4
const NUMBERED =
  /^(?:(?:CHAPTER|ARTICLE|SECTION|PART|ANNEX|APPENDIX|SCHEDULE|EXHIBIT) [\dA-Z]+|[A-Z]|[IVX]+|\d+(?:\.\d+)*)(?:[.):]|\s*[-–—]|\b(?=\t))\s/u

const COUNTED = /^([A-Z]|[IVX]+|\d+(?:\.\d+)*)(?:[.):]|\s*[-–—]|\b(?=\t))\s/u

/**
 * Whether a line names a section ("B. ROLE OF THE MASTER") or a person ("J. SMITH"), so cannot be the document's title.
 */
export const isNumbered = ({ text }: Block): boolean => NUMBERED.test(text)

/** Turns paragraphs that look like headings into headings, in place. Only paragraphs with an entry in `looks` count. */
export function promoteHeadings(blocks: Block[], looks: ReadonlyMap<Block, Look>): void {
  const styled = blocks.filter(({ kind }) => kind === 'heading')
  // A single heading at the beginning is the title and gives no structure.
  if (styled.length > 1 || (styled.length === 1 && blocks.indexOf(styled[0] as Block) > 2)) return
  const body = bodySize(looks)
  const promoted = headingLikeBlocks(blocks, looks, body)
  if (promoted.length === 0 || promoted.length > (looks.size + countOtherBlocks(blocks)) * MAX_SHARE) return
  const ranks = [...new Set(promoted.map((block) => rankOf(looks.get(block), body)))].sort((a, b) => b - a)
  for (const block of promoted) {
    const rank = ranks.indexOf(rankOf(looks.get(block), body))
    block.kind = 'heading'
    block.text = block.text.replaceAll('\t', ' ')
    block.level = Math.min(LOWEST_LEVEL, rank + 1 + styled.length)
  }
}

/** The items of lists and the tables: a document of short lists has few other paragraphs beside its headings. */
const countOtherBlocks = (blocks: readonly Block[]): number =>
  blocks.reduce(
    (sum, { kind, text }) => sum + (kind === 'list' ? text.split('\n').length : kind === 'table' ? 1 : 0),
    0,
  )

/** The title on a cover page: the lines in the largest type near the beginning, before any styled heading. */
export function coverTitle(blocks: readonly Block[], looks: ReadonlyMap<Block, Look>): string | undefined {
  const styled = blocks.findIndex((block) => block.kind === 'heading' && !looks.has(block))
  const cover = blocks.slice(0, styled === -1 ? COVER_BLOCKS : Math.min(styled, COVER_BLOCKS))
  const sizeOf = (block: Block): number => looks.get(block)?.size ?? 0
  const largest = Math.max(0, ...cover.map(sizeOf))
  if (largest < bodySize(looks) * TITLE_SIZE) return undefined
  const from = cover.findIndex((block) => sizeOf(block) === largest)
  const end = cover.findIndex((block, i) => i > from && sizeOf(block) !== largest)
  const lines = cover.slice(from, end === -1 ? cover.length : end).map(({ text }) => text)
  const title = lines.join(' ').replace(/\s+/g, ' ')
  return title.length > MAX_TITLE_CHARACTERS || /[.,;:!…]$/.test(title) ? undefined : title
}

/** The size of most characters. */
function bodySize(looks: ReadonlyMap<Block, Look>): number {
  const characters = new Map<number, number>()
  for (const [{ text }, { size }] of looks) characters.set(size, (characters.get(size) ?? 0) + text.length)
  const [most] = [...characters].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? PLAIN_SIZE
}

/**
 * Larger type ranks higher; bold lines in the size of the text rank below all larger ones, lines in capitals below
 * those.
 */
function rankOf(look: Look | undefined, body: number): number {
  const size = Math.max(look?.size ?? body, body)
  return look?.bold || size >= body * LARGER ? size : size - 0.5
}

/** Lines that look like headings, have text below them, and are alone or in pairs. */
function headingLikeBlocks(blocks: readonly Block[], looks: ReadonlyMap<Block, Look>, body: number): Block[] {
  const headings: Block[] = []
  let row: Block[] = []
  for (const block of blocks) {
    const isLikeHeading = isHeadingLike(block, looks.get(block), body)
    const last = row.at(-1)
    const hasSameRank = last && rankOf(looks.get(last), body) === rankOf(looks.get(block), body)
    if (!isLikeHeading || !hasSameRank) {
      if (row.length <= MAX_IN_A_ROW && !isCounting(row)) headings.push(...row)
      row = []
    }
    if (isLikeHeading) row.push(block)
  }
  return headings
}

/** Two consecutive numbers with nothing in between are a list: "1. MILK", "2. BREAD". */
const isCounting = ([first, second]: readonly Block[]): boolean =>
  first !== undefined &&
  second !== undefined &&
  countsOf(first).some((count) => countsOf(second).some(follows(count)))

/** A position in a sequence: 3 in the letters for "C.", 2 below "4." for "4.2". */
interface Count {
  sequence: string
  at: number
}

const follows =
  ({ sequence, at }: Count) =>
  (next: Count): boolean =>
    next.sequence === sequence && next.at === at + 1

/** The positions that a line's number may mean: "I." is a letter or a Roman numeral. */
function countsOf({ text }: Block): Count[] {
  const label = COUNTED.exec(text)?.[1]
  if (label === undefined) return []
  const parts = label.split('.')
  if (/^\d/.test(label)) return [{ sequence: parts.slice(0, -1).join('.'), at: Number(parts.at(-1)) }]
  const counts = label.length === 1 ? [{ sequence: 'letters', at: label.charCodeAt(0) }] : []
  return /^[IVX]+$/.test(label) ? [...counts, { sequence: 'roman', at: romanNumber(label) }] : counts
}

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 }

/** The value of a Roman numeral up to 39, well formed or not. */
export const romanNumber = (label: string): number =>
  [...label.toLowerCase()].reduce((sum, sign, i, all) => {
    const value = ROMAN[sign] ?? 0
    return sum + (value < (ROMAN[all[i + 1] ?? ''] ?? 0) ? -value : value)
  }, 0)

function isHeadingLike({ kind, text }: Block, look: Look | undefined, body: number): boolean {
  if (kind !== 'paragraph' || look === undefined) return false
  if (!look.bold && look.size < body * LARGER && !isTypedTitle(text, look)) return false
  if (look.size < body || text.length > MAX_CHARACTERS || text.split(/\s+/).length > MAX_WORDS) return false
  return /\p{L}{2}/u.test(text) && !/[\n]|[.,;:!?…]$/u.test(text)
}

/** Whether it is in capitals, and numbered or centred. "PAID" and "VIA FAX" are neither. */
const isTypedTitle = (text: string, { centred }: Look): boolean =>
  /\p{Lu}{4}/u.test(text) && !/\p{Ll}/u.test(text) && (centred || NUMBERED.test(text))
