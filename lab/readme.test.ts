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
const ofSearch = (name: string): string => {
  const part = section(name).split(/^### (?=10\d,\d{3} chunks)/m)[1] ?? ''
  return `${cell(part, /^\| (\d+ %: 60,230 chunks)/m.exec(part)?.[1] ?? 'workspace of 60 %')} ms`
}

const percent = (value: string): string => `${(Number.parseFloat(value) * 100).toFixed(0)} %`
/** Answers to a set: the part below its heading. */
const answersOf = (set: string): string => section('answers').split(`### ${set}:`)[1] ?? ''
/** Questions asked of all sets together. */
const asked = ['financebench15', 'multihoprag', 'musique100'].reduce(
  (sum, set) => sum + Number(cell(answersOf(set), 'citations hold', 2)),
  0,
)
const beside = (set: string, what: RegExp): string => what.exec(section(`quality ${set}`))?.[1] ?? 'none'

/** By words of the row in the README; each of its rows has some. */
const ROWS: [row: string, figure: string | undefined][] = [
  ['resident memory, idle', cell(section('start'), 'resident memory')],
  ['556 pages', bareSeconds(cell(section('ingest'), 'bare parser, our options'))],
  ['556 pages', cell(section('ingest'), 'uploaded → searchable').split(',')[0]],
  ['100,000 chunks, PostgreSQL', ofSearch('speed-postgres')],
  ['MultiHop-RAG, 609', score(cell(section('quality multihoprag'), 'clean'))],
  ['MultiHop-RAG, 609', `BM25 ${beside('multihoprag', /BM25 nDCG@10 (\.\d+)/)}`],
  ['unanswerable', `a sample of ${/### multihoprag: .* \(a sample of (\d+)\)/.exec(results)?.[1] ?? 'none'}`],
  [
    'unanswerable',
    ['refused', 'answered'].map((what) => percent(cell(answersOf('multihoprag'), what))).join(' / '),
  ],
  ['citations that hold', `${asked} questions`],
]

const rowsOf = (part: string): string[] => part.split('\n').filter((line) => /^\| (?!what)/.test(line))

test.each(ROWS)('the figure of %s is the one measured: %s', (row, figure) => {
  const lines = rowsOf(figures).filter((line) => line.includes(row))
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.map(times).join('\n')).toContain(times(figure ?? 'none'))
})

test('there are six figures at most, and each is one of these', () => {
  expect(rowsOf(figures).length).toBeLessThanOrEqual(6)
  const other = rowsOf(figures).filter((line) => !ROWS.some(([row]) => line.includes(row)))
  expect(other).toEqual([])
})

test('of other data: what RESULTS has too', () => {
  const other = between(text('./README.md'), '<!-- other -->', '<!-- /other -->')
  const row = (name: string): string => rowsOf(other).find((line) => line.startsWith(`| ${name}`)) ?? ''
  const tables = (reader: string): string =>
    [3, 4].map((column) => score(cell(section('tables'), reader, column))).join(' / ')
  expect(row('tables of PDFs')).toContain(`| ${tables('Kenning')} (${tables('liteparse')}) |`)
  const [refused, answered] = ['refused', 'answered'].map((what) =>
    Number(cell(answersOf('multihoprag'), what).split(' ')[0])
      .toFixed(2)
      .slice(1),
  )
  expect(row('unanswerable')).toContain(`MultiHop-RAG ${refused}, ${answered} answered, a sample of 150`)
})

test('how large a machine: what deploy/README.md says of disk and memory is what was measured', () => {
  const deploy = text('../deploy/README.md')
  const kilobytes = (part: string): number => Number(/On disk ([\d.]+) kB a chunk/.exec(section(part))?.[1])
  const [embedded, server] = [kilobytes('indexing'), kilobytes('indexing-postgres')]
  expect(deploy).toContain(
    `${embedded.toFixed(1)} kB in the embedded database and ${server.toFixed(1)} kB in PostgreSQL`,
  )
  const rows = [...deploy.matchAll(/^\| up to ([\d,]+) \|[^|]+\| ([\d.]+) GB \|/gm)]
  expect(rows.length).toBe(3)
  for (const [, chunks = '', disk] of rows) {
    const gigabytes = (Number(chunks.replaceAll(',', '')) * Math.max(embedded, server)) / 1e6
    expect(disk).toBe(gigabytes < 10 ? gigabytes.toFixed(1) : gigabytes.toFixed(0))
  }
  const peak = /([\d]+) MB/.exec(cell(section('ingest'), 'peak resident memory'))?.[1]
  expect(deploy).toContain(
    `${cell(section('start'), 'resident memory')} idle, ${Number(peak).toLocaleString('en')} MB at most`,
  )
  const supervisor = Number.parseInt(cell(section('start'), 'of it supervisor'), 10)
  const sums = [
    ...section('memory').matchAll(/^\|[^|]+\|[^|]+\| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/gm),
  ].map(([, ...parts]) => parts.reduce((sum, part) => sum + Number(part), supervisor))
  expect(sums.length).toBeGreaterThan(20)
  expect(deploy).toContain(`${(Math.max(...sums) / 1000).toFixed(1)} GB while the worst file`)
  const ofServer = [...section('speed-postgres').matchAll(/Database memory (\d+) MB/g)].map(([, mb]) =>
    Number(mb),
  )
  for (const mb of ofServer.slice(1)) expect(deploy).toContain(`${mb.toLocaleString('en')} MB with `)
})

test('which machine for so many documents and people: each figure follows from what was measured', () => {
  const deploy = text('../deploy/README.md')
  const chunksOfPage = Number(cell(section('ingest'), 'chunks')) / 556
  const kilobytes = Math.max(
    ...['indexing', 'indexing-postgres'].map((part) =>
      Number(/On disk ([\d.]+) kB a chunk/.exec(section(part))?.[1]),
    ),
  )
  const indexing = section('indexing-postgres')
  const chunks = Number(/ (\d+) chunks \(/.exec(indexing)?.[1])
  const chunksASecond = chunks / Number.parseFloat(cell(indexing, 'uploaded → ready'))
  const scanSeconds = Number(/\((\d+) a page where one was\)/.exec(section('ocr'))?.[1])
  const answerMs = Number(/Answer p50 \/ p99 (\d+)/.exec(answersOf('multihoprag'))?.[1])
  const [, streamed] = /L-03 steady: ask \| \d+ \| ([\d.]+)/.exec(section('load-postgres')) ?? []
  for (const said of [
    `the ${chunksOfPage.toFixed(1)} chunks`,
    `${kilobytes.toFixed(1)} kB a chunk`,
    `at ${chunksASecond.toFixed(0)} chunks a second`,
    `takes ${scanSeconds} s a page`,
    `${(answerMs / 1000).toFixed(1)} s each`,
    `answered ${(Number(streamed) * 60).toFixed(0)} a minute`,
  ])
    expect(deploy).toContain(said)

  const number = (cell = ''): number => Number(cell.replaceAll(',', ''))
  /** By chunks: the most that a row is for, the memory of Kenning, and that of PostgreSQL. */
  const memories = [
    ...deploy.matchAll(/^\| up to ([\d,]+) \|[^|]+\|[^|]+\| (\d+) GB[^|]*\| (?:(\d+) GB)?/gm),
  ].map(([, most, own, server = '0']) => [number(most), number(own), number(server)] as const)
  const rows = [
    ...deploy.matchAll(
      /^\| ([\d,]+) \| ([\d,]+) \| (\d+) cores, (\d+) GB, (embedded|PostgreSQL)[^|]+ \| (\d+) GB \| ([\d.]+) \| (\d+) \| (\d+) \/ (\d+) \|$/gm,
    ),
  ]
  expect(rows.length).toBe(3)
  for (const [, documentCount, peopleCount, coreCount, gigabytes, database, ...cells] of rows) {
    const [documents, people, cores] = [number(documentCount), number(peopleCount), number(coreCount)]
    const all = documents * 10 * chunksOfPage
    // The machines of the bench have two cores.
    const times = cores / 2
    expect(cells.map(number)).toEqual([
      Math.round((all * kilobytes) / 1e6 + documents / 1000 + 0.5),
      Number((all / (chunksASecond * times) / 3600).toFixed(1)),
      Math.round((documents * 10 * scanSeconds) / cores / 3600),
      Math.round((people * 4) / 60),
      Math.floor((60_000 / answerMs) * times),
    ])
    const [, own, server] = memories.find(([most]) => most >= all) ?? ([0, Infinity, 0] as const)
    expect(number(gigabytes)).toBeGreaterThan(own + (database === 'PostgreSQL' ? server : 0))
  }
})

test('each part that was fitted to its set says so, below its figures', () => {
  for (const [part, on] of Object.entries(FITTED)) expect(section(part)).toContain(`Fitted on: ${on}.`)
})
