// Finds headings in documents that were written without heading styles. These are short lines that stand alone and are bold,
// larger than the text, or typed in capitals like a title ("A. PURPOSE", or "RECITALS" centred). This is used only if styles
// and outline levels mark no headings.

import type { Block } from '../../block.ts'

/** How a whole paragraph is formatted. */
export interface Look {
  bold: boolean
  /** The smallest size of type in the paragraph, in half points. */
  size: number
  centred: boolean
}

// Word's default when a document sets no size.
const DEFAULT_SIZE = 20
const MAX_CHARACTERS = 100
const MAX_WORDS = 14
// Smaller differences come from the choice of font.
const MIN_LARGER_RATIO = 1.15
// More successive lines are an address, a list of names or a title page.
const MAX_SUCCESSIVE_LINES = 2
// If more than this share of paragraphs, items and tables would be headings, the look has another meaning.
const MAX_HEADING_SHARE = 0.5
const MIN_TITLE_RATIO = 1.5
const MAX_COVER_BLOCKS = 12
const MAX_TITLE_CHARACTERS = 120
const LOWEST_LEVEL = 4
const NUMBERED_LINE =
  /^(?:(?:CHAPTER|ARTICLE|SECTION|PART|ANNEX|APPENDIX|SCHEDULE|EXHIBIT) [\dA-Z]+|[A-Z]|[IVX]+|\d+(?:\.\d+)*)(?:[.):]|\s*[-–—]|\b(?=\t))\s/u

const COUNTED_LABEL = /^([A-Z]|[IVX]+|\d+(?:\.\d+)*)(?:[.):]|\s*[-–—]|\b(?=\t))\s/u

/**
 * Whether a line names a section ("B. ROLE OF THE MASTER") or a person ("J. SMITH"), so cannot be the document's title.
 */
export const isNumbered = ({ text }: Block): boolean => NUMBERED_LINE.test(text)

/** Turns paragraphs that look like headings into headings, in place. Only paragraphs with an entry in `looks` count. */
export function promoteHeadings(blocks: Block[], looks: ReadonlyMap<Block, Look>): void {
  const styled = blocks.filter(({ kind }) => kind === 'heading')
  // A single heading at the beginning is the title and gives no structure.
  if (styled.length > 1 || (styled.length === 1 && blocks.indexOf(styled[0] as Block) > 2)) return
  const body = bodySize(looks)
  const promoted = headingLikeBlocks(blocks, looks, body)
  if (promoted.length === 0 || promoted.length > (looks.size + countOtherBlocks(blocks)) * MAX_HEADING_SHARE)
    return
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
  const cover = blocks.slice(0, styled === -1 ? MAX_COVER_BLOCKS : Math.min(styled, MAX_COVER_BLOCKS))
  const sizeOf = (block: Block): number => looks.get(block)?.size ?? 0
  const largest = Math.max(0, ...cover.map(sizeOf))
  if (largest < bodySize(looks) * MIN_TITLE_RATIO) return undefined
  const from = cover.findIndex((block) => sizeOf(block) === largest)
  const end = cover.findIndex((block, i) => i > from && sizeOf(block) !== largest)
  const lines = cover.slice(from, end === -1 ? cover.length : end).map(({ text }) => text)
  const title = lines.join(' ').replace(/\s+/g, ' ')
  return title.length > MAX_TITLE_CHARACTERS || /[.,;:!…]$/.test(title) ? undefined : title
}

/** The size of type of most characters. */
function bodySize(looks: ReadonlyMap<Block, Look>): number {
  const characters = new Map<number, number>()
  for (const [{ text }, { size }] of looks) characters.set(size, (characters.get(size) ?? 0) + text.length)
  const [most] = [...characters].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? DEFAULT_SIZE
}

/**
 * The rank of a heading. Larger type ranks higher. Bold lines in the size of the text rank below all larger lines, and lines
 * in capitals below bold lines.
 */
function rankOf(look: Look | undefined, body: number): number {
  const size = Math.max(look?.size ?? body, body)
  return look?.bold || size >= body * MIN_LARGER_RATIO ? size : size - 0.5
}

/** Lines that look like headings, have text below them, and are alone or in pairs. */
function headingLikeBlocks(blocks: readonly Block[], looks: ReadonlyMap<Block, Look>, body: number): Block[] {
  const headings: Block[] = []
  let successive: Block[] = []
  for (const block of blocks) {
    const isLikeHeading = isHeadingLike(block, looks.get(block), body)
    const last = successive.at(-1)
    const hasSameRank = last && rankOf(looks.get(last), body) === rankOf(looks.get(block), body)
    if (!isLikeHeading || !hasSameRank) {
      if (successive.length <= MAX_SUCCESSIVE_LINES && !areCounted(successive)) headings.push(...successive)
      successive = []
    }
    if (isLikeHeading) successive.push(block)
  }
  return headings
}

/** Two consecutive numbers with nothing in between are a list: "1. MILK", "2. BREAD". */
const areCounted = ([first, second]: readonly Block[]): boolean =>
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
  const label = COUNTED_LABEL.exec(text)?.[1]
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
  if (!look.bold && look.size < body * MIN_LARGER_RATIO && !isTypedTitle(text, look)) return false
  if (look.size < body || text.length > MAX_CHARACTERS || text.split(/\s+/).length > MAX_WORDS) return false
  return /\p{L}{2}/u.test(text) && !/[\n]|[.,;:!?…]$/u.test(text)
}

/** Whether a line is in capitals, and numbered or centred. "PAID" and "VIA FAX" are neither numbered nor centred. */
const isTypedTitle = (text: string, { centred }: Look): boolean =>
  /\p{Lu}{4}/u.test(text) && !/\p{Ll}/u.test(text) && (centred || NUMBERED_LINE.test(text))
