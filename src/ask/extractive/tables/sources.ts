// The tables of a document, each whole, and its records under headings as tables. Pure.

import type { Passage } from '../../../search/passage.ts'
import { headerlessWidth } from '../../markdown-table.ts'
import { MAX_PARTS, type TablePart, tablesOf } from '../../table-parts.ts'
import type { DocumentTables } from '../../tools/read.ts'
import type { SourceTable } from '../../tools/tools.ts'
import { recordTables } from '../records.ts'

/** All tables; those that are not there as a whole are said to be partial. */
export function sourceTables({ file, passages, isComplete, isWhole }: DocumentTables): SourceTable[] {
  const tables = tablesOf(passages)
  const cut = isComplete ? undefined : tables.at(-1)
  const name = file.slice(file.lastIndexOf('/') + 1)
  const sources = tables.map((parts, i): SourceTable => {
    const [first] = parts
    return {
      rows: parts
        .slice(0, MAX_PARTS)
        .flatMap(({ passage, rows }) => rows.map((row) => ({ ...row, passage }))),
      title: first?.passage.document_title ?? '',
      heading: `${first?.passage.heading ?? ''}\n${captionOf(first)}`.trim(),
      before: passages.find((passage) => passage.chunk_no + 1 === first?.passage.chunk_no)?.text ?? '',
      file: name,
      isPartial:
        parts === cut || parts.length > MAX_PARTS || goesOn(parts, tables[i + 1]) || !isAllTable(parts),
    }
  })
  return [...sources, ...(isWhole ? recordTables(passages, name) : [])]
}

/** What some passages of a document have of its tables. */
export const partialTables = (passages: readonly Passage[]): SourceTable[] =>
  sourceTables({ file: '', passages: [...passages], isComplete: true, isWhole: false }).map((table) => ({
    ...table,
    isPartial: true,
  }))

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
