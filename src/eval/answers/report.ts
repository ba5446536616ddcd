// The report on answers: plain text for the terminal, and one self-contained HTML page with intervals, plots and every
// question, the worst first. Pure.

import { quantile } from '../measure/statistics.ts'
import { escapeHtml, STYLE, tableRow } from '../report/page.ts'
import { intervalPlot, latencyPlot } from '../report/plots.ts'
import { columns } from '../report/print.ts'
import type { AnswerMetric } from './measure.ts'
import type { AnswerResult, AnswerSummary } from './run.ts'

/** The data of a run, written as FILE.json beside the report. */
export interface AnswerRun {
  format: 'kenning-answers-1'
  set: string
  label: string
  target: string
  version: string
  at: string
  documents: number | null
  unread: { id: string; reason: string }[]
  metrics: AnswerSummary[]
  questions: AnswerResult[]
}

const METRIC_MEANINGS: Record<AnswerMetric, string> = {
  answered: 'answerable questions that were answered, not refused',
  refused: 'unanswerable questions that were refused',
  'answer in reply': 'the known answer is in the reply',
  'answer cited': 'the known answer is in a cited passage',
  'evidence recall': 'share of the documents with the answer that are cited',
  'facts cited': 'share of the evidence sentences that are in a cited passage',
  'citation precision':
    'share of citations with an evidence sentence (or, without those, of a right document)',
  'page cited': 'one of the first five citations is of a page with the answer',
  'citations hold':
    'every [N] has a citation and every citation an [N], numbers are 1 to k, texts are verbatim',
}

const formatScore = (value: number): string => value.toFixed(3)
const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`

/** `p50 0.21 s, p95 0.80 s, p99 1.02 s` */
function formatTimes(values: readonly number[]): string {
  return [0.5, 0.95, 0.99]
    .map((share) => `p${share * 100} ${formatSeconds(quantile(values, share))}`)
    .join(', ')
}

const countsOf = ({ questions, documents }: AnswerRun): string => {
  const answerable = questions.filter((question) => question.answerable).length
  return `${documents === null ? '' : `${documents} documents, `}${questions.length} questions, ${questions.length - answerable} of them without an answer`
}

const costLines = ({ questions }: AnswerRun): string[] => [
  `answer: ${formatTimes(questions.map(({ ms }) => ms))}`,
  `first step: ${formatTimes(questions.map(({ firstStepMs }) => firstStepMs))}`,
  `tokens: ${tokensOf(questions)}`,
]

/** `1,204,000 in all, p50 410, p95 980 a question` */
function tokensOf(questions: readonly AnswerResult[]): string {
  const reportedTokens = questions.flatMap(({ tokens }) => tokens ?? [])
  if (reportedTokens.length === 0) return 'not reported by the service'
  const sum = reportedTokens.reduce((all, tokens) => all + tokens, 0)
  if (sum === 0) return '0, no language model'
  const [median, percentile95] = [0.5, 0.95].map((share) => formatNumber(quantile(reportedTokens, share)))
  const unreportedCount = questions.length - reportedTokens.length
  return `${formatNumber(sum)} in all, p50 ${median}, p95 ${percentile95} a question${unreportedCount ? `; ${unreportedCount} questions without a report` : ''}`
}

const formatNumber = (value: number): string => value.toLocaleString('en-US')

export function printAnswers(run: AnswerRun): string {
  const rows = run.metrics.map(({ metric, mean, low, high, questions }) => [
    metric,
    formatScore(mean),
    `${formatScore(low)} to ${formatScore(high)}`,
    String(questions),
    METRIC_MEANINGS[metric],
  ])
  const unreadLine = run.unread.length ? [`documents that could not be read: ${run.unread.length}`] : []
  return [
    `${run.set}: ${countsOf(run)}; ${run.target}`,
    '',
    columns([['', 'mean', '95 % interval', 'questions', ''], ...rows]),
    '',
    ...costLines(run),
    ...unreadLine,
  ].join('\n')
}

export function answersHtml(run: AnswerRun): string {
  const title = `${run.set}, answers: ${run.label}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title><style>${STYLE}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:.3rem 0}summary{cursor:pointer}</style></head><body>
<h1>${escapeHtml(title)}</h1>
<p class="faint">${escapeHtml([countsOf(run), run.target, `Kenning ${run.version}`, run.at, ...costLines(run)].join(' · '))}</p>
<table>${tableRow(['', 'mean', '95 % interval', 'questions', 'meaning'], 'th')}${run.metrics
    .map(({ metric, mean, low, high, questions }) =>
      tableRow([
        metric,
        formatScore(mean),
        `${formatScore(low)} to ${formatScore(high)}`,
        String(questions),
        METRIC_MEANINGS[metric],
      ]),
    )
    .join('')}</table>
${intervalPlot(
  'Means with 95 % bootstrap intervals',
  run.metrics.map(({ metric, ...rest }) => ({ label: metric, ...rest })),
)}
${latencyPlot(
  'Share of answers by time taken',
  run.questions.map(({ ms }) => ms),
)}
${latencyPlot(
  'Share of first steps by time taken',
  run.questions.map(({ firstStepMs }) => firstStepMs),
)}
${unreadList(run)}
${questionList(run)}
</body></html>
`
}

const unreadList = ({ unread }: AnswerRun): string =>
  unread.length
    ? `<h2>Documents that could not be read</h2><table>${unread
        .map(({ id, reason }) => tableRow([escapeHtml(id), escapeHtml(reason)]))
        .join('')}</table>`
    : ''

// Keeps the page at a few megabytes; all questions are in the data beside it.
const MAX_QUESTIONS = 500

function questionList({ questions }: AnswerRun): string {
  const worstQuestions = [...questions].sort((a, b) => qualityOf(a) - qualityOf(b)).slice(0, MAX_QUESTIONS)
  const omittedCount = questions.length - worstQuestions.length
  return `<h2>Questions, worst first</h2>${omittedCount > 0 ? `<p class="faint">The worst ${worstQuestions.length}; the data beside this page has all.</p>` : ''}
${worstQuestions.map(questionItem).join('\n')}`
}

/** For sorting. An answer whose citations do not hold is worst, then wrong refusals and wrong answers. */
function qualityOf({ scores }: AnswerResult): number {
  if (scores['citations hold'] === 0) return -1
  if (scores.refused !== undefined) return scores.refused
  const parts = [
    scores['answer cited'],
    scores['facts cited'],
    scores['page cited'],
    scores['evidence recall'],
  ]
  const nonEmptyParts = parts.filter((part) => part !== undefined)
  return (
    (scores.answered ?? 0) *
    (nonEmptyParts.reduce((sum, part) => sum + part, 0) / (nonEmptyParts.length || 1))
  )
}

function questionItem(result: AnswerResult): string {
  const { text, answer, known: acceptedAnswers, missed, scores, ms, tokens } = result
  const scoreTexts = Object.entries(scores)
    .filter(([name]) => name !== 'citations hold' || scores['citations hold'] === 0)
    .map(([name, value]) => `${name} ${value.toFixed(2)}`)
  const answerNotes = result.answerable
    ? [
        acceptedAnswers.length ? `known: ${acceptedAnswers[0]}` : '',
        missed.length ? `not cited: ${missed.join(' · ')}` : '',
      ]
    : ['there is no answer in the documents']
  const tokenText = tokens ? `${formatNumber(tokens)} tokens` : ''
  const notes = [...answerNotes, ...scoreTexts, formatSeconds(ms), tokenText].filter(Boolean)
  return `<details><summary>${escapeHtml(text)}</summary><p class="faint">${escapeHtml(notes.join(' · '))}</p><pre>${escapeHtml(answer)}</pre></details>`
}
