// The tables of a document, each whole, and its records under headings as tables. Pure.

import { headerlessWidth } from '../../markdown-table.ts'
import { MAX_PARTS, type TablePart, tablesOf } from '../../table-parts.ts'
import type { DocumentTables } from '../../tools/read.ts'
import type { SourceTable } from '../../tools/tools.ts'
import { recordTables } from '../records.ts'

/** Tables that are not there as a whole are left out. */
export function sourceTables({ file, passages, isComplete, isWhole }: DocumentTables): SourceTable[] {
  const parts = tablesOf(passages)
  const cut = isComplete ? undefined : parts.at(-1)
  const tables = parts.filter(
    (table, i) =>
      table !== cut && table.length <= MAX_PARTS && !goesOn(table, parts[i + 1]) && isAllTable(table),
  )
  const name = file.slice(file.lastIndexOf('/') + 1)
  const sources = tables.map((table): SourceTable => {
    const [first] = table
    return {
      rows: table.flatMap(({ passage, rows }) => rows.map((row) => ({ ...row, passage }))),
      title: first?.passage.document_title ?? '',
      heading: `${first?.passage.heading ?? ''}\n${captionOf(first)}`.trim(),
      file: name,
    }
  })
  return [...sources, ...(isWhole ? recordTables(passages, name) : [])]
}

const isAllTable = (table: readonly TablePart[]): boolean =>
  table.every(({ passage }) => passage.type === 'table')

/** What stands above the table in its passage. */
function captionOf(part: TablePart | undefined): string {
  const text = part?.passage.text ?? ''
  const at = text.search(/^\s*\|/mu)
  return at > 0 ? text.slice(0, at).trim() : ''
}

/** Whether rows without column names follow at once: a table that a new page has cut. */
function goesOn(table: readonly TablePart[], next: readonly TablePart[] | undefined): boolean {
  const [last, first] = [table.at(-1), next?.[0]]
  if (!last || !first || last.passage.chunk_no + 1 !== first.passage.chunk_no) return false
  const width = headerlessWidth(first.rows)
  return width !== undefined && width === last.rows[0]?.cells.length
}
