// Lines that the layout pass mixed: of two columns (if lines of one are half a line lower than those of the other), and of a
// heading
// and the text below it.

import type { LayoutBlock, TextItem } from '@llamaindex/liteparse'
import type { Block } from '../../block.ts'
import { BASELINE } from '../../page/tolerance.ts'
import { itemsIn, rectBox, union } from './boxes.ts'
import { linesOf, piecesOf } from './cut-blocks.ts'
import type { TypeLine } from './type-lines.ts'
import { lettersIn } from './words.ts'

// Points: two or three lines are mixed; higher blocks were already split by columns.
const MOST_HEIGHT = 40
// In line heights: the gap between the columns. Words of one line, and a mark and its text, are closer.
const LEAST_GAP = 4

/** The block, or its parts in the left and the right column. */
export function sideBySide(block: Block, items: readonly TextItem[]): Block[] {
  const { bbox } = block
  if (bbox === undefined || block.kind !== 'paragraph' || bbox[3] - bbox[1] > MOST_HEIGHT) return [block]
  const own = itemsIn(items, bbox)
  const edge = edgeOf(own)
  if (edge === undefined) return [block]
  const left = own.filter(({ x }) => x < edge)
  const right = own.filter(({ x }) => x >= edge)
  return isApart(left, right) ? parted(block, left, right) : [block]
}

/** The left edge of the right column; undefined if there is only one. */
function edgeOf(items: readonly TextItem[]): number | undefined {
  const [first, ...others] = [...items].sort((a, b) => a.x - b.x)
  if (first === undefined) return undefined
  let end = first.x + first.width
  for (const { x, width, height } of others) {
    if (x - end > height * LEAST_GAP) return x
    end = Math.max(end, x + width)
  }
  return undefined
}

const foot = ({ y, height }: TextItem): number => y + height

/** Whether no text of one column is on a line of the other. */
const isApart = (left: readonly TextItem[], right: readonly TextItem[]): boolean =>
  left.every((a) => right.every((b) => Math.abs(foot(a) - foot(b)) > Math.max(a.height, b.height) * BASELINE))

function parted(block: Block, left: readonly TextItem[], right: readonly TextItem[]): Block[] {
  const [a, b] = [linesOf(block, left), linesOf(block, right)]
  return piecesOf(block, [...a, ...b], [a.length])
}

/** The layout blocks, each heading without lines of the text below it (words in bold). */
export function withoutTangles(layouts: readonly LayoutBlock[], items: readonly TextItem[]): LayoutBlock[] {
  const blocks = [...layouts]
  for (let i = 0; i + 1 < blocks.length; i++) {
    const [heading, text] = [blocks[i], blocks[i + 1]]
    if (heading === undefined || text === undefined || !overlaps(heading, text)) continue
    const parts = untangled(heading, text, items)
    if (parts !== undefined) blocks.splice(i, 2, ...parts)
  }
  return blocks
}

// Points by which a heading overlaps the text below it, if it has a line of that.
const REACH = 4

function overlaps(heading: LayoutBlock, text: LayoutBlock): boolean {
  if (heading.kind !== 'heading' || text.kind !== 'paragraph') return false
  if (heading.bbox === undefined || text.bbox === undefined) return false
  const [a, b] = [rectBox(heading.bbox), rectBox(text.bbox)]
  return a[3] > b[1] + REACH && a[1] < b[1] && a[0] < b[2] && b[0] < a[2]
}

/** Both blocks with their own lines, if the lines match their letters and a line of the heading is below one of the text. */
function untangled(
  heading: LayoutBlock,
  text: LayoutBlock,
  items: readonly TextItem[],
): LayoutBlock[] | undefined {
  if (heading.bbox === undefined || text.bbox === undefined) return undefined
  const bbox = union(rectBox(heading.bbox), rectBox(text.bbox))
  const lines = linesOf({ kind: 'paragraph', text: '', bbox }, items)
  const left = [lettersIn(heading.text ?? ''), lettersIn(text.text ?? '')]
  const owners = lines.map((line) => {
    const letters = lettersIn(line.text)
    const owner = left.findIndex((rest) => letters !== '' && rest.startsWith(letters))
    if (owner >= 0) left[owner] = left[owner]?.slice(letters.length) ?? ''
    return owner
  })
  const first = owners.indexOf(1)
  if (owners.includes(-1) || left.some((rest) => rest !== '') || first < 1) return undefined
  if (owners.lastIndexOf(0) < first) return undefined
  return [withLines(heading, lines.slice(0, first)), withLines(text, lines.slice(first))]
}

function withLines(layout: LayoutBlock, lines: readonly TypeLine[]): LayoutBlock {
  const [x, y, right, bottom] = lines.map(({ bbox }) => bbox).reduce(union)
  const text = lines.map((line) => line.text).join(' ')
  return { ...layout, text, bbox: { x, y, width: right - x, height: bottom - y } }
}
