// Asks a target all queries of a set, one after the other, and measures what comes back.

import { METRICS, type Metric, measure, measureDeep, measureFacts, type Scores } from './measure/metrics.ts'
import { type Estimate, estimate } from './measure/statistics.ts'
import { withTypos } from './measure/typos.ts'
import type { SetQuery } from './set/set.ts'
import { foldToDocuments, type OnProgress, type Target } from './target/target.ts'

/** One query: what was asked, what came back, what that is worth. */
export interface QueryResult {
  id: string
  /** As asked: with its typos, where they were wanted. */
  text: string
  /** Of the search for 20 passages. */
  ms: number
  /** Documents best first, each once. */
  ranked: string[]
  /** Relevant documents with their grades. */
  relevant: Record<string, number>
  scores: Scores
}

export interface Asking {
  queries: readonly SetQuery[]
  /** The share of words that get a typo. */
  typos: number
  onProgress: OnProgress
  signal: AbortSignal
}

export async function askAll(
  target: Pick<Target, 'search' | 'searchDeep'>,
  { queries, typos, onProgress, signal }: Asking,
): Promise<QueryResult[]> {
  const results: QueryResult[] = []
  for (const { id, text: written, grades, facts } of queries) {
    signal.throwIfAborted()
    const text = typos > 0 ? withTypos(written, typos) : written
    const started = performance.now()
    const passages = await target.search(text)
    const ms = performance.now() - started
    const ranked = foldToDocuments(passages)
    const deep = target.searchDeep ? foldToDocuments(await target.searchDeep(text)) : undefined
    const chunks = passages.map((passage) => passage.text)
    const relevant = Object.fromEntries([...grades].filter(([, grade]) => grade > 0))
    const scores = {
      ...measure(ranked, grades),
      ...(deep && measureDeep(deep, grades)),
      ...measureFacts(chunks, facts),
    }
    results.push({ id, text, ms: Math.round(ms * 100) / 100, ranked, relevant, scores })
    onProgress(results.length, queries.length)
  }
  return results
}

export interface MetricSummary extends Estimate {
  metric: Metric
  /** Over so many queries: not every one has evidence sentences. */
  queries: number
}

/** The mean of every metric that some query has, with its 95 % interval. */
export const summarise = (results: readonly Pick<QueryResult, 'scores'>[]): MetricSummary[] =>
  METRICS.flatMap((metric) => {
    const values = results.flatMap(({ scores }) => scores[metric] ?? [])
    return values.length ? [{ metric, ...estimate(values), queries: values.length }] : []
  })
