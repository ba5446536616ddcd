// Reads Hebrew and Arabic text. PDFium returns its words in the order from left to right, and some Arabic words with their letters
// reversed. A page in such a script is mirrored, so that columns, tables and paragraphs are found by the same rules as on other
// pages. The positions of its blocks are mirrored back at the end.

import { readFile } from 'node:fs/promises'
import type { LayoutBlock, ParsedPage, Rect, TextItem, WordBox } from '@llamaindex/liteparse'
import type { Block } from '../../block.ts'
import { isCentreInside, rectBox } from '../../shared/page/layout/boxes.ts'
import { textLines } from '../../shared/page/tables/lines.ts'
import { BLOCK_EDGE } from '../../shared/page/tolerance.ts'

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u
const LETTER = /\p{L}/gu

/** Whether most letters of the page belong to a script written from right to left. */
export function isRightToLeft({ textItems }: Pick<ParsedPage, 'textItems'>): boolean {
  // Most pages have no such letter.
  if (!textItems.some(({ text }) => RIGHT_TO_LEFT.test(text))) return false
  let [rightToLeft, total] = [0, 0]
  for (const { text } of textItems) {
    const letters = text.match(LETTER) ?? []
    total += letters.length
    if (RIGHT_TO_LEFT.test(text)) rightToLeft += letters.filter((letter) => RIGHT_TO_LEFT.test(letter)).length
  }
  return rightToLeft * 2 > total
}

/** The mirrored page with its words in reading order. @param spellings the words of the page, from `wordsOfPages` */
export function mirroredPage(page: ParsedPage, spellings: Spellings): ParsedPage {
  const mirror = <Box extends Rect>(box: Box): Box => ({ ...box, x: page.width - box.x - box.width })
  const textItems = page.textItems.map((item) => mirroredItem(item, spellings, mirror))
  const lines = page.vectorGraphics?.lines.map((line) => ({
    ...line,
    x1: page.width - line.x1,
    x2: page.width - line.x2,
  }))
  return {
    ...page,
    textItems,
    blocks: (page.blocks ?? []).map((block) => mirroredBlock(block, textItems, mirror)),
    ...(page.vectorGraphics && lines ? { vectorGraphics: { ...page.vectorGraphics, lines } } : {}),
  }
}

/** Mirrors the positions of the blocks back, in place. */
export function mirrorBack(blocks: readonly Block[], width: number): void {
  for (const block of blocks) {
    if (block.bbox === undefined) continue
    const [left, top, right, bottom] = block.bbox
    block.bbox = [width - right, top, width - left, bottom]
  }
}

/**
 * The words of pages with such letters, as pdf-inspector reads them. Its letters are in the right order, but it gives no
 * positions. All pages are read in one call, because each call reads the whole file.
 */
export async function wordsOfPages(
  path: string,
  pages: readonly Pick<ParsedPage, 'pageNum' | 'textItems'>[],
): Promise<(page: number) => Spellings> {
  // Most pages have no such letter.
  const scriptPages = pages.filter(({ textItems }) => textItems.some(({ text }) => RIGHT_TO_LEFT.test(text)))
  if (scriptPages.length === 0) return () => new Map()
  const { extractPagesMarkdown } = await import('@firecrawl/pdf-inspector')
  try {
    const numbers = scriptPages.map(({ pageNum }) => pageNum - 1)
    const readPages = extractPagesMarkdown(await readFile(path), numbers).pages
    const words = new Map(readPages.map(({ page, markdown }) => [page + 1, spellingsOf(wordsIn(markdown))]))
    return (page) => words.get(page) ?? new Map()
  } catch {
    return () => new Map()
  }
}

const wordsIn = (text: string): string[] => withBaseLetters(text).match(/[\p{L}\p{M}]+/gu) ?? []

// The code points of presentation forms, which letters have inside a word, and of ligatures.
const PRESENTATION_FORMS = /[\ufb1d-\ufdff\ufe70-\ufeff]+/gu
const withBaseLetters = (text: string): string =>
  text.replace(PRESENTATION_FORMS, (forms) => forms.normalize('NFKC'))

function mirroredItem(
  item: TextItem,
  spellings: Spellings,
  mirror: <Box extends Rect>(box: Box) => Box,
): TextItem {
  const itemWords: WordBox[] = item.words !== undefined && item.words.length > 0 ? item.words : [item]
  const words = joinLeftToRight(
    itemWords.map(({ text, x, y, width, height }) => ({ text, x, y, width, height })),
  )
    .map((word) => mirror({ ...word, text: inReadingOrder(word.text, spellings) }))
    .sort((a, b) => a.x - b.x)
    .reduce<WordBox[]>(withPunctuation, [])
  return { ...mirror(item), text: words.map(({ text }) => text).join(' '), words }
}

/** Joins successive words of Latin letters and digits to one word, because they are read from left to right. */
function joinLeftToRight(words: readonly WordBox[]): WordBox[] {
  const joinedWords: WordBox[] = []
  for (const word of words) {
    const last = joinedWords.at(-1)
    if (
      last !== undefined &&
      /\p{Script=Latin}/u.test(last.text) &&
      /[\p{Script=Latin}\p{N}]/u.test(word.text)
    ) {
      last.text += ` ${word.text}`
      last.width = word.x + word.width - last.x
    } else joinedWords.push({ ...word })
  }
  return joinedWords
}

/** A word with its letters and punctuation in reading order. */
export function inReadingOrder(text: string, spellings: Spellings): string {
  if (!RIGHT_TO_LEFT.test(text)) return text
  const word = withBaseLetters(text).replace(/[\p{L}\p{M}]+/gu, (letters) =>
    correctSpelling(letters, spellings),
  )
  // The punctuation at the end of a sentence is on its left side.
  return word.replace(/^([.,:;!?،؛؟]+)(.+)$/u, '$2$1')
}

/** Adds a word to the list. Punctuation alone is joined to the word before it. */
function withPunctuation(words: WordBox[], word: WordBox): WordBox[] {
  const last = words.at(-1)
  if (last === undefined || !/^[.,:;!?،؛؟]+$/u.test(word.text)) return [...words, word]
  return [
    ...words.slice(0, -1),
    { ...last, text: last.text + word.text, width: word.x + word.width - last.x },
  ]
}

function mirroredBlock(
  block: LayoutBlock,
  items: readonly TextItem[],
  mirror: <Box extends Rect>(box: Box) => Box,
): LayoutBlock {
  if (block.bbox === undefined) return block
  const bbox = mirror(block.bbox)
  if (block.text === undefined) return { ...block, bbox }
  const blockBox = rectBox(bbox)
  const blockTexts = items.flatMap((item) => {
    const box = rectBox(item)
    return isCentreInside(box, blockBox, BLOCK_EDGE) ? [{ text: item.text, item, bbox: box }] : []
  })
  const lines = textLines(blockTexts).map(({ segments }) => segments.map(({ text }) => text).join(' '))
  return { ...block, bbox, text: lines.join(' ') }
}

// Corrects spellings. PDFium and pdf-inspector each reverse the letters on some pages, and PDFium also those of ligatures
// ("األدوات" for "الأدوات"). Letters that occur only at the end of a word show in which direction the words of a page are written.

/** Correctly spelled words by their sorted letters. */
export type Spellings = ReadonlyMap<string, readonly string[]>

// Letters that occur only at the end of a word, and the article, which occurs only at the start.
const FINAL_LETTERS = 'ךםןףץةى'
const ARTICLE = /^ال.{2}/u
const ARTICLE_BACKWARDS = /.{2}لا$/u

const lettersOf = (word: string): string => [...word].sort().join('')
const backwardsOf = (word: string): string => [...word].reverse().join('')

/** The words with their letters in the right order. All are reversed if more of them look backwards than forwards. */
export function spellingsOf(words: Iterable<string>): Spellings {
  const uniqueWords = [...new Set(words)]
  const direction = uniqueWords.reduce((sum, word) => sum + directionOf(word), 0)
  const spellings = new Map<string, string[]>()
  for (const word of uniqueWords) {
    const spelling = direction < 0 ? backwardsOf(word) : word
    const letters = lettersOf(spelling)
    spellings.set(letters, [...(spellings.get(letters) ?? []), spelling])
  }
  return spellings
}

/** 1 for a word in the right order, -1 for a reversed one, 0 if unknown. */
function directionOf(word: string): number {
  const letters = [...word]
  const [first = '', last = ''] = [letters[0], letters.at(-1)]
  if (letters.length < 2) return 0
  const looksForwards = FINAL_LETTERS.includes(last) || ARTICLE.test(word)
  const looksBackwards = FINAL_LETTERS.includes(first) || ARTICLE_BACKWARDS.test(word)
  return Number(looksForwards) - Number(looksBackwards)
}

/** The spelling of a word among the known ones. The letters of the word, or those of its ligatures, may be reversed. */
export function correctSpelling(word: string, spellings: Spellings): string {
  const candidates = spellings.get(lettersOf(word)) ?? []
  if (candidates.includes(word)) return word
  const backwards = backwardsOf(word)
  if (candidates.includes(backwards)) return backwards
  const spellingWithLigatures = candidates.find((other) =>
    [word, backwards].some((spelling) => differsInLigatures(spelling, other)),
  )
  return spellingWithLigatures ?? word
}

// The letters lam and alef in either order, which are written as one sign.
const LIGATURE = /^(?:ل[اأإآٱ]|[اأإآٱ]ل)$/u

/** Whether two words with the same letters differ only in the order of letters within ligatures. */
function differsInLigatures(word: string, other: string): boolean {
  const [a, b] = [[...word], [...other]]
  for (let i = 0; i < a.length; i++) {
    if (a[i] === b[i]) continue
    const isReversedLigature = a[i] === b[i + 1] && a[i + 1] === b[i] && LIGATURE.test(`${a[i]}${a[i + 1]}`)
    if (!isReversedLigature) return false
    i++
  }
  return true
}
