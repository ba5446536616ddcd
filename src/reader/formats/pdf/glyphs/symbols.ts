// Signs in fonts without letters: minus signs and checkboxes.
// Minus signs: a font without glyph names gives signs before figures as control characters, and a lost minus turns a loss into
// a gain. Symbol fonts of publishers are known by name. An unknown sign is shown as one that could not be read.

import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import { withTexts } from './block-text.ts'

// Elsevier's "AdvMacMthSyN" has the minus at 3 ("−0.9393" of a table of potentials), TeX's symbols at 0.
const MINUS: readonly [RegExp, string][] = [
  [/MacMthSy|MathPi|Mth?Sy/i, '\u0003'],
  [/CMSY|MSAM|LMMathSymbols/i, '\u0000'],
]
const UNREAD = '\ufffd'
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const SIGN = /(?<![\p{L}\p{N}])[\u0000-\u0008\u000e-\u001f](?=\s?[.,]?\d)/gu

/** The page with its minus signs. Unchanged if it has none, as most pages. */
export function withSigns(page: ParsedPage): ParsedPage {
  const fonts = page.textItems.flatMap((item) => (hasSign(item.text) ? [item.fontName ?? ''] : []))
  if (fonts.length === 0) return page
  const minus = MINUS.flatMap(([name, code]) => (fonts.some((font) => name.test(font)) ? [code] : []))
  const read = (text: string): string =>
    text.replace(SIGN, (code) => (minus.includes(code) ? '\u2212' : UNREAD))
  return withTexts(
    page,
    page.textItems.map((item) => readItem(item, read)),
    read,
  )
}

const hasSign = (text: string): boolean => text.search(SIGN) >= 0

function readItem(item: TextItem, read: (text: string) => string): TextItem {
  if (!hasSign(item.text)) return item
  const words = item.words?.map((word) => ({ ...word, text: read(word.text) }))
  return { ...item, text: read(item.text), ...(words === undefined ? {} : { words }) }
}

// Checkboxes of Wingdings, as private characters or as the letters with their codes: "Yes x No ¨" is "Yes ☒ No ☐".
const BOXES: Record<string, string> = {
  '\uf06f': '☐',
  '\uf071': '☐',
  '\uf072': '☐',
  '\uf0a8': '☐',
  '\uf078': '☒',
  '\uf0fd': '☒',
  '\uf0fe': '☑',
  '¨': '☐',
  þ: '☑',
  ý: '☒',
  x: '☒',
  o: '☐',
}
// These two alone occur in no other text. "ý" and "x" count next to one of them, and "o" inside an answer.
const SURE = /[\uf06f\uf071\uf072\uf078\uf0a8\uf0fd\uf0fe]|(?<!\S)[¨þ](?!\S)/u
const ANSWER = /\b(?:Yes|No)\s+[xoý](?!\S)/u
// The layout pass marks bold type with stars.
const LONE = /(?<![^\s*])[\uf06f\uf071\uf072\uf078\uf0a8\uf0fd\uf0fe¨þýxo](?![^\s*])/gu
// How many characters around a letter decide what it is.
const AROUND = 12

// Vietnamese has "ý" as a word.
const ACCENTED = /(?![ýþ])[À-ɏḀ-ỿ]/u

const isWingdings = ({ fontName = '' }: TextItem): boolean => fontName.includes('Wingdings')

/** Whether an item is a checkbox. Bullets have the same font. */
const isBoxItem = (item: TextItem): boolean =>
  SURE.test(item.text) || (isWingdings(item) && Object.hasOwn(BOXES, item.text.trim()))

/** The page with its checkboxes. Unchanged if it has none, as most pages. */
export function withBoxes(page: ParsedPage): ParsedPage {
  const boxItems = page.textItems.filter(isBoxItem)
  const hasAnswers = page.textItems.filter(({ text }) => ANSWER.test(text)).length > 1
  if (boxItems.length === 0 && !hasAnswers) return page
  // In another font the same private characters are Greek letters.
  if (page.textItems.some(({ fontName = '' }) => fontName.includes('Symbol')) && !boxItems.some(isWingdings))
    return page
  const read = (text: string): string =>
    text.replace(LONE, (letter, at: number) => {
      const textBefore = text.slice(Math.max(0, at - AROUND), at)
      const isAnswer = /\b(?:Yes|No)[\s*]+$/.test(textBefore)
      const isTimes = /(?<!\S)[\d.,]+\s+$/.test(textBefore) || /^.\s+\d/u.test(text.slice(at, at + AROUND))
      const isForeign = ACCENTED.test(textBefore + text.slice(at + 1, at + AROUND))
      const isBox =
        isAnswer ||
        (letter === 'x' ? boxItems.length > 0 && !isTimes : letter !== 'o' && !(letter === 'ý' && isForeign))
      return isBox ? (BOXES[letter] ?? letter) : letter
    })
  const textItems = page.textItems.map((item) => boxedItem(item, read))
  return withTexts(page, textItems, read)
}

/** The item with new text and words, if there are as many words in both. */
function boxedItem(item: TextItem, read: (text: string) => string): TextItem {
  const text = isWingdings(item) && item.text.length === 1 ? (BOXES[item.text] ?? item.text) : read(item.text)
  if (text === item.text) return item
  const wordTexts = text.trim().split(/\s+/)
  const words = item.words?.length === wordTexts.length ? item.words : undefined
  return {
    ...item,
    text,
    ...(words && { words: words.map((word, i) => ({ ...word, text: wordTexts[i] ?? word.text })) }),
  }
}
