// Splits words of scripts that are written without spaces. Dictionaries in the platform's ICU split Thai, Lao, Khmer and
// Burmese. Chinese, Japanese and Korean are indexed as pairs of characters. Parts in other scripts, such as numbers and Latin
// names, are separate. The right one of 120 paragraphs is first, XQuAD, 300 questions: Thai by pairs .877, by words .900, by
// both .927, because names are in no dictionary; Chinese by pairs .900, with words .900.

import type { Language } from './language.ts'
import { isStopWord } from './stem.ts'
import { characters, foldWord, isUnspaced, type Word, type WordedText, words } from './words.ts'

/**
 * A word, or a run of characters that is indexed by pairs, or a run that is indexed by pairs in addition to the words before
 * it.
 */
export interface Piece {
  raw: string
  kind: 'word' | 'run' | 'parted run'
}

const SCRIPT_RUN =
  /(?:[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]\p{M}*)+|[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu
const BY_DICTIONARY = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** The pieces of a word of `words`, mostly the word itself. */
export const piecesOf = (raw: string): Iterable<Piece> =>
  isUnspaced(raw) ? mixedPieces(raw) : [{ raw, kind: 'word' }]

function* mixedPieces(raw: string): Generator<Piece> {
  for (const [run] of raw.matchAll(SCRIPT_RUN)) {
    if (!isUnspaced(run)) for (const { raw } of words(run)) yield { raw, kind: 'word' }
    else if (BY_DICTIONARY.test(run) && hasDictionary()) {
      for (const word of dictionaryWords(run)) yield { raw: word, kind: 'word' }
      yield { raw: run, kind: 'parted run' }
    } else yield { raw: run, kind: 'run' }
  }
}

/** The words in a word of `words`. A run of Chinese, Japanese or Korean counts as one. */
export const wordsOf = (raw: string): string[] =>
  [...piecesOf(raw)].flatMap((piece) => (piece.kind === 'parted run' ? [] : piece.raw))

/** The words of a text, with such words split. */
export function* splitWords({ text, words }: WordedText): Generator<Word> {
  for (const word of words) {
    let end = word.start
    for (const raw of wordsOf(word.raw)) {
      const start = text.indexOf(raw, end)
      end = start + raw.length
      yield { raw, start, end }
    }
  }
}

let segmenter: Intl.Segmenter | undefined

// Each segment holds a copy of the whole text: 50,000 characters took 2 s, and 200,000 all memory.
const SLICES = /(?:\P{M}\p{M}*){1,1000}|\p{M}+/gu

function* dictionaryWords(run: string): Generator<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  for (const slice of run.length > 1000 ? (run.match(SLICES) ?? []) : [run])
    for (const { segment, isWordLike } of segmenter.segment(slice)) if (isWordLike) yield segment
}

let isDictionaryInstalled: boolean | undefined

/** Whether the platform has the dictionaries. A platform with a small ICU does not split such text. */
function hasDictionary(): boolean {
  isDictionaryInstalled ??= [...dictionaryWords('ภาษาไทย')].length > 1
  return isDictionaryInstalled
}

/**
 * The content words of a run of Chinese or Japanese, as a dictionary splits it. Adjacent single characters are one word,
 * because names are in no dictionary. The index has pairs, so a single character is returned with its neighbour. That happens
 * only if there is no other word, or if it marks possession (犬の料金). After a word it is an ending (港口区的).
 */
export function* contentWordsIn(run: string, language: Language): Generator<string> {
  const all = [...placedContentWords(run, language)]
  const isSingleCharacter = (word: string): boolean => characters(word).length === 1
  const hasOnlySingle = all.every(({ raw }) => isSingleCharacter(raw))
  let previous = -1
  for (const { raw, start, end } of all) {
    const isEnding = start === previous
    previous = end
    if (!isSingleCharacter(raw)) yield raw
    else if (
      (hasOnlySingle && !GRAMMATICAL_CHARACTER.test(raw)) ||
      (!isEnding && POSSESSIVE.test(run.slice(end, end + 2)))
    ) {
      const [next = ''] = characters(run.slice(end))
      yield next ? raw + next : (characters(run.slice(0, start)).at(-1) ?? '') + raw
    }
  }
}

const GRAMMATICAL_CHARACTER = /^\p{Script=Hiragana}$/u
const POSSESSIVE = /^[の的]\p{L}/u

function* placedContentWords(run: string, language: Language): Generator<Word> {
  let single: Word | undefined
  let end = 0
  for (const raw of dictionaryWords(run)) {
    const start = run.indexOf(raw, end)
    end = start + raw.length
    const isContentWord = !isStopWord(foldWord(raw), language)
    if (isContentWord && characters(raw).length === 1) {
      single = single ? { ...single, raw: single.raw + raw, end } : { raw, start, end }
      continue
    }
    if (single) yield single
    single = undefined
    if (isContentWord) yield { raw, start, end }
  }
  if (single) yield single
}
