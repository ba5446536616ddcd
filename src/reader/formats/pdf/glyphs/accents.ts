// Accents that are glyphs of their own, as in TeX's fonts: "M¨uller" is Müller, "Oguz ˘" is Oğuz.

import type { ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse'
import { withTexts } from './block-text.ts'

// TeX's text fonts; those of other programs have letters with accents.
const TEX = /^(?:[A-Z]{6}\+)?(?:CM(?:R|B|TI|BX|CSC|SL|SS|TT)|SF[A-Z]{2}|Nimbus)/

const COMBINING: Record<string, string> = {
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
// These two signs are also used as apostrophes: "it´s".
const APOSTROPHES = /[´`]/
const ACCENT = /[¨ˆ˜ˇ˘˚˝˛¸´`]/
// Before its letter, within a word or at its start, but not in "/˜name" of an address.
const BEFORE_LETTER = /(?<![^\s\p{L}([{"'“‘*-])([¨ˆ˜ˇ˘˚˝˛¸´`])(\p{L})/gu
const DOTLESS: Record<string, string> = { ı: 'i', ȷ: 'j' }

/** The letter with its accent; undefined if there is no such letter. */
function composed(letter: string, accent: string): string | undefined {
  const composedLetter = ((DOTLESS[letter] ?? letter) + (COMBINING[accent] ?? '')).normalize('NFC')
  return composedLetter.length === 1 ? composedLetter : undefined
}

/** The text with accents on their letters. Signs that may be apostrophes are changed only if `all` are accents. */
const withAccents = (text: string, all: boolean): string =>
  ACCENT.test(text)
    ? text.replace(BEFORE_LETTER, (match, accent: string, letter: string, at: number) => {
        if (APOSTROPHES.test(accent) && !(DOTLESS[letter] || (all && mayBeAccent(text, at)))) return match
        return composed(letter, accent) ?? match
      })
    : text

/** Whether the sign is inside a word, and not a quotation mark or an apostrophe ("it´s"). */
const mayBeAccent = (text: string, at: number): boolean =>
  /\p{L}/u.test(text[at - 1] ?? '') && !/^s(?!\p{L})/u.test(text.slice(at + 1))

/** The page with such accents on their letters, in items and blocks. Unchanged if it has none, as most pages. */
export function withDrawnAccents(page: ParsedPage): ParsedPage {
  const accented = page.textItems.filter(({ text }) => ACCENT.test(text))
  if (accented.length === 0) return page
  const all = accented.some(
    ({ fontName, text }) => TEX.test(fontName ?? '') || withAccents(text, false) !== text,
  )
  const composedByDrawn = new Map<string, string>()
  const read = (text: string): string => {
    let itemText = text
    for (const [from, to] of composedByDrawn) itemText = itemText.replaceAll(from, to)
    return withAccents(itemText, all)
  }
  const items = page.textItems.map((item) =>
    accented.includes(item) ? withPlaced(item, composedByDrawn) : item,
  )
  const textItems = items.map((item) => ({
    ...item,
    text: withAccents(item.text, all),
    ...(item.words && { words: item.words.map((word) => ({ ...word, text: withAccents(word.text, all) })) }),
  }))
  return withTexts(page, textItems, read)
}

/** The item in which accents that are words of their own are put on the letters below them. */
function withPlaced(item: TextItem, composedByDrawn: Map<string, string>): TextItem {
  const words = [...(item.words ?? [])]
  let { text } = item
  for (const accent of words.filter((word) => word.text in COMBINING)) {
    const at = words.findIndex((word) => word !== accent && isAbove(accent, word))
    const word = words[at]
    const accented = word && accentedWord(word, accent)
    const decomposed = `${word?.text} ${accent.text}`
    if (word === undefined || accented === undefined || !text.includes(decomposed)) continue
    words[at] = { ...word, text: accented }
    words.splice(words.indexOf(accent), 1)
    text = text.replace(decomposed, accented)
    composedByDrawn.set(decomposed, accented)
  }
  return text === item.text ? item : { ...item, text, words }
}

const isAbove = (accent: WordBox, { x, width }: WordBox): boolean =>
  accent.x + accent.width / 2 > x && accent.x + accent.width / 2 < x + width

// About how wide letters are, as shares of the widest.
const widthOf = (letter: string): number =>
  /[mwMW]/.test(letter) ? 0.9 : /\p{Lu}/u.test(letter) ? 0.75 : /[fijlrtı]/.test(letter) ? 0.35 : 0.55

/** The word with the accent on the nearest letter that can have it. */
function accentedWord(word: WordBox, accent: WordBox): string | undefined {
  const letters = [...word.text]
  const total = letters.reduce((sum, letter) => sum + widthOf(letter), 0)
  const middle = ((accent.x + accent.width / 2 - word.x) / word.width) * total
  let [nearestIndex, minDistance, right] = [-1, widthOf('m'), 0]
  for (const [i, letter] of letters.entries()) {
    const distance = Math.abs(right + widthOf(letter) / 2 - middle)
    right += widthOf(letter)
    if (distance >= minDistance || composed(letter, accent.text) === undefined) continue
    nearestIndex = i
    minDistance = distance
  }
  return nearestIndex < 0
    ? undefined
    : letters.map((letter, i) => (i === nearestIndex ? composed(letter, accent.text) : letter)).join('')
}
