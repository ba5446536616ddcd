// Asks a target all queries of a set, one after the other, and measures the results.

import { METRICS, type Metric, measure, measureDeep, measureFacts, type Scores } from './measure/metrics.ts'
import { type Estimate, estimate } from './measure/statistics.ts'
import { withTypos } from './measure/typos.ts'
import type { SetQuery } from './set/set.ts'
import { foldToDocuments, type OnProgress, type Target } from './target/target.ts'

/** One query, its results and their scores. */
export interface QueryResult {
  id: string
  /** As it was sent, typos included. */
  text: string
  /** How long the search for 20 passages took. */
  ms: number
  /** Documents best first, each once. */
  ranked: string[]
  /** Relevant documents with their grades. */
  relevant: Record<string, number>
  scores: Scores
}

interface AskOptions {
  queries: readonly SetQuery[]
  /** The share of words that get a typo. */
  typos: number
  onProgress: OnProgress
  signal: AbortSignal
}

export async function askAll(
  target: Pick<Target, 'search' | 'searchDeep'>,
  { queries, typos, onProgress, signal }: AskOptions,
): Promise<QueryResult[]> {
  const results: QueryResult[] = []
  for (const { id, text: original, grades, facts } of queries) {
    signal.throwIfAborted()
    const text = typos > 0 ? withTypos(original, typos) : original
    const startMs = performance.now()
    const passages = await target.search(text)
    const ms = performance.now() - startMs
    const rankedDocuments = foldToDocuments(passages)
    const deepRanking = target.searchDeep ? foldToDocuments(await target.searchDeep(text)) : undefined
    const chunks = passages.map((passage) => passage.text)
    const relevant = Object.fromEntries([...grades].filter(([, grade]) => grade > 0))
    const scores = {
      ...measure(rankedDocuments, grades),
      ...(deepRanking && measureDeep(deepRanking, grades)),
      ...measureFacts(chunks, facts),
    }
    results.push({ id, text, ms: Math.round(ms * 100) / 100, ranked: rankedDocuments, relevant, scores })
    onProgress(results.length, queries.length)
  }
  return results
}

export interface MetricSummary extends Estimate {
  metric: Metric
  /** How many queries it covers: not all have evidence sentences. */
  queries: number
}

/** The mean of each metric over the queries that it applies to, with its 95 % interval. */
export const summarise = (results: readonly Pick<QueryResult, 'scores'>[]): MetricSummary[] =>
  METRICS.flatMap((metric) => {
    const values = results.flatMap(({ scores }) => scores[metric] ?? [])
    return values.length ? [{ metric, ...estimate(values), queries: values.length }] : []
  })
