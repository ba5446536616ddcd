// A sheet becomes a page with its name as heading and its tables. An empty sheet is a page without text. The text of a hidden
// sheet is hidden text.

import type { Block } from '../../block.ts'

export const MAX_SHEET_CHARACTERS = 100 * 2 ** 20
// A limit of its own, because 10 million cells with one letter each take 1 GB of memory, although the text is short.
export const MAX_SHEET_CELLS = 5_000_000

export interface SheetHead {
  name: string
  /** 1-based. */
  page: number
  hidden: boolean
}

/** The blocks of one sheet. */
export function sheetPage({ name, page, hidden }: SheetHead, blocks: readonly Block[]): Block[] {
  // A sheet with only a picture has no text until the picture is read.
  const hasText = blocks.some(({ text }) => text !== '')
  const head: Block[] = hasText ? [{ kind: 'heading', text: name, level: 1 }] : []
  return [...head, ...blocks].map((block) => ({ ...block, page, ...(hidden && { hidden }) }))
}
