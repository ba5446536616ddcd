// Computes how much each word of a query counts. A repeated word counts more, an everyday word counts less. Pure.

import type { AnalysedText } from '../../language/analysed-text.ts'
import { isEveryday } from '../../language/dictionary.ts'
import type { Language } from '../../language/language.ts'

// The factor of an everyday word. In "What work did …", "papers about …", "how has … changed", such words need not occur in the
// text. nDCG@10 of the words alone with 1, .7, .6, .5, .3: MuSiQue .629, .644, .654, .654, .653; scifact .717, .717, .717,
// .715, .712; MultiHop-RAG .777, .778, .778, .777; XQuAD en, de, es .974, .948, .966 for all, but en .973 and .969 with the
// last two.
const EVERYDAY_FACTOR = 0.6

/**
 * The factor of each term whose factor is not 1. Only words in the lower case of running text are everyday words, because Work
 * may be a name. A word that occurs n times counts as the square root of n times, as in BM25 with a small k3: the same within
 * .0002 on scifact, MuSiQue and XQuAD, -.003 on the long questions of MultiHop-RAG; linear -.007. For paragraphs that ask for
 * abstracts, the maximum cost .028.
 */
export function emphasisIn(query: AnalysedText, languages: readonly Language[]): Map<string, number> {
  const factors = new Map<string, number>()
  for (const language of languages) {
    const counts = new Map<string, number>()
    for (const { term } of query.terms(language)) counts.set(term, (counts.get(term) ?? 0) + 1)
    for (const [term, count] of counts) factors.set(term, Math.max(factors.get(term) ?? 1, Math.sqrt(count)))
    for (const term of incidentalTerms(query, language))
      factors.set(term, EVERYDAY_FACTOR * (factors.get(term) ?? 1))
  }
  return new Map([...factors].filter(([, factor]) => factor !== 1))
}

/** The terms that come only from everyday words of the query. */
function incidentalTerms(query: AnalysedText, language: Language): Set<string> {
  const [everyday, others] = [new Set<string>(), new Set<string>()]
  for (const word of query.words) {
    const { raw } = word
    const isIncidental = raw === raw.toLowerCase() && isEveryday(raw, language)
    for (const { term } of query.termsOf(word, language)) (isIncidental ? everyday : others).add(term)
  }
  return new Set([...everyday].filter((term) => !others.has(term)))
}
