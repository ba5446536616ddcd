// Turns text into index terms, the same for chunks and queries: stems, the unstemmed form of capitalised words, codes
// whole and split, pairs of characters in scripts without spaces, pairs of adjacent words.

import { codesIn, mayBeGroup } from './codes.ts'
import type { Language } from './language.ts'
import { isStopWord, stem } from './stem.ts'
import { piecesOf } from './unspaced.ts'
import { pointedNumber, spacedNumbers, withGreekNames, withoutLigatures } from './variants.ts'
import { characters, emojiIn, foldWord, type Word, type WordedText, withoutAccents, worded } from './words.ts'

/**
 * word: a stem, a part of a code, a pair of Chinese, Japanese or Korean characters. exact: an unstemmed name, a whole code or
 * number, an emoji, a pair of characters in addition to dictionary words. pair: two adjacent stems. bare: only indexed, not
 * searched: a word without diacritics, for people who do not type them, and the letters of a code.
 */
export type TermKind = 'word' | 'exact' | 'pair' | 'bare'

export interface Term {
  readonly term: string
  readonly kind: TermKind
}

/**
 * The terms of a text in reading order, with repeats. At the end come emoji, and codes in groups as one term. Stop words are
 * left out unless they are in capitals. `queryLanguage`: the language of a query, whose stop words are left out even if it is
 * analysed in another language.
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
  let end = 0
  for (const word of words) {
    if (mayBeGroup(word.raw)) groups.push(word)
    if (previous !== undefined && endsPhrase(text, end, word.start)) previous = undefined
    end = word.end
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
  for (let at = from; at < to; at++) if ('.!?;|\n'.includes(text.charAt(at))) return true
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

// Texts repeat their words (265,000 words of fifteen reports are 16,000 different ones); with this cache, chunks take
// half the time.
const MAX_CACHED_WORDS = 20_000
const MAX_CACHED_LENGTH = 40
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
    if (raw.length <= MAX_CACHED_LENGTH) addToCache(cache, raw, terms)
    return terms
  }
}

function addToCache(cache: Map<string, readonly Term[]>, raw: string, terms: readonly Term[]): void {
  if (cachedWords >= MAX_CACHED_WORDS) {
    for (const each of caches.values()) each.clear()
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
  // Split at its apostrophe, "wasn't" would leave "t".
  if (normalized.includes("'") && isStopOfAnalysis(normalized, analysis)) return
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

// Letters without case are words beside digits, and form no code with them: و2002 is "and 2002". The alternative for digits
// comes first: looking back over the marks at every mark took seconds for 20,000 of them. A colon joins the parts of a time,
// but not of a standard and its year (27001:2022).
const SEPARATORS = /[-_./'’+#&@]+|(?<=\d{3}):|:(?=\d{3})|(?=\p{Nd})(?<=\p{Lo}\p{M}*)|(?<=\p{Nd})(?=\p{Lo})/u
// IL6, GPT4, FOXO3a, FY2023: a name and its number. A single letter with a number (B12, p53) is not split.
const CODE = /^(\p{L}{2,8})((?:\d{1,3}|(?:19|20)\d{2})\p{L}{0,2})$/u
// ISO27001, BR1103: many codes share the letters. People who type it without a space do not look for BR1102.
const LONG_CODE = /^(\p{L}{2,8})(\d{4,8}\p{L}{0,2})$/u
// 25kg, 1.5V: a number and a unit of the SI, or of those used with it, as if separated by a space. A single letter is a unit
// only if it is not used for numbering, as in the clauses and rooms 3a and 12b.
const QUANTITY =
  /^(\d+(?:[.,]\d+)*)((?:[kmgtcdhnpμ](?:[glmwvjnbΩ]|m[23])|[kmgtcdhnpμ]?(?:hz|pa|wh|ah|va|bit|cal|ev|mol|m[23])|bar|min|rpm|ppm|dpi|px|pt|psi|mph|ft|lbs?|oz|yd|mi|ha|am))$/iu
const WITH_LETTER = /^(\d+(?:[.,]\d+)*)([ghlmtWV])$/

const quantityIn = (raw: string): readonly string[] => {
  const text = raw.normalize('NFKC')
  return QUANTITY.exec(text) ?? WITH_LETTER.exec(text) ?? []
}

/**
 * Letters and digits are split as if there were a hyphen: IL6 is like IL-6, and TET2 matches TET. nDCG@10 on scifact .707
 * without this, spellings and plurals of acronyms, .720 with them (p .01), R@5 .763 and .783; FinanceBench .470, .476; MuSiQue
 * and MultiHop-RAG the same.
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

/** BR-1102, BR/1102 and BR1102 are the same code, e-mail is one word; 3/4 and 2022-10-01 keep their separators. */
const joinedParts = (raw: string, parts: string[]): string => (/\p{L}/u.test(raw) ? parts.join('') : raw)

const isStopOfAnalysis = (word: string, { language, queryLanguage }: Analysis): boolean =>
  isStopWord(word, language) || isStopWord(word, queryLanguage)

function* termsOfSingleWord(
  raw: string,
  word: string,
  { language, queryLanguage }: Analysis,
): Generator<Term> {
  const isInCapitals = raw.length >= 2 && raw === raw.toUpperCase() && raw !== raw.toLowerCase()
  if (isStopOfAnalysis(word, { language, queryLanguage })) {
    // IT, US and WHO are names when written in capitals.
    if (isInCapitals) yield { term: word, kind: 'exact' }
    return
  }
  // English words have no accents. The other stemmers need theirs (é, ñ, å), so they are removed afterwards. In Vietnamese they
  // distinguish words.
  const withoutMarks = withoutAccents(word)
  const stemmed =
    raw.endsWith('s') && ACRONYM_PLURAL.test(raw)
      ? withoutMarks.slice(0, -1)
      : language === 'en'
        ? stem(withoutMarks, language)
        : language === 'vi'
          ? word
          : withoutAccents(stem(word, language))
  yield { term: stemmed, kind: 'word' }
  if (stemmed === withoutMarks) return
  if (language === 'vi') yield { term: withoutMarks, kind: 'bare' }
  else if (raw !== raw.toLowerCase()) yield { term: withoutMarks, kind: 'exact' }
}

// PCs, miRNAs: the s is a plural and not a letter of the acronym. GPs are not GPS.
const ACRONYM_PLURAL = /^(?=\P{Lu}*\p{Lu}.*\p{Lu}s$)[\p{L}\p{N}]+$/u

// Turkish separates the endings of names and numbers: Ankara'nın, 1990'larda.
const TURKISH_SUFFIX = /(?<=[\p{L}\p{N}]{2})'\p{L}{1,8}$/u

/** In Turkish the capital of ı is I, and the capital of i is İ. */
const dotless = (raw: string): string => raw.replaceAll('I', 'ı').replaceAll('İ', 'i')

/** Folded, without possessive, digit grouping or the dots of U.S.A. */
function normalize(raw: string): string {
  const word = foldWord(raw).replaceAll('’', "'").replace(/'s$/, '')
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(word)) return word.replaceAll(',', '')
  return /^(?:\p{L}\.)+\p{L}$/u.test(word) ? word.replaceAll('.', '') : word
}

/** A run of a script without spaces as overlapping pairs of characters; a single character as it is. */
function* characterPairs(word: string): Generator<string> {
  const all = characters(word)
  if (all.length === 1) yield word
  for (let i = 0; i + 1 < all.length; i++) yield `${all[i]}${all[i + 1]}`
}
