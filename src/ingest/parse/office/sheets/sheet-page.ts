// A sheet as a page: its name as heading, whether it is hidden, its tables. Sheets with nothing on them are pages without text.

import type { Block } from '../../block.ts'

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
