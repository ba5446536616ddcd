// liteparse's layout blocks as ours: kinds, tables as Markdown, its emphasis marks taken out again (reference/parsing.md).

import type { LayoutBlock, ParsedPage, TextItem } from '@llamaindex/liteparse'
import type { Block } from '../../block.ts'
import { markdownTable } from '../../blocks/table.ts'
import { missingBlocks, missingItems, type Piece } from './missing-text.ts'
import { joinCutParagraphs } from './paragraphs.ts'
import { box, rectBox, standsIn, union } from './place.ts'
import { inReadingOrder } from './reading-order.ts'
import { repairTable } from './table-repair.ts'

// A list longer than this stays several blocks, so that a chunk can end between them.
const MOST_LIST_CHARACTERS = 1500

/** The page's blocks in reading order, each with its place; what the layout pass lost is given back. */
export function pageBlocks(page: ParsedPage): Block[] {
  const layouts = page.blocks ?? []
  const missing = missingItems(page.textItems, layouts.map(toPiece))
  const starred = page.textItems.some((item) => item.text.includes('*'))
  const blocks: Block[] = []
  for (const layout of layouts) {
    if (layout.kind === 'table' && isWrongTable(layout, page.textItems, missing)) continue
    const block =
      layout.kind === 'table' ? tableBlock(layout, page.textItems, missing) : textBlock(layout, starred)
    if (block === undefined || block.text.trim() === '') continue
    const placed = { ...box(layout.bbox), ...block, page: page.pageNum }
    const last = blocks.at(-1)
    if (last !== undefined && continuesList(last, placed)) joinList(last, placed)
    else blocks.push(placed)
  }
  return joinCutParagraphs(
    inReadingOrder([...blocks, ...missingBlocks(inPageOrder(page, missing), page.pageNum)]),
  )
}

// A table that lost more than this share of the text it stands on is prose cut into cells (AMCOR_2023Q4, page 3).
const MOST_LOST_SHARE = 0.2

/** Whether a table must not be believed; its text then counts as missing and comes back as lines. */
function isWrongTable(layout: LayoutBlock, items: readonly TextItem[], missing: Set<TextItem>): boolean {
  const { bbox } = box(layout.bbox)
  if (bbox === undefined) return false
  const inside = items.filter((item) => standsIn(rectBox(item), bbox))
  const lost = inside.filter((item) => missing.has(item))
  if (lost.length < 3 || lost.length <= inside.length * MOST_LOST_SHARE) return false
  for (const item of inside) missing.add(item)
  return true
}

function inPageOrder(page: ParsedPage, items: ReadonlySet<TextItem>): TextItem[] {
  return page.textItems.filter((item) => items.has(item))
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
      return { kind: 'list', text: listItem(layout, starred) }
    case 'code':
      return { kind: 'code', text: (layout.lines ?? []).join('\n') }
    case 'grid_fallback':
      return { kind: 'paragraph', text: (layout.lines ?? []).join('\n') }
    default:
      return undefined
  }
}

function tableBlock(
  layout: LayoutBlock,
  items: readonly TextItem[],
  missing: Set<TextItem>,
): Block | undefined {
  const rows = [...(layout.header ? [layout.header] : []), ...(layout.rows ?? [])]
  const repaired = repairTable(rows, items, missing)
  const grid = repaired?.rows ?? rows.map((row) => row.map((cell) => cell.text))
  const filled = grid.map((row) => row.filter((cell) => cell.trim() !== '')).filter((row) => row.length > 0)
  // One row or one column is a line the layout pass took for a table.
  if (filled.length < 2 || !filled.some((row) => row.length > 1) || isProse(filled)) {
    return { kind: 'paragraph', text: filled.map((row) => row.join(' ')).join('\n') }
  }
  return {
    kind: 'table',
    text: markdownTable(grid),
    ...(repaired === undefined ? {} : { bbox: repaired.bbox }),
  }
}

/** Two rows of long texts are two paragraphs in a frame. */
function isProse(rows: readonly (readonly string[])[]): boolean {
  const cells = rows.flat()
  return (
    rows.length <= 2 && cells.reduce((sum, cell) => sum + cell.split(/\s+/).length, 0) > cells.length * 40
  )
}

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
