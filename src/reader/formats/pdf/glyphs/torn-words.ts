// Joins words that liteparse splits: "Table w it h r ule s:" on a page printed by Chrome on Linux, which places glyphs on whole
// pixels. If the letters on both sides of a space touch, it is not a space. Words in narrow type ("of Agent") may touch too, but
// there each word has one box.

import type { ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse'
import { EDGE } from '../../../shared/page/tolerance.ts'
import { withTexts } from './block-text.ts'

// As a share of a line's height: letters with a smaller gap or overlap touch. Inside split words the gaps are .001.
const MAX_TOUCHING_GAP = 0.02

/** The page with its split words joined, in items and blocks. Unchanged if it has none, as most pages. */
export function withWholeWords(page: ParsedPage): ParsedPage {
  const joinedBySplit = new Map<string, string>()
  const textItems = page.textItems.map((item) => {
    const joinedItem = joinWords(item)
    if (joinedItem !== item) joinedBySplit.set(item.text, joinedItem.text)
    return joinedItem
  })
  if (joinedBySplit.size === 0) return page
  // The longest come first, because one split line may be part of another.
  const splitTexts = [...joinedBySplit].sort(([a], [b]) => b.length - a.length)
  const joinTexts = (text: string): string =>
    splitTexts.reduce((joinedText, [from, to]) => joinedText.replaceAll(from, to), text)
  return withTexts(page, textItems, joinTexts)
}

function joinWords(item: TextItem): TextItem {
  const words = item.words ?? []
  const spacing = letterSpacing(words)
  const isInsideWord = (left: WordBox | undefined, right: WordBox): boolean =>
    left !== undefined &&
    (spacing === undefined ? areTouching(left, right) : gapOf(left, right) < spacing * MAX_SPACING_RATIO)
  if (!words.some((word, i) => isInsideWord(words[i - 1], word))) return item
  if (spacing === undefined && words.length <= wordCount(item.text)) return item
  let text = ''
  let searchStart = 0
  const joinedWords: WordBox[] = []
  for (const [i, word] of words.entries()) {
    const start = item.text.indexOf(word.text, searchStart)
    const textBetween = item.text.slice(searchStart, start)
    // Other characters between the words make the joined text uncertain.
    if (start < 0 || textBetween.trim() !== '') return item
    const lastWord = joinedWords.at(-1)
    const isSplitWord = lastWord !== undefined && isInsideWord(words[i - 1], word)
    text += (isSplitWord ? '' : textBetween) + word.text
    if (isSplitWord) joinedWords[joinedWords.length - 1] = joinedBoxes(lastWord, word)
    else joinedWords.push(word)
    searchStart = start + word.text.length
  }
  text += item.text.slice(searchStart)
  return text === item.text ? item : { ...item, text, words: joinedWords }
}

const wordCount = (text: string): number => text.trim().split(/\s+/).length

// Headings set with space between their letters: "A N N U A L   R E P O R T". The minimum number of letters in such a text, the
// minimum and maximum space in heights of the line, and the maximum space between letters of one word, as a multiple of the
// usual one.
const MIN_SPACED_LETTERS = 5
const SPACING_RANGE = [0.1, 0.6] as const
const MAX_SPACING_RATIO = 1.6

/** The usual space between letters in such a heading. Undefined for other texts. */
function letterSpacing(words: readonly WordBox[]): number | undefined {
  const letters = words.map(({ text }) => text)
  if (letters.length < MIN_SPACED_LETTERS || letters.some((letter) => [...letter].length > 1))
    return undefined
  if (letters.filter((letter) => /\p{L}/u.test(letter)).length * 2 < letters.length || areSuccessive(letters))
    return undefined
  const gaps = words.slice(1).map((word, i) => gapOf(words[i] ?? word, word))
  const medianGap = gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0
  const height = words[0]?.height ?? 0
  return medianGap > height * SPACING_RANGE[0] && medianGap < height * SPACING_RANGE[1]
    ? medianGap
    : undefined
}

/** Whether letters are the names of columns or choices: "A B C D E". */
const areSuccessive = (letters: readonly string[]): boolean =>
  letters.slice(1).every((letter, i) => letter.charCodeAt(0) - (letters[i]?.charCodeAt(0) ?? 0) === 1)

const gapOf = (left: WordBox, right: WordBox): number => right.x - left.x - left.width

/** Whether two boxes of one line are letters of the same word. */
function areTouching(left: WordBox, right: WordBox): boolean {
  const gap = gapOf(left, right)
  return (
    Math.abs(gap) < right.height * MAX_TOUCHING_GAP &&
    Math.abs(right.y - left.y) < right.height * EDGE &&
    Math.abs(right.height - left.height) < right.height * EDGE &&
    /\p{L}$/u.test(left.text) &&
    /^\p{L}/u.test(right.text)
  )
}

function joinedBoxes(left: WordBox, right: WordBox): WordBox {
  return { ...left, text: left.text + right.text, width: right.x + right.width - left.x }
}

const wordsOf = (item: TextItem): readonly WordBox[] =>
  item.words !== undefined && item.words.length > 0
    ? item.words
    : [{ text: item.text, x: item.x, y: item.y, width: item.width, height: item.height }]

// TeX's fonts have "ff" at the code where others have the sign for the return key. Without a character table it is read as that
// sign.
const RETURN_SIGN = /(?<=\p{L})\u21b5/gu
const withLetters = (text: string): string => text.replace(RETURN_SIGN, 'ff')

/** The page with "ff" for ligatures that were read as return signs. */
export function withLigatures(page: ParsedPage): ParsedPage {
  if (!page.textItems.some(({ text }) => text.includes('\u21b5'))) return page
  const textItems = page.textItems.map((item) => ({
    ...item,
    text: withLetters(item.text),
    words: wordsOf(item).map((word) => ({ ...word, text: withLetters(word.text) })),
  }))
  return withTexts(page, textItems, withLetters)
}
