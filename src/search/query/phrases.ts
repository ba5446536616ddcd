// Quoted phrases, which a passage must contain literally. Pure.

import { termHash } from '../../index/weights.ts'
import type { AnalysedText } from '../../language/analysed-text.ts'
import { LANGUAGES } from '../../language/language.ts'
import { characters, isUnspaced, type Word } from '../../language/words.ts'

// A phrase in double quotes. A quotation mark after a digit means inches, as in 24" or 27", and begins no phrase.
const QUOTED = /(?<!\d)["“”«»„]([^"“”«»„]{2,200})["“”«»„]/gu

/** The words of a query outside its quotation marks. */
export function unquotedWords({ text, words }: AnalysedText): readonly Word[] {
  const quoted = [...text.matchAll(QUOTED)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }))
  return words.filter(({ start, end }) => !quoted.some((quote) => start < quote.end && end > quote.start))
}

export interface Phrase {
  /** The phrase in lower case, with single spaces. */
  text: string
  /**
   * The hashes of its terms: one list for each language, without duplicates. Empty if all words of the phrase are stop words in
   * one of the languages.
   */
  terms: readonly (readonly number[])[]
}

// Each phrase is searched in the text of every candidate. 400 phrases in one query blocked the embedded engine until it was
// killed.
const MAX_PHRASES = 8

// A question with this many words outside its quotation marks only mentions the quoted texts, and a passage that answers it
// need not contain them. For the 120 such questions of MultiHop-RAG, nDCG@10 is .335 if all quotations are required, and .876
// if they are ordinary words.
const MIN_WORDS_AROUND_MENTION = 5

/**
 * The distinct phrases in double quotes that a passage must contain. Phrases beyond MAX_PHRASES, and those that a question only
 * mentions, are treated as ordinary words.
 */
export const phrasesOf = (query: AnalysedText): Phrase[] => {
  if (/[?？؟]/.test(query.text) && unquotedWords(query).length >= MIN_WORDS_AROUND_MENTION) return []
  const texts = [...query.text.matchAll(QUOTED)]
    .map((match) => (match[1] ?? '').toLowerCase().replace(/\s+/g, ' ').trim())
    .filter(Boolean)
  return [...new Set(texts)]
    .slice(0, MAX_PHRASES)
    .map((text) => ({ text, terms: termHashes(query.part(text)) }))
}

/**
 * The terms of the phrase in each language, without duplicate lists. All languages are tried, because a chunk may be in another
 * language than its document.
 */
function termHashes(phrase: AnalysedText): number[][] {
  const readingsByKey = new Map<string, number[]>()
  for (const language of LANGUAGES) {
    const terms = new Set<number>()
    for (const { term, kind } of phrase.terms(language)) {
      // In a script without spaces, pairs of characters are used, because a dictionary may split the phrase differently inside
      // a text.
      if (isUnspaced(term) ? characters(term).length === 2 : kind === 'word') terms.add(termHash(term))
    }
    if (terms.size === 0) return []
    readingsByKey.set([...terms].join(), [...terms])
  }
  return [...readingsByKey.values()]
}
