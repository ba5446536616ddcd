// `kenning eval --ask DIR`: ask, measure, report.

import { writeFile } from 'node:fs/promises'
import type { OnProgress, Target, Unread } from '../target/target.ts'
import { answerer } from './answering.ts'
import type { QuestionSet } from './questions.ts'
import { type AnswerRun, answersHtml, printAnswers } from './report.ts'
import { askQuestions, summariseAnswers } from './run.ts'

export interface AnswerEvaluation {
  limit: number | undefined
  label: string
  version: string
  /** Where the report goes, without its ending. */
  out: string
  onProgress: OnProgress
  signal: AbortSignal
  stdout: NodeJS.WriteStream
}

/** Asks a target that holds the set, and writes the report. */
export async function evaluateAnswers(
  set: QuestionSet,
  target: Target & { unread?: readonly Unread[] },
  { limit, label, version, out, onProgress, signal, stdout }: AnswerEvaluation,
): Promise<void> {
  const questions = set.questions.slice(0, limit)
  const results = await askQuestions(questions, answerer(target.workspace), { onProgress, signal })
  const run: AnswerRun = {
    format: 'kenning-answers-1',
    set: set.name,
    label,
    target: target.says,
    version,
    at: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    documents: set.documents?.length ?? null,
    unread: [...(target.unread ?? [])],
    metrics: summariseAnswers(results),
    questions: results,
  }
  stdout.write(`${printAnswers(run)}\n`)
  await writeFile(`${out}.json`, `${JSON.stringify(run)}\n`)
  await writeFile(`${out}.html`, answersHtml(run))
  stdout.write(`\nreport: ${out}.html   data: ${out}.json\n`)
}
