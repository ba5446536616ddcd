// A sheet as a page: its name as heading, whether it is hidden, its tables. Sheets without cells are pages without text.

import type { Block } from '../../block.ts'

export interface SheetHead {
  name: string
  /** 1-based, in the workbook's order. */
  page: number
  hidden: boolean
}

/** The blocks of one sheet. */
export function sheetPage({ name, page, hidden }: SheetHead, found: readonly Block[]): Block[] {
  if (found.length === 0) return []
  const head: Block[] = [
    { kind: 'heading', text: name, level: 1 },
    ...(hidden ? [{ kind: 'note' as const, text: 'Hidden sheet' }] : []),
  ]
  return [...head, ...found].map((block) => ({ ...block, page }))
}
