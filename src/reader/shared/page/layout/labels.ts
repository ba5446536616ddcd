// Joins labels in the margin ("13.1", "(a)", "iv.") to their text. Liteparse treats them as a separate column.

import type { TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../../block.ts'
import { isMark } from '../marks.ts'
import { heightOf } from '../tolerance.ts'
import { type PlacedBlock, union } from './boxes.ts'
import { linesOf, piecesOf } from './cut-blocks.ts'

const LABEL = /^\(?(?:\d+(?:\.\d+)*|[a-z]|[ivx]+)[.)]?$/
// In points: the maximum gap between a label and its text.
const MAX_LABEL_GAP = 200

interface Label {
  text: string
  bbox: BBox
  block: PlacedBlock
}

/** The blocks with each label before the text on its line. A text beside several marks is split at their lines. */
export function withLabels(blocks: readonly PlacedBlock[], items: readonly TextItem[]): PlacedBlock[] {
  const labels = blocks.flatMap((block) => labelsOf(block, items))
  if (labels.length === 0) return [...blocks]
  const labelBlocks = new Set(labels.map(({ block }) => block))
  const joinedLabels = new Set<Label>()
  const texts = new Map(
    blocks
      .filter((block) => !labelBlocks.has(block) && (block.kind === 'paragraph' || block.kind === 'list'))
      .map((block) => [block, joinLabels(block, items, labels, joinedLabels)]),
  )
  return blocks.flatMap((block) => {
    if (!labelBlocks.has(block)) return texts.get(block) ?? [block]
    const unjoinedLabels = labels.filter((label) => label.block === block && !joinedLabels.has(label))
    if (unjoinedLabels.length === 0) return []
    return [
      {
        ...block,
        text: unjoinedLabels.map(({ text }) => text).join(' '),
        bbox: unjoinedLabels.map(({ bbox }) => bbox).reduce(union),
      },
    ]
  })
}

/** The labels of a block that contains only labels. */
function labelsOf(block: PlacedBlock, items: readonly TextItem[]): Label[] {
  const { kind, text, bbox } = block
  if (kind !== 'paragraph' || !text.split(/\s+/).every(isLabel)) return []
  const lines = linesOf(block, items)
  if (lines.map((line) => line.text).join(' ') !== text.replace(/\s+/g, ' '))
    return LABEL.test(text) ? [{ text, bbox, block }] : []
  return lines.every((line) => isLabel(line.text))
    ? lines.map((line) => ({ text: line.text, bbox: line.bbox, block }))
    : []
}

const isLabel = (text: string): boolean => LABEL.test(text) || isMark(text)

/** The block with the labels beside it, split at the lines of marks. Adds these labels to `joinedLabels`. */
function joinLabels(
  block: PlacedBlock,
  items: readonly TextItem[],
  labels: readonly Label[],
  joinedLabels: Set<Label>,
): PlacedBlock[] {
  const nearLabels = labels.filter((label) => !joinedLabels.has(label) && isBeside(label.bbox, block.bbox))
  if (nearLabels.length === 0) return [block]
  const lines = linesOf(block, items)
  // Only marks such as "(a)" split a text. A number beside a line in the middle of a text may be anything.
  const cuts = lines.flatMap((line, i) =>
    i > 0 && nearLabels.some(({ text, bbox }) => isMark(text) && hasSameTop(bbox, line.bbox)) ? [i] : [],
  )
  const pieces = cuts.length === 0 ? [block] : piecesOf(block, lines, cuts)
  return pieces.map((piece) => {
    const label = nearLabels.find(({ bbox }) => hasSameTop(bbox, piece.bbox))
    if (label === undefined || joinedLabels.has(label)) return piece
    joinedLabels.add(label)
    return { ...piece, text: `${label.text} ${piece.text.trimStart()}`, bbox: union(label.bbox, piece.bbox) }
  })
}

/** Whether a text is to the right of a label, on its line or around it. */
function isBeside(label: BBox, text: BBox): boolean {
  const gap = text[0] - label[2]
  return gap >= 0 && gap < MAX_LABEL_GAP && Math.min(label[3], text[3]) > Math.max(label[1], text[1])
}

/** Whether a text begins on the line of a label. */
const hasSameTop = (label: BBox, text: BBox): boolean => Math.abs(text[1] - label[1]) < heightOf(label) / 2
