// The README's figures are those of RESULTS.md: whoever writes one writes both.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FITTED } from './fitted.ts'

const text = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const results = text('./RESULTS.md')
const readme = text('../README.md')
const figures = between(readme, '<!-- figures -->', '<!-- /figures -->')

function between(whole: string, start: string, end: string): string {
  const [, after = ''] = whole.split(start)
  return after.split(end)[0] ?? ''
}

const section = (name: string): string => between(results, `<!-- ${name} -->`, `<!-- /${name} -->`)

/** A cell of the first row of a section that begins so, `column` counted behind the row's name. */
function cell(part: string, row: string, column = 1): string {
  const line = part.split('\n').find((line) => line.startsWith(`| ${row}`))
  const found = line?.split('|')[column + 1]?.trim()
  if (!found) throw new Error(`RESULTS.md has no row "${row}"`)
  return found
}

const score = (value: string): string => value.replace(/^0(\.\d+).*$/, '$1')
const times = (value: string): string => value.replaceAll(' ms', '')
const bareSeconds = (pagesPerSecond: string): string =>
  `${(556 / Number.parseFloat(pagesPerSecond)).toFixed(1)} s`
/** p50 / p99 of a search in the workspace of 60 % of 100,000 chunks. */
const ofSearch = (name: string): string =>
  `${cell(section(name).split(/^### (?=10\d,\d{3} chunks)/m)[1] ?? '', '5')} ms`

test.each([
  ['npx', cell(section('npx'), 'processor time of both')],
  ['npx', cell(section('npx'), 'its processor time')],
  ['556 pages', bareSeconds(cell(section('ingest'), 'bare parser, our options'))],
  ['556 pages', cell(section('ingest'), 'uploaded → searchable').split(',')[0]],
  ['600 pages', cell(section('ingest'), 'end of upload → searchable whole')],
  ['600 pages', cell(section('ingest'), 'searches meanwhile').split(' / ')[0]],
  ['ICDAR-2013', score(cell(section('tables'), 'Kenning', 3))],
  ['MuSiQue', score(cell(section('quality musique100'), 'clean', 2))],
  ['scifact', score(cell(section('quality scifact'), 'clean'))],
  ['MultiHop-RAG, 609', score(cell(section('quality multihoprag'), 'clean'))],
  ['100,000 chunks, embedded', ofSearch('speed')],
  ['100,000 chunks, PostgreSQL', ofSearch('speed-postgres')],
])('the figure of %s is the one measured: %s', (row, figure) => {
  const line = figures.split('\n').find((line) => line.includes(row)) ?? ''
  expect(times(line)).toContain(times(figure ?? 'none'))
})

test('each part that was fitted to its set says so, below its figures', () => {
  for (const [part, on] of Object.entries(FITTED)) expect(section(part)).toContain(`Fitted on: ${on}.`)
})
