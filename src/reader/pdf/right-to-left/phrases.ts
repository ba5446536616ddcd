// Hebrew and Arabic phrases in pages of another script: PDFium hands over their words from left to right, as they stand.
// The places stay, the words change theirs, in the layout's texts too.

import type { LayoutBlock, ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse'
import { rectBox } from '../layout/place.ts'
import { textLines } from '../tables/lines.ts'
import { hasScript, readWord } from './mirrored.ts'
import type { Spellings } from './spellings.ts'

interface Phrase {
  words: WordBox[]
  /** The words in the order they are read. */
  read: string[]
}

/** The page with such phrases in the order they are read; itself where it has none. `known`: see `wordsOfPages`. */
export function withPhrasesRead(page: ParsedPage, known: Spellings): ParsedPage {
  if (!page.textItems.some(({ text }) => hasScript(text))) return page
  const phrases = phrasesOf(page.textItems).map((words) => ({ words, read: inOrder(words, known) }))
  const turned = phrases.filter(({ words, read }) => words.some(({ text }, i) => text !== read[i]))
  if (turned.length === 0) return page
  const texts = new Map(turned.flatMap(({ words, read }) => words.map((word, i) => [word, read[i] ?? ''])))
  const phrased = longestFirst(turned)
  return {
    ...page,
    textItems: page.textItems.map((item) => withTexts(item, texts)),
    ...(page.blocks && { blocks: page.blocks.map((block) => blockRead(block, phrased)) }),
  }
}

const wordsOf = (item: TextItem): WordBox[] =>
  item.words !== undefined && item.words.length > 0 ? item.words : [item]

/** Words of such a script that follow each other on a line and in one cell or column, from the left. */
function phrasesOf(items: readonly TextItem[]): WordBox[][] {
  const own = new Map<object, WordBox>()
  const placed = items.flatMap((item) =>
    wordsOf(item).map((word) => {
      const entry = { text: word.text, item, bbox: rectBox(word) }
      own.set(entry, word)
      return entry
    }),
  )
  return textLines(placed).flatMap(({ segments }) =>
    segments.flatMap(({ words }) => {
      const phrases: WordBox[][] = [[]]
      for (const entry of words) {
        const word = own.get(entry)
        if (word !== undefined && hasScript(word.text)) phrases.at(-1)?.push(word)
        else if (phrases.at(-1)?.length !== 0) phrases.push([])
      }
      return phrases.filter(({ length }) => length > 0)
    }),
  )
}

const BEFORE = /^[([{"“«]+/u
const BEHIND = /[.,:;!?)\]}"”»]+$/u

/** The words from the right; what opens the phrase on its left and what closes it on its right is the page's own. */
function inOrder(words: readonly WordBox[], known: Spellings): string[] {
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

/** What each phrase is read as, by how it stands: one that is part of another comes behind it. */
function longestFirst(phrases: readonly Phrase[]): [stands: string, read: string][] {
  const texts = phrases.map(({ words, read }): [string, string] => [
    words.map(({ text }) => text).join(' '),
    read.join(' '),
  ])
  return [...new Map(texts)].sort(([a], [b]) => b.length - a.length)
}

/** The layout's texts are made of the words as they stand. */
function blockRead(block: LayoutBlock, phrases: readonly [stands: string, read: string][]): LayoutBlock {
  const read = (text: string): string => (hasScript(text) ? textRead(text, phrases) : text)
  return {
    ...block,
    ...(block.text !== undefined && { text: read(block.text) }),
    ...(block.lines !== undefined && { lines: block.lines.map(read) }),
  }
}

/** The text with each phrase as it is read; what was put in order is not looked through for others. */
function textRead(text: string, phrases: readonly [stands: string, read: string][]): string {
  // As they stand, and in order, in turn.
  let parts = [text]
  for (const [stands, read] of phrases) {
    if (!text.includes(stands)) continue
    parts = parts.flatMap((part, i) =>
      i % 2 === 1 ? [part] : part.split(stands).flatMap((rest, k) => (k === 0 ? [rest] : [read, rest])),
    )
  }
  return parts.join('')
}
