// Restores minus signs and checkboxes of symbol fonts. A font without glyph names gives minus signs as control characters, and
// a lost minus turns a loss into a gain. Fonts with such signs are recognised by their names. An unknown sign before a digit is
// replaced by U+FFFD, which marks it as unreadable.

import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import { withTexts } from './block-text.ts'

// The code of the minus sign: 3 in Elsevier's "AdvMacMthSyN", 0 in TeX's symbol fonts.
const MINUS_CODES: readonly [RegExp, string][] = [
  [/MacMthSy|MathPi|Mth?Sy/i, '\u0003'],
  [/CMSY|MSAM|LMMathSymbols/i, '\u0000'],
]
const UNREADABLE = '\ufffd'
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL_SIGN = /(?<![\p{L}\p{N}])[\u0000-\u0008\u000e-\u001f](?=\s?[.,]?\d)/gu

/** The page with its minus signs. Unchanged if it has none, as most pages. */
export function withMinusSigns(page: ParsedPage): ParsedPage {
  const fonts = page.textItems.flatMap((item) => (hasSign(item.text) ? [item.fontName ?? ''] : []))
  if (fonts.length === 0) return page
  const minusCodes = MINUS_CODES.flatMap(([name, code]) =>
    fonts.some((font) => name.test(font)) ? [code] : [],
  )
  const correct = (text: string): string =>
    text.replace(CONTROL_SIGN, (code) => (minusCodes.includes(code) ? '\u2212' : UNREADABLE))
  return withTexts(
    page,
    page.textItems.map((item) => correctItem(item, correct)),
    correct,
  )
}

const hasSign = (text: string): boolean => text.search(CONTROL_SIGN) >= 0

function correctItem(item: TextItem, correct: (text: string) => string): TextItem {
  if (!hasSign(item.text)) return item
  const words = item.words?.map((word) => ({ ...word, text: correct(word.text) }))
  return { ...item, text: correct(item.text), ...(words === undefined ? {} : { words }) }
}

// Checkboxes of Wingdings, as characters of the private use area or as the letters with the same codes: "Yes x No ¨" is "Yes ☒
// No ☐".
const CHECKBOXES: Record<string, string> = {
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
// Characters that are never alone in other text, and so are certainly checkboxes. "ý" and "x" are checkboxes only if the page
// has one of these, and "o" only in an answer.
const CERTAIN_CHECKBOX = /[\uf06f\uf071\uf072\uf078\uf0a8\uf0fd\uf0fe]|(?<!\S)[¨þ](?!\S)/u
const ANSWER = /\b(?:Yes|No)\s+[xoý](?!\S)/u
// The layout pass marks bold type with stars.
const LONE_LETTER = /(?<![^\s*])[\uf06f\uf071\uf072\uf078\uf0a8\uf0fd\uf0fe¨þýxo](?![^\s*])/gu
// The number of characters before and after a letter that decide whether it is a checkbox.
const CONTEXT_CHARACTERS = 12

const ACCENTED = /(?![ýþ])[À-ɏḀ-ỿ]/u

const isWingdings = ({ fontName = '' }: TextItem): boolean => fontName.includes('Wingdings')

/** Whether an item is a checkbox. Bullets may have the same font. */
const isBoxItem = (item: TextItem): boolean =>
  CERTAIN_CHECKBOX.test(item.text) || (isWingdings(item) && Object.hasOwn(CHECKBOXES, item.text.trim()))

/** The page with its checkboxes. Unchanged if it has none, as most pages. */
export function withCheckboxes(page: ParsedPage): ParsedPage {
  const boxItems = page.textItems.filter(isBoxItem)
  const hasAnswers = page.textItems.filter(({ text }) => ANSWER.test(text)).length > 1
  if (boxItems.length === 0 && !hasAnswers) return page
  // In another font the same private characters are Greek letters.
  if (page.textItems.some(({ fontName = '' }) => fontName.includes('Symbol')) && !boxItems.some(isWingdings))
    return page
  const correct = (text: string): string =>
    text.replace(LONE_LETTER, (letter, index: number) => {
      const textBefore = text.slice(Math.max(0, index - CONTEXT_CHARACTERS), index)
      const isAnswer = /\b(?:Yes|No)[\s*]+$/.test(textBefore)
      const isMultiplication =
        /(?<!\S)[\d.,]+\s+$/.test(textBefore) ||
        /^.\s+\d/u.test(text.slice(index, index + CONTEXT_CHARACTERS))
      const isAccentedText = ACCENTED.test(textBefore + text.slice(index + 1, index + CONTEXT_CHARACTERS))
      // An x may be a multiplication sign, and "ý" is a word in Vietnamese.
      const isBox =
        isAnswer ||
        (letter === 'x'
          ? boxItems.length > 0 && !isMultiplication
          : letter !== 'o' && !(letter === 'ý' && isAccentedText))
      return isBox ? (CHECKBOXES[letter] ?? letter) : letter
    })
  const textItems = page.textItems.map((item) => withItemCheckboxes(item, correct))
  return withTexts(page, textItems, correct)
}

/** The item with its checkboxes. Its words are changed too, if the new text has as many words. */
function withItemCheckboxes(item: TextItem, correct: (text: string) => string): TextItem {
  const text =
    isWingdings(item) && item.text.length === 1 ? (CHECKBOXES[item.text] ?? item.text) : correct(item.text)
  if (text === item.text) return item
  const wordTexts = text.trim().split(/\s+/)
  const words = item.words?.length === wordTexts.length ? item.words : undefined
  return {
    ...item,
    text,
    ...(words && { words: words.map((word, i) => ({ ...word, text: wordTexts[i] ?? word.text })) }),
  }
}
