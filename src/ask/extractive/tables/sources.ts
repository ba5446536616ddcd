// The tables of a document, each joined from its passages, and its records below headings as tables. Pure.

import type { Passage } from '../../../search/passage.ts'
import { headerlessWidth } from '../../markdown-table.ts'
import { MAX_PARTS, type TablePart, tablesOf } from '../../table-parts.ts'
import type { DocumentTables } from '../../tools/read.ts'
import type { SourceTable } from '../../tools/tools.ts'
import { recordTables } from '../records.ts'

/** All tables of a document. `isPartial` is true for a table of which a part is missing. */
export function sourceTables({ file, passages, isComplete, isWhole }: DocumentTables): SourceTable[] {
  const tables = tablesOf(passages)
  const cutTable = isComplete ? undefined : tables.at(-1)
  const fileName = file.slice(file.lastIndexOf('/') + 1)
  const sources = tables.map((parts, i): SourceTable => {
    const [first] = parts
    return {
      rows: parts
        .slice(0, MAX_PARTS)
        .flatMap(({ passage, rows }) => rows.map((row) => ({ ...row, passage }))),
      title: first?.passage.document_title ?? '',
      heading: `${first?.passage.heading ?? ''}\n${captionOf(first)}`.trim(),
      before: passages.find((passage) => passage.chunk_no + 1 === first?.passage.chunk_no)?.text ?? '',
      file: fileName,
      isPartial:
        parts === cutTable ||
        parts.length > MAX_PARTS ||
        isContinued(parts, tables[i + 1]) ||
        !areTablePassages(parts),
    }
  })
  return [...sources, ...(isWhole ? recordTables(passages, fileName) : [])]
}

/** The tables in some passages of a document. All of them are partial. */
export const partialTables = (passages: readonly Passage[]): SourceTable[] =>
  sourceTables({ file: '', passages: [...passages], isComplete: true, isWhole: false }).map((table) => ({
    ...table,
    isPartial: true,
  }))

/** Whether all parts are passages of the type `table`. */
const areTablePassages = (table: readonly TablePart[]): boolean =>
  table.every(({ passage }) => passage.type === 'table')

/** The text above the table in its passage. */
function captionOf(part: TablePart | undefined): string {
  const text = part?.passage.text ?? ''
  const at = text.search(/^\s*\|/mu)
  return at > 0 ? text.slice(0, at).trim() : ''
}

/** Whether the next table continues this one after a page break: it has no column names and is in the next passage. */
function isContinued(table: readonly TablePart[], next: readonly TablePart[] | undefined): boolean {
  const [last, first] = [table.at(-1), next?.[0]]
  if (!last || !first || last.passage.chunk_no + 1 !== first.passage.chunk_no) return false
  const width = headerlessWidth(first.rows)
  return width !== undefined && width === last.rows[0]?.cells.length
}
