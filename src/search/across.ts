// Merges the results of several workspaces into one order. Their scores are not comparable, because each workspace weights
// terms by how rare they are in it. Pure.

import type { Chunk } from '../contract/resources.ts'
import { contentTerms } from '../language/analyse.ts'
import { type AnalysedText, analysedText } from '../language/analysed-text.ts'
import { guessLanguage } from '../language/guess.ts'
import { reciprocalRank } from './fusion.ts'

export interface Found {
  workspaceId: string
  chunk: Chunk
}

/**
 * The results of one query, best first, by reciprocal rank fusion of two orders: by their rank in their own workspace, and by the
 * query terms that they contain. A term that few of these results contain counts more.
 */
export function mergeWorkspaces(query: string, lists: readonly (readonly Found[])[]): Found[] {
  const all = lists.filter((list) => list.length > 0)
  if (all.length < 2) return all.flat()
  const maxLength = Math.max(...all.map((list) => list.length))
  const allByRank = Array.from({ length: maxLength }, (_, rank) =>
    all.flatMap((list) => list[rank] ?? []),
  ).flat()
  const byId = new Map(allByRank.map((result) => [result.chunk.id, result]))
  const coverage = coverageOf(analysedText(query), allByRank)
  const byTerms = [...byId.keys()].sort((a, b) => (coverage.get(b) ?? 0) - (coverage.get(a) ?? 0))
  return [...reciprocalRank(byTerms, sortedByRank(all, byTerms)).keys()].flatMap((id) => byId.get(id) ?? [])
}

/** Sorts ids by their rank in their own workspace. Ids with the same rank stay in the order of `byTerms`. */
function sortedByRank(lists: readonly (readonly Found[])[], byTerms: readonly string[]): string[] {
  const rankById = new Map(lists.flatMap((list) => list.map(({ chunk }, rank) => [chunk.id, rank] as const)))
  return byTerms.toSorted((a, b) => (rankById.get(a) ?? 0) - (rankById.get(b) ?? 0))
}

/** For each result, the total weight of the query's terms that it contains. */
function coverageOf(query: AnalysedText, passages: readonly Found[]): Map<string, number> {
  const termsOf = new Map(
    passages.map(({ chunk }) => {
      const text = `${chunk.document_title ?? ''}\n${chunk.text}`
      const language = guessLanguage(text)
      const terms = new Set(contentTerms(text, language))
      return [chunk.id, new Set(query.contentTerms(language).filter((term) => terms.has(term)))] as const
    }),
  )
  const counts = new Map<string, number>()
  for (const terms of termsOf.values())
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const weight = (term: string): number => Math.log(1 + passages.length / (counts.get(term) ?? 1))
  return new Map(
    [...termsOf].map(([id, terms]) => [id, [...terms].reduce((sum, term) => sum + weight(term), 0)]),
  )
}
