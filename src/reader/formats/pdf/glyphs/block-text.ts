// The texts of a layout block, read again.

import type { LayoutBlock } from '@llamaindex/liteparse'

/** The block with `read` applied to its text and its lines. */
export const withText = (block: LayoutBlock, read: (text: string) => string): LayoutBlock => ({
  ...block,
  ...(block.text !== undefined && { text: read(block.text) }),
  ...(block.lines !== undefined && { lines: block.lines.map(read) }),
})
