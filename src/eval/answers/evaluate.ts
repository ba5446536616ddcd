// `kenning eval --ask DIR`: asks the questions of a set, measures the answers and writes the report.

import { writeFile } from 'node:fs/promises'
import type { OnProgress, Target, UnreadDocument } from '../target/target.ts'
import { openAsker } from './ask.ts'
import type { QuestionSet } from './questions.ts'
import { type AnswerRun, answersHtml, printAnswers } from './report.ts'
import { askQuestions, summariseAnswers } from './run.ts'

interface AnswerEvaluation {
  limit: number | undefined
  label: string
  version: string
  /** Path of the report without its extension. */
  out: string
  onProgress: OnProgress
  signal: AbortSignal
  stdout: NodeJS.WriteStream
}

export async function evaluateAnswers(
  set: QuestionSet,
  target: Target & { unread?: readonly UnreadDocument[] },
  { limit, label, version, out, onProgress, signal, stdout }: AnswerEvaluation,
): Promise<void> {
  const questions = set.questions.slice(0, limit)
  const results = await askQuestions(questions, openAsker(target.workspace), { onProgress, signal })
  const run: AnswerRun = {
    format: 'kenning-answers-1',
    set: set.name,
    label,
    target: target.description,
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
