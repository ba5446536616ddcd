// Finds headings in documents that were written without heading styles: short lines that are paragraphs of their own and are
// bold, larger than the text, or typed in capitals like a title ("A. PURPOSE", or "RECITALS" centred). Used only if styles and
// outline levels mark no headings.

import type { Block } from '../../block.ts'

/** How a whole paragraph is formatted. */
export interface Look {
  bold: boolean
  /** The smallest font size in the paragraph, in half points. */
  size: number
  centred: boolean
}

// Word's default when a document sets no size.
const DEFAULT_SIZE = 20
const MAX_HEADING_CHARACTERS = 100
const MAX_HEADING_WORDS = 14
// A paragraph whose size is larger by less is not a heading but has another font.
const MIN_LARGER_RATIO = 1.15
// More successive lines are an address, a list of names or a title page.
const MAX_SUCCESSIVE_LINES = 2
// If more of the paragraphs, list items and tables would be headings, the look has another meaning.
const MAX_HEADING_SHARE = 0.5
const MIN_TITLE_RATIO = 1.5
const MAX_COVER_BLOCKS = 12
const MAX_TITLE_CHARACTERS = 120
const LOWEST_LEVEL = 4
// Matches "ARTICLE IV. ", "A. ", "XII – ", "2.1) " and "3" before a tab.
const NUMBERED_LINE =
  /^(?:(?:CHAPTER|ARTICLE|SECTION|PART|ANNEX|APPENDIX|SCHEDULE|EXHIBIT) [\dA-Z]+|[A-Z]|[IVX]+|\d+(?:\.\d+)*)(?:[.):]|\s*[-–—]|\b(?=\t))\s/u

// The same without words: captures "A", "XII" and "2.1".
const COUNTED_LABEL = /^([A-Z]|[IVX]+|\d+(?:\.\d+)*)(?:[.):]|\s*[-–—]|\b(?=\t))\s/u

/** Whether a line is a section ("B. ROLE OF THE MASTER") or a person ("J. SMITH"), and so not the title of the document. */
export const isNumbered = ({ text }: Block): boolean => NUMBERED_LINE.test(text)

/** Turns paragraphs that look like headings into headings, in place. Only paragraphs with an entry in `looks` count. */
export function promoteHeadings(blocks: Block[], looks: ReadonlyMap<Block, Look>): void {
  const styledHeadings = blocks.filter(({ kind }) => kind === 'heading')
  // A single heading at the beginning is the title and gives no structure.
  const [title] = styledHeadings
  if (styledHeadings.length > 1 || (title !== undefined && blocks.indexOf(title) > 2)) return
  const textSize = usualSize(looks)
  const newHeadings = headingLikeBlocks(blocks, looks, textSize)
  const blockCount = looks.size + countOtherBlocks(blocks)
  if (newHeadings.length === 0 || newHeadings.length > blockCount * MAX_HEADING_SHARE) return
  const ranksOfHeadings = newHeadings.map((block) => rankOf(looks.get(block), textSize))
  const ranks = [...new Set(ranksOfHeadings)].sort((a, b) => b - a)
  for (const block of newHeadings) {
    const rank = ranks.indexOf(rankOf(looks.get(block), textSize))
    block.kind = 'heading'
    block.text = block.text.replaceAll('\t', ' ')
    block.level = Math.min(LOWEST_LEVEL, rank + 1 + styledHeadings.length)
  }
}

/** The number of list items and tables. They count, because a document of short lists has few paragraphs beside its headings. */
const countOtherBlocks = (blocks: readonly Block[]): number =>
  blocks.reduce(
    (sum, { kind, text }) => sum + (kind === 'list' ? text.split('\n').length : kind === 'table' ? 1 : 0),
    0,
  )

/** The title on a cover page: the lines in the largest font near the beginning, before any styled heading. */
export function coverTitle(blocks: readonly Block[], looks: ReadonlyMap<Block, Look>): string | undefined {
  const firstStyled = blocks.findIndex((block) => block.kind === 'heading' && !looks.has(block))
  const coverLength = firstStyled === -1 ? MAX_COVER_BLOCKS : Math.min(firstStyled, MAX_COVER_BLOCKS)
  const cover = blocks.slice(0, coverLength)
  const sizeOf = (block: Block): number => looks.get(block)?.size ?? 0
  const maxSize = Math.max(0, ...cover.map(sizeOf))
  if (maxSize < usualSize(looks) * MIN_TITLE_RATIO) return undefined
  const from = cover.findIndex((block) => sizeOf(block) === maxSize)
  const end = cover.findIndex((block, i) => i > from && sizeOf(block) !== maxSize)
  const lines = cover.slice(from, end === -1 ? cover.length : end).map(({ text }) => text)
  const title = lines.join(' ').replace(/\s+/g, ' ')
  return title.length > MAX_TITLE_CHARACTERS || /[.,;:!…]$/.test(title) ? undefined : title
}

/** The font size of most characters. */
function usualSize(looks: ReadonlyMap<Block, Look>): number {
  const characters = new Map<number, number>()
  for (const [{ text }, { size }] of looks) characters.set(size, (characters.get(size) ?? 0) + text.length)
  const [mostFrequent] = [...characters].sort(([, a], [, b]) => b - a)
  return mostFrequent?.[0] ?? DEFAULT_SIZE
}

/**
 * The rank of a heading. A larger font ranks higher. Bold lines in the size of the text rank below all larger lines, and lines
 * in capitals below bold lines.
 */
function rankOf(look: Look | undefined, textSize: number): number {
  const size = Math.max(look?.size ?? textSize, textSize)
  return look?.bold || size >= textSize * MIN_LARGER_RATIO ? size : size - 0.5
}

/** Lines that look like headings, have text below them, and are alone or in pairs. */
function headingLikeBlocks(
  blocks: readonly Block[],
  looks: ReadonlyMap<Block, Look>,
  textSize: number,
): Block[] {
  const headings: Block[] = []
  let successiveLines: Block[] = []
  for (const block of blocks) {
    const isLikeHeading = isHeadingLike(block, looks.get(block), textSize)
    const last = successiveLines.at(-1)
    const hasSameRank = last && rankOf(looks.get(last), textSize) === rankOf(looks.get(block), textSize)
    if (!isLikeHeading || !hasSameRank) {
      if (successiveLines.length <= MAX_SUCCESSIVE_LINES && !areListItems(successiveLines))
        headings.push(...successiveLines)
      successiveLines = []
    }
    if (isLikeHeading) successiveLines.push(block)
  }
  return headings
}

/** Whether two lines have consecutive numbers. Without text between them they are a list: "1. MILK", "2. BREAD". */
const areListItems = ([first, second]: readonly Block[]): boolean =>
  first !== undefined &&
  second !== undefined &&
  positionsOf(first).some((position) => positionsOf(second).some(follows(position)))

/** The position of a label in a sequence of labels, such as 3 for "C.", "c)" or "3.", and 2 in "4." for "4.2". */
export interface LabelPosition {
  sequence: string
  at: number
}

const follows =
  ({ sequence, at }: LabelPosition) =>
  (next: LabelPosition): boolean =>
    next.sequence === sequence && next.at === at + 1

/** The positions that the label of a line may mean: "I." is a letter or a Roman numeral. */
function positionsOf({ text }: Block): LabelPosition[] {
  const label = COUNTED_LABEL.exec(text)?.[1]
  if (label === undefined) return []
  const parts = label.split('.')
  if (/^\d/.test(label)) return [{ sequence: parts.slice(0, -1).join('.'), at: Number(parts.at(-1)) }]
  const positions = label.length === 1 ? [{ sequence: 'letters', at: label.charCodeAt(0) }] : []
  return /^[IVX]+$/.test(label) ? [...positions, { sequence: 'roman', at: romanNumber(label) }] : positions
}

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 }

/** The value of a Roman numeral up to 39, well formed or not. */
export const romanNumber = (label: string): number =>
  [...label.toLowerCase()].reduce((sum, letter, i, all) => {
    const value = ROMAN[letter] ?? 0
    return sum + (value < (ROMAN[all[i + 1] ?? ''] ?? 0) ? -value : value)
  }, 0)

function isHeadingLike({ kind, text }: Block, look: Look | undefined, textSize: number): boolean {
  if (kind !== 'paragraph' || look === undefined) return false
  if (!look.bold && look.size < textSize * MIN_LARGER_RATIO && !isTypedTitle(text, look)) return false
  if (
    look.size < textSize ||
    text.length > MAX_HEADING_CHARACTERS ||
    text.split(/\s+/).length > MAX_HEADING_WORDS
  )
    return false
  // One line that does not end like a sentence.
  return /\p{L}{2}/u.test(text) && !/[\n]|[.,;:!?…]$/u.test(text)
}

/** Whether a line is in capitals, and numbered or centred, unlike "PAID" and "VIA FAX". */
const isTypedTitle = (text: string, { centred }: Look): boolean =>
  /\p{Lu}{4}/u.test(text) && !/\p{Ll}/u.test(text) && (centred || NUMBERED_LINE.test(text))
