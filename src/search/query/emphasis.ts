// Computes how much each word of a query counts. A repeated word counts more, an everyday word counts less. Pure.

import type { AnalysedText } from '../../language/analysed-text.ts'
import { isEveryday } from '../../language/dictionary.ts'
import type { Language } from '../../language/language.ts'

// The factor of an everyday word, which need not occur in a relevant passage: "work" in "What work did …", "changed" in "how has
// … changed". With 1, .7, .6, .5 and .3, nDCG@10 by words alone is .629, .644, .654, .654, .653 (MuSiQue) and .717, .717, .717,
// .715, .712 (scifact).
const EVERYDAY_FACTOR = 0.6

/**
 * The factor of each term whose factor is not 1. Only words in lower case are everyday words, because "Work" may be a name. A
 * word that occurs n times has the factor √n, similar to BM25 with a small k3: nDCG@10 of MultiHop-RAG, whose questions are
 * long, falls by .003, with a factor of n by .007. If repetition did not count, queries of a whole paragraph would lose .028.
 */
export function emphasisOf(query: AnalysedText, languages: readonly Language[]): Map<string, number> {
  const factors = new Map<string, number>()
  for (const language of languages) {
    const counts = new Map<string, number>()
    for (const { term } of query.terms(language)) counts.set(term, (counts.get(term) ?? 0) + 1)
    for (const [term, count] of counts) factors.set(term, Math.max(factors.get(term) ?? 1, Math.sqrt(count)))
    for (const term of everydayTerms(query, language))
      factors.set(term, EVERYDAY_FACTOR * (factors.get(term) ?? 1))
  }
  return new Map([...factors].filter(([, factor]) => factor !== 1))
}

/** The terms of everyday words that are not also terms of other words of the query. */
function everydayTerms(query: AnalysedText, language: Language): Set<string> {
  const [everyday, others] = [new Set<string>(), new Set<string>()]
  for (const word of query.words) {
    const { raw } = word
    const isEverydayWord = raw === raw.toLowerCase() && isEveryday(raw, language)
    for (const { term } of query.termsOf(word, language)) (isEverydayWord ? everyday : others).add(term)
  }
  return new Set([...everyday].filter((term) => !others.has(term)))
}
