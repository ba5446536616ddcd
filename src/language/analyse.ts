// Turns text into index terms, in the same way for chunks and queries: stems, the unstemmed form of capitalised words, codes
// as a whole and in parts, pairs of characters in scripts without spaces, and pairs of adjacent words.

import { codesIn, mayBeGroup } from './codes.ts'
import type { Language } from './language.ts'
import { isStopWord, stem } from './stem.ts'
import { piecesOf } from './unspaced.ts'
import { pointedNumber, spacedNumbers, withGreekNames, withoutLigatures } from './variants.ts'
import { characters, emojiIn, foldWord, type Word, type WordedText, withoutAccents, worded } from './words.ts'

/**
 * - `word`: a stem, a part of a code, or a pair of Chinese, Japanese or Korean characters
 * - `exact`: an unstemmed name, a whole code or number, an emoji, or a pair of characters in addition to dictionary words
 * - `pair`: two adjacent stems
 * - `bare`: a word without diacritics, or the letters of a code, for people who type only these. It is indexed, but not searched.
 */
export type TermKind = 'word' | 'exact' | 'pair' | 'bare'

export interface Term {
  readonly term: string
  readonly kind: TermKind
}

/**
 * The terms of a text in reading order, with repeats. At the end come codes in groups as one term, and emoji. Stop words are
 * left out unless they are in capitals. @param queryLanguage the language of a query, whose stop words are left out even if
 * the query is analysed in another language
 */
export const analyse = (text: string, language: Language, queryLanguage = language): Term[] =>
  analyseWords(worded(text), language, queryLanguage)

/** As `analyse`, for a text that is already split into words. */
export function analyseWords(
  { text, words }: WordedText,
  language: Language,
  queryLanguage = language,
): Term[] {
  const terms: Term[] = []
  const termsOfWord = termsByWord({ language, queryLanguage })
  const groups: Word[] = []
  let previous: string | undefined
  let previousEnd = 0
  for (const word of words) {
    if (mayBeGroup(word.raw)) groups.push(word)
    if (previous !== undefined && endsPhrase(text, previousEnd, word.start)) previous = undefined
    previousEnd = word.end
    for (const { raw, kind } of piecesOf(word.raw)) {
      if (kind !== 'word') {
        for (const term of characterPairs(foldWord(raw)))
          terms.push({ term, kind: kind === 'run' ? 'word' : 'exact' })
        previous = undefined
        continue
      }
      for (const part of termsOfWord(raw)) {
        if (part.kind === 'word') {
          if (previous !== undefined) terms.push({ term: `${previous} ${part.term}`, kind: 'pair' })
          previous = part.term
        }
        terms.push(part)
      }
    }
  }
  const numbers = spacedNumbers(text)
  const codes = [...codesIn(text, groups)].filter((code) => !numbers.includes(code))
  for (const term of [...numbers, ...codes, ...emojiIn(text)]) terms.push({ term, kind: 'exact' })
  return terms
}

/** Whether a sentence or a table cell ends between two words. No pair may cross such an end. */
function endsPhrase(text: string, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if ('.!?;|\n'.includes(text.charAt(index))) return true
  return false
}

/** Stems of the content words, with repeats, to measure how much two texts overlap. */
export function contentTerms(text: string, language: Language): string[] {
  const stems: string[] = []
  for (const { term, kind } of analyse(text, language)) if (kind === 'word') stems.push(term)
  return stems
}

/** The content words of a text, as written. */
export const contentWords = (text: string | WordedText, language: Language): string[] =>
  [...worded(text).words].map(({ raw }) => raw).filter((raw) => contentTerms(raw, language).length > 0)

// The cache halves the time for chunks, because texts repeat their words: the 265,000 words of fifteen reports are 16,000
// different ones.
const MAX_CACHED_WORDS = 20_000
const MAX_CACHED_CHARACTERS = 40
let cachedWords = 0
const caches = new Map<string, Map<string, readonly Term[]>>()

/** How words are analysed. */
interface Analysis {
  language: Language
  queryLanguage: Language
}

/** Returns a function that gives the terms of one word, with a cache. */
function termsByWord(analysis: Analysis): (raw: string) => readonly Term[] {
  const key = `${analysis.language} ${analysis.queryLanguage}`
  const cache = caches.get(key) ?? new Map<string, readonly Term[]>()
  caches.set(key, cache)
  return (raw) => {
    const cachedTerms = cache.get(raw)
    if (cachedTerms) return cachedTerms
    const terms = [...termsOf(raw, analysis)]
    if (raw.length <= MAX_CACHED_CHARACTERS) addToCache(cache, raw, terms)
    return terms
  }
}

function addToCache(cache: Map<string, readonly Term[]>, raw: string, terms: readonly Term[]): void {
  if (cachedWords >= MAX_CACHED_WORDS) {
    for (const wordCache of caches.values()) wordCache.clear()
    cachedWords = 0
  }
  cachedWords++
  cache.set(raw, terms)
}

function* termsOf(text: string, analysis: Analysis): Generator<Term> {
  const raw = withoutLigatures(analysis.language === 'el' ? text : withGreekNames(text), analysis.language)
  const normalized =
    analysis.language === 'tr' ? normalize(dotless(raw)).replace(TURKISH_SUFFIX, '') : normalize(raw)
  const [, number, unit] = quantityIn(raw)
  if (number !== undefined && unit !== undefined) {
    yield { term: withoutAccents(normalized), kind: 'exact' }
    for (const part of [number, unit]) yield* termsOf(part, analysis)
    return
  }
  // Otherwise "wasn't" would be split at its apostrophe and leave the term "t".
  if (normalized.includes("'") && isStopWordOf(normalized, analysis)) return
  const parts = normalized.split(SEPARATORS).filter(Boolean)
  if (parts.length < 2) {
    yield* codeOrWord(raw, normalized, analysis)
    return
  }
  yield { term: withoutAccents(joinedParts(normalized, parts)), kind: 'exact' }
  const integer = pointedNumber(normalized, analysis.language)
  if (integer !== undefined) yield { term: integer, kind: 'exact' }
  const rawParts = raw.normalize('NFKC').split(SEPARATORS).filter(Boolean)
  for (const [i, part] of parts.entries()) {
    const rawPart = rawParts[i] ?? ''
    yield* quantityIn(rawPart).length > 0 ? termsOf(rawPart, analysis) : codeOrWord(rawPart, part, analysis)
  }
}

// Splits at punctuation, and at a colon beside three digits (27001:2022 but not 10:30). It also splits between a digit and a
// letter without case, because they form no code: و2002 is "and 2002". The lookahead for a digit is first, so that the
// lookbehind runs only at digits. Otherwise 20,000 combining marks took seconds.
const SEPARATORS = /[-_./'’+#&@]+|(?<=\d{3}):|:(?=\d{3})|(?=\p{Nd})(?<=\p{Lo}\p{M}*)|(?<=\p{Nd})(?=\p{Lo})/u
// A name and its number: IL6, GPT4, FOXO3a, FY2023. A single letter with a number (B12, p53) is not split.
const CODE = /^(\p{L}{2,8})((?:\d{1,3}|(?:19|20)\d{2})\p{L}{0,2})$/u
// Matches `ISO27001` and `BR1103`. Many codes share such letters, and who types BR1103 does not look for BR1102. So the letters
// are only indexed.
const LONG_CODE = /^(\p{L}{2,8})(\d{4,8}\p{L}{0,2})$/u
// Matches `25kg`, which is analysed as if there were a space before the unit. The units are those of the SI and common others.
const QUANTITY =
  /^(\d+(?:[.,]\d+)*)((?:[kmgtcdhnpμ](?:[glmwvjnbΩ]|m[23])|[kmgtcdhnpμ]?(?:hz|pa|wh|ah|va|bit|cal|ev|mol|m[23])|bar|min|rpm|ppm|dpi|px|pt|psi|mph|ft|lbs?|oz|yd|mi|ha|am))$/iu
// Matches `1.5V`. Letters that number clauses and rooms (3a, 12b) are left out.
const ONE_LETTER_QUANTITY = /^(\d+(?:[.,]\d+)*)([ghlmtWV])$/

const quantityIn = (raw: string): readonly string[] => {
  const text = raw.normalize('NFKC')
  return QUANTITY.exec(text) ?? ONE_LETTER_QUANTITY.exec(text) ?? []
}

/** Whether the text is a number with the symbol of a unit: `25kg`, `1.5V`. */
export const isQuantity = (text: string): boolean => quantityIn(text).length > 0

/**
 * Splits letters from digits as if there were a hyphen: IL6 is like IL-6, and TET2 matches TET. With this, American spellings
 * and the plurals of acronyms, nDCG@10 on scifact is .720, without them .707.
 */
function* codeOrWord(raw: string, word: string, analysis: Analysis): Generator<Term> {
  const code = CODE.exec(word)
  const [, letters, number] = code ?? LONG_CODE.exec(word) ?? []
  if (letters === undefined || number === undefined) {
    yield* termsOfSingleWord(raw, word, analysis)
    return
  }
  yield { term: withoutAccents(word), kind: 'exact' }
  if (code) yield* termsOfSingleWord(raw.slice(0, letters.length), letters, analysis)
  else yield { term: withoutAccents(letters), kind: 'bare' }
  yield* termsOfSingleWord(raw.slice(letters.length), number, analysis)
}

/** The whole word as one term: BR-1102, BR/1102 and BR1102 are the same code. Without letters, as in 3/4, separators stay. */
const joinedParts = (raw: string, parts: string[]): string => (/\p{L}/u.test(raw) ? parts.join('') : raw)

const isStopWordOf = (word: string, { language, queryLanguage }: Analysis): boolean =>
  isStopWord(word, language) || isStopWord(word, queryLanguage)

function* termsOfSingleWord(
  raw: string,
  word: string,
  { language, queryLanguage }: Analysis,
): Generator<Term> {
  const isInCapitals = raw.length >= 2 && raw === raw.toUpperCase() && raw !== raw.toLowerCase()
  if (isStopWordOf(word, { language, queryLanguage })) {
    // IT, US and WHO are names when written in capitals.
    if (isInCapitals) yield { term: word, kind: 'exact' }
    return
  }
  const withoutMarks = withoutAccents(word)
  const stemmed =
    raw.endsWith('s') && ACRONYM_PLURAL.test(raw)
      ? withoutMarks.slice(0, -1)
      : stemWithoutAccents(word, withoutMarks, language)
  yield { term: stemmed, kind: 'word' }
  if (stemmed === withoutMarks) return
  if (language === 'vi') yield { term: withoutMarks, kind: 'bare' }
  else if (raw !== raw.toLowerCase()) yield { term: withoutMarks, kind: 'exact' }
}

/** English words have no accents. In Vietnamese accents distinguish words. Other stemmers need them, so they are removed after. */
function stemWithoutAccents(word: string, withoutMarks: string, language: Language): string {
  if (language === 'en') return stem(withoutMarks, language)
  return language === 'vi' ? word : withoutAccents(stem(word, language))
}

// Matches `PCs` and `miRNAs`, whose small s after a capital is a plural. So "GPs" is not the same as "GPS".
const ACRONYM_PLURAL = /^(?=\P{Lu}*\p{Lu}.*\p{Lu}s$)[\p{L}\p{N}]+$/u

// Turkish separates the endings of names and numbers: Ankara'nın, 1990'larda.
const TURKISH_SUFFIX = /(?<=[\p{L}\p{N}]{2})'\p{L}{1,8}$/u

/** In Turkish the capital of ı is I, and the capital of i is İ. */
const dotless = (raw: string): string => raw.replaceAll('I', 'ı').replaceAll('İ', 'i')

/** The word folded, and without a possessive, the grouping of digits, or the dots of U.S.A. */
function normalize(raw: string): string {
  const word = foldWord(raw).replaceAll('’', "'").replace(/'s$/, '')
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(word)) return word.replaceAll(',', '')
  return /^(?:\p{L}\.)+\p{L}$/u.test(word) ? word.replaceAll('.', '') : word
}

/** The overlapping pairs of characters in a run of a script without spaces. A single character is returned as it is. */
function* characterPairs(word: string): Generator<string> {
  const allCharacters = characters(word)
  if (allCharacters.length === 1) yield word
  for (let i = 0; i + 1 < allCharacters.length; i++) yield `${allCharacters[i]}${allCharacters[i + 1]}`
}
