// Prints a run and a comparison for the terminal.

import type { MetricComparison } from '../measure/compare.ts'
import { quantile } from '../measure/statistics.ts'
import type { Pairing } from './pairs.ts'
import type { RunFile } from './run-file.ts'

const formatNumber = (value: number): string => value.toLocaleString('en')
/** `1 document`, `2 documents` */
const countOf = (count: number, noun: string): string =>
  `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
const queriesOf = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'query' : 'queries'}`
const formatScore = (value: number): string => value.toFixed(3)
const formatSigned = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`
export const pValue = (p: number): string => (p < 0.001 ? '< .001' : p.toFixed(3).replace(/^0/, ''))

export function printRun(run: RunFile): string {
  const ms = run.queries.map((query) => query.ms)
  const documents = run.documents === null ? '' : `${countOf(run.documents, 'document')}, `
  const typos = run.typos > 0 ? `, a typo in ${Math.round(run.typos * 100)} % of the words` : ''
  const rows = run.metrics.map(({ metric, mean, low, high, queries }) => [
    metric,
    formatScore(mean),
    `${formatScore(low)} to ${formatScore(high)}`,
    queries === run.queries.length ? '' : `over ${queriesOf(queries)}`,
  ])
  return [
    `${run.set}: ${documents}${queriesOf(run.queries.length)}${typos}; ${run.target}`,
    '',
    columns([['', 'mean', '95 % interval', ''], ...rows]),
    '',
    `one search: p50 ${msAt(ms, 0.5)}, p95 ${msAt(ms, 0.95)}, p99 ${msAt(ms, 0.99)}`,
    ...(run.unjudged ? [`left out, without a relevant document: ${queriesOf(run.unjudged)}`] : []),
    ...(run.unread.length ? ['', ...unreadLines(run.unread)] : []),
  ].join('\n')
}

const msAt = (values: number[], share: number): string => `${quantile(values, share).toFixed(1)} ms`

const MAX_SHOWN_UNREAD = 5

function unreadLines(unread: RunFile['unread']): string[] {
  const lines = unread.slice(0, MAX_SHOWN_UNREAD).map(({ id, reason }) => `  ${id}: ${reason}`)
  const omittedCount = unread.length - lines.length
  return [
    `could not be read and are never found: ${countOf(unread.length, 'document')}`,
    ...lines,
    ...(omittedCount > 0 ? [`  and ${formatNumber(omittedCount)} more, in the report`] : []),
  ]
}

export function printComparison(
  ourName: string,
  theirName: string,
  metrics: readonly MetricComparison[],
  { pairs, notes }: Pairing,
): string {
  const rows = metrics.map((row) => [
    row.metric,
    formatScore(row.ours),
    formatScore(row.theirs),
    formatSigned(row.difference.mean),
    `${formatSigned(row.difference.low)} to ${formatSigned(row.difference.high)}`,
    pValue(row.p),
    `${formatNumber(row.better)} / ${formatNumber(row.worse)} / ${formatNumber(row.equalCount)}`,
  ])
  const header = ['', 'this', 'that', 'difference', '95 % interval', 'p', 'better / worse / same']
  return [
    `this: ${ourName}   that: ${theirName}   over ${queriesOf(pairs.length)}`,
    ...notes,
    '',
    columns([header, ...rows]),
  ].join('\n')
}

/** Columns as wide as their widest cell, two spaces apart. */
export function columns(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
