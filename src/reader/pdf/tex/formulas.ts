// Formulas of pages set by TeX, spelled again. liteparse gives no fonts for letters within a line; pdf-inspector does, and
// knows the
// signs of their codes. It is only used for pages with a font of formulas.

import { readFile } from 'node:fs/promises'
import type { LayoutBlock, ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse'
import type { BBox } from '../../block.ts'
import { BLOCK_EDGE } from '../../page/tolerance.ts'
import { centreIn, rectBox } from '../layout/boxes.ts'
import { textLines } from '../tables/lines.ts'
import { withAccents } from './accents.ts'
import { BLANK, withFractions } from './fractions.ts'
import type { PlacedWord, Run } from './lines.ts'
import { linesOf } from './lines.ts'
import { isMathFont, knownSigns, readRun, withSigns } from './signs.ts'
import { spellRow } from './spelling.ts'

// Large operators hang from their origin, which is this share of their type above the baseline.
const HANGING = 0.75

/** A function that spells the formulas of these pages. Most documents have none, and pdf-inspector is not used. */
export async function formulasOf(
  path: string,
  pages: readonly ParsedPage[],
): Promise<(page: ParsedPage) => ParsedPage> {
  if (!pages.some(({ textItems }) => textItems.some(({ fontName }) => isMathFont(fontName))))
    return (page) => page
  const { extractTextWithPositionsAsync } = await import('@firecrawl/pdf-inspector')
  const asked = pages.map(({ pageNum }) => pageNum)
  const found = await readFile(path)
    .then((bytes) => extractTextWithPositionsAsync(bytes, asked))
    .catch(() => [])
  const heights = new Map(pages.map(({ pageNum, height }) => [pageNum, height]))
  const runs = new Map<number, Run[]>()
  for (const { text, font, x, y, width, fontSize, page, rotation } of found) {
    const height = heights.get(page) ?? 0
    if (rotation !== 0 || text.trim() === '') continue
    const baseline = height - y + (font.includes('CMEX') ? fontSize * HANGING : 0)
    const run = { text: withAccents(readRun(font, text), true), font, x, width, baseline, size: fontSize }
    const own = runs.get(page)
    if (own === undefined) runs.set(page, [run])
    else own.push(run)
  }
  return (page) => {
    const own = runs.get(page.pageNum) ?? []
    return own.some(({ font }) => isMathFont(font)) ? spelled(page, own) : page
  }
}

/** The page with the words of its formulas spelled, in items and blocks. */
export function spelled(page: ParsedPage, runs: readonly Run[]): ParsedPage {
  const all = page.textItems.flatMap((item, i) => (isUpright(item) ? wordsOf(item, i) : []))
  const { words, gone, ...found } = withFractions(runs, all, page.vectorGraphics?.lines ?? [])
  const read = new Map<number, PlacedWord[]>()
  const changed = new Set(gone.map(({ item }) => item))
  const put = (word: PlacedWord): void => {
    const own = read.get(word.item)
    if (own === undefined) read.set(word.item, [word])
    else own.push(word)
  }
  const rows = linesOf(found.runs, words)
  const placed = new Set(rows.flatMap((row) => row.words))
  for (const word of words) if (!placed.has(word)) put(word)
  const known = knownSigns(rows)
  for (const row of rows) {
    const spelt = row.runs.some(({ font }) => isMathFont(font)) ? spellRow(withSigns(row, known)) : undefined
    for (const word of spelt ?? row.words) put(word)
    if (spelt !== undefined) for (const { item } of row.words) changed.add(item)
    else for (const word of row.words) if (word.grown === true) changed.add(word.item)
  }
  return changed.size === 0 ? page : rebuilt(page, read, changed)
}

const isUpright = ({ rotation = 0 }: TextItem): boolean => Math.abs(rotation) < 1

/** The item's words, with the spaces before them. */
function wordsOf(item: TextItem, i: number): PlacedWord[] {
  const words: readonly WordBox[] = item.words !== undefined && item.words.length > 0 ? item.words : [item]
  let end = 0
  return words.map(({ text, x, y, width, height }) => {
    const start = Math.max(end, item.text.indexOf(text, end))
    const spaced = /\s/.test(item.text.slice(end, start))
    end = start + text.length
    return { text, x, y, width, height, item: i, spaced }
  })
}

/** The page's items with the spelled words, and their blocks. */
function rebuilt(
  page: ParsedPage,
  read: ReadonlyMap<number, readonly PlacedWord[]>,
  changed: ReadonlySet<number>,
): ParsedPage {
  const all = page.textItems.map((item, i) => (changed.has(i) ? itemOf(item, read.get(i) ?? []) : item))
  const textItems = all.filter((item) => item !== undefined)
  const held = new Map<LayoutBlock | undefined, number[]>()
  const placed = (page.blocks ?? []).flatMap((block) =>
    block.bbox === undefined ? [] : [{ block, place: rectBox(block.bbox) }],
  )
  for (const [i, item] of page.textItems.entries()) {
    const holder = holderOf(item, placed)
    const own = held.get(holder)
    if (own === undefined) held.set(holder, [i])
    else own.push(i)
  }
  const blocks = page.blocks?.flatMap((block) => {
    const own = held.get(block) ?? []
    if (block.kind === 'table' || !own.some((i) => changed.has(i))) return [block]
    const now = own.flatMap((i) => all[i] ?? [])
    return now.length === 0
      ? []
      : [
          respelled(
            block,
            own.flatMap((i) => page.textItems[i] ?? []),
            now,
          ),
        ]
  })
  return { ...page, textItems, ...(blocks && { blocks }) }
}

interface Placed {
  block: LayoutBlock
  place: BBox
}

/** The smallest block with the item and its text: a block of a line's marks may be around the whole line. */
function holderOf(item: TextItem, placed: readonly Placed[]): LayoutBlock | undefined {
  const holding = placed.filter(({ place }) => centreIn(item, place, BLOCK_EDGE)).map(({ block }) => block)
  if (holding.length < 2) return holding[0]
  const area = ({ bbox }: LayoutBlock): number => (bbox === undefined ? 0 : bbox.width * bbox.height)
  const smallest = holding.sort((a, b) => area(a) - area(b))
  const begin = item.text.replace(/[-\u2010]$/, '')
  return (
    smallest.find(({ text = '' }) => text.includes(begin)) ??
    smallest.find(({ text = '' }) => text.length >= item.text.length)
  )
}

/** The item with its words and the spaces between them; undefined if no word is left. */
function itemOf(item: TextItem, words: readonly PlacedWord[]): TextItem | undefined {
  if (words.length === 0) return undefined
  const own = [...words].sort((a, b) => a.x - b.x)
  const text = own.reduce((all, word, i) => {
    const left = own[i - 1]
    const apart = left?.grown === true ? isApart(left, word) : left !== undefined && word.spaced
    return all + (apart ? ' ' : '') + word.text.replaceAll(BLANK, ' ')
  }, '')
  const [left, right] = [
    Math.min(...own.map(({ x }) => x)),
    Math.max(...own.map(({ x, width }) => x + width)),
  ]
  const boxes = own.map(({ text: each, x, y, width, height }) => ({
    text: each.replaceAll(BLANK, ' '),
    x,
    y,
    width,
    height,
  }))
  return { ...item, text, x: left, width: right - left, words: boxes }
}

// Shares of a word's height: a space is wider. After an index there is a small gap.
const SPACE = 0.1
const SPACE_BEFORE_END = 0.3

const isApart = (left: WordBox | undefined, right: WordBox): boolean =>
  left !== undefined &&
  right.x - left.x - left.width >
    right.height * (/^(?:[,)\]}⟩]|\.$)/u.test(right.text) ? SPACE_BEFORE_END : SPACE)

/** The block's text from its new items, if it was the text of the old ones. */
function respelled(block: LayoutBlock, before: readonly TextItem[], now: readonly TextItem[]): LayoutBlock {
  if (block.text === undefined || lettersOf(block.text, block.marker) !== lettersOf(textOf(before)))
    return block
  const text = readsOn(block, before) ? columnsOf(now).map(textOf).join(' ') : textOf(now)
  const marked = block.marker !== undefined && text.startsWith(block.marker)
  const own = marked ? text.slice(block.marker?.length).trimStart() : text
  return { ...block, text: block.kind === 'heading' ? own : own.replace(/[\\*]/g, '\\$&') }
}

// Points between columns.
const GUTTER = 6

/** The items by column: a block may continue at the top of the next one. */
function columnsOf(items: readonly TextItem[]): TextItem[][] {
  const columns: { items: TextItem[]; right: number }[] = []
  for (const item of [...items].sort((a, b) => a.x - b.x)) {
    const last = columns.at(-1)
    if (last === undefined || item.x > last.right + GUTTER)
      columns.push({ items: [item], right: item.x + item.width })
    else {
      last.items.push(item)
      last.right = Math.max(last.right, item.x + item.width)
    }
  }
  return columns.map((column) => column.items)
}

/** Whether a block's text follows its columns, not its lines. */
function readsOn({ text = '', marker = '' }: LayoutBlock, items: readonly TextItem[]): boolean {
  const columns = columnsOf(items)
  if (columns.length < 2) return false
  const own = marker + text
  return sameStart(own, columns.map(textOf).join(' ')) > sameStart(own, textOf(items))
}

function sameStart(a: string, b: string): number {
  const [own, other] = [a, b].map((text) => text.replace(/[\s\\*]/g, ''))
  let same = 0
  while (same < (own?.length ?? 0) && own?.[same] === other?.[same]) same++
  return same
}

const STAR = 0x2a
const HYPHENS: ReadonlySet<number> = new Set([0x2d, 0x2010])
const BACKSLASH = 0x5c

/** Letters and signs in any order, as sums, without the marks of the layout pass and hyphens. */
function lettersOf(text: string, marker = ''): string {
  let [count, sum, squares] = [0, 0, 0]
  const all = marker + text
  for (let i = 0; i < all.length; i++) {
    const code = all.charCodeAt(i)
    if (code <= 0x20 || code === STAR || code === BACKSLASH || HYPHENS.has(code)) continue
    count++
    sum += code
    squares += code * code
  }
  return `${count} ${sum} ${squares}`
}

/** The items' text line by line, with broken words joined. */
function textOf(items: readonly TextItem[]): string {
  const lines = textLines(items.map((item) => ({ text: item.text, item, bbox: rectBox(item) })))
  return lines
    .map(({ segments }) => {
      const own = segments.flatMap(({ words }) => words.map(({ item }) => item))
      return own.reduce((all, item, i) => all + (isApart(own[i - 1], item) ? ' ' : '') + item.text, '')
    })
    .reduce((all, line) =>
      /\p{L}[-\u2010]$/u.test(all) && /^\p{Ll}/u.test(line) ? all.slice(0, -1) + line : `${all} ${line}`,
    )
}
