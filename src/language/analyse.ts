// Text to index terms, the one analysis that chunks and queries share:
// stems, the unstemmed form of capitalised words, codes whole and split, CJK bigrams, pairs of neighbours.

import type { Language } from './language.ts'
import { isStopWord, type Spelling, stem } from './stem.ts'
import { pointedNumber, spacedNumbers, withGreekNames, withoutLigatures } from './variants.ts'
import { characters, fold, isUnspaced, withoutAccents, words } from './words.ts'

/**
 * word: a stem, a code part, a CJK pair; exact: an unstemmed name, whole code or number; pair: two neighbouring
 * stems.
 */
export type TermKind = 'word' | 'exact' | 'pair'

export interface Term {
  readonly term: string
  readonly kind: TermKind
}

/**
 * The terms of a text in reading order (numbers in groups once more behind them), with repeats; stop words are left out
 * unless written in capitals.
 * `spoken`: the language a query is in, whose stop words are left out as well when it is analysed as another.
 * `spelling`: as written gives the terms of documents that were read before spellings met in one.
 */
export function analyse(
  text: string,
  language: Language,
  spoken = language,
  spelling: Spelling = 'one',
): Term[] {
  const terms: Term[] = []
  const known = knownIn({ language, spoken, spelling })
  let previous: string | undefined
  let end = 0
  for (const word of words(text)) {
    if (previous !== undefined && parts(text, end, word.start)) previous = undefined
    end = word.end
    if (isUnspaced(word.raw)) {
      for (const term of characterPairs(fold(word.raw))) terms.push({ term, kind: 'word' })
      previous = undefined
      continue
    }
    for (const part of known(word.raw)) {
      if (part.kind === 'word') {
        if (previous !== undefined) terms.push({ term: `${previous} ${part.term}`, kind: 'pair' })
        previous = part.term
      }
      terms.push(part)
    }
  }
  for (const term of spacedNumbers(text)) terms.push({ term, kind: 'exact' })
  return terms
}

/** A pair must not reach over a sentence end or a table cell. */
function parts(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ('.!?;|\n'.includes(text.charAt(at))) return true
  return false
}

/** Stems of the words that carry meaning, with repeats: to measure how far two texts overlap. */
export function contentTerms(text: string, language: Language): string[] {
  const found: string[] = []
  for (const { term, kind } of analyse(text, language)) if (kind === 'word') found.push(term)
  return found
}

/** The words of a text that carry meaning, as written. */
export const contentWords = (text: string, language: Language): string[] =>
  [...words(text)].map(({ raw }) => raw).filter((raw) => contentTerms(raw, language).length > 0)

// Texts repeat their words: of 265,000 in fifteen reports 16,000 differ. Remembered, chunks' terms take half the time.
const MOST_KNOWN = 20_000
const LONGEST_KNOWN = 40
let remembered = 0
const memories = new Map<string, Map<string, readonly Term[]>>()

/** How a word is read. */
interface Reading {
  language: Language
  spoken: Language
  spelling: Spelling
}

/** What gives the terms of one word; those of words met before are remembered. */
function knownIn(by: Reading): (raw: string) => readonly Term[] {
  const key = `${by.language} ${by.spoken} ${by.spelling}`
  const memory = memories.get(key) ?? new Map<string, readonly Term[]>()
  memories.set(key, memory)
  return (raw) => {
    const found = memory.get(raw)
    if (found) return found
    const terms = [...termsOf(raw, by)]
    if (raw.length <= LONGEST_KNOWN) remember(memory, raw, terms)
    return terms
  }
}

function remember(memory: Map<string, readonly Term[]>, raw: string, terms: readonly Term[]): void {
  if (remembered >= MOST_KNOWN) {
    for (const each of memories.values()) each.clear()
    remembered = 0
  }
  remembered++
  memory.set(raw, terms)
}

function* termsOf(written: string, by: Reading): Generator<Term> {
  const raw = by.spelling === 'one' ? withoutLigatures(withGreekNames(written), by.language) : written
  const whole = plain(raw)
  const parts = whole.split(JOINTS).filter(Boolean)
  if (parts.length < 2) {
    yield* codeOrWord(raw, whole, by)
    return
  }
  yield { term: withoutAccents(joined(whole, parts)), kind: 'exact' }
  const number = pointedNumber(whole, by.language)
  if (number !== undefined) yield { term: number, kind: 'exact' }
  const rawParts = raw.normalize('NFKC').split(JOINTS).filter(Boolean)
  for (let i = 0; i < parts.length; i++) yield* codeOrWord(rawParts[i] ?? '', parts[i] ?? '', by)
}

const JOINTS = /[-_./'’+#&@]+/
// IL6, GPT4, FOXO3a, FY2023: a name and its number. BR1103 is one thing that is no BR1102, and a single letter is
// nothing without its number (B12, p53).
const CODE = /^(\p{L}{2,8})((?:\d{1,3}|(?:19|20)\d{2})\p{L}{0,2})$/u

/**
 * Letters and digits without a joint are read as with one: IL6 as IL-6, and TET2 is about TET. nDCG@10 on scifact .707
 * without this, spellings and plurals of acronyms, .720 with them (p .01), R@5 .763 and .783; FinanceBench .470, .476;
 * MuSiQue and MultiHop-RAG the same.
 */
function* codeOrWord(raw: string, word: string, by: Reading): Generator<Term> {
  const [, letters, number] = by.spelling === 'one' ? (CODE.exec(word) ?? []) : []
  if (letters === undefined || number === undefined) {
    yield* single(raw, word, by)
    return
  }
  yield { term: withoutAccents(word), kind: 'exact' }
  yield* single(raw.slice(0, letters.length), letters, by)
  yield* single(raw.slice(letters.length), number, by)
}

/** What is written BR-1102, BR/1102 or BR1102 is one code, e-mail one word; 3/4 and 2022-10-01 keep their signs. */
const joined = (whole: string, parts: string[]): string => (/\p{L}/u.test(whole) ? parts.join('') : whole)

function* single(raw: string, word: string, { language, spoken, spelling }: Reading): Generator<Term> {
  const capitals = raw.length >= 2 && raw === raw.toUpperCase() && raw !== raw.toLowerCase()
  if (isStopWord(word, language) || isStopWord(word, spoken)) {
    // IT, US and WHO are names when written in capitals.
    if (capitals) yield { term: word, kind: 'exact' }
    return
  }
  // English has no accents of its own; the other stemmers need theirs (é, ñ, å) and lose them afterwards.
  const bare = withoutAccents(word)
  const stemmed =
    raw.endsWith('s') && ACRONYMS.test(raw)
      ? bare.slice(0, -1)
      : language === 'en'
        ? stem(bare, language, spelling)
        : withoutAccents(stem(word, language))
  yield { term: stemmed, kind: 'word' }
  if (stemmed !== bare && raw !== raw.toLowerCase()) yield { term: bare, kind: 'exact' }
}

// PCs, miRNAs: the s is no letter of theirs, and GPs are no GPS.
const ACRONYMS = /^(?=\P{Lu}*\p{Lu}.*\p{Lu}s$)[\p{L}\p{N}]+$/u

/** Folded, without possessive, digit grouping or the dots of U.S.A. */
function plain(raw: string): string {
  const word = fold(raw).replaceAll('’', "'").replace(/'s$/, '')
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(word)) return word.replaceAll(',', '')
  return /^(?:\p{L}\.)+\p{L}$/u.test(word) ? word.replaceAll('.', '') : word
}

/** Text without spaces as overlapping pairs of characters (one character stays one), digits and Latin inside it too. */
function* characterPairs(word: string): Generator<string> {
  const all = characters(word)
  if (all.length === 1) yield word
  for (let i = 0; i + 1 < all.length; i++) yield `${all[i]}${all[i + 1]}`
}
