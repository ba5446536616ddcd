// Spans for the upper row of a two-row header without merged cells. If the names in the lower row repeat in groups, a
// text in the upper row (a period, say) belongs to a whole group, whether it is above its first, middle or last column.

import type { Cell } from '../../blocks/table.ts'

type Row<C = Cell> = readonly (C | undefined)[]

// Columns with the names of the rows precede the groups.
const MOST_LABELS = 3

/** Spans each text of the first row over its group if the names in the second row repeat. */
export function spanGroups<C extends Cell>(rows: readonly Row<C>[]): readonly Row<C>[] {
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

/** The number of columns after which the names repeat, undefined if they do not. */
function runLength(names: Row): number | undefined {
  const texts = names.map((cell) => cell?.text ?? '')
  const again = texts.indexOf(texts[0] ?? '', 1)
  if (again < 2 || texts.length % again !== 0 || texts.includes('')) return undefined
  return texts.every((text, i) => text === texts[i % again]) ? again : undefined
}

/** The position of the texts in their groups if it is the same in all groups, else -1. */
function sameOffset(parents: Row, length: number): number {
  const offset = parents.findIndex((cell) => cell !== undefined)
  const isSame = parents.every((cell, i) => (cell !== undefined) === (i % length === offset))
  return offset < length && isSame ? offset : -1
}

/**
 * Spans a single text above the names over all columns if it is what distinguishes tables of one sheet that have the
 * same row and column names (a period at the right edge). In a single table it could as well belong to the last column
 * only ("restated").
 */
export function spanDistinguishingTitles<C extends Cell>(
  tables: readonly (readonly Row<C>[])[],
): readonly (readonly Row<C>[])[] {
  const titles = tables.length < 2 ? [] : tables.map(loneTitle)
  return tables.map((rows, i) => {
    const own = titles[i]
    const [parents = [], ...rest] = rows
    if (own === undefined) return rows
    if (!titles.some((other) => other?.names === own.names && other.text !== own.text)) return rows
    const spread = parents.map((cell, column) => {
      if (column === 0) return cell
      return column === 1 ? { ...own.cell, colSpan: parents.length - 1 } : undefined
    })
    return [spread, ...rest]
  })
}

/**
 * The single text above a table's last column, with all names of the table; undefined if there are other cells beside
 * it.
 */
function loneTitle<C extends Cell>(
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
