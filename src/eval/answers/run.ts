// Asks all questions of a set, one after the other, and measures the answers.

import { type Estimate, estimate } from '../measure/statistics.ts'
import type { OnProgress } from '../target/target.ts'
import type { TimedAnswer } from './ask.ts'
import { ANSWER_METRICS, type AnswerMetric, type AnswerScores, measureAnswer } from './measure.ts'
import type { KnownQuestion } from './questions.ts'

/** One question, its answer and its scores. */
export interface AnswerResult {
  id: string
  text: string
  /** Whether the set has an answer to it. */
  answerable: boolean
  known: string[]
  answer: string
  /** The cited documents by their names in the set, each once. */
  cited: string[]
  missed: string[]
  ms: number
  firstStepMs: number
  steps: number
  tokens?: number | undefined
  scores: AnswerScores
}

export async function askQuestions(
  questions: readonly KnownQuestion[],
  ask: (question: string) => Promise<TimedAnswer>,
  { onProgress, signal }: { onProgress: OnProgress; signal: AbortSignal },
): Promise<AnswerResult[]> {
  const results: AnswerResult[] = []
  for (const question of questions) {
    signal.throwIfAborted()
    results.push(resultOf(question, await ask(question.text)))
    onProgress(results.length, questions.length)
  }
  return results
}

export function resultOf(question: KnownQuestion, answer: TimedAnswer): AnswerResult {
  const { id, text, answers, documents } = question
  const citedDocuments = [...new Set(answer.citations.flatMap((citation) => citation.documents))]
  return {
    id,
    text,
    answerable: documents.size > 0,
    known: answers,
    answer: answer.text,
    cited: citedDocuments,
    missed: [...documents].filter((name) => !citedDocuments.includes(name)),
    ms: answer.ms,
    firstStepMs: answer.firstStepMs,
    steps: answer.steps,
    tokens: answer.tokens,
    scores: measureAnswer(question, answer),
  }
}

export interface AnswerSummary extends Estimate {
  metric: AnswerMetric
  /** How many questions it covers: not every metric applies to each. */
  questions: number
}

/** The mean of each metric over the questions that it applies to, with its 95 % interval. */
export const summariseAnswers = (results: readonly Pick<AnswerResult, 'scores'>[]): AnswerSummary[] =>
  ANSWER_METRICS.flatMap((metric) => {
    const values = results.flatMap(({ scores }) => scores[metric] ?? [])
    return values.length ? [{ metric, ...estimate(values), questions: values.length }] : []
  })
