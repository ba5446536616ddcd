// How far a statement and a passage say the same: shares of words, numbers and names. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { type Sentence, sentences } from '../../language/sentences.ts'
import { sameMeaning } from '../../language/synonyms.ts'
import { fold, withoutAccents, words } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import { isRule } from '../markdown-table.ts'
import { saysResult } from './figures.ts'
import type { Span } from './markers.ts'

// Shares of a statement's content terms that stand in the passage.
export const REPAIR_SHARE = 0.5
const KEEP_SHARE = 0.15
// A statement with fewer content terms ("Yes.") cannot be judged: a known number is believed.
export const JUDGED_TERMS = 3
// As many sentences of a passage as a reader can take in at a glance.
const MOST_SPANS = 8

export interface Judge {
  overlap(statement: string, passage: Passage): { share: number; terms: number }
  supports(statement: string, passage: Passage): boolean
  /** Whether the statement says what was calculated from the passage. */
  calculated(statement: string, passage: Passage): boolean
  /** Whether every number of the statement stands in the passage. */
  holdsNumbers(statement: string, passage: Passage): boolean
  /** The sentences of the passage that stand behind the statements, the best first; none when nothing is shared. */
  spans(statements: readonly string[], passage: Passage): Span[]
}

/** A figure that a tool calculated, and the passages whose rows it is from. */
export interface Calculated {
  result: string
  from: readonly Passage[]
}

/** Compares statements of a reply in `language` with passages; a passage is analysed once. */
export function passageJudge(language: Language, results: readonly Calculated[] = []): Judge {
  const analysed = new Map<Passage, ReadonlySet<string>>()
  const termsOf = (passage: Passage): ReadonlySet<string> => {
    const known = analysed.get(passage)
    if (known) return known
    const { document_title: title, heading, text, language } = passage
    const terms = new Set(contentTerms(`${title}\n${heading}\n${text}`, language))
    analysed.set(passage, terms)
    return terms
  }
  const overlap = (statement: string, passage: Passage): { share: number; terms: number } => {
    const terms = new Set(contentTerms(statement, passage.language))
    const held = termsOf(passage)
    return {
      share: [...terms].filter((term) => held.has(term)).length / (terms.size || 1),
      terms: terms.size,
    }
  }
  const translated = new Map<Passage, (statement: string) => number>()
  const across = (statement: string, passage: Passage): number => {
    if (passage.language === language) return 0
    const share = translated.get(passage) ?? acrossLanguages(language, passage)
    translated.set(passage, share)
    return share(statement)
  }
  const calculated = (statement: string, { chunk_id: id }: Passage): boolean =>
    results.some(
      ({ result, from }) => from.some(({ chunk_id }) => chunk_id === id) && saysResult(statement, result),
    )
  const supports = (statement: string, passage: Passage): boolean => {
    const { share, terms } = overlap(statement, passage)
    return (
      terms < JUDGED_TERMS ||
      share >= KEEP_SHARE ||
      sharesFact(statement, passage, termsOf(passage)) ||
      calculated(statement, passage) ||
      across(statement, passage) >= KEEP_SHARE
    )
  }
  const holdsNumbers = (statement: string, passage: Passage): boolean =>
    [...words(statement)]
      .filter(({ raw }) => /\p{N}/u.test(raw))
      .every(({ raw }) => contentTerms(raw, passage.language).every((term) => termsOf(passage).has(term)))
  return { overlap, supports, calculated, holdsNumbers, spans: bestSentences }
}

/** Whether a number or a name of the statement stands in the passage. */
function sharesFact(statement: string, passage: Passage, held: ReadonlySet<string>): boolean {
  return [...words(statement)].some(
    ({ raw, start }) =>
      (/\p{N}/u.test(raw) || (start > 0 && /^\p{Lu}/u.test(raw))) &&
      contentTerms(raw, passage.language).some((term) => held.has(term)),
  )
}

/**
 * For each sentence of the statements the one of the passage most like it (Dice of content terms). A row of a table is
 * told from others by its cells: the names of the columns, which any row may be quoted with, do not count.
 */
function bestSentences(statements: readonly string[], passage: Passage): Span[] {
  const termsOf = (text: string): Set<string> => new Set(contentTerms(text, passage.language))
  const { columns, rest } = withoutColumns(passage.text)
  const names = termsOf(columns)
  const candidates = rest.map(({ text, start, end }) => ({ span: { start, end }, terms: termsOf(text) }))
  const found = new Map<Span, number>()
  for (const { text } of statements.flatMap(sentences)) {
    const want = [...termsOf(text)].filter((term) => !names.has(term))
    let best: { span: Span; score: number } | undefined
    for (const { span, terms } of candidates) {
      const shared = want.filter((term) => terms.has(term)).length
      const score = (2 * shared) / (terms.size + want.length || 1)
      if (score > (best?.score ?? 0)) best = { span, score }
    }
    if (best) found.set(best.span, Math.max(best.score, found.get(best.span) ?? 0))
  }
  return [...found]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_SPANS)
    .map(([span]) => span)
}

/** The text's sentences, and the heads of its tables apart from them. */
function withoutColumns(text: string): { columns: string; rest: Sentence[] } {
  const all = sentences(text)
  const isHead = (at: number): boolean => isRule(all[at]?.text ?? '') || isRule(all[at + 1]?.text ?? '')
  return {
    columns: all.flatMap(({ text }, i) => (isHead(i) ? text : [])).join('\n'),
    rest: all.filter((_, i) => !isHead(i)),
  }
}

// How far a statement and a passage of another language say the same, where nobody is there to translate: words that are
// written alike in both (Material, Materialien), words of business documents that mean the same, and stems in either
// language. Pure.

// Every word is compared with every word: so many take 4 ms.
const MOST_WORDS = 60
const MOST_SPOKEN = 600
// "Helm" in helmet and Schutzhelm: so many letters in a row, and so much of the shorter word.
const ALIKE_LETTERS = 4
const ALIKE_SHARE = 0.6

/** Tells for a statement in `language` the share of its words of content that the passage holds in its own. */
export function acrossLanguages(language: Language, passage: Passage): (statement: string) => number {
  const text = `${passage.document_title}\n${passage.heading}\n${passage.text}`
  const stems = new Set([...contentTerms(text, passage.language), ...contentTerms(text, language)])
  const letters = new Set([...words(text)].map(({ raw }) => lettersOf(raw)))
  const spoken = [...letters].filter(({ length }) => length >= ALIKE_LETTERS).slice(0, MOST_SPOKEN)
  const holds = (word: string): boolean =>
    [word, ...sameMeaning(word)].some((other) =>
      contentTerms(other, passage.language).some((term) => stems.has(term)),
    ) || spoken.some((other) => areAlike(lettersOf(word), other))
  return (statement) => {
    const own = [...words(statement)]
      .map(({ raw }) => raw)
      .filter((raw) => contentTerms(raw, language).length > 0)
    const asked = own.slice(0, MOST_WORDS)
    return asked.filter(holds).length / (asked.length || 1)
  }
}

const lettersOf = (word: string): string => withoutAccents(fold(word))

function areAlike(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length)
  const wanted = Math.max(ALIKE_LETTERS, Math.ceil(shorter * ALIKE_SHARE))
  for (let at = 0; at + wanted <= a.length; at++) if (b.includes(a.slice(at, at + wanted))) return true
  return false
}
