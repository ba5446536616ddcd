// Applies corrections to all texts of a page.

import type { LayoutBlock, ParsedPage, TextItem } from '@llamaindex/liteparse'

/** The page with other items, and with `correct` applied to the text and the lines of its blocks. */
export const withTexts = (
  page: ParsedPage,
  textItems: TextItem[],
  correct: (text: string) => string,
): ParsedPage => ({
  ...page,
  textItems,
  ...(page.blocks && { blocks: page.blocks.map((block) => withText(block, correct)) }),
})

const withText = (block: LayoutBlock, correct: (text: string) => string): LayoutBlock => ({
  ...block,
  ...(block.text !== undefined && { text: correct(block.text) }),
  ...(block.lines !== undefined && { lines: block.lines.map(correct) }),
})
