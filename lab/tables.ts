// Table structure on ICDAR-2013 (`--data DIR` holds NAME.pdf and NAME-str.xml): adjacency relations of non-empty cells, as the
// competition counts them, over all documents and the mean of them; beside each library alone.

import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFile } from '../src/reader/child/parse-file.ts'
import { type BenchOptions, table } from './report.ts'

/** Cells by slot; a spanning cell is the same object in every slot it covers. */
interface GridCell {
  text: string
}
type Grid = (GridCell | undefined)[][]

export async function benchTables({ data }: BenchOptions): Promise<string> {
  if (data === undefined) throw new Error('tables: name the ICDAR-2013 folder with --data DIR')
  const names = (await readdir(data))
    .filter((name) => name.endsWith('-str.xml'))
    .map((name) => name.slice(0, -8))
  const readers = { Kenning: ours, liteparse, 'pdf-inspector': inspector }
  const truths = new Map<string, string[]>()
  for (const name of names)
    truths.set(name, truthGrids(await readFile(join(data, `${name}-str.xml`), 'utf8')).flatMap(relations))
  const rows: (string | number)[][] = []
  for (const [reader, read] of Object.entries(readers)) {
    const scores = []
    for (const [name, truth] of truths) {
      const grids = await read(join(data, `${name}.pdf`)).catch(() => [])
      scores.push(compare(truth, grids.flatMap(relations)))
    }
    rows.push([reader, ...summary(scores)])
  }
  return `## Tables: ICDAR-2013, ${names.length} documents

${table(['reader', 'precision', 'recall', 'F1', 'F1 a document'], rows)}

Marks: F1 ≥ .93, a document ≥ .85.`
}

async function ours(path: string): Promise<Grid[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kenning-tables-'))
  try {
    const task = { id: 1, path, bytes: 0, filename: `${randomUUID()}.pdf`, kind: 'pdf' as const, folder }
    const { blocks } = await parseFile({ ...task, resultPath: '', usesFallback: false }, () => undefined)
    return blocks
      .filter(({ kind }) => kind === 'table')
      .map(({ html, text }) => (html === undefined ? markdownGrid(text.split('\n')) : htmlGrid(html)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function liteparse(path: string): Promise<Grid[]> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const { pages } = await new LiteParse({ ocrEnabled: false, extractBlocks: true, quiet: true }).parse(path)
  return pages
    .flatMap(({ blocks = [] }) => blocks.filter(({ kind }) => kind === 'table'))
    .map(({ header = [], rows = [] }) => [header, ...rows].map((row) => row.map(({ text }) => ({ text }))))
}

async function inspector(path: string): Promise<Grid[]> {
  const { extractPagesMarkdown } = await import('@firecrawl/pdf-inspector')
  const lines = extractPagesMarkdown(await readFile(path)).pages.flatMap(({ markdown }) => [
    ...markdown.split('\n'),
    '',
  ])
  const groups: string[][] = [[]]
  for (const line of lines) {
    if (/^\s*\|.*\|\s*$/.test(line)) groups.at(-1)?.push(line)
    else groups.push([])
  }
  return groups.filter((group) => group.length > 1).map(markdownGrid)
}

function markdownGrid(lines: readonly string[]): Grid {
  return lines
    .map((line) =>
      line
        .trim()
        .slice(1, -1)
        .split(/(?<!\\)\|/),
    )
    .filter((cells) => !cells.every((cell) => /^\s*:?-+:?\s*$/.test(cell)))
    .map((cells) => cells.map((text) => ({ text })))
}

function htmlGrid(html: string): Grid {
  const grid: Grid = []
  ;(html.match(/<tr>.*?<\/tr>/gs) ?? []).forEach((row, r) => {
    let column = 0
    for (const [, attributes = '', text = ''] of row.matchAll(/<td([^>]*)>(.*?)<\/td>/gs)) {
      while (grid[r]?.[column] !== undefined) column++
      const span = (name: string): number => Number(new RegExp(`${name}="(\\d+)"`).exec(attributes)?.[1] ?? 1)
      fill(grid, { text }, [r, r + span('rowspan') - 1], [column, column + span('colspan') - 1])
      column += span('colspan')
    }
  })
  return grid
}

function truthGrids(xml: string): Grid[] {
  const whole = xml.replace(/='(-?\d+)'/g, '="$1"')
  return (whole.match(/<table.*?<\/table>/gs) ?? []).map((text) => {
    const grid: Grid = []
    for (const region of text.match(/<region.*?<\/region>/gs) ?? []) {
      const head = region.slice(0, region.indexOf('>'))
      const number = (from: string, name: string): number | undefined => {
        const found = new RegExp(`${name}="(-?\\d+)"`).exec(from)?.[1]
        return found === undefined ? undefined : Number(found)
      }
      const shift = (axis: string): number => number(head, `${axis}-increment`) ?? 0
      for (const cell of region.match(/<cell.*?<\/cell>/gs) ?? []) {
        const range = (axis: string): [number, number] => {
          const first = Math.max(0, (number(cell, `start-${axis}`) ?? 0) + shift(axis))
          return [first, Math.max(first, (number(cell, `end-${axis}`) ?? 0) + shift(axis))]
        }
        fill(grid, { text: /<content>(.*?)<\/content>/s.exec(cell)?.[1] ?? '' }, range('row'), range('col'))
      }
    }
    return grid
  })
}

function fill(
  grid: Grid,
  cell: GridCell,
  [top, bottom]: [number, number],
  [left, right]: [number, number],
): void {
  for (let r = top; r <= bottom; r++) {
    grid[r] ??= []
    const row = grid[r]
    for (let c = left; row !== undefined && c <= right; c++) row[c] = cell
  }
}

/** Each filled cell with its nearest filled neighbours to the right and below, as text. */
function relations(sparse: Grid): string[] {
  const grid = Array.from(sparse, (row) => row ?? [])
  const found = new Map<GridCell, Set<GridCell>[]>()
  const out: string[] = []
  grid.forEach((row, r) => {
    Array.from(row).forEach((cell, c) => {
      const text = plain(cell?.text)
      if (cell === undefined || text === '') return
      const known = found.get(cell) ?? [new Set<GridCell>(), new Set<GridCell>()]
      found.set(cell, known)
      const ways = [row.slice(c + 1), grid.slice(r + 1).map((below) => below[c])]
      ways.forEach((cells, way) => {
        const next = cells.find((other) => other !== undefined && other !== cell && plain(other.text) !== '')
        if (next === undefined || known[way]?.has(next)) return
        known[way]?.add(next)
        out.push(`${way} ${text} ${plain(next.text)}`)
      })
    })
  })
  return out
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Text as the competition compares it: no space, no case, one hyphen. */
const plain = (text = ''): string =>
  text
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(?:#(\d+)|(\w+));/g, (whole, code, name) =>
      code ? String.fromCodePoint(Number(code)) : (entities[name] ?? whole),
    )
    .normalize('NFKC')
    .replace(/[\u2013\u2014\u2212]/g, '-')
    .replace(/[\s*_`\\]+/g, '')
    .toLowerCase()

interface Score {
  hit: number
  wanted: number
  given: number
}

function compare(truth: readonly string[], given: readonly string[]): Score {
  const left = new Map<string, number>()
  for (const relation of truth) left.set(relation, (left.get(relation) ?? 0) + 1)
  const hit = given.filter((relation) => {
    const count = left.get(relation) ?? 0
    left.set(relation, count - 1)
    return count > 0
  }).length
  return { hit, wanted: truth.length, given: given.length }
}

function summary(scores: readonly Score[]): string[] {
  const sum = (pick: (score: Score) => number): number =>
    scores.reduce((total, score) => total + pick(score), 0)
  const f1 = ({ hit, wanted, given }: Score): number => (2 * hit) / Math.max(1, wanted + given)
  const all = {
    hit: sum(({ hit }) => hit),
    wanted: sum(({ wanted }) => wanted),
    given: sum(({ given }) => given),
  }
  return [all.hit / all.given, all.hit / all.wanted, f1(all), sum(f1) / scores.length].map((value) =>
    value.toFixed(3),
  )
}
