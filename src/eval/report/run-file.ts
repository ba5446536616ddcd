// The data of a run: the report shows it, and a later run can be compared with it.

import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { EvaluationFailed } from '../error.ts'
import { METRICS } from '../measure/metrics.ts'

const Score = z.number().min(0).max(1)
const MetricName = z.enum(METRICS)

export const RunFile = z.object({
  format: z.literal('kenning-eval-1'),
  /** The name of the set's folder. */
  set: z.string(),
  label: z.string(),
  /** The evaluated service. */
  target: z.string(),
  version: z.string(),
  at: z.string(),
  /** Share of words with a typo. */
  typos: z.number(),
  documents: z.number().nullable(),
  /** Queries without a relevant document, left out. */
  unjudged: z.number(),
  unread: z.array(z.object({ id: z.string(), reason: z.string() })),
  metrics: z.array(
    z.object({
      metric: MetricName,
      mean: z.number(),
      low: z.number(),
      high: z.number(),
      queries: z.number(),
    }),
  ),
  queries: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      ms: z.number(),
      ranked: z.array(z.string()),
      relevant: z.record(z.string(), z.number()),
      scores: z.partialRecord(MetricName, Score),
    }),
  ),
})
export type RunFile = z.infer<typeof RunFile>

/** @throws EvaluationFailed when the file is not the data of a run */
export async function readRunFile(path: string): Promise<RunFile> {
  const text = await readFile(path, 'utf8').catch((error: { code?: string }) => {
    throw new EvaluationFailed(`${path} cannot be read: ${error.code ?? error}.`, 2)
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new EvaluationFailed(`${path} is not JSON: pass the .json file beside a report.`, 2)
  }
  const result = RunFile.safeParse(value)
  if (result.success) return result.data
  throw new EvaluationFailed(`${path} is not the data of a run: pass the .json file beside a report.`, 2)
}
