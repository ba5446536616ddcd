// Whether a passage supports a statement, by the words, numbers and names that they share. The passage may be in another language.
// Pure.

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

// The share of a statement's content terms that must be in a passage for a new citation.
export const REPAIR_SHARE = 0.5
// The share that must be in a passage for the existing citation to stay.
const KEEP_SHARE = 0.15
// A statement with fewer content terms ("Yes.") cannot be checked: its citation is accepted.
export const MIN_CHECKED_TERMS = 3
// The number of sentences of one passage that are cited. More cannot be read at a glance.
const MAX_SPANS = 8

export interface SupportChecker {
  overlap(statement: string, passage: Passage): { share: number; terms: number }
  supports(statement: string, passage: Passage): boolean
  /** Whether the passage and the statement contradict each other. */
  contradicts(statement: string, passage: Passage): boolean
  /** Whether the statement gives a figure that was calculated from the passage. */
  isCalculatedFrom(statement: string, passage: Passage): boolean
  /** Whether the passage contains at least KEEP_SHARE of the statement's content terms. */
  sharesWords(statement: string, passage: Passage): boolean
  /** Whether a passage in another language contains at least KEEP_SHARE of the statement's content words. */
  sharesWordsAcross(statement: string, passage: Passage): boolean
  /** Whether every number of the statement occurs in the passage. */
  containsNumbers(statement: string, passage: Passage): boolean
  /** The sentences of the passage that support the statements, the best first. Empty if they share no term. */
  spans(statements: readonly string[], passage: Passage): Span[]
}

/** A figure that a tool calculated, and the passages whose rows it was calculated from. */
export interface Calculation {
  result: string
  sources: readonly Passage[]
}

/** Returns a checker for the statements of a reply in `language`. Each passage is analysed once. */
export function supportChecker(language: Language, results: readonly Calculation[] = []): SupportChecker {
  const termsByPassage = new Map<Passage, ReadonlySet<string>>()
  const termsOf = (passage: Passage): ReadonlySet<string> => {
    const cached = termsByPassage.get(passage)
    if (cached) return cached
    const terms = new Set(contentTerms(passageText(passage), passage.language))
    termsByPassage.set(passage, terms)
    return terms
  }
  // A cache, because the statements of a reply are checked again and again while it is written.
  const termsByStatement = new Map<string, ReadonlySet<string>>()
  const termsOfStatement = (statement: string, textLanguage: Language): ReadonlySet<string> => {
    const key = `${textLanguage} ${statement}`
    const terms = termsByStatement.get(key) ?? new Set(contentTerms(statement, textLanguage))
    termsByStatement.set(key, terms)
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
 * For each sentence of the statements, the most similar sentence of the passage by the Dice coefficient of content terms. Column
 * names do not count, because they are quoted with every row. The header of a table is compared only if no row shares a term with
 * the statements, because a table of signatures often has only a header.
 */
function bestSentences(statements: readonly string[], passage: Passage): Span[] {
  const termsOf = (text: string): Set<string> => new Set(contentTerms(text, passage.language))
  const asCandidate = ({ text, start, end }: Sentence): Candidate => ({
    span: { start, end },
    terms: termsOf(text),
  })
  const { columns, otherSentences } = withoutColumns(passage.text)
  const [headers, rows] = [columns.map(asCandidate), otherSentences.map(asCandidate)]
  const headerTerms = new Set(headers.flatMap(({ terms }) => [...terms]))
  const statementTerms = statements.flatMap(sentences).map(({ text }) => [...termsOf(text)])
  const withoutHeaderTerms = statementTerms.map((terms) => terms.filter((term) => !headerTerms.has(term)))
  const spansInRows = bestOf(withoutHeaderTerms, rows)
  return spansInRows.length ? spansInRows : bestOf(statementTerms, headers)
}

interface Candidate {
  span: Span
  terms: ReadonlySet<string>
}

/** For each list of terms, the candidate with the highest Dice coefficient. The best candidates come first. */
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

/** The sentences of a text, divided into table headers (`columns`) and others. */
function withoutColumns(text: string): { columns: Sentence[]; otherSentences: Sentence[] } {
  const allSentences = sentences(text)
  const isHeader = (at: number): boolean =>
    isRule(allSentences[at]?.text ?? '') || isRule(allSentences[at + 1]?.text ?? '')
  return {
    columns: allSentences.filter(({ text }, i) => isHeader(i) && !isRule(text)),
    otherSentences: allSentences.filter((_, i) => !isHeader(i)),
  }
}

// A statement in another language than the passage is compared word by word: by words with similar spelling (Material,
// Materialien), by the translations of the lexicon, and by stems in both languages.

// Every word is compared with every word, which takes 4 ms for this many words.
const MAX_WORDS = 60
const MAX_PASSAGE_WORDS = 600
// Two words are spelled alike if they share this many letters in a row, and this share of the shorter word: "helm" in helmet,
// Schutzhelm.
const SHARED_LETTERS = 4
const SHARED_PORTION = 0.6
// Only the most likely translations are used, because support must be more certain than a search result.
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
    const statementWords = contentWords(statement, language).slice(0, MAX_WORDS)
    return statementWords.filter(isShared).length / (statementWords.length || 1)
  }
}

/** Whether two words share enough letters in a row. */
function shareLetters(a: string, b: string): boolean {
  const shorterLength = Math.min(a.length, b.length)
  const requiredLetters = Math.max(SHARED_LETTERS, Math.ceil(shorterLength * SHARED_PORTION))
  for (let offset = 0; offset + requiredLetters <= a.length; offset++)
    if (b.includes(a.slice(offset, offset + requiredLetters))) return true
  return false
}
