// Reading beyond search: a document around a passage, and a table over all the passages it was cut into. Whoever calls
// has asked for access; the workspace binds every statement.

import type { Document } from '../../contract/resources.ts'
import { containing, selectDocuments } from '../../documents/documents.sql.ts'
import { titleKey } from '../../documents/documents.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { Passage } from '../../search/passage.ts'
import { columnsWithoutRows, isRule, type TableRow, tableRows } from '../markdown-table.ts'
import { selectBetween, selectPlace } from './passages.sql.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** An id of another form is nobody's, and no parameter for the database. */
export const isUuid = (id: string): boolean => UUID.test(id)

export async function documentsTitled(
  db: Queryable,
  workspaceId: string,
  title: string,
  limit: number,
): Promise<Document[]> {
  const like = title.trim() ? containing(titleKey(title.trim())) : undefined
  const rows = await selectDocuments(db, workspaceId, { like, after: undefined, limit })
  return rows.map(({ title_key: _key, ...document }) => document)
}

/** Up to `limit` passages from a place on, or as many before as behind a passage of the document. */
export async function readAt(
  db: Queryable,
  workspaceId: string,
  documentId: string,
  at: { from: number } | { around: string },
  limit: number,
): Promise<Passage[]> {
  if (!isUuid(documentId)) return []
  if ('from' in at) return selectBetween(db, workspaceId, documentId, at.from, at.from + limit - 1)
  const place = isUuid(at.around) ? await selectPlace(db, workspaceId, at.around) : undefined
  if (place?.document_id !== documentId) return []
  const from = Math.max(0, place.chunk_no - Math.floor((limit - 1) / 2))
  return selectBetween(db, workspaceId, documentId, from, from + limit - 1)
}

// A table is cut at 12,000 characters a passage. A longer one than 50 passages (about 10,000 rows) is not calculated with:
// the part of it that fits would give a wrong figure.
const MOST_PARTS = 50
// So many more are looked at, to see that it goes on.
const BEYOND = 10

/**
 * The rows of the passage's table; a table cut into several passages under the same columns is put together. None when
 * there is no table, or one that cannot be read whole.
 */
export async function wholeTable(
  db: Queryable,
  workspaceId: string,
  chunkId: string,
): Promise<(TableRow & { passage: Passage })[]> {
  const place = isUuid(chunkId) ? await selectPlace(db, workspaceId, chunkId) : undefined
  if (!place) return []
  const { document_id: documentId, chunk_no: here } = place
  const reach = MOST_PARTS + BEYOND
  const near = await selectBetween(db, workspaceId, documentId, Math.max(0, here - reach), here + reach)
  const table = tablesOf(near).find((parts) => parts.some(({ passage }) => passage.chunk_no === here)) ?? []
  if (table.length > MOST_PARTS) return []
  return table.flatMap(({ passage, rows }) => rows.map((row) => ({ ...row, passage })))
}

/** The passages that hold rows, those of one table together. */
function tablesOf(near: readonly Passage[]): Part[][] {
  const tables: Part[][] = []
  for (const [i, passage] of near.entries()) {
    const part = partOf(passage, near[i - 1])
    const table = tables.at(-1)
    if (part.rows.length && table && near[i - 1] === table.at(-1)?.passage && isContinued(table, part))
      table.push(part)
    else if (part.rows.length) tables.push([part])
  }
  return tables
}

interface Part {
  passage: Passage
  rows: TableRow[]
}

function partOf(passage: Passage, before: Passage | undefined): Part {
  return { passage, rows: tableRows(passage.text, before ? columnsWithoutRows(before.text) : []).rows }
}

// In characters, header and all (ingest/chunk/chunk.ts, MOST_TABLE).
const FULL = 12_000
// Parsers of CSV, JSON and sheets begin another table under the same columns after so many rows, or some 40,000 characters.
const ROWS_A_TABLE = 200
const CHARACTERS_A_TABLE = 36_000

/**
 * Cut from it: under the same columns and headings, when its first row had no room left in the passage before, or when
 * the table is as long as a parser makes one. A short table before another of the same columns is a table of its own.
 */
function isContinued(table: readonly Part[], next: Part): boolean {
  const last = table.at(-1)
  if (last?.passage.type !== 'table' || next.passage.type !== 'table') return false
  if (last.passage.heading !== next.passage.heading) return false
  const [mine, theirs] = [tableLines(last.passage.text), tableLines(next.passage.text)]
  // Further rows of the header are repeated, too.
  const firstRow = theirs.find((line, i) => line !== mine[i])
  if (firstRow === undefined || mine[0] !== theirs[0]) return false
  return mine.join('\n').length + 1 + firstRow.length > FULL || isLong(table)
}

const isLong = (table: readonly Part[]): boolean =>
  sumOf(table, ({ rows }) => rows.length) % ROWS_A_TABLE === 0 ||
  sumOf(table, ({ passage }) => passage.text.length) >= CHARACTERS_A_TABLE

const sumOf = (table: readonly Part[], size: (part: Part) => number): number =>
  table.reduce((sum, part) => sum + size(part), 0)

/** The header, the rule and the rows. */
function tableLines(text: string): string[] {
  const lines = text.split('\n')
  const rule = lines.findIndex(isRule)
  return rule < 1 ? [] : lines.slice(rule - 1)
}
