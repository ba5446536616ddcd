// A sheet as a page: its name as heading, whether it is hidden, its tables. Sheets with nothing on them are pages without text.

import type { Block } from '../../block.ts'

export const MOST_SHEET_CHARACTERS = 100 * 2 ** 20
// 10 million cells of one letter: 100 MB of text, but 1 GB of cells.
export const MOST_SHEET_CELLS = 5_000_000

export interface SheetHead {
  name: string
  /** 1-based, in the workbook's order. */
  page: number
  hidden: boolean
}

/** The blocks of one sheet. */
export function sheetPage({ name, page, hidden }: SheetHead, found: readonly Block[]): Block[] {
  // A sheet that holds a picture alone says nothing before that is read.
  const says = found.some(({ text }) => text !== '')
  const head: Block[] = !says
    ? []
    : [
        { kind: 'heading', text: name, level: 1 },
        ...(hidden ? [{ kind: 'note' as const, text: 'Hidden sheet' }] : []),
      ]
  return [...head, ...found].map((block) => ({ ...block, page }))
}
