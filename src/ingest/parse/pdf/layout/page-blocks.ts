// liteparse's layout blocks as ours: kinds, tables as Markdown, its emphasis marks taken out again (reference/parsing.md).

import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse'
import type { BBox, Block } from '../../block.ts'
import { labelColumns } from '../forms/label-columns.ts'
import { cutBlock, withoutStray } from '../headings/cut-blocks.ts'
import { findLoneHeadings } from '../headings/lone-headings.ts'
import { findTables, itemsOutside } from '../tables/find-tables.ts'
import { gridBlock } from '../tables/grid.ts'
import type { Word } from '../tables/lines.ts'
import { gatherEntries, withLists } from './bullets.ts'
import { gatherCode, isTypedProse } from './code.ts'
import { findContents } from './contents.ts'
import { gatherFigures } from './figures.ts'
import { missingBlocks, missingItems, type Piece } from './missing-text.ts'
import { joinCutParagraphs } from './paragraphs.ts'
import { box, rectBox, standsIn, union } from './place.ts'
import { inReadingOrder } from './reading-order.ts'

// A list longer than this stays several blocks, so that a chunk can end between them.
const MOST_LIST_CHARACTERS = 1500

/**
 * The page's blocks in reading order, each with its place; what the layout pass lost is given back. `names` are those of
 * its bookmarks.
 */
export function pageBlocks(page: ParsedPage, names: readonly string[] = []): Block[] {
  const contents = findContents(page.textItems, page.pageNum)
  const outside = contents === undefined ? page.textItems : itemsOutside(page.textItems, [contents])
  const layouts = page.blocks ?? []
  const seeds = layouts.flatMap(({ kind, bbox }) =>
    kind === 'table' && bbox !== undefined ? [rectBox(bbox)] : [],
  )
  const pairs = labelColumns(outside).filter((place) => !seeds.some((seed) => standsIn(place, seed)))
  const tables = findTables({ ...page, textItems: outside }, [...seeds, ...pairs]).flatMap((table) => {
    const block = gridBlock(table)
    return block === undefined ? [] : [{ ...table, block: { ...block, page: page.pageNum } }]
  })
  const left = itemsOutside(outside, tables)
  const apart = [...(contents === undefined ? [] : [contents]), ...tables]
  const taken = new Set(apart.flatMap(({ words }) => words.map(({ item }) => item)))
  const places = [...taken].map((item) => rectBox(item))
  const kept = layouts.filter((layout) => layout.kind !== 'table' && !standsOnTable(layout, places))
  const missing = missingItems(left, kept.map(toPiece))
  const starred = page.textItems.some((item) => item.text.includes('*'))
  const piecesOf = (layout: LayoutBlock): Block[] => {
    const block = textBlock(layout, starred)
    if (block === undefined || block.text.trim() === '') return []
    const placed = { ...box(layout.bbox), ...block, page: page.pageNum }
    return cutBlock(spelled(withoutStray(placed, left, missing)), left, names).flatMap(withLists)
  }
  const blocks = inLayoutOrder(layouts, new Set(kept), apart, piecesOf)
  const ordered = inReadingOrder([...blocks, ...missingBlocks([...missing], page.pageNum)])
  const set = gatherCode(ordered.map(spelled).flatMap(withLists), left)
  const whole = joinCutParagraphs(findLoneHeadings(set, left))
  return gatherFigures(gatherEntries(whole)).map(withoutAddress)
}

// A place with its postal code, or a telephone number: letterheads and cover pages set them large.
const POSTAL = /,[^,]*\b\d{5}(?:-\d{4})?$|(?<!\d)\(?\d{3}\)?[ -]\d{3}-\d{4}(?!\d)/

/** An address names nothing that follows it. */
function withoutAddress(block: Block): Block {
  if (block.kind !== 'heading' || !POSTAL.test(block.text)) return block
  const { level: _, ...rest } = block
  return { ...rest, kind: 'paragraph' }
}

/** What the layout pass found, in its order: what was read anew takes the place of the first block it replaces. */
function inLayoutOrder(
  layouts: readonly LayoutBlock[],
  kept: ReadonlySet<LayoutBlock>,
  apart: readonly { block: Block; words: readonly Word[] }[],
  piecesOf: (layout: LayoutBlock) => Block[],
): Block[] {
  const blocks: Block[] = []
  const waiting = new Set(apart)
  for (const layout of layouts) {
    for (const piece of kept.has(layout) ? piecesOf(layout) : []) {
      const last = blocks.at(-1)
      if (last !== undefined && continuesList(last, piece)) joinList(last, piece)
      else blocks.push(piece)
    }
    if (kept.has(layout)) continue
    for (const found of [...waiting].filter(({ words }) => isOn(layout, words))) {
      blocks.push({ ...found.block })
      waiting.delete(found)
    }
  }
  return [...blocks, ...[...waiting].map(({ block }) => block)]
}

/** Ligatures as letters. */
const spelled = (block: Block): Block => ({
  ...block,
  // TeX's fonts hold "ff" where others have a sign for the return key; without a table of their own it is read as that.
  text: block.text.replace(/(?<=\p{L})\u21b5/gu, 'ff'),
})

const isOn = ({ bbox }: LayoutBlock, words: readonly Word[]): boolean =>
  bbox !== undefined && words.some((word) => standsIn(word.bbox, rectBox(bbox)))

/** Whether a block's text is in a table, in part at least: what is not comes back as missing. */
function standsOnTable({ bbox }: LayoutBlock, taken: readonly BBox[]): boolean {
  if (bbox === undefined || taken.length === 0) return false
  const place = rectBox(bbox)
  return taken.some((item) => standsIn(item, place))
}

function toPiece(layout: LayoutBlock): Piece {
  const cells = [...(layout.header ?? []), ...(layout.rows ?? []).flat()].map((cell) => cell.text)
  const text = [
    layout.marker ?? '',
    unmark(layout.text ?? '', false),
    ...(layout.lines ?? []),
    ...cells,
  ].join(' ')
  return { text, ...box(layout.bbox) }
}

function textBlock(layout: LayoutBlock, starred: boolean): Block | undefined {
  switch (layout.kind) {
    case 'heading':
      return { kind: 'heading', text: layout.text ?? '', level: Math.min(6, Math.max(1, layout.level ?? 2)) }
    case 'paragraph':
      return { kind: 'paragraph', text: unmark(layout.text ?? '', starred) }
    case 'list_item':
      // Keywords are parted by dots, one of which may begin a line.
      if (layout.marker === '·' && layout.text?.includes(' · '))
        return { kind: 'paragraph', text: `· ${unmark(layout.text, starred)}` }
      return { kind: 'list', text: listItem(layout, starred) }
    case 'code': {
      const lines = layout.lines ?? []
      if (isTypedProse(lines)) return { kind: 'paragraph', text: lines.join(' ') }
      const text = lines.join('\n')
      return { kind: isSentence(text) || ADDRESS.test(text) ? 'paragraph' : 'code', text }
    }
    case 'grid_fallback':
      return { kind: 'paragraph', text: (layout.lines ?? []).join('\n') }
    default:
      return undefined
  }
}

// Papers set the addresses of their authors in typewriter type.
const ADDRESS = /^(?:[\w.{}, +-]+@[\w.-]+\.\w+|https?:\/\/\S+)$/

/** One line of words: a name in typewriter type makes the layout pass take the whole line for code. */
const isSentence = (text: string): boolean =>
  !/[\n{}=;<>\\$#]|\(\)|^\s*(?:import|return|def|class|npm|pip)\b/.test(text) && text.split(' ').length > 3

function listItem(layout: LayoutBlock, starred: boolean): string {
  const marker = layout.marker !== undefined && /[\p{L}\p{N}]/u.test(layout.marker) ? layout.marker : '-'
  return `${'  '.repeat(Math.min(layout.level ?? 0, 5))}${marker} ${unmark(layout.text ?? '', starred)}`
}

/** liteparse marks emphasis with stars and escapes true ones, in paragraphs and lists only, though not always. */
export function unmark(text: string, starred: boolean): string {
  const plain = starred
    ? text.replace(/(?<!\\)(\*{1,3})(?=[^\s*])([^*]*?[^\s*\\])\1/g, '$2')
    : text.replace(/(?<!\\)\*+/g, '')
  return plain.replace(/\\([\\*_`~[\]<>#|])/g, '$1')
}

function continuesList(last: Block, next: Block): boolean {
  return (
    last.kind === 'list' && next.kind === 'list' && last.text.length + next.text.length < MOST_LIST_CHARACTERS
  )
}

function joinList(last: Block, next: Block): void {
  last.text += `\n${next.text}`
  const bbox = last.bbox && next.bbox ? union(last.bbox, next.bbox) : (last.bbox ?? next.bbox)
  if (bbox !== undefined) last.bbox = bbox
}
