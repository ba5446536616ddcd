// Retrieval metrics as trec_eval and BEIR compute them, pure. Grades above 0 are relevant; nDCG takes the grade itself
// as the gain (linear, not 2^grade - 1) and discounts by log2(rank + 1). A ranking names a document once.

/** In the order in which they are shown. `facts@k`: share of a query's evidence sentences found in its first k chunks. */
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

/** What was measured of one query; metrics that do not apply are left out. */
export type Scores = Partial<Record<Metric, number>>

/** Document → grade, one query's judgments. */
export type Grades = ReadonlyMap<string, number>

const RANKS = 10

/** @param ranked document ids, best first, each once. All 0 when nothing is relevant. */
export function measure(ranked: readonly string[], grades: Grades): Scores {
  const relevant = new Map([...grades].filter(([, grade]) => grade > 0))
  const ideal = discounted([...relevant.values()].sort((a, b) => b - a))
  const first = ranked.slice(0, RANKS).findIndex((id) => relevant.has(id))
  return {
    'nDCG@10': ideal > 0 ? discounted(ranked.map((id) => relevant.get(id) ?? 0)) / ideal : 0,
    'recall@5': recall(ranked, relevant, 5),
    'recall@10': recall(ranked, relevant, 10),
    'MRR@10': first < 0 ? 0 : 1 / (first + 1),
  }
}

/** Of a ranking deep enough to hold 100 documents. */
export const measureDeep = (ranked: readonly string[], grades: Grades): Scores => ({
  'recall@100': recall(ranked, new Map([...grades].filter(([, grade]) => grade > 0)), 100),
})

const discounted = (gains: readonly number[]): number =>
  gains.slice(0, RANKS).reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0)

const recall = (ranked: readonly string[], relevant: Grades, k: number): number =>
  relevant.size ? ranked.slice(0, k).filter((id) => relevant.has(id)).length / relevant.size : 0

/**
 * The share of evidence sentences that stand in the first 10 and 20 chunks, white space aside (the chunk metric of
 * MultiHop-RAG's retrieval_evaluate.py, facts counted once each). Without facts nothing.
 */
export function measureFacts(chunks: readonly string[], facts: readonly string[]): Scores {
  if (facts.length === 0) return {}
  const squeezed = chunks.map(squeeze)
  const ranks = [...new Set(facts.map(squeeze))].map((fact) =>
    squeezed.findIndex((text) => text.includes(fact)),
  )
  const share = (k: number): number => ranks.filter((rank) => rank >= 0 && rank < k).length / ranks.length
  return { 'facts@10': share(10), 'facts@20': share(20) }
}

const squeeze = (text: string): string => text.replace(/\s+/g, '')
