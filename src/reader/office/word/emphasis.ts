// Headings of documents whose author knows no styles: short lines that stand alone, bold, larger than the text around
// them, or in capitals where a typist would put a title ("A. PURPOSE"; "RECITALS" in the middle). Looked for only where
// styles and outline levels name none, so that nothing styled is read in two ways.

import type { Block } from '../../block.ts'
import { child, elements, isOn, textOf, valueAt, type XmlElement } from '../ooxml/xml.ts'
import { type Styles, styleOf } from './styles.ts'

/** How a whole paragraph looks. */
export interface Look {
  bold: boolean
  /** Half points: the smallest of its runs. */
  size: number
  centred: boolean
}

// Word's own default where a document states none.
const PLAIN_SIZE = 20
const MOST_CHARACTERS = 100
const MOST_WORDS = 14
// Smaller differences are made by fonts, not by rank.
const LARGER = 1.15
// Three alike in a row are an address, a list of names or a title page.
const MOST_IN_A_ROW = 2
// Where more paragraphs, items and tables than this are bold lines, bold means something else.
const MOST_SHARE = 0.5
// A title on a cover is set in type that nothing else has.
const TITLE_SIZE = 1.5
const COVER_BLOCKS = 12
const MOST_TITLE_CHARACTERS = 120
const LOWEST_LEVEL = 4
const NUMBERED =
  /^(?:(?:CHAPTER|ARTICLE|SECTION|PART|ANNEX|APPENDIX|SCHEDULE|EXHIBIT) [\dA-Z]+|[A-Z]|[IVX]+|\d+(?:\.\d+)*)(?:[.):]|\s*[-–—]|\b(?=\t))\s/u

const COUNTED = /^([A-Z]|[IVX]+|\d+(?:\.\d+)*)(?:[.):]|\s*[-–—]|\b(?=\t))\s/u

/** Whether a line names a part ("B. ROLE OF THE MASTER") or a person ("J. SMITH"): no title of a document. */
export const isNumbered = ({ text }: Block): boolean => NUMBERED.test(text)

/** The look of a paragraph's text; undefined without any. */
export function lookOf(paragraph: XmlElement, styleId: string | undefined, styles: Styles): Look | undefined {
  const style = styleOf(styles, styleId)
  const centred = valueAt(paragraph, 'w:pPr', 'w:jc') === 'center'
  let look: Look | undefined
  const visit = (element: XmlElement): void => {
    for (const inner of elements(element)) {
      if (inner.name === 'w:hyperlink' || inner.name === 'w:ins' || inner.name === 'w:smartTag') visit(inner)
      if (inner.name !== 'w:r' || !elements(inner, 'w:t').some((text) => textOf(text).trim() !== '')) continue
      const properties = child(inner, 'w:rPr')
      const own = child(properties, 'w:b')
      const runStyle = styleOf(styles, valueAt(properties, 'w:rStyle'))
      const bold = own === undefined ? (runStyle.bold ?? style.bold ?? false) : isOn(own)
      const stated = Number(valueAt(properties, 'w:sz'))
      const size = stated > 0 ? stated : (runStyle.size ?? style.size ?? PLAIN_SIZE)
      look = { bold: bold && (look?.bold ?? true), size: Math.min(size, look?.size ?? size), centred }
    }
  }
  visit(paragraph)
  return look
}

/** Makes headings of the paragraphs that look like some, in place; `looks` of those that stand in the body itself. */
export function promoteHeadings(blocks: Block[], looks: ReadonlyMap<Block, Look>): void {
  const styled = blocks.filter(({ kind }) => kind === 'heading')
  // A title alone is no structure.
  if (styled.length > 1 || (styled.length === 1 && blocks.indexOf(styled[0] as Block) > 2)) return
  const body = bodySize(looks)
  const promoted = standing(blocks, looks, body).filter(isNoName)
  if (promoted.length === 0 || promoted.length > (looks.size + standingBeside(blocks)) * MOST_SHARE) return
  const ranks = [...new Set(promoted.map((block) => rankOf(looks.get(block), body)))].sort((a, b) => b - a)
  for (const block of promoted) {
    const rank = ranks.indexOf(rankOf(looks.get(block), body))
    block.kind = 'heading'
    block.text = block.text.replaceAll('\t', ' ')
    block.level = Math.min(LOWEST_LEVEL, rank + 1 + styled.length)
  }
}

/** Items of lists and tables: a document of short lists has few paragraphs beside its headings. */
const standingBeside = (blocks: readonly Block[]): number =>
  blocks.reduce(
    (sum, { kind, text }) => sum + (kind === 'list' ? text.split('\n').length : kind === 'table' ? 1 : 0),
    0,
  )

/** The title of a cover: the lines in the largest type that a document begins with, before any styled heading. */
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
  return title.length > MOST_TITLE_CHARACTERS || /[.,;:!…]$/.test(title) ? undefined : title
}

/** The size that most characters have. */
function bodySize(looks: ReadonlyMap<Block, Look>): number {
  const characters = new Map<number, number>()
  for (const [{ text }, { size }] of looks) characters.set(size, (characters.get(size) ?? 0) + text.length)
  const [most] = [...characters].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? PLAIN_SIZE
}

/** Larger sizes stand above; bold lines in the size of the text are one rank below all of them, capitals below these. */
function rankOf(look: Look | undefined, body: number): number {
  const size = Math.max(look?.size ?? body, body)
  return look?.bold || size >= body * LARGER ? size : size - 0.5
}

/** Those that look like headings, have something below them, and stand alone or in pairs. */
function standing(blocks: readonly Block[], looks: ReadonlyMap<Block, Look>, body: number): Block[] {
  const found: Block[] = []
  let row: Block[] = []
  for (const block of blocks) {
    const like = isHeadingLike(block, looks.get(block), body)
    const last = row.at(-1)
    const alike = last && rankOf(looks.get(last), body) === rankOf(looks.get(block), body)
    if (!like || !alike) {
      if (row.length <= MOST_IN_A_ROW && !isCounting(row)) found.push(...row)
      row = []
    }
    if (like) row.push(block)
  }
  return found
}

/** Two lines numbered one after the other with nothing between them are a list: "1. MILK", "2. BREAD". */
const isCounting = ([one, two]: readonly Block[]): boolean =>
  one !== undefined && two !== undefined && countsOf(one).some((count) => follows(count, 1, countsOf(two)))

/** "J. SMITH" has no I. and no K. beside it; "B. ROLE OF THE MASTER" has an A. or a C. */
function isNoName(block: Block, _: number, all: readonly Block[]): boolean {
  const counts = /^(?:[A-Z]|[IVX]+)\b/.test(block.text) ? countsOf(block) : []
  if (counts.length === 0 || /\p{Ll}/u.test(block.text)) return true
  const others = all.flatMap(countsOf)
  return counts.some((count) => follows(count, 1, others) || follows(count, -1, others))
}

/** A place in a sequence: 3 of the letters for "C.", 2 below "4." for "4.2". */
interface Count {
  sequence: string
  at: number
}

const follows = ({ sequence, at }: Count, step: number, counts: readonly Count[]): boolean =>
  counts.some((count) => count.sequence === sequence && count.at === at + step)

/** Where a line's number stands; "I." is a letter and a Roman number. */
function countsOf({ text }: Block): Count[] {
  const label = COUNTED.exec(text)?.[1]
  if (label === undefined) return []
  const parts = label.split('.')
  if (/^\d/.test(label)) return [{ sequence: parts.slice(0, -1).join('.'), at: Number(parts.at(-1)) }]
  const counts = label.length === 1 ? [{ sequence: 'letters', at: label.charCodeAt(0) }] : []
  return /^[IVX]+$/.test(label) ? [...counts, { sequence: 'roman', at: romanNumber(label) }] : counts
}

const ROMAN: Record<string, number> = { I: 1, V: 5, X: 10 }

const romanNumber = (label: string): number =>
  [...label].reduce((sum, sign, i) => {
    const value = ROMAN[sign] ?? 0
    return sum + (value < (ROMAN[label[i + 1] ?? ''] ?? 0) ? -value : value)
  }, 0)

function isHeadingLike({ kind, text }: Block, look: Look | undefined, body: number): boolean {
  if (kind !== 'paragraph' || look === undefined) return false
  if (!look.bold && look.size < body * LARGER && !isTypedTitle(text, look)) return false
  if (look.size < body || text.length > MOST_CHARACTERS || text.split(/\s+/).length > MOST_WORDS) return false
  return /\p{L}{2}/u.test(text) && !/[\n]|[.,;:!?…]$/u.test(text)
}

/** In capitals, and numbered or in the middle: "PAID" and "VIA FAX" are neither. */
const isTypedTitle = (text: string, { centred }: Look): boolean =>
  /\p{Lu}{4}/u.test(text) && !/\p{Ll}/u.test(text) && (centred || NUMBERED.test(text))
