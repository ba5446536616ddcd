// Puts accents that are separate glyphs on their letters. TeX's fonts have such glyphs: "M¨uller" is Müller, "Oguz ˘" is
// Oğuz.

import type { ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse'
import { withTexts } from './block-text.ts'

// The names of TeX's text fonts. The fonts of other programs have letters with accents.
const TEX_FONT = /^(?:[A-Z]{6}\+)?(?:CM(?:R|B|TI|BX|CSC|SL|SS|TT)|SF[A-Z]{2}|Nimbus)/

const COMBINING_ACCENTS: Record<string, string> = {
  '¨': '\u0308',
  ˆ: '\u0302',
  '˜': '\u0303',
  ˇ: '\u030c',
  '˘': '\u0306',
  '˚': '\u030a',
  '˝': '\u030b',
  '˛': '\u0328',
  '¸': '\u0327',
  '´': '\u0301',
  '`': '\u0300',
}
// These two accents are also used as apostrophes: "it´s".
const APOSTROPHE_LIKE = /[´`]/
const ACCENT = /[¨ˆ˜ˇ˘˚˝˛¸´`]/
// An accent before its letter, within a word or at its start, but not in "/˜name" of an address.
const BEFORE_LETTER = /(?<![^\s\p{L}([{"'“‘*-])([¨ˆ˜ˇ˘˚˝˛¸´`])(\p{L})/gu
const DOTLESS_LETTERS: Record<string, string> = { ı: 'i', ȷ: 'j' }

/** The letter with its accent; undefined if there is no such letter. */
function composeLetter(letter: string, accent: string): string | undefined {
  const composedLetter = ((DOTLESS_LETTERS[letter] ?? letter) + (COMBINING_ACCENTS[accent] ?? '')).normalize(
    'NFC',
  )
  return composedLetter.length === 1 ? composedLetter : undefined
}

/** The text with accents on their letters. @param areAccents whether ´ and ` are accents in this text and not apostrophes */
const withAccents = (text: string, areAccents: boolean): string =>
  ACCENT.test(text)
    ? text.replace(BEFORE_LETTER, (match, accent: string, letter: string, index: number) => {
        const isAccent =
          !APOSTROPHE_LIKE.test(accent) || DOTLESS_LETTERS[letter] || (areAccents && mayBeAccent(text, index))
        return isAccent ? (composeLetter(letter, accent) ?? match) : match
      })
    : text

/** Whether the sign is inside a word, and not a quotation mark or an apostrophe ("it´s"). */
const mayBeAccent = (text: string, index: number): boolean =>
  /\p{L}/u.test(text[index - 1] ?? '') && !/^s(?!\p{L})/u.test(text.slice(index + 1))

/** The page with separate accents on their letters, in items and blocks. Unchanged if it has none, as most pages. */
export function withDrawnAccents(page: ParsedPage): ParsedPage {
  const accentedItems = page.textItems.filter(({ text }) => ACCENT.test(text))
  if (accentedItems.length === 0) return page
  const areAccents = accentedItems.some(
    ({ fontName, text }) => TEX_FONT.test(fontName ?? '') || withAccents(text, false) !== text,
  )
  const composedBySeparate = new Map<string, string>()
  const correctText = (text: string): string => {
    let itemText = text
    for (const [from, to] of composedBySeparate) itemText = itemText.replaceAll(from, to)
    return withAccents(itemText, areAccents)
  }
  const items = page.textItems.map((item) =>
    accentedItems.includes(item) ? withComposedAccents(item, composedBySeparate) : item,
  )
  const textItems = items.map((item) => ({
    ...item,
    text: withAccents(item.text, areAccents),
    ...(item.words && {
      words: item.words.map((word) => ({ ...word, text: withAccents(word.text, areAccents) })),
    }),
  }))
  return withTexts(page, textItems, correctText)
}

/** The item with accents on the letters below them. These accents are separate words of the item. */
function withComposedAccents(item: TextItem, composedBySeparate: Map<string, string>): TextItem {
  const words = [...(item.words ?? [])]
  let { text } = item
  for (const accent of words.filter((word) => word.text in COMBINING_ACCENTS)) {
    const index = words.findIndex((word) => word !== accent && isAbove(accent, word))
    const word = words[index]
    const composedText = word && accentedWord(word, accent)
    const separateText = `${word?.text} ${accent.text}`
    if (word === undefined || composedText === undefined || !text.includes(separateText)) continue
    words[index] = { ...word, text: composedText }
    words.splice(words.indexOf(accent), 1)
    text = text.replace(separateText, composedText)
    composedBySeparate.set(separateText, composedText)
  }
  return text === item.text ? item : { ...item, text, words }
}

const isAbove = (accent: WordBox, { x, width }: WordBox): boolean =>
  accent.x + accent.width / 2 > x && accent.x + accent.width / 2 < x + width

// The approximate width of a letter, as a share of the widest letter's.
const widthOf = (letter: string): number =>
  /[mwMW]/.test(letter) ? 0.9 : /\p{Lu}/u.test(letter) ? 0.75 : /[fijlrtı]/.test(letter) ? 0.35 : 0.55

/** The word with the accent on the nearest letter that can have it. */
function accentedWord(word: WordBox, accent: WordBox): string | undefined {
  const letters = [...word.text]
  const total = letters.reduce((sum, letter) => sum + widthOf(letter), 0)
  const middle = ((accent.x + accent.width / 2 - word.x) / word.width) * total
  let [nearestIndex, minDistance, rightEdge] = [-1, widthOf('m'), 0]
  for (const [i, letter] of letters.entries()) {
    const distance = Math.abs(rightEdge + widthOf(letter) / 2 - middle)
    rightEdge += widthOf(letter)
    if (distance >= minDistance || composeLetter(letter, accent.text) === undefined) continue
    nearestIndex = i
    minDistance = distance
  }
  return nearestIndex < 0
    ? undefined
    : letters.map((letter, i) => (i === nearestIndex ? composeLetter(letter, accent.text) : letter)).join('')
}
