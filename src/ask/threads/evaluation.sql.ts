// The SQL of saved evaluation questions.

import sql, { empty } from 'sql-template-tag'
import type { ChunkType } from '../../contract/resources.ts'
import type { Queryable } from '../../ports/db/db.ts'

export interface QuestionRow {
  id: string
  principal: string
  query: string
  document_id: string
  document_title: string | null
  chunk_id: string | null
  created_at: Date
  /** `created_at` in full precision. */
  position: string
  /** The type, the page and the text of the passage, if the document still has the passage. */
  type: ChunkType | null
  page: number | null
  text: string | null
}

export interface QuestionPosition {
  at: string
  id: string
}

/** The questions, the newest first. @param ownership limits them to one owner or one id */
export const selectQuestions = (
  db: Queryable,
  workspaceId: string,
  ownership: { principal?: string | undefined; id?: string },
  page: { before: QuestionPosition | undefined; limit: number },
): Promise<QuestionRow[]> =>
  db.rows<QuestionRow>(sql`
    SELECT q.id, q.principal, q.query, q.document_id, d.title AS document_title, q.chunk_id, q.created_at,
      q.created_at::text AS position, c.type, c.page, c.text
    FROM evaluation_question q
    LEFT JOIN document d ON d.workspace_id = q.workspace_id AND d.id = q.document_id
    LEFT JOIN chunk c ON c.workspace_id = ${workspaceId} AND c.version_id = d.version_id AND c.id = q.chunk_id
    WHERE q.workspace_id = ${workspaceId}
      ${ownership.principal === undefined ? empty : sql`AND q.principal = ${ownership.principal}`}
      ${ownership.id === undefined ? empty : sql`AND q.id = ${ownership.id}`}
      ${page.before ? sql`AND (q.created_at, q.id) < (${page.before.at}::timestamptz, ${page.before.id}::uuid)` : empty}
    ORDER BY q.created_at DESC, q.id DESC LIMIT ${page.limit}`)

/** Whether the workspace has the document, and the passage if one is given. */
export async function questionExists(
  db: Queryable,
  workspaceId: string,
  { documentId, chunkId }: { documentId: string; chunkId: string | null },
): Promise<boolean> {
  const rows = await db.rows(sql`
    SELECT 1 FROM document d
    WHERE d.workspace_id = ${workspaceId} AND d.id = ${documentId}
      ${
        chunkId === null
          ? empty
          : sql`AND EXISTS (SELECT 1 FROM chunk c
              WHERE c.workspace_id = ${workspaceId} AND c.version_id = d.version_id AND c.id = ${chunkId})`
      }`)
  return rows.length > 0
}

/** Stores a question, or its new wording. Returns false if its principal already has `limit` other questions. */
export async function insertQuestion(
  db: Queryable,
  workspaceId: string,
  question: { id: string; principal: string; query: string; documentId: string; chunkId: string | null },
  limit: number,
): Promise<boolean> {
  const { id, principal, query, documentId, chunkId } = question
  const rows = await db.rows(sql`
    INSERT INTO evaluation_question (workspace_id, id, principal, query, document_id, chunk_id)
    SELECT ${workspaceId}::uuid, ${id}::uuid, ${principal}::text, ${query}::text, ${documentId}::uuid, ${chunkId}::uuid
    WHERE (SELECT count(*) FROM evaluation_question
      WHERE workspace_id = ${workspaceId} AND principal = ${principal} AND id <> ${id}) < ${limit}
    ON CONFLICT (workspace_id, id) DO UPDATE SET query = excluded.query
    RETURNING id`)
  return rows.length > 0
}

/** Deletes a question. Returns false if there is no such question. @param principal its owner; undefined for any owner */
export async function removeQuestion(
  db: Queryable,
  workspaceId: string,
  id: string,
  principal: string | undefined,
): Promise<boolean> {
  const rows = await db.rows(sql`
    DELETE FROM evaluation_question
    WHERE workspace_id = ${workspaceId} AND id = ${id}
      ${principal === undefined ? empty : sql`AND principal = ${principal}`} RETURNING id`)
  return rows.length > 0
}
