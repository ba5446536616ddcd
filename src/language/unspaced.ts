// Splits words of scripts that are written without spaces. Dictionaries in the platform's ICU split Thai, Lao, Khmer and
// Burmese. Chinese, Japanese and Korean are indexed as pairs of characters. Parts in other scripts, such as numbers and Latin
// names, are separate. Thai is also indexed as pairs, because names are in no dictionary: on 300 questions of XQuAD the right
// paragraph comes first for .927 of them, by words alone for .900, by pairs alone for .877. For Chinese it is .900 either way.

import type { Language } from './language.ts'
import { isStopWord } from './stem.ts'
import { characters, foldWord, isUnspaced, type Word, type WordedText, words } from './words.ts'

/**
 * A part of a text. `word`: a word. `run`: characters that are indexed as pairs. `parted run`: characters that are indexed as
 * pairs in addition to their words, which are the pieces before it.
 */
export interface Piece {
  raw: string
  kind: 'word' | 'run' | 'parted run'
}

const SCRIPT_RUN =
  /(?:[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]\p{M}*)+|[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu
const DICTIONARY_SCRIPT = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** The pieces of a word of `words`, mostly the word itself. */
export const piecesOf = (raw: string): Iterable<Piece> =>
  isUnspaced(raw) ? mixedPieces(raw) : [{ raw, kind: 'word' }]

function* mixedPieces(raw: string): Generator<Piece> {
  for (const [run] of raw.matchAll(SCRIPT_RUN)) {
    if (!isUnspaced(run)) for (const { raw } of words(run)) yield { raw, kind: 'word' }
    else if (DICTIONARY_SCRIPT.test(run) && hasDictionary()) {
      for (const word of dictionaryWords(run)) yield { raw: word, kind: 'word' }
      yield { raw: run, kind: 'parted run' }
    } else yield { raw: run, kind: 'run' }
  }
}

/** The words in a word of `words`. A run of Chinese, Japanese or Korean counts as one word. */
export const wordsOf = (raw: string): string[] =>
  [...piecesOf(raw)].flatMap((piece) => (piece.kind === 'parted run' ? [] : piece.raw))

/** The words of a text, split by `wordsOf`. */
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

// Intl.Segmenter copies its whole text for each segment: 50,000 characters would take 2 s, and 200,000 all memory. So a run is
// segmented in slices of 1,000 characters.
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
 * because names are in no dictionary. The index has pairs, so a single character is returned with its neighbour, and only if
 * the run has no longer word, or if a sign of possession follows (犬の料金). A single character after a word is an ending.
 */
export function* contentWordsIn(run: string, language: Language): Generator<string> {
  const contentWords = [...placedContentWords(run, language)]
  const isSingleCharacter = (word: string): boolean => characters(word).length === 1
  const hasOnlySingle = contentWords.every(({ raw }) => isSingleCharacter(raw))
  let previousEnd = -1
  for (const { raw, start, end } of contentWords) {
    const isEnding = start === previousEnd
    previousEnd = end
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
  let singleCharacters: Word | undefined
  let end = 0
  for (const raw of dictionaryWords(run)) {
    const start = run.indexOf(raw, end)
    end = start + raw.length
    const isContentWord = !isStopWord(foldWord(raw), language)
    if (isContentWord && characters(raw).length === 1) {
      singleCharacters = singleCharacters
        ? { ...singleCharacters, raw: singleCharacters.raw + raw, end }
        : { raw, start, end }
      continue
    }
    if (singleCharacters) yield singleCharacters
    singleCharacters = undefined
    if (isContentWord) yield { raw, start, end }
  }
  if (singleCharacters) yield singleCharacters
}
