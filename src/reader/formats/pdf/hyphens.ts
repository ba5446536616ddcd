// Restores hyphens that liteparse removed at line ends ("cloud-" + "based" became "cloudbased"). Three things decide whether
// a hyphen belongs to the word: the other words of the document, whether the document breaks words at syllables at all, and a
// list of English words. Before a digit or a capital, liteparse leaves the hyphen and adds a space: "TR-4471- B".

import type { TextItem } from '@llamaindex/liteparse'
import { isEnglishWord, isWord } from '../../../language/dictionary.ts'
import { guessLanguage } from '../../../language/guess.ts'
import type { Block } from '../../block.ts'

const COMPOUND = /[\p{L}\p{N}]+(?:[-\u2010][\p{L}\p{N}]+)+/gu
const WORD = /[\p{L}\p{N}]+/gu

/** Words that are broken at a hyphen, by their joined form ("cloudbased"). */
export type BrokenWords = Map<string, { hyphenated: string; breaks: number }>

/** Adds the words that are broken at line ends of this page. */
export function addBrokenWords(items: readonly TextItem[], brokenWords: BrokenWords): void {
  items.forEach((item, i) => {
    if (!/[-\u2010]\s*$/.test(item.text)) return
    const head = /([\p{L}\p{N}]+)[-\u2010]\s*$/u.exec(item.text)?.[1]
    const tail = /^\s*([\p{L}\p{N}]+)/u.exec(lineBelow(items, i)?.text ?? '')?.[1]
    if (head === undefined || tail === undefined) return
    brokenWords.set(head + tail, {
      hyphenated: `${head}-${tail}`,
      breaks: (brokenWords.get(head + tail)?.breaks ?? 0) + 1,
    })
  })
}

// The items of two or three columns alternate. So the next line of a column is searched among this many items.
const MAX_ITEMS_AHEAD = 8

/** The first of the next items that is below this one in the same column. */
function lineBelow(items: readonly TextItem[], i: number): TextItem | undefined {
  const item = items[i]
  return items
    .slice(i + 1, i + 1 + MAX_ITEMS_AHEAD)
    .find(
      ({ x, y, width }) => item !== undefined && y > item.y && x < item.x + item.width && x + width > item.x,
    )
}

// Up to this many words are searched with one regular expression, because that is faster than word by word. With thousands of
// words it is slower.
const MAX_WORDS_IN_PATTERN = 500

/** Restores hyphens in the texts of paragraphs and lists, in place. */
export function restoreHyphens(blocks: readonly Block[], brokenWords: BrokenWords): void {
  if (brokenWords.size === 0) return
  joinCodes(blocks, brokenWords)
  const pattern =
    brokenWords.size > MAX_WORDS_IN_PATTERN ? WORD : new RegExp([...brokenWords.keys()].join('|'), 'i')
  const texts = blocks.filter(
    ({ kind, text }) => kind !== 'table' && kind !== 'code' && text.search(pattern) >= 0,
  )
  if (texts.length === 0) return
  const replacements = hyphensToRestore(blocks, texts, brokenWords)
  if (replacements.size === 0) return
  for (const block of texts)
    block.text = block.text.replace(WORD, (match) => replacements.get(match) ?? match)
}

// Matches the space in `TR-4471- B`. The groups are the parts of the code or name before and after its hyphen.
const BROKEN_CODE = /(?<=([\p{L}\p{N}]+)[-\u2010]) (?=([\p{Lu}\p{N}][\p{L}\p{N}]*))/gu

/** Removes the spaces that line ends left in codes, in place. */
function joinCodes(blocks: readonly Block[], brokenWords: BrokenWords): void {
  for (const block of blocks)
    if (block.kind !== 'code' && /[-\u2010] [\p{Lu}\p{N}]/u.test(block.text))
      block.text = block.text.replace(BROKEN_CODE, (space, head, tail) =>
        brokenWords.has(head + tail) ? '' : space,
      )
}

/** The joined words whose hyphen belongs to the word. */
function hyphensToRestore(
  blocks: readonly Block[],
  texts: readonly Block[],
  brokenWords: BrokenWords,
): Map<string, string> {
  const compounds = new Set<string>()
  for (const { text } of blocks)
    if (/[-\u2010]/.test(text))
      for (const [match] of text.matchAll(COMPOUND)) compounds.add(match.toLowerCase())
  const isEnglish = guessLanguage(texts.map(({ text }) => text).join('\n'), 'xx') === 'en'
  const keepsHyphen = isEnglish && breaksNoSyllables(brokenWords)
  const replacements = new Map<string, string>()
  const countsWithinLines = countWithinLines(texts, brokenWords)
  for (const [joinedWord, { hyphenated }] of brokenWords) {
    // A word that is also written without a hyphen has none: a narrow cell may break "Inter-national".
    if ((countsWithinLines.get(joinedWord.toLowerCase()) ?? 0) > 0) continue
    const belongsToWord = (): boolean =>
      keepsHyphen || NO_SYLLABLE.test(hyphenated) || (isEnglish && isCompound(joinedWord, hyphenated))
    if (compounds.has(hyphenated.toLowerCase()) || belongsToWord()) replacements.set(joinedWord, hyphenated)
  }
  return replacements
}

/** How often each joined word occurs within a line, by its lower case. */
function countWithinLines(texts: readonly Block[], brokenWords: BrokenWords): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (joinedWord: string, count: number): void => {
    counts.set(joinedWord, (counts.get(joinedWord) ?? 0) + count)
  }
  for (const [joinedWord, { breaks }] of brokenWords) add(joinedWord.toLowerCase(), -breaks)
  for (const { text } of texts)
    for (const [match] of text.toLowerCase().matchAll(WORD)) if (counts.has(match)) add(match, 1)
  return counts
}

// Matches `19-inch`, `TR-4` and `x-Ray`. No syllable begins with a digit or a capital. A digit after a single letter does not
// count, because the sign may be a minus.
const NO_SYLLABLE = /\p{N}-|\p{L}{2}-\p{N}|\p{Ll}-\p{Lu}/u
// With fewer breaks it is unknown whether the document breaks words at syllables. Papers usually do, none of 15 filings does.
const MIN_BREAKS = 5

/** Whether words were broken only at their own hyphens: no break splits a common word into parts that are not words. */
const breaksNoSyllables = (brokenWords: BrokenWords): boolean =>
  brokenWords.size >= MIN_BREAKS &&
  [...brokenWords].every(
    ([joinedWord, { hyphenated }]) => !isWord(joinedWord, ['en']) || areWords(hyphenated),
  )

// A shorter part must be a common word, because the list of rare words also has "ed", "er" and "al".
const MIN_LETTERS = 4

const areWords = (hyphenated: string): boolean =>
  hyphenated
    .split('-')
    .every((part) => isEnglishWord(part) && (part.length >= MIN_LETTERS || isWord(part, ['en'])))

// Prefixes and endings of technical words that the list lacks: "over-fitting", "hyper-parameter", "embed-dings".
const PREFIX =
  /^(?:anti|auto|back|co|counter|cyber|de|dis|down|fore|hyper|inter|meta|micro|mis|mono|multi|non|out|over|poly|post|pre|pro|re|semi|sub|super|trans|ultra|un|under|up)-/i
const SUFFIX = /(\p{L})-\1(?:ed|ers?|ings?)$|-(?:able|age|ally|ant|ate|est|less|ment|ness|or|ship|ward)s?$/iu

/** Whether both parts are words, but their joined form is not: "chat-optimized". */
const isCompound = (joinedWord: string, hyphenated: string): boolean =>
  !PREFIX.test(hyphenated) && !SUFFIX.test(hyphenated) && areWords(hyphenated) && !isEnglishWord(joinedWord)
