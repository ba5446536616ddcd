// Reading by position: a document around a passage, and a table across the passages it was split into. Callers have
// checked access; every statement is bound to the workspace.

import type { Document } from '../../contract/resources.ts'
import { containing, selectDocuments } from '../../documents/documents.sql.ts'
import { titleKey } from '../../documents/documents.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { Passage } from '../../search/passage.ts'
import { columnsWithoutRows, isRule, type TableRow, tableRows } from '../markdown-table.ts'
import { selectBetween, selectPlace } from './passages.sql.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Ids come from a model and may have any form; the database would reject one that is no UUID. */
export const isUuid = (id: string): boolean => UUID.test(id)

export async function findDocuments(
  db: Queryable,
  workspaceId: string,
  title: string,
  limit: number,
): Promise<Document[]> {
  const like = title.trim() ? containing(titleKey(title.trim())) : undefined
  const rows = await selectDocuments(db, workspaceId, { like, after: undefined, limit })
  return rows.map(({ title_key: _key, ...document }) => document)
}

/** Up to `limit` passages, from a position on or with a passage of the document in the middle. */
export async function readPassages(
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

// Tables are split into passages of 12,000 characters. One of more than 50 passages (about 10,000 rows) is refused,
// because calculating with a part of it would give a wrong figure.
const MOST_PARTS = 50
// Passages read beyond the limit, to see whether the table goes on.
const BEYOND = 10

/**
 * The rows of the passage's table, joined across the passages it was split into. None when there is no table, or one
 * that is too long to be read whole.
 */
export async function readWholeTable(
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

/** The passages with table rows, grouped by table. */
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

// Characters of a full table passage, header included (MOST_TABLE in ingest/chunk/chunk.ts).
const FULL = 12_000
// Parsers of CSV, JSON and spreadsheets start another table with the same columns after so many rows, or about 40,000
// characters.
const ROWS_A_TABLE = 200
const CHARACTERS_A_TABLE = 36_000

/**
 * Whether `next` continues the table: it has the same columns and headings, and either its first row did not fit into
 * the passage before, or the table is as long as parsers make one. A short table before one with the same columns is
 * separate.
 */
function isContinued(table: readonly Part[], next: Part): boolean {
  const last = table.at(-1)
  if (last?.passage.type !== 'table' || next.passage.type !== 'table') return false
  if (last.passage.heading !== next.passage.heading) return false
  const [mine, theirs] = [tableLines(last.passage.text), tableLines(next.passage.text)]
  // A header of several rows is repeated in each passage.
  const firstRow = theirs.find((line, i) => line !== mine[i])
  if (firstRow === undefined || mine[0] !== theirs[0]) return false
  return mine.join('\n').length + 1 + firstRow.length > FULL || isLong(table)
}

const isLong = (table: readonly Part[]): boolean =>
  sumOf(table, ({ rows }) => rows.length) % ROWS_A_TABLE === 0 ||
  sumOf(table, ({ passage }) => passage.text.length) >= CHARACTERS_A_TABLE

const sumOf = (table: readonly Part[], size: (part: Part) => number): number =>
  table.reduce((sum, part) => sum + size(part), 0)

/** The header, the delimiter row and the rows. */
function tableLines(text: string): string[] {
  const lines = text.split('\n')
  const rule = lines.findIndex(isRule)
  return rule < 1 ? [] : lines.slice(rule - 1)
}
