// Reads passages by their position, and tables across the passages into which they were split. The callers check access, and every
// statement is limited to the workspace.

import type { Document } from '../../contract/resources.ts'
import { selectDocuments } from '../../documents/documents.sql.ts'
import { titleKey, toDocument } from '../../documents/documents.ts'
import { inAnyCase } from '../../language/letter-case.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { Passage } from '../../search/passage.ts'
import type { TableRow } from '../markdown-table.ts'
import { MAX_PARTS, tablesOf } from '../table-parts.ts'
import {
  type NamedDocumentRow,
  selectBetween,
  selectNamed,
  selectPosition,
  selectTablePassages,
} from './passages.sql.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Ids come from a model and may have any form. The database would reject an id that is no UUID. */
export const isUuid = (id: string): boolean => UUID.test(id)

/** The passages of a document that contain its tables. */
export interface DocumentTables {
  /** The path of its file. */
  file: string
  passages: Passage[]
  /** Whether all passages with tables are included. */
  isComplete: boolean
  /** Whether the passages without tables are included too. */
  isWhole: boolean
}

export async function findDocuments(
  db: Queryable,
  workspaceId: string,
  title: string,
  limit: number,
): Promise<Document[]> {
  const pattern = title.trim() ? inAnyCase(titleKey(title.trim())) : undefined
  const rows = await selectDocuments(db, workspaceId, { pattern, after: undefined, limit })
  return rows.map(toDocument)
}

/** The documents with these ids, and those whose titles begin with one of `titles`, in this workspace only. */
export const describeDocuments = (
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
  titles: readonly string[],
): Promise<NamedDocumentRow[]> =>
  selectNamed(
    db,
    workspaceId,
    ids.filter(isUuid),
    titles.map((title) => titleKey(title)).filter((key) => key !== ''),
  )

/** Up to `limit` passages of a document: from a position on, or with a passage in the middle. */
export async function readPassages(
  db: Queryable,
  workspaceId: string,
  documentId: string,
  { range, limit }: { range: { from: number } | { around: string }; limit: number },
): Promise<Passage[]> {
  if (!isUuid(documentId)) return []
  if ('from' in range)
    return selectBetween(db, workspaceId, documentId, { from: range.from, to: range.from + limit - 1 })
  const position = isUuid(range.around) ? await selectPosition(db, workspaceId, range.around) : undefined
  if (position?.document_id !== documentId) return []
  const from = Math.max(0, position.chunk_no - Math.floor((limit - 1) / 2))
  return selectBetween(db, workspaceId, documentId, { from, to: from + limit - 1 })
}

// The number of passages that are read beyond the limit, to see whether the table continues.
const EXTRA_PASSAGES = 10

/**
 * All rows of the table that the passage belongs to. Empty if the passage has no table, or if the table has more than MAX_PARTS passages.
 */
export async function readWholeTable(
  db: Queryable,
  workspaceId: string,
  chunkId: string,
): Promise<(TableRow & { passage: Passage })[]> {
  const position = isUuid(chunkId) ? await selectPosition(db, workspaceId, chunkId) : undefined
  if (!position) return []
  const { document_id: documentId, chunk_no: chunkNo } = position
  const maxPassages = MAX_PARTS + EXTRA_PASSAGES
  const surroundingPassages = await selectBetween(db, workspaceId, documentId, {
    from: Math.max(0, chunkNo - maxPassages),
    to: chunkNo + maxPassages,
  })
  const table =
    tablesOf(surroundingPassages).find((parts) =>
      parts.some(({ passage }) => passage.chunk_no === chunkNo),
    ) ?? []
  if (table.length > MAX_PARTS) return []
  return table.flatMap(({ passage, rows }) => rows.map((row) => ({ ...row, passage })))
}

// About a hundred pages of text. Of a longer document only the tables are read.
const MAX_PASSAGES = 300

/**
 * All passages of a document in reading order if it has at most MAX_PASSAGES, otherwise the first MAX_PASSAGES that are tables. Empty for an
 * id of another workspace.
 */
export async function readTablePassages(
  db: Queryable,
  workspaceId: string,
  documentId: string,
): Promise<DocumentTables> {
  const rows = isUuid(documentId)
    ? await selectTablePassages(db, workspaceId, documentId, MAX_PASSAGES + 1)
    : []
  const passages = rows.slice(0, MAX_PASSAGES).map(({ chunk_count: _count, ...passage }) => passage)
  const [firstRow] = rows
  return {
    file: firstRow?.document_path ?? '',
    passages,
    isComplete: rows.length <= MAX_PASSAGES,
    isWhole: (firstRow?.chunk_count ?? 0) <= MAX_PASSAGES,
  }
}
