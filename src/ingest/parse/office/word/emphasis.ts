// Headings of documents whose author knows no styles: short lines that stand alone, bold or larger than the text around
// them. Looked for only where styles and outline levels name none, so that nothing styled is read in two ways.

import type { Block } from '../../block.ts'
import { child, elements, isOn, textOf, valueAt, type XmlElement } from '../ooxml/xml.ts'
import { type Styles, styleOf } from './styles.ts'

/** How a whole paragraph looks. */
export interface Look {
  bold: boolean
  /** Half points: the smallest of its runs. */
  size: number
}

// Word's own default where a document states none.
const PLAIN_SIZE = 20
const MOST_CHARACTERS = 100
const MOST_WORDS = 14
// Smaller differences are made by fonts, not by rank.
const LARGER = 1.15
// Three alike in a row are an address, a list of names or a title page.
const MOST_IN_A_ROW = 2
// Where more lines than this are bold, bold means something else.
const MOST_SHARE = 0.5
const LOWEST_LEVEL = 4

/** The look of a paragraph's text; undefined without any. */
export function lookOf(paragraph: XmlElement, styleId: string | undefined, styles: Styles): Look | undefined {
  const style = styleOf(styles, styleId)
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
      look = { bold: bold && (look?.bold ?? true), size: Math.min(size, look?.size ?? size) }
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
  const promoted = standing(blocks, looks, body)
  if (promoted.length === 0 || promoted.length > looks.size * MOST_SHARE) return
  const ranks = [...new Set(promoted.map((block) => rankOf(looks.get(block), body)))].sort((a, b) => b - a)
  for (const block of promoted) {
    const rank = ranks.indexOf(rankOf(looks.get(block), body))
    block.kind = 'heading'
    block.level = Math.min(LOWEST_LEVEL, rank + 1 + styled.length)
  }
}

/** The size that most characters have. */
function bodySize(looks: ReadonlyMap<Block, Look>): number {
  const characters = new Map<number, number>()
  for (const [{ text }, { size }] of looks) characters.set(size, (characters.get(size) ?? 0) + text.length)
  const [most] = [...characters].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? PLAIN_SIZE
}

/** Larger sizes stand above; bold lines in the size of the text are one rank below all of them. */
const rankOf = (look: Look | undefined, body: number): number => Math.max(look?.size ?? body, body)

/** Those that look like headings, have something below them, and stand alone or in pairs. */
function standing(blocks: readonly Block[], looks: ReadonlyMap<Block, Look>, body: number): Block[] {
  const found: Block[] = []
  let row: Block[] = []
  for (const block of blocks) {
    if (isHeadingLike(block, looks.get(block), body)) row.push(block)
    else {
      if (row.length <= MOST_IN_A_ROW) found.push(...row)
      row = []
    }
  }
  return found
}

function isHeadingLike({ kind, text }: Block, look: Look | undefined, body: number): boolean {
  if (kind !== 'paragraph' || look === undefined) return false
  if (!look.bold && look.size < body * LARGER) return false
  if (look.size < body || text.length > MOST_CHARACTERS || text.split(/\s+/).length > MOST_WORDS) return false
  return /\p{L}{2}/u.test(text) && !/[\n]|[.,;:!?…]$/u.test(text)
}
