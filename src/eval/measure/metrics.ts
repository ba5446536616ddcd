// Retrieval metrics as trec_eval and BEIR compute them. Grades above 0 are relevant; nDCG uses the grade itself as the
// gain (not 2^grade - 1) and discounts by log2(rank + 1). A ranking contains each document once. Pure.

/** In the order of reports. `facts@k`: the share of a query's evidence sentences that are in its first k chunks. */
export const METRICS = [
  'nDCG@10',
  'recall@5',
  'recall@10',
  'MRR@10',
  'recall@100',
  'facts@10',
  'facts@20',
] as const
export type Metric = (typeof METRICS)[number]

/** The metrics of one query, without those that do not apply to it. */
export type Scores = Partial<Record<Metric, number>>

/** Document → grade: the judgments of one query. */
type Grades = ReadonlyMap<string, number>

const RANKS = 10

/** @param rankedIds document ids, best first, each once. All metrics are 0 when nothing is relevant. */
export function measure(rankedIds: readonly string[], grades: Grades): Scores {
  const relevant = new Map([...grades].filter(([, grade]) => grade > 0))
  const idealGain = discountedGain([...relevant.values()].sort((a, b) => b - a))
  const firstRank = rankedIds.slice(0, RANKS).findIndex((id) => relevant.has(id))
  return {
    'nDCG@10': idealGain > 0 ? discountedGain(rankedIds.map((id) => relevant.get(id) ?? 0)) / idealGain : 0,
    'recall@5': recall(rankedIds, relevant, 5),
    'recall@10': recall(rankedIds, relevant, 10),
    'MRR@10': firstRank < 0 ? 0 : 1 / (firstRank + 1),
  }
}

/** For a ranking of 100 documents or more. */
export const measureDeep = (rankedIds: readonly string[], grades: Grades): Scores => ({
  'recall@100': recall(rankedIds, new Map([...grades].filter(([, grade]) => grade > 0)), 100),
})

const discountedGain = (gains: readonly number[]): number =>
  gains.slice(0, RANKS).reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0)

const recall = (rankedIds: readonly string[], relevant: Grades, k: number): number =>
  relevant.size ? rankedIds.slice(0, k).filter((id) => relevant.has(id)).length / relevant.size : 0

/**
 * The share of evidence sentences that are in the first 10 and 20 chunks, white space ignored (the chunk metric of
 * MultiHop-RAG's retrieval_evaluate.py, each fact counted once). Empty without facts.
 */
export function measureFacts(chunks: readonly string[], facts: readonly string[]): Scores {
  if (facts.length === 0) return {}
  const compactChunks = chunks.map(withoutSpace)
  const ranks = [...new Set(facts.map(withoutSpace))].map((fact) =>
    compactChunks.findIndex((text) => text.includes(fact)),
  )
  const share = (k: number): number => ranks.filter((rank) => rank >= 0 && rank < k).length / ranks.length
  return { 'facts@10': share(10), 'facts@20': share(20) }
}

const withoutSpace = (text: string): string => text.replace(/\s+/g, '')
