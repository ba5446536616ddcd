// The rows of RTF's tables as the file defines them ([RTF 1.9.1] "Table Definitions"): officeparser tells a row's cells,
// not where their edges are, and leaves out those that go on from the one above, so that what is right of them moved left.

import type { OfficeContentNode } from 'officeparser'
import type { DocRow } from './doc/rows.ts'
import { groupEnd } from './rtf-notes.ts'

interface DefinedCell {
  /** Its right edge. */
  edge: number
  goesOnDown: boolean
  goesOnRight: boolean
}

interface DefinedRow {
  left: number
  /** A paragraph or the last row of another table stands before it: officeparser runs such tables together. */
  begins: boolean
  isHeader: boolean
  cells: readonly DefinedCell[]
}

const MARK = /\\(trowd|trleft|cellx|clvmrg|clmrg|row|lastrow|trhdr|par|intbl)(-?\d+)?(?![a-z\d])/g

/** The definition of each row in the file's order. */
export function definedRows(rtf: string): DefinedRow[] {
  const rows: DefinedRow[] = []
  const newRow = () => ({ left: 0, isHeader: false, isLast: false, cells: [] as DefinedCell[] })
  let row = newRow()
  let cell = { goesOnDown: false, goesOnRight: false }
  let [isBetween, begins] = [false, false]
  for (const [, word, number] of rtf.matchAll(MARK)) {
    if (word === 'trowd' || word === 'intbl') isBetween = false
    if (word === 'trowd') row = newRow()
    else if (word === 'trleft') row.left = Number(number ?? 0)
    else if (word === 'trhdr') row.isHeader = true
    else if (word === 'lastrow') row.isLast = true
    else if (word === 'clvmrg') cell.goesOnDown = true
    else if (word === 'clmrg') cell.goesOnRight = true
    else if (word === 'row') {
      const { left, isHeader, cells } = row
      rows.push({ left, isHeader, begins, cells })
      begins = row.isLast
      isBetween = true
    } else if (word === 'par') begins ||= isBetween
    else if (word !== 'intbl') {
      row.cells.push({ ...cell, edge: Number(number ?? 0) })
      cell = { goesOnDown: false, goesOnRight: false }
    }
  }
  return rows
}

/** The rows of a tree by their definition; none where the two do not tell of the same rows. */
export function rowsByNode(
  content: readonly OfficeContentNode[],
  defined: readonly DefinedRow[],
): Map<OfficeContentNode, DefinedRow> {
  const rows = content.flatMap(rowsIn)
  if (rows.length !== defined.length) return new Map()
  return new Map(rows.flatMap((row, i) => (defined[i] === undefined ? [] : [[row, defined[i]] as const])))
}

const rowsIn = (node: OfficeContentNode): OfficeContentNode[] =>
  node.type === 'row' ? [node] : (node.children ?? []).flatMap(rowsIn)

/** The rows of a table, and of each that follows it behind an empty paragraph. */
export function tablesOf<Row>(rows: readonly Row[], defined: readonly (DefinedRow | undefined)[]): Row[][] {
  const tables: Row[][] = []
  for (const [i, row] of rows.entries()) {
    const last = tables.at(-1)
    if (last === undefined || defined[i]?.begins) tables.push([row])
    else last.push(row)
  }
  return tables
}

/** A row's texts in the cells that are defined; undefined where there are not as many. */
export function placedRow(
  texts: readonly string[],
  { left, isHeader, cells }: DefinedRow,
): DocRow | undefined {
  const shown = cells.filter(({ goesOnDown, goesOnRight }) => !goesOnDown && !goesOnRight)
  const isWhole = texts.length === cells.length
  if (!isWhole && texts.length !== shown.length) return undefined
  const rest = [...texts]
  const row = { isHeader, cells: [] as string[], edges: [left], continues: [] as boolean[] }
  for (const { edge, goesOnDown, goesOnRight } of cells) {
    const text = isWhole || !(goesOnDown || goesOnRight) ? (rest.shift() ?? '') : ''
    if (goesOnRight && row.cells.length > 0) row.edges[row.edges.length - 1] = edge
    else {
      row.cells.push(text)
      row.edges.push(edge)
      row.continues.push(goesOnDown)
    }
  }
  return row
}

const NESTED = /\\\\|\\nestcell(?![a-z]) ?|\{\\\*\\nesttableprops(?![a-z])|\{\\nonesttables(?![a-z])/g

/** The RTF with the cells and rows of tables in cells as marked text: officeparser takes them for the outer one's. */
export function withoutNested(rtf: string): string {
  if (!rtf.includes('\\nestcell')) return rtf
  const parts: string[] = []
  let from = 0
  for (const { 0: found, index } of rtf.matchAll(NESTED)) {
    if (index < from || found === '\\\\') continue
    const end = found.startsWith('{') ? groupEnd(rtf, index) : index + found.length
    if (end === undefined) break
    const mark = found.startsWith('\\') ? '\\u-1810 ' : found.startsWith('{\\*') ? '\\u-1809 ' : ''
    parts.push(rtf.slice(from, index), mark)
    from = end
  }
  return parts.join('') + rtf.slice(from)
}

/** A cell's text with a table in it as a line: cells parted by spaces and rows by semicolons. */
export function nestedText(text: string): string {
  if (!text.includes('\uf8ef')) return text
  const rows = text.split('\uf8ef')
  const after = rows.pop()?.trim() ?? ''
  const shown = rows.map((row) =>
    row
      .split('\uf8ee')
      .map((cell) => cell.trim())
      .join(' ')
      .trim(),
  )
  return [shown.join('; '), after].filter((part) => part !== '').join('\n')
}
