// Pairs the queries that two runs share, and notes in which ways the runs differ as experiments.

import { EvaluationFailed } from '../error.ts'
import type { Pair } from '../measure/compare.ts'
import type { RunFile } from './run-file.ts'

export interface Pairing {
  pairs: Pair[]
  /** Sentences about differences between the runs that affect the comparison. */
  notes: string[]
}

/** @throws EvaluationFailed when the runs share no query */
export function pairRuns(run: RunFile, comparedRun: RunFile): Pairing {
  const queriesOfOther = new Map(comparedRun.queries.map((query) => [query.id, query]))
  const sharedQueries = run.queries.flatMap((query) => {
    const other = queriesOfOther.get(query.id)
    return other ? [{ query, other }] : []
  })
  if (sharedQueries.length === 0) {
    throw new EvaluationFailed('The two runs share no query: they are runs of different sets.', 2)
  }
  const count = (isCounted: (pair: (typeof sharedQueries)[number]) => boolean): number =>
    sharedQueries.filter(isCounted).length
  const notes: string[] = []
  if (run.set !== comparedRun.set)
    notes.push(`The sets have different names: ${run.set} and ${comparedRun.set}.`)
  const unpairedCount = run.queries.length + comparedRun.queries.length - 2 * sharedQueries.length
  if (unpairedCount > 0) notes.push(`${unpairedCount} queries are in one run only and are left out.`)
  const changedJudgments = count(({ query, other }) => judgmentsOf(query) !== judgmentsOf(other))
  if (changedJudgments > 0)
    notes.push(`The judgments of ${changedJudgments} queries differ between the runs.`)
  const changedTextCount = count(({ query, other }) => query.text !== other.text)
  if (changedTextCount > 0) notes.push(`${changedTextCount} queries have different texts in the two runs.`)
  const pairs = sharedQueries.map(({ query, other }) => ({
    id: query.id,
    text: query.text,
    ours: query.scores,
    theirs: other.scores,
  }))
  return { pairs, notes }
}

const judgmentsOf = ({ relevant }: RunFile['queries'][number]): string =>
  JSON.stringify(Object.entries(relevant).sort(([a], [b]) => (a < b ? -1 : 1)))
