// Reading beyond search: a document around a passage, and a table over all the passages it was cut into. Whoever calls
// has asked for access; the workspace binds every statement.

import type { Document } from '../../contract/resources.ts'
import { containing, selectDocuments } from '../../documents/documents.sql.ts'
import { titleKey } from '../../documents/documents.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { Passage } from '../../search/passage.ts'
import { columnsWithoutRows, type TableRow, tableRows } from '../extractive/table-rows.ts'
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

// A table is cut at 12,000 characters a passage: 240 kB in either direction, some thousands of rows.
const MOST_PARTS = 20

/** The rows of the passage's table; a table cut into several passages under the same columns is put together. */
export async function wholeTable(
  db: Queryable,
  workspaceId: string,
  chunkId: string,
): Promise<(TableRow & { passage: Passage })[]> {
  const place = isUuid(chunkId) ? await selectPlace(db, workspaceId, chunkId) : undefined
  if (!place) return []
  const { document_id: documentId, chunk_no: here } = place
  const near = await selectBetween(
    db,
    workspaceId,
    documentId,
    Math.max(0, here - MOST_PARTS),
    here + MOST_PARTS,
  )
  const at = near.findIndex(({ chunk_no }) => chunk_no === here)
  const parts = near.map((passage, i) => partOf(passage, near[i - 1]))
  const own = parts[at]
  if (!own || own.rows.length === 0) return []
  let first = at
  while (isContinued(parts[first - 1], parts[first])) first--
  let last = at
  while (isContinued(parts[last], parts[last + 1])) last++
  return parts.slice(first, last + 1).flatMap(({ passage, rows }) => rows.map((row) => ({ ...row, passage })))
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

/** Cut from one: the first row of the next part, under the same header and headings, had no room left in this one. */
function isContinued(one: Part | undefined, next: Part | undefined): boolean {
  if (one?.passage.type !== 'table' || next?.passage.type !== 'table') return false
  if (one.passage.heading !== next.passage.heading) return false
  const [mine, theirs] = [tableLines(one.passage.text), tableLines(next.passage.text)]
  const [firstRow] = theirs.slice(2)
  if (firstRow === undefined || mine[0] !== theirs[0]) return false
  return mine.join('\n').length + 1 + firstRow.length > FULL
}

const RULE = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*$/

/** The header, the rule and the rows. */
function tableLines(text: string): string[] {
  const lines = text.split('\n')
  const rule = lines.findIndex((line) => RULE.test(line))
  return rule < 1 ? [] : lines.slice(rule - 1)
}
