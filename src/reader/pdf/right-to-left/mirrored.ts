// Pages in Hebrew or Arabic script. PDFium hands over their words from left to right, as they stand, and some Arabic
// ones with their letters backwards. Such a page is mirrored: what is read first stands on the left, as everywhere else,
// so that columns, tables and paragraphs are found by the same rules; places are mirrored back at the end.

import { readFile } from 'node:fs/promises'
import type { LayoutBlock, ParsedPage, Rect, TextItem, WordBox } from '@llamaindex/liteparse'
import type { Block } from '../../block.ts'
import { rectBox, standsIn } from '../layout/place.ts'
import { textLines } from '../tables/lines.ts'
import { type Spellings, spelled, spellingsOf } from './spellings.ts'

const SCRIPT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u
const LETTER = /\p{L}/gu

/** Whether most of the page's letters are of a script written from the right. */
export function isRightToLeft({ textItems }: Pick<ParsedPage, 'textItems'>): boolean {
  // Most pages of a library have not one such letter.
  if (!textItems.some(({ text }) => SCRIPT.test(text))) return false
  let [right, all] = [0, 0]
  for (const { text } of textItems) {
    const letters = text.match(LETTER) ?? []
    all += letters.length
    if (SCRIPT.test(text)) right += letters.filter((letter) => SCRIPT.test(letter)).length
  }
  return right * 2 > all
}

/** The page mirrored, its words in the order they are read; `known` are those of `wordsOfPages`. */
export function mirroredPage(page: ParsedPage, known: Spellings): ParsedPage {
  const mirror = <Box extends Rect>(box: Box): Box => ({ ...box, x: page.width - box.x - box.width })
  const textItems = page.textItems.map((item) => mirroredItem(item, known, mirror))
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

/** Puts the blocks back where they stand on the page, in place. */
export function mirrorBack(blocks: readonly Block[], width: number): void {
  for (const block of blocks) {
    if (block.bbox === undefined) continue
    const [left, top, right, bottom] = block.bbox
    block.bbox = [width - right, top, width - left, bottom]
  }
}

/** Whether a text has letters of such a script. */
export const hasScript = (text: string): boolean => SCRIPT.test(text)

/**
 * The words of the pages with such letters, by page, as pdf-inspector reads them: it turns letters the right way round, but
 * knows no places. Asked for together, since it reads the whole file each time.
 */
export async function wordsOfPages(
  path: string,
  pages: readonly Pick<ParsedPage, 'pageNum' | 'textItems'>[],
): Promise<(page: number) => Spellings> {
  // Most pages of a library have not one such letter.
  const wanted = pages.filter(({ textItems }) => textItems.some(({ text }) => hasScript(text)))
  if (wanted.length === 0) return () => new Map()
  const { extractPagesMarkdown } = await import('@firecrawl/pdf-inspector')
  try {
    const numbers = wanted.map(({ pageNum }) => pageNum - 1)
    const read = extractPagesMarkdown(await readFile(path), numbers).pages
    const words = new Map(read.map(({ page, markdown }) => [page + 1, spellingsOf(wordsIn(markdown))]))
    return (page) => words.get(page) ?? new Map()
  } catch {
    return () => new Map()
  }
}

const wordsIn = (text: string): string[] => withBaseLetters(text).match(/[\p{L}\p{M}]+/gu) ?? []

// Letters as they look within a word, and ligatures; what else stands in a text stays as it is written.
const PRESENTATION_FORMS = /[\ufb1d-\ufdff\ufe70-\ufeff]+/gu
const withBaseLetters = (text: string): string =>
  text.replace(PRESENTATION_FORMS, (forms) => forms.normalize('NFKC'))

function mirroredItem(
  item: TextItem,
  known: Spellings,
  mirror: <Box extends Rect>(box: Box) => Box,
): TextItem {
  const own: WordBox[] = item.words !== undefined && item.words.length > 0 ? item.words : [item]
  const words = joinLeftToRight(own.map(({ text, x, y, width, height }) => ({ text, x, y, width, height })))
    .map((word) => mirror({ ...word, text: readWord(word.text, known) }))
    .sort((a, b) => a.x - b.x)
    .reduce<WordBox[]>(withPunctuation, [])
  return { ...mirror(item), text: words.map(({ text }) => text).join(' '), words }
}

/** Words of Latin letters and figures that follow each other are read from the left all the same: one word here. */
function joinLeftToRight(words: readonly WordBox[]): WordBox[] {
  const joined: WordBox[] = []
  for (const word of words) {
    const last = joined.at(-1)
    if (
      last !== undefined &&
      /\p{Script=Latin}/u.test(last.text) &&
      /[\p{Script=Latin}\p{N}]/u.test(word.text)
    ) {
      last.text += ` ${word.text}`
      last.width = word.x + word.width - last.x
    } else joined.push({ ...word })
  }
  return joined
}

/** A word with its letters and its punctuation in the order they are read. */
export function readWord(text: string, known: Spellings): string {
  if (!SCRIPT.test(text)) return text
  const word = withBaseLetters(text).replace(/[\p{L}\p{M}]+/gu, (letters) => spelled(letters, known))
  // What ends a sentence stands on its left.
  return word.replace(/^([.,:;!?،؛؟]+)(.+)$/u, '$2$1')
}

/** A comma alone belongs to the word before it. */
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
  const place = rectBox(bbox)
  const own = items.flatMap((item) => {
    const box = rectBox(item)
    return standsIn(box, place, 1) ? [{ text: item.text, item, bbox: box }] : []
  })
  const lines = textLines(own).map(({ segments }) => segments.map(({ text }) => text).join(' '))
  return { ...block, bbox, text: lines.join(' ') }
}
