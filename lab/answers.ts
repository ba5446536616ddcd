// Answers of whole sets without a model: who is answered and who refused, what is cited, whether each citation holds, how
// long it takes; over HTTP on an instance whose hourly limit is raised. `--data DIR` is a set, or a folder of sets;
// `--chunks N` asks in a workspace of N chunks, for the time alone; `--sample N` asks N questions of each, the same ones every time; `--resume DIR` keeps the filled service and the
// results there, and goes on with what an earlier run left.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openAsker } from '../src/eval/answers/ask.ts'
import type { AnswerMetric } from '../src/eval/answers/measure.ts'
import { ANSWER_METRICS } from '../src/eval/answers/measure.ts'
import type { QuestionSet } from '../src/eval/answers/questions.ts'
import { type AnswerResult, resultOf, summariseAnswers } from '../src/eval/answers/run.ts'
import { estimate, quantile } from '../src/eval/measure/statistics.ts'
import { exists } from '../src/eval/set/set.ts'
import type { Target } from '../src/eval/target/target.ts'
import { progressOn } from '../src/progress-bar.ts'
import { openFilled } from './answers/filled.ts'
import { type Kept, openKept } from './answers/kept.ts'
import { measureLatency } from './answers/latency.ts'
import { SEARCH_METRICS, type SearchMetric, type SearchResult, searchAll } from './answers/search.ts'
import { readAnswerSet, sampled } from './answers/sets.ts'
import { type BenchOptions, table } from './report.ts'

const MARKS: Record<string, Partial<Record<AnswerMetric | SearchMetric, string>>> = {
  multihoprag: { answered: '≥ .85', refused: '≥ .80', 'facts@10': '≥ .65', 'facts@20': '≥ .75' },
  musique100: { 'recall@5': '≥ .66' },
}
const HOLDS: AnswerMetric = 'citations hold'

/** What others reach, and where the figures are from. */
const ANCHORS: Record<string, string> = {
  multihoprag:
    'evidence recall LightRAG .656, plain hybrid .761 (published, other chunks); facts@10 BM25 over 190-word windows .553',
  musique100:
    'R@5 BM25 .49, HippoRAG 2 .747 (full set, index by a language model); answer in three sentences, one hop .23, entity bridge .33',
  financebench15: 'page R@5 BM25 .359; no mark (32 questions)',
}

interface SetResult {
  name: string
  documents: number
  asked: number
  answers: AnswerResult[]
  search: SearchResult[]
}

export async function benchAnswers({ data, sample, resume, chunks }: BenchOptions): Promise<string> {
  if (chunks !== undefined) {
    const folder = resume && join(resume, `service-${chunks}-chunks`)
    return `## Time of answers (embedded, no model)\n\n${await measureLatency(chunks, data, folder)}`
  }
  const sections: string[] = []
  for (const folder of await answerSetsIn(data ?? 'test/data/small')) {
    const set = await readAnswerSet(folder)
    sections.push(sectionOf(await measureSet(set, sample, resume)))
  }
  return `## Answers (embedded, no model)

Asked over HTTP with steps streamed: up to ${TIMED} questions drawn from all, one after the other, whose times are those below, then the others two at a time; then search alone for the same questions, two at a time. Figures are means with half the 95 % bootstrap interval. A reply without a citation is a refusal. "citations hold": every [N] has exactly one citation and back, numbers run 1…k, every cited text stands verbatim in its chunk; it must be 1.

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
  resume: string | undefined,
): Promise<SetResult> {
  const progress = progressOn(process.stderr)
  const questions = sampled(set.questions, sample)
  const fileOf = (what: string): string | undefined => resume && join(resume, `${what}-${set.name}.jsonl`)
  const folder = resume && join(resume, `service-${set.name}`)
  const target = await openFilled(set, folder, progress)
  try {
    const kept = await openKept<AnswerResult>(fileOf('answers'))
    const answers = await askAll(target, questions, kept, progress(`${set.name}: ask`))
    const found = await openKept<SearchResult>(fileOf('search'))
    const search = await searchAll(target, questions, found, progress(`${set.name}: search`))
    return {
      name: set.name,
      documents: set.documents?.length ?? 0,
      asked: set.questions.length,
      answers,
      search,
    }
  } finally {
    await target.close()
  }
}

// Times of answers are those of a reader who has the service alone; of so many they are known well enough.
const TIMED = 300

async function askAll(
  target: Target,
  questions: QuestionSet['questions'],
  kept: Kept<AnswerResult>,
  onProgress: (done: number, of: number) => void,
): Promise<AnswerResult[]> {
  const ask = openAsker(target.workspace)
  const missing = questions.filter(({ id }) => !kept.results.has(id))
  let done = questions.length - missing.length
  const drain = async (left: typeof missing): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      await kept.keep(resultOf(next, await ask(next.text)))
      onProgress(++done, questions.length)
    }
  }
  const timed = timedOf(questions)
  await drain(missing.filter(({ id }) => timed.has(id)))
  const others = missing.filter(({ id }) => !timed.has(id))
  await Promise.all([drain(others), drain(others)])
  return questions.flatMap(({ id }) => kept.results.get(id) ?? [])
}

const timedOf = (questions: readonly { id: string }[]): Set<string> =>
  new Set(sampled(questions, TIMED).map(({ id }) => id))

function sectionOf({ name, documents, asked, answers, search }: SetResult): string {
  const marks = MARKS[name] ?? {}
  const found = summariseAnswers(answers)
  const rows = ANSWER_METRICS.flatMap((metric) => {
    const row = found.find((summary) => summary.metric === metric)
    const mark = metric === HOLDS ? '1' : (marks[metric] ?? '')
    return row ? [[metric, figure(row), row.questions, mark]] : []
  })
  const searched = SEARCH_METRICS.flatMap((metric) => {
    const values = search.flatMap(({ scores }) => scores[metric] ?? [])
    return values.length
      ? [[`search: ${metric}`, figure(estimate(values)), values.length, marks[metric] ?? '']]
      : []
  })
  const timed = timedOf(answers)
  const alone = answers.filter(({ id }) => timed.has(id))
  const sampledNote = answers.length < asked ? ` (a sample of ${answers.length})` : ''
  return `### ${name}: ${documents} documents, ${asked} questions${sampledNote}

${table(['what', 'mean', 'questions', 'mark'], [...rows, ...searched])}

Answer p50 / p99 ${times(alone.map(({ ms }) => ms))}, first step ${times(alone.map(({ firstStepMs }) => firstStepMs))}; ${mean(answers.map(({ steps }) => steps)).toFixed(1)} steps. Beside: ${ANCHORS[name] ?? 'no published figure'}.`
}

const mean = (values: number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / (values.length || 1)

const times = (ms: number[]): string =>
  `${quantile(ms, 0.5).toFixed(0)} / ${quantile(ms, 0.99).toFixed(0)} ms`

const figure = ({ mean, low, high }: { mean: number; low: number; high: number }): string =>
  `${mean.toFixed(3)} ± ${((high - low) / 2).toFixed(3)}`
