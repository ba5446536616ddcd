// The report on a run: one self-contained HTML page with intervals, plots and every query with its results.

import { compareRuns, type MetricComparison } from '../measure/compare.ts'
import type { Scores } from '../measure/metrics.ts'
import { quantile } from '../measure/statistics.ts'
import { escapeHtml, STYLE, tableRow } from './page.ts'
import { type Pairing, pairRuns } from './pairs.ts'
import { barPlot, differencePlot, intervalPlot, latencyPlot } from './plots.ts'
import { pValue } from './print.ts'
import type { RunFile } from './run-file.ts'

// Keeps the page at a few megabytes; all queries are in the data beside it.
const MAX_QUERIES = 500
const MAX_SHOWN_RESULTS = 10
const MAIN_METRIC = 'nDCG@10'

/** @param comparedRun the run to compare with. @throws EvaluationFailed when the runs share no query */
export function htmlReport(run: RunFile, comparedRun: RunFile | undefined): string {
  const pairedRuns = comparedRun && pairRuns(run, comparedRun)
  const comparison = pairedRuns && compareRuns(pairedRuns.pairs)
  const title = `${run.set}: ${run.label}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>
<h1>${escapeHtml(title)}</h1>
<p class="faint">${escapeHtml(runDescription(run))}</p>
${metricTable(run)}
${intervalPlot('Means with 95 % bootstrap intervals', intervals(run, comparedRun))}
${comparedRun && pairedRuns && comparison ? comparisonSection(run, comparedRun, pairedRuns, comparison) : ''}
${barPlot('Queries by nDCG@10', scoreHistogram(run, comparedRun))}
${barPlot('Queries by the rank of the first relevant document', rankHistogram(run, comparedRun))}
${latencyPlot(
  'Share of searches by time taken',
  run.queries.map(({ ms }) => ms),
)}
${unreadList(run)}
${queryTable(run)}
</body></html>
`
}

function runDescription(run: RunFile): string {
  const ms = run.queries.map((query) => query.ms)
  const formatQuantile = (share: number): string => quantile(ms, share).toFixed(1)
  return [
    run.documents === null ? '' : `${run.documents} documents`,
    `${run.queries.length} queries`,
    run.unjudged ? `${run.unjudged} more without a relevant document` : '',
    run.typos ? `a typo in ${Math.round(run.typos * 100)} % of the words` : '',
    run.target,
    `Kenning ${run.version}`,
    run.at,
    `one search: p50 ${formatQuantile(0.5)}, p95 ${formatQuantile(0.95)}, p99 ${formatQuantile(0.99)} ms`,
  ]
    .filter(Boolean)
    .join(' · ')
}

const formatScore = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(3))
const formatSigned = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`

const metricTable = (run: RunFile): string =>
  `<table>${tableRow(['', 'mean', '95 % interval', 'queries'], 'th')}${run.metrics
    .map(({ metric, mean, low, high, queries }) =>
      tableRow([metric, formatScore(mean), `${formatScore(low)} to ${formatScore(high)}`, String(queries)]),
    )
    .join('')}</table>`

const intervals = (run: RunFile, comparedRun: RunFile | undefined) =>
  run.metrics.map(({ metric, mean, low, high }) => ({
    label: metric,
    mean,
    low,
    high,
    other: comparedRun?.metrics.find((row) => row.metric === metric)?.mean,
  }))

function comparisonSection(
  run: RunFile,
  comparedRun: RunFile,
  { pairs, notes }: Pairing,
  metrics: MetricComparison[],
): string {
  const rows = metrics.map((metric) =>
    tableRow([
      metric.metric,
      formatScore(metric.ours),
      formatScore(metric.theirs),
      formatSigned(metric.difference.mean),
      `${formatSigned(metric.difference.low)} to ${formatSigned(metric.difference.high)}`,
      pValue(metric.p),
      `${metric.better} / ${metric.worse} / ${metric.equalCount}`,
    ]),
  )
  const header = ['', run.label, comparedRun.label].map(escapeHtml)
  const differences = pairs.map(({ ours, theirs }) => (ours[MAIN_METRIC] ?? 0) - (theirs[MAIN_METRIC] ?? 0))
  return `<h2>Against <span class="theirs">${escapeHtml(comparedRun.label)}</span></h2>
<p class="faint">${escapeHtml([`${pairs.length} shared queries; p of a paired randomization test.`, ...notes].join(' '))}</p>
<table>${tableRow([...header, 'difference', '95 % interval', 'p', 'better / worse / same'], 'th')}${rows.join('')}</table>
${differencePlot('nDCG@10, difference for each query', differences)}
${changedTable(pairs)}`
}

const MAX_SHOWN_CHANGES = 10

/** The queries whose scores differ most. */
function changedTable(pairs: Pairing['pairs']): string {
  const scoreChange = ({ ours, theirs }: { ours: Scores; theirs: Scores }): number =>
    (ours[MAIN_METRIC] ?? 0) - (theirs[MAIN_METRIC] ?? 0)
  const sortedPairs = [...pairs].sort((a, b) => scoreChange(b) - scoreChange(a))
  const improvedQueries = sortedPairs.slice(0, MAX_SHOWN_CHANGES).filter((pair) => scoreChange(pair) > 0)
  const worsenedQueries = sortedPairs.slice(-MAX_SHOWN_CHANGES).filter((pair) => scoreChange(pair) < 0)
  const rows = [...improvedQueries, ...worsenedQueries].map((pair) =>
    tableRow([formatSigned(scoreChange(pair)), escapeHtml(pair.text)]),
  )
  return rows.length
    ? `<table>${tableRow(['nDCG@10', 'largest differences'], 'th')}${rows.join('')}</table>`
    : ''
}

const TENTHS = ['0', ...Array.from({ length: 10 }, (_, i) => `≤ ${((i + 1) / 10).toFixed(1)}`)]

function scoreHistogram(run: RunFile, comparedRun: RunFile | undefined) {
  const tenth = ({ scores }: RunFile['queries'][number]): number =>
    Math.ceil((scores[MAIN_METRIC] ?? 0) * 10 - 1e-9)
  return histogram(TENTHS, tenth, run, comparedRun)
}

const RANKS = [...Array.from({ length: 10 }, (_, i) => String(i + 1)), 'later, never']

function rankHistogram(run: RunFile, comparedRun: RunFile | undefined) {
  const firstRelevantRank = ({ ranked, relevant }: RunFile['queries'][number]): number => {
    const rank = ranked.slice(0, 10).findIndex((id) => relevant[id] !== undefined)
    return rank < 0 ? 10 : rank
  }
  return histogram(RANKS, firstRelevantRank, run, comparedRun)
}

function histogram(
  labels: readonly string[],
  classOf: (query: RunFile['queries'][number]) => number,
  run: RunFile,
  comparedRun: RunFile | undefined,
) {
  const count = (run: RunFile, i: number): number =>
    run.queries.filter((query) => classOf(query) === i).length
  return labels.map((label, i) => ({
    label,
    count: count(run, i),
    other: comparedRun && count(comparedRun, i),
  }))
}

const unreadList = ({ unread }: RunFile): string =>
  unread.length
    ? `<h2>Documents that could not be read</h2><table>${unread
        .map(({ id, reason }) => tableRow([`<span class="id">${escapeHtml(id)}</span>`, escapeHtml(reason)]))
        .join('')}</table>`
    : ''

function queryTable(run: RunFile): string {
  const worstFirst = [...run.queries].sort(
    (a, b) => (a.scores[MAIN_METRIC] ?? 0) - (b.scores[MAIN_METRIC] ?? 0),
  )
  const worstQueries = worstFirst.slice(0, MAX_QUERIES)
  const omittedCount = worstFirst.length - worstQueries.length
  const rows = worstQueries.map(({ text, scores, ranked, relevant }) => {
    const topResults = ranked
      .slice(0, MAX_SHOWN_RESULTS)
      .map((id) => idSpan(id, relevant[id] === undefined ? '' : 'hit'))
    const missedIds = Object.keys(relevant).filter((id) => !ranked.slice(0, MAX_SHOWN_RESULTS).includes(id))
    return tableRow([
      formatScore(scores[MAIN_METRIC]),
      escapeHtml(text),
      topResults.join(' · '),
      missedIds.map((id) => idSpan(id, '')).join(' · '),
    ])
  })
  return `<h2>Queries, worst first</h2>${omittedCount > 0 ? `<p class="faint">The worst ${worstQueries.length}; the data beside this page has all.</p>` : ''}
<table>${tableRow([MAIN_METRIC, 'query', 'found, best first', 'relevant, not among the first ten'], 'th')}${rows.join('')}</table>`
}

const idSpan = (id: string, name: string): string => `<span class="id ${name}">${escapeHtml(id)}</span>`
