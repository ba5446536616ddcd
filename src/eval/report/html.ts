// A run as one HTML page that needs nothing else: figures with intervals, plots, every query with what was found.

import { compareRuns, type MetricComparison } from '../measure/compare.ts'
import type { Scores } from '../measure/metrics.ts'
import { quantile } from '../measure/statistics.ts'
import { escapeHtml } from './escape.ts'
import { type Pairing, pairRuns } from './pairs.ts'
import { barPlot, differencePlot, intervalPlot, latencyPlot } from './plots.ts'
import { pValue } from './print.ts'
import type { RunFile } from './run-file.ts'

// A page of some megabytes opens at once; the rest stands in the data beside it.
const MOST_QUERIES = 500
const SHOWN_FOUND = 10
const MAIN = 'nDCG@10'

/** Of every page; it follows the reader's light or dark theme. */
export const STYLE = `:root{--ink:#1c2330;--paper:#fff;--faint:#6b7484;--line:#e3e6eb;--ours:#2b6cb0;--theirs:#d97706;color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ef;--paper:#14181f;--faint:#98a2b3;--line:#2c3440;--ours:#63a4e8;--theirs:#f0a540}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}th{font-weight:600}
figure{margin:1.5rem 0}figcaption{color:var(--faint)}svg{width:100%;max-width:40rem;height:auto;display:block;font:12px system-ui,sans-serif;fill:var(--ink)}
.tick{fill:var(--faint)}.grid{stroke:var(--line)}.whisker{stroke:var(--ours);stroke-width:3;opacity:.45}.ours{fill:var(--ours)}.theirs{fill:var(--theirs)}.curve{fill:none;stroke:var(--ours);stroke-width:2}
.faint{color:var(--faint)}.hit{font-weight:600;color:var(--ours)}.id{font-family:ui-monospace,monospace;font-size:.85em;overflow-wrap:anywhere}`

/** @param other the run it is compared with. @throws EvaluationFailed when they share no query */
export function htmlReport(run: RunFile, other: RunFile | undefined): string {
  const pairing = other && pairRuns(run, other)
  const comparison = pairing && compareRuns(pairing.pairs)
  const title = `${run.set}: ${run.label}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>
<h1>${escapeHtml(title)}</h1>
<p class="faint">${escapeHtml(described(run))}</p>
${metricTable(run)}
${intervalPlot('Means with 95 % bootstrap intervals', intervals(run, other))}
${other && pairing && comparison ? compared(run, other, pairing, comparison) : ''}
${barPlot('Queries by nDCG@10', byScore(run, other))}
${barPlot('Queries by the rank of the first relevant document', byFirstRank(run, other))}
${latencyPlot(
  'Share of searches that took at most so long',
  run.queries.map(({ ms }) => ms),
)}
${unreadList(run)}
${queryTable(run)}
</body></html>
`
}

function described(run: RunFile): string {
  const ms = run.queries.map((query) => query.ms)
  const shown = (share: number): string => quantile(ms, share).toFixed(1)
  return [
    run.documents === null ? '' : `${run.documents} documents`,
    `${run.queries.length} queries`,
    run.unjudged ? `${run.unjudged} more without a relevant document` : '',
    run.typos ? `a typo in ${Math.round(run.typos * 100)} % of the words` : '',
    run.target,
    `Kenning ${run.version}`,
    run.at,
    `one search: p50 ${shown(0.5)}, p95 ${shown(0.95)}, p99 ${shown(0.99)} ms`,
  ]
    .filter(Boolean)
    .join(' · ')
}

const row = (cells: readonly string[], tag = 'td'): string =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`

const score = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(3))
const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`

const metricTable = (run: RunFile): string =>
  `<table>${row(['', 'mean', '95 % interval', 'queries'], 'th')}${run.metrics
    .map(({ metric, mean, low, high, queries }) =>
      row([metric, score(mean), `${score(low)} to ${score(high)}`, String(queries)]),
    )
    .join('')}</table>`

const intervals = (run: RunFile, other: RunFile | undefined) =>
  run.metrics.map(({ metric, mean, low, high }) => ({
    label: metric,
    mean,
    low,
    high,
    other: other?.metrics.find((row) => row.metric === metric)?.mean,
  }))

function compared(
  run: RunFile,
  other: RunFile,
  { pairs, notes }: Pairing,
  metrics: MetricComparison[],
): string {
  const rows = metrics.map((found) =>
    row([
      found.metric,
      score(found.ours),
      score(found.theirs),
      signed(found.difference.mean),
      `${signed(found.difference.low)} to ${signed(found.difference.high)}`,
      pValue(found.p),
      `${found.better} / ${found.worse} / ${found.same}`,
    ]),
  )
  const header = ['', run.label, other.label].map(escapeHtml)
  const differences = pairs.map(({ ours, theirs }) => (ours[MAIN] ?? 0) - (theirs[MAIN] ?? 0))
  return `<h2>Against <span class="theirs">${escapeHtml(other.label)}</span></h2>
<p class="faint">${escapeHtml([`${pairs.length} shared queries; p of a paired randomization test.`, ...notes].join(' '))}</p>
<table>${row([...header, 'difference', '95 % interval', 'p', 'better / worse / same'], 'th')}${rows.join('')}</table>
${differencePlot('nDCG@10, difference for each query', differences)}
${changedTable(pairs)}`
}

const SHOWN_CHANGES = 10

/** Where it was won and lost most. */
function changedTable(pairs: Pairing['pairs']): string {
  const change = ({ ours, theirs }: { ours: Scores; theirs: Scores }): number =>
    (ours[MAIN] ?? 0) - (theirs[MAIN] ?? 0)
  const sorted = [...pairs].sort((a, b) => change(b) - change(a))
  const won = sorted.slice(0, SHOWN_CHANGES).filter((pair) => change(pair) > 0)
  const lost = sorted.slice(-SHOWN_CHANGES).filter((pair) => change(pair) < 0)
  const rows = [...won, ...lost].map((pair) => row([signed(change(pair)), escapeHtml(pair.text)]))
  return rows.length ? `<table>${row(['nDCG@10', 'won and lost most'], 'th')}${rows.join('')}</table>` : ''
}

const TENTHS = ['0', ...Array.from({ length: 10 }, (_, i) => `≤ ${((i + 1) / 10).toFixed(1)}`)]

function byScore(run: RunFile, other: RunFile | undefined) {
  const tenth = ({ scores }: RunFile['queries'][number]): number => Math.ceil((scores[MAIN] ?? 0) * 10 - 1e-9)
  return counted(TENTHS, tenth, run, other)
}

const RANKS = [...Array.from({ length: 10 }, (_, i) => String(i + 1)), 'later, never']

function byFirstRank(run: RunFile, other: RunFile | undefined) {
  const first = ({ ranked, relevant }: RunFile['queries'][number]): number => {
    const rank = ranked.slice(0, 10).findIndex((id) => relevant[id] !== undefined)
    return rank < 0 ? 10 : rank
  }
  return counted(RANKS, first, run, other)
}

function counted(
  labels: readonly string[],
  classOf: (query: RunFile['queries'][number]) => number,
  run: RunFile,
  other: RunFile | undefined,
) {
  const count = (of: RunFile, i: number): number => of.queries.filter((query) => classOf(query) === i).length
  return labels.map((label, i) => ({ label, count: count(run, i), other: other && count(other, i) }))
}

const unreadList = ({ unread }: RunFile): string =>
  unread.length
    ? `<h2>Documents that could not be read</h2><table>${unread
        .map(({ id, reason }) => row([`<span class="id">${escapeHtml(id)}</span>`, escapeHtml(reason)]))
        .join('')}</table>`
    : ''

function queryTable(run: RunFile): string {
  const worst = [...run.queries].sort((a, b) => (a.scores[MAIN] ?? 0) - (b.scores[MAIN] ?? 0))
  const shown = worst.slice(0, MOST_QUERIES)
  const more = worst.length - shown.length
  const rows = shown.map(({ text, scores, ranked, relevant }) => {
    const found = ranked.slice(0, SHOWN_FOUND).map((id) => named(id, relevant[id] === undefined ? '' : 'hit'))
    const missed = Object.keys(relevant).filter((id) => !ranked.slice(0, SHOWN_FOUND).includes(id))
    return row([
      score(scores[MAIN]),
      escapeHtml(text),
      found.join(' · '),
      missed.map((id) => named(id, '')).join(' · '),
    ])
  })
  return `<h2>Queries, worst first</h2>${more > 0 ? `<p class="faint">The worst ${shown.length}; all stand in the data beside this page.</p>` : ''}
<table>${row([MAIN, 'query', 'found, best first', 'relevant, not among the first ten'], 'th')}${rows.join('')}</table>`
}

const named = (id: string, name: string): string => `<span class="id ${name}">${escapeHtml(id)}</span>`
