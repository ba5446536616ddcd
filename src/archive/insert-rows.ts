// Inserts a batch of the rows of an archive into the new workspace, with the ids and owners that they have there.

import { questionId } from '../ask/evaluation.ts'
import { titleKey } from '../documents/documents.ts'
import { entityId } from '../graph/names.ts'
import { uuid5 } from '../identity.ts'
import { insertUnreadDocuments } from '../ingest/unread.sql.ts'
import type { Queryable } from '../ports/db/db.ts'
import {
  insertCorrections,
  insertJobFiles,
  insertQuestions,
  insertScopes,
  insertSourceFiles,
  insertSources,
  insertThreads,
  insertTurns,
  insertVersions,
} from './insert.sql.ts'
import type { RowPart, Rows } from './prepare.ts'

/** The workspace that is imported. */
export interface Target {
  workspaceId: string
  jobId: string
  accountId: string
  /** The numbers of the sources that are imported. */
  allowedSourceNumbers: readonly number[]
}

/** The id of a source in this workspace, from its number in the archive. */
const sourceId = (workspaceId: string, number: number): string => uuid5(workspaceId, `source ${number}`)

export type Batch = {
  [P in RowPart]: { part: P; rows: Rows[P][]; firstRow: number; target: Target }
}[RowPart]

export async function insertRows(tx: Queryable, batch: Batch): Promise<unknown> {
  const { target, firstRow } = batch
  const { workspaceId, accountId, jobId, allowedSourceNumbers } = target
  const owner = `user:${accountId}`
  switch (batch.part) {
    case 'documents':
      await insertUnreadDocuments(
        tx,
        workspaceId,
        batch.rows.map((row) => ({ ...row, title_key: titleKey(row.title) })),
      )
      return insertJobFiles(tx, workspaceId, { jobId, firstNo: firstRow, rows: batch.rows })
    case 'versions':
      return insertVersions(tx, workspaceId, batch.rows, accountId)
    case 'scopes':
      return insertScopes(tx, workspaceId, batch.rows)
    case 'graph-corrections':
      return insertCorrections(
        tx,
        workspaceId,
        batch.rows.map(({ from, into, root, decision, reason }) => ({
          from_id: entityId(workspaceId, from),
          from_key: from,
          into_id: entityId(workspaceId, into),
          into_key: into,
          root_id: entityId(workspaceId, root),
          root_key: root,
          state: decision === 'same' ? ('manual' as const) : ('undone' as const),
          reason,
        })),
      )
    case 'threads':
      return insertThreads(tx, workspaceId, batch.rows, owner)
    case 'turns':
      return insertTurns(tx, workspaceId, batch.rows)
    case 'evaluation-questions':
      return insertQuestions(
        tx,
        workspaceId,
        batch.rows.map((row) => {
          const { query, document_id: documentId, chunk_id: chunkId } = row
          return { ...row, id: questionId(workspaceId, { principal: owner, query, documentId, chunkId }) }
        }),
        owner,
      )
    case 'sources':
      return insertSources(
        tx,
        workspaceId,
        batch.rows
          .filter(({ number }) => allowedSourceNumbers.includes(number))
          .map((row) => ({ ...row, id: sourceId(workspaceId, row.number) })),
        accountId,
      )
    case 'source-files':
      return insertSourceFiles(
        tx,
        workspaceId,
        batch.rows
          .filter(({ source }) => allowedSourceNumbers.includes(source))
          .map(({ source, ...row }) => ({ ...row, source_id: sourceId(workspaceId, source) })),
      )
  }
}
