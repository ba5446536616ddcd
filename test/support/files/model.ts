// A document as people think of it, drawn at random, and the words it must give back in every format: the fidelity suite
// writes it as a real file of each kind and reads it again.

import fc from 'fast-check'
import type { Block } from '../../../src/reader/block.ts'

export interface ModelItem {
  text: string
  level: number
}

export type ModelPart =
  | { type: 'heading'; text: string; level: number }
  | { type: 'paragraph'; text: string }
  | { type: 'list'; items: ModelItem[] }
  | { type: 'table'; rows: string[][] }

export type Model = ModelPart[]

const letters = 'abcdefghijklmnopqrstuvwxyzäöüéñçşłжд'.split('')
const word = fc.array(fc.constantFrom(...letters), { minLength: 2, maxLength: 9 }).map((all) => all.join(''))
const phrase = (maxCount: number): fc.Arbitrary<string> =>
  fc
    .tuple(word, fc.array(word, { minLength: 1, maxLength: maxCount }))
    .map(([first, rest]) => [`${first[0]?.toUpperCase()}${first.slice(1)}`, ...rest].join(' '))
// What formats have to escape, and what looks like something else.
const cell = fc.oneof(
  { weight: 4, arbitrary: phrase(3) },
  fc.constantFrom(
    'a | b',
    'x < y & z',
    '"quoted"',
    'C:\\temp',
    '100 %',
    '3,5',
    "it's",
    '=1+1',
    '#5',
    '*star*',
  ),
)

const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) =>
    fc
      .tuple(
        fc.array(phrase(1), { minLength: width, maxLength: width }),
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      )
      .map(([header, rows]): ModelPart => ({ type: 'table', rows: [header, ...rows] })),
  )

/** Levels that never jump by more than one, as lists have. */
const items = fc
  .array(fc.tuple(phrase(6), fc.integer({ min: 0, max: 2 })), { minLength: 2, maxLength: 6 })
  .map((drawn): ModelPart => {
    let depth = -1
    return {
      type: 'list',
      items: drawn.map(([text, level]) => {
        depth = Math.min(level, depth + 1)
        return { text, level: depth }
      }),
    }
  })

const part: fc.Arbitrary<ModelPart> = fc.oneof(
  fc
    .tuple(phrase(5), fc.integer({ min: 1, max: 4 }))
    .map(([text, level]): ModelPart => ({ type: 'heading', text, level })),
  fc
    .array(phrase(12), { minLength: 1, maxLength: 4 })
    .map((all): ModelPart => ({ type: 'paragraph', text: `${all.join('. ')}.` })),
  items,
  table,
)

/** A document; two lists never follow each other: no format tells them apart. */
export const model: fc.Arbitrary<Model> = fc
  .array(part, { minLength: 3, maxLength: 14 })
  .map((parts) => parts.filter((one, i) => one.type !== 'list' || parts[i - 1]?.type !== 'list'))

export const tables: fc.Arbitrary<string[][][]> = fc.array(
  table.map((one) => (one.type === 'table' ? one.rows : [])),
  { minLength: 1, maxLength: 3 },
)

/** What a faithful reader makes of the model. */
export function expectedBlocks(parts: Model): Pick<Block, 'kind' | 'text' | 'level'>[] {
  return parts.map(expectedBlock)
}

function expectedBlock(one: ModelPart): Pick<Block, 'kind' | 'text' | 'level'> {
  switch (one.type) {
    case 'heading':
      return { kind: 'heading', text: one.text, level: one.level }
    case 'paragraph':
      return { kind: 'paragraph', text: one.text }
    case 'list':
      return {
        kind: 'list',
        text: one.items.map(({ text, level }) => `${'  '.repeat(level)}- ${text}`).join('\n'),
      }
    case 'table':
      return { kind: 'table', text: tableText(one.rows) }
  }
}

/** The Markdown table of cells. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((text) => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|')).join(' | ')} |`
  const [header = [], ...body] = rows
  return [line(header), line(header.map(() => '---')), ...body.map(line)].join('\n')
}

/** A block without what a format may add: page, spans. */
export function core({ kind, text, level }: Block): Pick<Block, 'kind' | 'text' | 'level'> {
  return { kind, text, ...(level === undefined ? {} : { level }) }
}

/** The share of the expected words that were read, in order: the longest common subsequence. */
export function wordsInOrder(expectedText: string, actualText: string): number {
  const a = expectedText.split(/\s+/).filter(Boolean)
  const b = actualText.split(/\s+/).filter(Boolean)
  let previousRow = new Uint32Array(b.length + 1)
  for (const one of a) {
    const row = new Uint32Array(b.length + 1)
    for (let j = 0; j < b.length; j++) {
      row[j + 1] = one === b[j] ? (previousRow[j] ?? 0) + 1 : Math.max(previousRow[j + 1] ?? 0, row[j] ?? 0)
    }
    previousRow = row
  }
  return a.length === 0 ? 1 : (previousRow[b.length] ?? 0) / a.length
}
