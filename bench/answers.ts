// Answers of whole sets without a model: who is answered and who refused, what is cited, whether each citation holds, how
// long it takes; over HTTP on an instance whose hourly limit is raised. `--data DIR` is a set, or a folder of sets;
// `--sample N` asks N questions of each, the same ones every time; `--resume DIR` goes on with an earlier run's results.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { answerer } from '../src/eval/answers/answering.ts'
import type { AnswerMetric } from '../src/eval/answers/measure.ts'
import { ANSWER_METRICS } from '../src/eval/answers/measure.ts'
import type { QuestionSet } from '../src/eval/answers/questions.ts'
import { type AnswerResult, resultOf, summariseAnswers } from '../src/eval/answers/run.ts'
import { measure, measureFacts, type Scores } from '../src/eval/measure/metrics.ts'
import { estimate, quantile } from '../src/eval/measure/statistics.ts'
import { progressOn } from '../src/eval/progress.ts'
import { exists } from '../src/eval/set/set.ts'
import { foldToDocuments, type Target } from '../src/eval/target/target.ts'
import { fillTemporary } from '../src/eval/target/temporary.ts'
import { siblingModule } from '../src/processes/module.ts'
import { keep, readKept } from './answers/kept.ts'
import { readAnswerSet, sampled } from './answers/sets.ts'
import { type BenchOptions, table } from './report.ts'

const MARKS: Record<string, Partial<Record<AnswerMetric | 'facts@10' | 'facts@20' | 'recall@5', string>>> = {
  multihoprag: { answered: '≥ .85', refused: '≥ .80', 'facts@10': '≥ .65', 'facts@20': '≥ .75' },
  musique100: { 'recall@5': '≥ .66' },
}
const HOLDS: AnswerMetric = 'citations hold'

/** What others reach, and where the figures are from. */
const ANCHORS: Record<string, string> = {
  multihoprag:
    'evidence recall LightRAG .656, plain hybrid .761 (published, other chunks); facts@10 BM25 over 190-word windows .553',
  musique100:
    'R@5 BM25 .49, HippoRAG 2 .747 (full set, index by a language model); answer in three sentences, one hop .23, entity bridge .33 (reference/language.md)',
  financebench15: 'page R@5 BM25 .359; no mark (32 questions)',
}

interface SetResult {
  name: string
  documents: number
  asked: number
  answers: AnswerResult[]
  search: Scores[]
}

export async function benchAnswers({ data, sample, resume }: BenchOptions): Promise<string> {
  const sections: string[] = []
  for (const folder of await answerSetsIn(data ?? 'bench/data/small')) {
    const set = await readAnswerSet(folder)
    const file = resume === undefined ? undefined : join(resume, `answers-${set.name}.jsonl`)
    sections.push(sectionOf(await measureSet(set, sample, file)))
  }
  return `## Answers (embedded, no model)

Asked over HTTP with steps streamed, one question after the other. Figures are means with half the 95 % bootstrap interval. A reply without a citation is a refusal. "citations hold": every [N] has exactly one citation and back, numbers run 1…k, every cited text stands verbatim in its chunk; it must be 1.

${sections.join('\n\n')}`
}

const ANSWER_SETS = ['financebench15', 'multihoprag', 'musique100']

async function answerSetsIn(folder: string): Promise<string[]> {
  if (await exists(join(folder, 'queries.jsonl'))) return [folder]
  const found = (await readdir(folder)).filter((name) => ANSWER_SETS.includes(name)).sort()
  if (found.length === 0) throw new Error(`${folder} holds none of the sets ${ANSWER_SETS.join(', ')}`)
  return found.map((name) => join(folder, name))
}

async function measureSet(
  set: QuestionSet,
  sample: number | undefined,
  file: string | undefined,
): Promise<SetResult> {
  const progress = progressOn(process.stderr)
  const signal = new AbortController().signal
  const documents = set.documents ?? []
  const questions = sampled(set.questions, sample)
  const before = await readKept(file)
  const target = await fillTemporary(
    siblingModule('../src/main', import.meta.url),
    set.name,
    { documents, onProgress: progress, signal },
    { settings: { KENNING_ASK_PER_HOUR: '1000000' } },
  )
  try {
    if (target.unread.length) throw new Error(`${set.name}: ${target.unread.length} documents were not read`)
    const ask = answerer(target.workspace)
    const asked = progress(`${set.name}: ask`)
    const answers: AnswerResult[] = []
    for (const question of questions) {
      const known = before.get(question.id)
      const result = known ?? resultOf(question, await ask(question.text))
      if (!known) await keep(file, result)
      answers.push(result)
      asked(answers.length, questions.length)
    }
    const search = await searchScores(target, questions, progress(`${set.name}: search`))
    return { name: set.name, documents: documents.length, asked: set.questions.length, answers, search }
  } finally {
    await target.close()
  }
}

/** What search alone gives for the same questions, where the set says which sentences or documents are right. */
async function searchScores(
  target: Target,
  questions: QuestionSet['questions'],
  onProgress: (done: number, of: number) => void,
): Promise<Scores[]> {
  const judged = questions.filter(({ documents, pages }) => documents.size > 0 && pages.length === 0)
  const scores: Scores[] = []
  for (const { text, documents, facts } of judged) {
    const passages = await target.search(text)
    const texts = passages.map((passage) => passage.text)
    const grades = new Map([...documents].map((name) => [name, 1]))
    scores.push({ ...measure(foldToDocuments(passages), grades), ...measureFacts(texts, facts) })
    onProgress(scores.length, judged.length)
  }
  return scores
}

function sectionOf({ name, documents, asked, answers, search }: SetResult): string {
  const marks = MARKS[name] ?? {}
  const found = summariseAnswers(answers)
  const rows = ANSWER_METRICS.flatMap((metric) => {
    const row = found.find((summary) => summary.metric === metric)
    const mark = metric === HOLDS ? '1' : (marks[metric] ?? '')
    return row ? [[metric, figure(row), row.questions, mark]] : []
  })
  const searched = (['recall@5', 'facts@10', 'facts@20'] as const).flatMap((metric) => {
    const values = search.flatMap((scores) => scores[metric] ?? [])
    return values.length
      ? [[`search: ${metric}`, figure(estimate(values)), values.length, marks[metric] ?? '']]
      : []
  })
  const sampledNote = answers.length < asked ? ` (a sample of ${answers.length})` : ''
  return `### ${name}: ${documents} documents, ${asked} questions${sampledNote}

${table(['what', 'mean', 'questions', 'mark'], [...rows, ...searched])}

Answer p50 / p99 ${times(answers.map(({ ms }) => ms))}, first step ${times(answers.map(({ firstStepMs }) => firstStepMs))}; ${mean(answers.map(({ steps }) => steps)).toFixed(1)} steps. Beside: ${ANCHORS[name] ?? 'no published figure'}.`
}

const mean = (values: number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / (values.length || 1)

const times = (ms: number[]): string =>
  `${quantile(ms, 0.5).toFixed(0)} / ${quantile(ms, 0.99).toFixed(0)} ms`

const figure = ({ mean, low, high }: { mean: number; low: number; high: number }): string =>
  `${mean.toFixed(3)} ± ${((high - low) / 2).toFixed(3)}`
