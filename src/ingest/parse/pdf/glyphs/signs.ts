// Signs before figures that a font without names gives as control characters: a minus that is dropped makes a loss a
// gain. Publishers' symbol fonts are known by name; what is not known is shown as a sign that could not be read.

import type { LayoutBlock, ParsedPage, TextItem } from '@llamaindex/liteparse'

// Elsevier's "AdvMacMthSyN" has the minus at 3 ("−0.9393" of a table of potentials), TeX's symbols at 0.
const MINUS: readonly [RegExp, string][] = [
  [/MacMthSy|MathPi|Mth?Sy/i, '\u0003'],
  [/CMSY|MSAM|LMMathSymbols/i, '\u0000'],
]
const UNREAD = '\ufffd'
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const SIGN = /(?<![\p{L}\p{N}])[\u0000-\u0008\u000e-\u001f](?=\s?[.,]?\d)/gu

/** The page with signs before figures as signs; most pages have none and come back as they are. */
export function withSigns(page: ParsedPage): ParsedPage {
  const fonts = page.textItems.flatMap((item) => (hasSign(item.text) ? [item.fontName ?? ''] : []))
  if (fonts.length === 0) return page
  const minus = MINUS.flatMap(([name, code]) => (fonts.some((font) => name.test(font)) ? [code] : []))
  const read = (text: string): string =>
    text.replace(SIGN, (code) => (minus.includes(code) ? '\u2212' : UNREAD))
  return {
    ...page,
    textItems: page.textItems.map((item) => readItem(item, read)),
    ...(page.blocks === undefined ? {} : { blocks: page.blocks.map((block) => readBlock(block, read)) }),
  }
}

const hasSign = (text: string): boolean => text.search(SIGN) >= 0

function readItem(item: TextItem, read: (text: string) => string): TextItem {
  if (!hasSign(item.text)) return item
  const words = item.words?.map((word) => ({ ...word, text: read(word.text) }))
  return { ...item, text: read(item.text), ...(words === undefined ? {} : { words }) }
}

function readBlock(block: LayoutBlock, read: (text: string) => string): LayoutBlock {
  return {
    ...block,
    ...(block.text === undefined ? {} : { text: read(block.text) }),
    ...(block.lines === undefined ? {} : { lines: block.lines.map(read) }),
  }
}
