// Whether a passage supports a statement: shared words, numbers and names, across languages too. Pure.

import { contentTerms, contentWords } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { synonymsOf } from '../../language/lexicon.ts'
import { type Sentence, sentences } from '../../language/sentences.ts'
import { foldAccents, words } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import { isRule } from '../markdown-table.ts'
import { passageText } from '../passage.ts'
import { statesResult } from './figures.ts'
import type { Span } from './markers.ts'
import { oppositeChecker } from './opposite.ts'

// Shares of a statement's content terms that must occur in the passage.
export const REPAIR_SHARE = 0.5
const KEEP_SHARE = 0.15
// A statement with fewer content terms ("Yes.") cannot be checked: its citation is accepted.
export const MIN_CHECKED_TERMS = 3
// The most sentences of one passage that are cited. More cannot be read at a glance.
const MAX_SPANS = 8

export interface SupportChecker {
  overlap(statement: string, passage: Passage): { share: number; terms: number }
  supports(statement: string, passage: Passage): boolean
  /** Whether the passage denies what the statement says, or the other way round. */
  contradicts(statement: string, passage: Passage): boolean
  /** Whether the statement gives a figure that was calculated from the passage. */
  isCalculatedFrom(statement: string, passage: Passage): boolean
  /** Whether the passage has some of the statement's words, names and numbers aside. */
  sharesWords(statement: string, passage: Passage): boolean
  /** The same for a passage in another language. */
  sharesWordsAcross(statement: string, passage: Passage): boolean
  /** Whether every number of the statement occurs in the passage. */
  containsNumbers(statement: string, passage: Passage): boolean
  /** The sentences of the passage that support the statements, the best first; none when nothing is shared. */
  spans(statements: readonly string[], passage: Passage): Span[]
}

/** A figure that a tool calculated, and the passages whose rows it was calculated from. */
export interface Calculation {
  result: string
  sources: readonly Passage[]
}

/** Checks statements of a reply in `language` against passages; each passage is analysed once. */
export function supportChecker(language: Language, results: readonly Calculation[] = []): SupportChecker {
  const analysed = new Map<Passage, ReadonlySet<string>>()
  const termsOf = (passage: Passage): ReadonlySet<string> => {
    const cached = analysed.get(passage)
    if (cached) return cached
    const terms = new Set(contentTerms(passageText(passage), passage.language))
    analysed.set(passage, terms)
    return terms
  }
  // While a reply is written, its statements are checked again and again.
  const analysedStatements = new Map<string, ReadonlySet<string>>()
  const termsOfStatement = (statement: string, textLanguage: Language): ReadonlySet<string> => {
    const key = `${textLanguage} ${statement}`
    const terms = analysedStatements.get(key) ?? new Set(contentTerms(statement, textLanguage))
    analysedStatements.set(key, terms)
    return terms
  }
  const overlap = (statement: string, passage: Passage): { share: number; terms: number } => {
    const terms = termsOfStatement(statement, passage.language)
    const passageTerms = termsOf(passage)
    return {
      share: [...terms].filter((term) => passageTerms.has(term)).length / (terms.size || 1),
      terms: terms.size,
    }
  }
  const overlaps = new Map<Passage, (statement: string) => number>()
  const otherLanguageOverlap = (statement: string, passage: Passage): number => {
    if (passage.language === language) return 0
    const shareOf = overlaps.get(passage) ?? crossLanguageOverlap(language, passage)
    overlaps.set(passage, shareOf)
    return shareOf(statement)
  }
  const isCalculatedFrom = (statement: string, { chunk_id: id }: Passage): boolean =>
    results.some(
      ({ result, sources }) =>
        sources.some(({ chunk_id }) => chunk_id === id) && statesResult(statement, result),
    )
  const sharesWordsAcross = (statement: string, passage: Passage): boolean =>
    otherLanguageOverlap(statement, passage) >= KEEP_SHARE
  const sharesWords = (statement: string, passage: Passage): boolean =>
    overlap(statement, passage).share >= KEEP_SHARE || sharesWordsAcross(statement, passage)
  const supports = (statement: string, passage: Passage): boolean =>
    overlap(statement, passage).terms < MIN_CHECKED_TERMS ||
    sharesFact(statement, passage, termsOf(passage)) ||
    isCalculatedFrom(statement, passage) ||
    sharesWords(statement, passage)
  const containsNumbers = (statement: string, passage: Passage): boolean =>
    [...words(statement)]
      .filter(({ raw }) => /\p{N}/u.test(raw))
      .every(({ raw }) => contentTerms(raw, passage.language).every((term) => termsOf(passage).has(term)))
  return {
    overlap,
    supports,
    contradicts: oppositeChecker(),
    isCalculatedFrom,
    sharesWords,
    sharesWordsAcross,
    containsNumbers,
    spans: bestSentences,
  }
}

/** Whether a number or a name of the statement occurs in the passage. */
function sharesFact(statement: string, passage: Passage, passageTerms: ReadonlySet<string>): boolean {
  return [...words(statement)].some(
    ({ raw, start }) =>
      (/\p{N}/u.test(raw) || (start > 0 && /^\p{Lu}/u.test(raw))) &&
      contentTerms(raw, passage.language).some((term) => passageTerms.has(term)),
  )
}

/**
 * For each sentence of the statements the passage's most similar sentence (Dice coefficient of content terms). Column names
 * do not count, because they are quoted with any row, and rows differ by their cells only. The head of a table is compared
 * only if no row shares a term with the statements: a table of signatures often has nothing but a head.
 */
function bestSentences(statements: readonly string[], passage: Passage): Span[] {
  const termsOf = (text: string): Set<string> => new Set(contentTerms(text, passage.language))
  const asCandidate = ({ text, start, end }: Sentence): Candidate => ({
    span: { start, end },
    terms: termsOf(text),
  })
  const { columns, otherSentences } = withoutColumns(passage.text)
  const [heads, rows] = [columns.map(asCandidate), otherSentences.map(asCandidate)]
  const names = new Set(heads.flatMap(({ terms }) => [...terms]))
  const statementTerms = statements.flatMap(sentences).map(({ text }) => [...termsOf(text)])
  const inRows = statementTerms.map((terms) => terms.filter((term) => !names.has(term)))
  const spansInRows = bestOf(inRows, rows)
  return spansInRows.length ? spansInRows : bestOf(statementTerms, heads)
}

interface Candidate {
  span: Span
  terms: ReadonlySet<string>
}

/** For each list of terms the candidate that shares most with it, by the Dice coefficient. The best one is first. */
function bestOf(statements: readonly string[][], candidates: readonly Candidate[]): Span[] {
  const scores = new Map<Span, number>()
  for (const statement of statements) {
    let bestSpan: { span: Span; score: number } | undefined
    for (const { span, terms } of candidates) {
      const shared = statement.filter((term) => terms.has(term)).length
      const score = (2 * shared) / (terms.size + statement.length || 1)
      if (score > (bestSpan?.score ?? 0)) bestSpan = { span, score }
    }
    if (bestSpan) scores.set(bestSpan.span, Math.max(bestSpan.score, scores.get(bestSpan.span) ?? 0))
  }
  return [...scores]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_SPANS)
    .map(([span]) => span)
}

/** The text's sentences without table headers, and the headers. */
function withoutColumns(text: string): { columns: Sentence[]; otherSentences: Sentence[] } {
  const allSentences = sentences(text)
  const isHead = (at: number): boolean =>
    isRule(allSentences[at]?.text ?? '') || isRule(allSentences[at + 1]?.text ?? '')
  return {
    columns: allSentences.filter(({ text }, i) => isHead(i) && !isRule(text)),
    otherSentences: allSentences.filter((_, i) => !isHead(i)),
  }
}

// Statements in another language than the passage are compared without translating: by words spelled alike in both
// (Material, Materialien), by the translations of the lexicon, and by stems in either language.

// Every word is compared with every word, which takes 4 ms for this many.
const MAX_WORDS = 60
const MAX_PASSAGE_WORDS = 600
// "Helm" in helmet and Schutzhelm: the least letters in a row, and the least share of the shorter word.
const SHARED_LETTERS = 4
const SHARED_PORTION = 0.6
// Only the most likely translations count, because support needs more certainty than a search.
const MAX_TRANSLATIONS = 3

/** Returns a function that gives the share of a statement's content words that the passage contains in its language. */
function crossLanguageOverlap(language: Language, passage: Passage): (statement: string) => number {
  const text = passageText(passage)
  const stems = new Set([...contentTerms(text, passage.language), ...contentTerms(text, language)])
  const letters = new Set([...words(text)].map(({ raw }) => foldAccents(raw)))
  const passageWords = [...letters]
    .filter(({ length }) => length >= SHARED_LETTERS)
    .slice(0, MAX_PASSAGE_WORDS)
  const translationsOf = (word: string): string[] =>
    synonymsOf(word, language)
      .filter((other) => other.language === passage.language)
      .slice(0, MAX_TRANSLATIONS)
      .map((other) => other.word)
  const isShared = (word: string): boolean =>
    [word, ...translationsOf(word)].some((other) =>
      contentTerms(other, passage.language).some((term) => stems.has(term)),
    ) || passageWords.some((other) => shareLetters(foldAccents(word), other))
  return (statement) => {
    const compared = contentWords(statement, language).slice(0, MAX_WORDS)
    return compared.filter(isShared).length / (compared.length || 1)
  }
}

function shareLetters(a: string, b: string): boolean {
  const shorterLength = Math.min(a.length, b.length)
  const requiredLetters = Math.max(SHARED_LETTERS, Math.ceil(shorterLength * SHARED_PORTION))
  for (let offset = 0; offset + requiredLetters <= a.length; offset++)
    if (b.includes(a.slice(offset, offset + requiredLetters))) return true
  return false
}
