// Words as text recognition gives them, laid out as a page of a PDF: ten pixels a letter, type of twenty pixels.

import { expect, test } from 'vitest'
import type { Line, Word } from '../recognised.ts'
import { layOut } from './page-of-words.ts'

const PAGE = { width: 1300, height: 1700 }
const STROKE = 4

interface Type {
  size?: number
  confidence?: number
}

/** A word with its box around its letters, as they are: `foot` is the line that they are on. */
function wordAt(text: string, x0: number, foot: number, { size = 20, confidence = 95 }: Type = {}): Word {
  const rise = /[A-Z0-9bdfhklt()$%]/.test(text) ? 0.72 : 0.52
  const drop = /[gjpqy,;()$]/.test(text) ? 0.2 : 0
  const bbox = { x0, y0: foot - rise * size, x1: x0 + text.length * size * 0.5, y1: foot + drop * size }
  return { text, confidence, bbox }
}

function lineAt(text: string, left: number, foot: number, type: Type = {}): Line {
  const { size = 20 } = type
  let x = left
  const words = text.split(' ').map((part) => {
    const word = wordAt(part, x, foot, type)
    x = word.bbox.x1 + size * 0.25
    return word
  })
  return { words, bbox: { x0: left, y0: foot - size, x1: x, y1: foot + size * 0.2 } }
}

/** Lines below one another. */
const column = (lines: readonly string[], left = 70, foot = 300): Line[] =>
  lines.map((text, i) => lineAt(text, left, foot + i * 26))

const prose = [
  'The rooms are let by the week, and the deposit is held by',
  'the keeper until the last day of the last month of it, or',
  'until the keys are handed back to the harbour office again.',
]

/** The cells of a table without rules, each column at its place. */
const rowsAt = (rows: readonly string[][], places: readonly number[], foot: number): Line[] =>
  rows.map((cells, r) => {
    const words = cells.flatMap((text, c) => lineAt(text, places[c] ?? 0, foot + r * 40).words)
    return { words, bbox: { x0: 70, y0: foot + r * 40 - 20, x1: 900, y1: foot + r * 40 + 4 } }
  })

const read = async (...lines: Line[]): Promise<[string, string][]> =>
  (await layOut(lines, PAGE)).map(({ kind, text }) => [kind, text])

test('lines of a sentence are one paragraph, with its place in pixels and how sure it is', async () => {
  const [block, ...more] = await layOut(column(prose), PAGE)
  expect(more).toEqual([])
  expect(block).toMatchObject({ kind: 'paragraph', text: prose.join(' '), confidence: 0.95 })
  const [left = 0, top = 0, right = 0, bottom = 0] = block?.bbox ?? []
  expect(left).toBeCloseTo(70, 0)
  expect(top).toBeGreaterThan(270)
  expect(right).toBeLessThan(800)
  expect(bottom).toBeGreaterThan(350)
  expect(bottom).toBeLessThan(365)
})

test('the order is that of the page, whatever order the lines are given in', async () => {
  const left = column(prose, 70)
  const right = column(
    prose.map((line) => line.replace('rooms', 'boats')),
    700,
  )
  const mixed = [...right, ...left].reverse()
  const texts = (await read(...mixed)).map(([, text]) => text)
  expect(texts.join(' ')).toBe([...prose, ...prose.map((line) => line.replace('rooms', 'boats'))].join(' '))
})

test('a line in larger type above text is a heading, and one in bold is', async () => {
  const large = await read(lineAt('Deposits and keys', 70, 220, { size: 34 }), ...column(prose))
  expect(large).toEqual([
    ['heading', 'Deposits and keys'],
    ['paragraph', prose.join(' ')],
  ])
  const [bold, ...text] = [lineAt('Deposits and keys', 70, 220), ...column(prose)]
  const strokes = new Map<Word, number>()
  for (const word of text.flatMap(({ words }) => words)) strokes.set(word, STROKE)
  for (const word of bold?.words ?? []) strokes.set(word, STROKE * 1.3)
  const lines = [...(bold ? [bold] : []), ...text]
  expect((await layOut(lines, PAGE, { strokes })).map(({ kind }) => kind)).toEqual(['heading', 'paragraph'])
  // One thin word, and it is a line like any other.
  for (const word of bold?.words.slice(0, 1) ?? []) strokes.set(word, STROKE)
  expect((await layOut(lines, PAGE, { strokes })).map(({ kind }) => kind)).not.toContain('heading')
})

test('figures below each other are a table without any rule', async () => {
  const rows = [
    ['Depth', 'Reading', 'Deviation'],
    ['0.500', '0.501', '+1'],
    ['2.000', '2.001', '+1'],
    ['4.000', '4.002', '+2'],
  ]
  const [table, ...more] = await read(...rowsAt(rows, [70, 400, 700], 600))
  expect(more).toEqual([])
  expect(table?.[0]).toBe('table')
  for (const row of rows) expect(table?.[1]).toContain(`| ${row.join(' | ')} |`)
})

test('rules around words make cells, also of words that are a word space apart', async () => {
  const rows = rowsAt(
    [
      ['Pier', 'Keeper'],
      ['North', 'Ada Holm'],
      ['South', 'Jon Berg'],
    ],
    [78, 138],
    600,
  )
  const [xs, ys] = [
    [70, 132, 330],
    [570, 612, 652, 692],
  ]
  const lines = {
    horizontal: ys.map((at) => ({ at, from: 70, to: 330, thickness: 2 })),
    vertical: xs.map((at) => ({ at, from: 570, to: 692, thickness: 2 })),
  }
  const [table] = await layOut([...column(prose), ...rows], PAGE, { lines }).then((blocks) =>
    blocks.filter(({ kind }) => kind === 'table'),
  )
  expect(table?.text).toBe('| Pier | Keeper |\n| --- | --- |\n| North | Ada Holm |\n| South | Jon Berg |')
})

test('lines after marks at one place are a list, whatever the mark was read as', async () => {
  const [list, ...more] = await read(
    ...column(['+ Primary care in four weeks', '« Lab work in six weeks', '* Eyes in a year']),
  )
  expect(more).toEqual([])
  expect(list).toEqual(['list', '- Primary care in four weeks\n- Lab work in six weeks\n- Eyes in a year'])
})

test('signs before figures, and one sign before every line, are no marks', async () => {
  const signs = await read(...column(['+ 12 per cent of all', '+ 7 per cent of it']))
  expect(signs.map(([, text]) => text).join(' ')).toContain('+ 7 per cent')
  const quoted = await read(...column(['> The rooms are let by', '> the week and the month']))
  expect(quoted.map(([, text]) => text).join(' ')).toContain('> The rooms are let')
})

test('smudges, specks and pages without a word are nothing', async () => {
  expect(await layOut([], PAGE)).toEqual([])
  expect(await layOut([lineAt('~ | .', 70, 300)], PAGE)).toEqual([])
  const smudge = lineAt('smudge', 70, 900, { confidence: 10 })
  expect(await read(...column(prose), smudge)).toEqual([['paragraph', prose.join(' ')]])
})

test('Chinese has no spaces between its words and lines', async () => {
  const lines = ['新鲜甘草是最佳清道夫', '激发细胞活力的养分来源'].map((text, i): Line => {
    const bbox = { x0: 70, y0: 280 + i * 30, x1: 70 + text.length * 22, y1: 302 + i * 30 }
    return { words: [{ text, confidence: 90, bbox }], bbox, text }
  })
  expect((await read(...lines)).map(([, text]) => text.replaceAll('\n', '')).join('')).toBe(
    '新鲜甘草是最佳清道夫激发细胞活力的养分来源',
  )
})
