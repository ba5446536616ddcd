// Applies corrections to all texts of a page.

import type { LayoutBlock, ParsedPage, TextItem } from '@llamaindex/liteparse'

/** The page with other items, and with `read` applied to the text and the lines of its blocks. */
export const withTexts = (
  page: ParsedPage,
  textItems: TextItem[],
  read: (text: string) => string,
): ParsedPage => ({
  ...page,
  textItems,
  ...(page.blocks && { blocks: page.blocks.map((block) => withText(block, read)) }),
})

const withText = (block: LayoutBlock, read: (text: string) => string): LayoutBlock => ({
  ...block,
  ...(block.text !== undefined && { text: read(block.text) }),
  ...(block.lines !== undefined && { lines: block.lines.map(read) }),
})
