// PowerPoint (.pptx): each slide a page with its title as heading, tables, chart data and speaker notes.

import { stat } from 'node:fs/promises'
import type { Block } from '../block.ts'
import type { Parser } from '../task.ts'
import { officeDocument, readTree } from './office-tree.ts'

// Chart data comes with all attachments, pictures in base64 among them; a larger deck would cross the memory ceiling.
const MOST_BYTES_WITH_CHARTS = 40 * 2 ** 20

/** A deck's slides as pages, in order; notes follow their slide. */
export const parsePptx: Parser = async (task) => {
  const { size } = await stat(task.path)
  const tree = await readTree(task, size <= MOST_BYTES_WITH_CHARTS)
  const document = officeDocument(tree)
  document.blocks = bySlide(document.blocks.filter((block) => !isSlideNumber(block)))
  return document
}

/** The slide's own number, printed on it. */
function isSlideNumber(block: Block): boolean {
  return block.kind === 'paragraph' && block.text.trim() === String(block.page)
}

/** Notes may stand at the tree's end; a stable sort brings them to their slide. */
function bySlide(blocks: readonly Block[]): Block[] {
  return [...blocks].sort((a, b) => (a.page ?? 0) - (b.page ?? 0))
}
