// What search alone gives for the questions of a set, with its twenty passages: what answers are made from.

import type { KnownQuestion } from '../../src/eval/answers/questions.ts'
import { measure, measureFacts } from '../../src/eval/measure/metrics.ts'
import { foldToDocuments, type Passage, type Target } from '../../src/eval/target/target.ts'
import type { Kept } from './kept.ts'

export const SEARCH_METRICS = ['recall@5', 'pages@5', 'facts@10', 'facts@20'] as const
export type SearchMetric = (typeof SEARCH_METRICS)[number]

export interface SearchResult {
  id: string
  scores: Partial<Record<SearchMetric, number>>
}

// One waits for the database while the other reads what came.
const CLIENTS = 2

/** Searches for every question that has an answer, two at a time. */
export async function searchAll(
  target: Pick<Target, 'search'>,
  questions: readonly KnownQuestion[],
  kept: Kept<SearchResult>,
  onProgress: (done: number, of: number) => void,
): Promise<SearchResult[]> {
  const judged = questions.filter(({ documents }) => documents.size > 0)
  const left = judged.filter(({ id }) => !kept.results.has(id))
  let done = judged.length - left.length
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        await kept.keep({ id: next.id, scores: scoresOf(await target.search(next.text), next) })
        onProgress(++done, judged.length)
      }
    }),
  )
  return judged.flatMap(({ id }) => kept.results.get(id) ?? [])
}

/** Of a set with pages these are what is looked for, else documents and evidence sentences. */
export function scoresOf(
  passages: readonly Passage[],
  { documents, facts, pages }: Pick<KnownQuestion, 'documents' | 'facts' | 'pages'>,
): SearchResult['scores'] {
  if (pages.length) {
    const shown = new Set([...new Set(passages.flatMap(placesOf))].slice(0, 5))
    const wanted = [...new Set(pages.map(placeOf))]
    return { 'pages@5': wanted.filter((page) => shown.has(page)).length / wanted.length }
  }
  const grades = new Map([...documents].map((name) => [name, 1]))
  const { 'recall@5': recall = 0 } = measure(foldToDocuments(passages), grades)
  return {
    'recall@5': recall,
    ...measureFacts(
      passages.map(({ text }) => text),
      facts,
    ),
  }
}

const placesOf = ({ documents, page }: Passage): string[] =>
  page === null ? [] : documents.map((document) => placeOf({ document, page }))

const placeOf = ({ document, page }: { document: string; page: number }): string => `${document} ${page}`
