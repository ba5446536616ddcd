// Hebrew and Arabic phrases in pages of another script: PDFium hands over their words from left to right, as they stand.
// The places stay, the words change theirs, in the layout's texts too.

import type { LayoutBlock, ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse'
import { rectBox } from '../layout/place.ts'
import { textLines } from '../tables/lines.ts'
import { hasScript, readWord, wordsOfPage } from './right-to-left.ts'

interface Phrase {
  words: WordBox[]
  /** The words in the order they are read. */
  read: string[]
}

/** The page with such phrases in the order they are read; itself where it has none. */
export async function withPhrasesRead(path: string, page: ParsedPage): Promise<ParsedPage> {
  if (!page.textItems.some(({ text }) => hasScript(text))) return page
  const known = await wordsOfPage(path, page.pageNum)
  const phrases = phrasesOf(page.textItems).map((words) => ({ words, read: inOrder(words, known) }))
  const turned = phrases.filter(({ words, read }) => words.some(({ text }, i) => text !== read[i]))
  if (turned.length === 0) return page
  const texts = new Map(turned.flatMap(({ words, read }) => words.map((word, i) => [word, read[i] ?? ''])))
  return {
    ...page,
    textItems: page.textItems.map((item) => withTexts(item, texts)),
    ...(page.blocks && { blocks: page.blocks.map((block) => blockRead(block, turned)) }),
  }
}

const wordsOf = (item: TextItem): WordBox[] =>
  item.words !== undefined && item.words.length > 0 ? item.words : [item]

/** Words of such a script that follow each other on a line, from the left. */
function phrasesOf(items: readonly TextItem[]): WordBox[][] {
  const own = new Map<object, WordBox>()
  const placed = items.flatMap((item) =>
    wordsOf(item).map((word) => {
      const entry = { text: word.text, item, bbox: rectBox(word) }
      own.set(entry, word)
      return entry
    }),
  )
  return textLines(placed).flatMap(({ segments }) => {
    const phrases: WordBox[][] = [[]]
    for (const entry of segments.flatMap(({ words }) => words)) {
      const word = own.get(entry)
      if (word !== undefined && hasScript(word.text)) phrases.at(-1)?.push(word)
      else if (phrases.at(-1)?.length !== 0) phrases.push([])
    }
    return phrases.filter(({ length }) => length > 0)
  })
}

const BEFORE = /^[([{"“«]+/u
const BEHIND = /[.,:;!?)\]}"”»]+$/u

/** The words from the right; what opens the phrase on its left and what closes it on its right is the page's own. */
function inOrder(words: readonly WordBox[], known: ReadonlySet<string>): string[] {
  const texts = words.map(({ text }) => text)
  const opening = BEFORE.exec(texts[0] ?? '')?.[0] ?? ''
  const closing = BEHIND.exec(texts.at(-1) ?? '')?.[0] ?? ''
  texts[0] = (texts[0] ?? '').slice(opening.length)
  texts[texts.length - 1] = (texts.at(-1) ?? '').slice(0, closing.length === 0 ? undefined : -closing.length)
  const read = texts.map((text) => readWord(text, known)).reverse()
  read[0] = opening + (read[0] ?? '')
  read[read.length - 1] = (read.at(-1) ?? '') + closing
  return read
}

function withTexts(item: TextItem, texts: ReadonlyMap<WordBox, string>): TextItem {
  const own = wordsOf(item)
  if (!own.some((word) => texts.has(word))) return item
  const words = own.map((word) => ({ ...word, text: texts.get(word) ?? word.text }))
  const text = words.map((word) => word.text).join(' ')
  return own[0] === item ? { ...item, text } : { ...item, text, words }
}

/** The layout's texts are made of the words as they stand. */
function blockRead(block: LayoutBlock, phrases: readonly Phrase[]): LayoutBlock {
  const read = (text: string): string =>
    hasScript(text)
      ? phrases.reduce((all, phrase) => {
          const stands = phrase.words.map((word) => word.text).join(' ')
          return all.replace(stands, () => phrase.read.join(' '))
        }, text)
      : text
  return {
    ...block,
    ...(block.text !== undefined && { text: read(block.text) }),
    ...(block.lines !== undefined && { lines: block.lines.map(read) }),
  }
}
