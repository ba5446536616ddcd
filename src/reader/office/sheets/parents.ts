// The first row of a header of two: texts without merged cells over runs of columns whose names repeat. A period may stand
// over the first, the middle or the last column of its run; read from the left, one over the last was the next run's.

import type { Cell } from '../../blocks/table.ts'

type Row<C = Cell> = readonly (C | undefined)[]

// Columns that name the rows stand before the runs.
const MOST_LABELS = 3

/** The rows with each text of the first over the run it belongs to, where the names in the second repeat. */
export function spreadParents<C extends Cell>(rows: readonly Row<C>[]): readonly Row<C>[] {
  const [parents, names, ...body] = rows
  if (parents === undefined || names === undefined || body.length === 0) return rows
  if ([...parents, ...names].some((cell) => (cell?.colSpan ?? 1) > 1 || (cell?.rowSpan ?? 1) > 1)) return rows
  for (let from = 1; from <= MOST_LABELS; from++) {
    const length = runLength(names.slice(from))
    const offset = length === undefined ? -1 : sameOffset(parents.slice(from), length)
    if (length === undefined || offset === -1) continue
    const spread = parents.map((cell, column) => {
      if (column < from) return cell
      const parent = (column - from) % length === 0 ? parents[column + offset] : undefined
      return parent && { ...parent, colSpan: length }
    })
    return [spread, names, ...body]
  }
  return rows
}

/** After how many columns the names begin again, each run like the first; undefined where they do not. */
function runLength(names: Row): number | undefined {
  const texts = names.map((cell) => cell?.text ?? '')
  const again = texts.indexOf(texts[0] ?? '', 1)
  if (again < 2 || texts.length % again !== 0 || texts.includes('')) return undefined
  return texts.every((text, i) => text === texts[i % again]) ? again : undefined
}

/** Where in its run each text stands, all at one place and none missing; -1 otherwise. */
function sameOffset(parents: Row, length: number): number {
  const offset = parents.findIndex((cell) => cell !== undefined)
  const isSame = parents.every((cell, i) => (cell !== undefined) === (i % length === offset))
  return offset < length && isSame ? offset : -1
}

/**
 * Tables of one sheet that have the same names over and beside their figures, and above the names a lone text that
 * differs (a period at the right edge): it tells the tables apart, so it stands over all columns. In one table alone
 * nobody knows; "restated" over one column looks the same.
 */
export function spreadTellers<C extends Cell>(
  tables: readonly (readonly Row<C>[])[],
): readonly (readonly Row<C>[])[] {
  const told = tables.length < 2 ? [] : tables.map(tellerOf)
  return tables.map((rows, i) => {
    const own = told[i]
    const [parents = [], ...rest] = rows
    if (own === undefined) return rows
    if (!told.some((other) => other?.names === own.names && other.text !== own.text)) return rows
    const spread = parents.map((cell, column) => {
      if (column === 0) return cell
      return column === 1 ? { ...own.cell, colSpan: parents.length - 1 } : undefined
    })
    return [spread, ...rest]
  })
}

/** The lone text over a table's last column, and all names of the table; undefined where other cells stand beside it. */
function tellerOf<C extends Cell>(
  rows: readonly Row<C>[],
): { cell: C; text: string; names: string } | undefined {
  const [parents = [], names = [], ...body] = rows
  const cell = parents.at(-1)
  const isLone = parents.slice(1, -1).every((one) => one === undefined)
  const isWhole = names.length > 2 && names.slice(1).every((one) => one !== undefined)
  const spans = [...parents, ...names].some((one) => (one?.colSpan ?? 1) > 1 || (one?.rowSpan ?? 1) > 1)
  if (cell === undefined || !isLone || !isWhole || spans || body.length < 2) return undefined
  const all = [parents[0], ...names, ...body.map(([label]) => label)].map((one) => one?.text ?? '')
  return { cell, text: cell.text, names: JSON.stringify(all) }
}
