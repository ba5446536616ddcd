// Verified replies of the model, and the tokens they used.

import sql, { empty } from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'
import type { ExtractChunk } from '../extraction.ts'
import type { VerifiedFindings } from './verify.ts'

export interface ReplyKey {
  workspaceId: string
  documentId: string
  promptHash: string
}

export async function selectReply(db: Queryable, key: ReplyKey): Promise<VerifiedFindings | undefined> {
  const [row] = await db.rows<{ findings: VerifiedFindings }>(sql`
    SELECT findings FROM graph_reply
    WHERE workspace_id = ${key.workspaceId} AND document_id = ${key.documentId} AND hash = ${key.promptHash}`)
  return row?.findings
}

/** Stores nothing if the document has been deleted. */
export const insertReply = (db: Queryable, key: ReplyKey, findings: VerifiedFindings): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO graph_reply (workspace_id, document_id, hash, findings)
    SELECT workspace_id, id, ${key.promptHash}, ${JSON.stringify(findings)}::jsonb FROM document
    WHERE workspace_id = ${key.workspaceId} AND id = ${key.documentId} FOR SHARE
    ON CONFLICT DO NOTHING`)

/** Deletes all replies of the document except those of its current text. */
export const deleteReplies = (
  db: Queryable,
  workspaceId: string,
  documentId: string,
  hashesToKeep: readonly string[],
): Promise<unknown> =>
  db.rows(sql`
    DELETE FROM graph_reply
    WHERE workspace_id = ${workspaceId} AND document_id = ${documentId} AND hash <> ALL (${[...hashesToKeep]}::text[])`)

/** Reserves tokens from the budget. Returns false if too few remain. Two workers never reserve the same tokens. */
export async function reserveTokens(
  db: Queryable,
  workspaceId: string,
  tokens: number,
  budget: number,
): Promise<boolean> {
  const rows = await db.rows(sql`
    INSERT INTO graph_spending (workspace_id, tokens)
    SELECT ${workspaceId}::uuid, ${tokens}::bigint WHERE ${tokens}::bigint <= ${budget}::bigint
    ON CONFLICT (workspace_id) DO UPDATE SET tokens = graph_spending.tokens + excluded.tokens
      WHERE graph_spending.tokens + excluded.tokens <= ${budget}::bigint
    RETURNING 1`)
  return rows.length > 0
}

/** Corrects a reservation by the difference from the tokens that were used. */
export const adjustTokens = (db: Queryable, workspaceId: string, difference: number): Promise<unknown> =>
  db.rows(sql`
    UPDATE graph_spending SET tokens = greatest(0, tokens + ${difference}::bigint)
    WHERE workspace_id = ${workspaceId}`)

export async function selectSpentTokens(db: Queryable, workspaceId: string): Promise<number> {
  const [row] = await db.rows<{ tokens: number }>(sql`
    SELECT tokens FROM graph_spending WHERE workspace_id = ${workspaceId}`)
  return row?.tokens ?? 0
}

export interface ModelChunk extends ExtractChunk {
  document_id: string
  title: string
}

/** At most `limit` chunks of the workspace after `after`, document by document. */
export const selectChunks = (
  db: Queryable,
  workspaceId: string,
  after: { documentId: string; chunkNo: number } | undefined,
  limit: number,
): Promise<ModelChunk[]> =>
  db.rows(sql`
    SELECT d.id AS document_id, d.title, c.chunk_no, c.type, c.text, c.heading
    FROM document d
    JOIN chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id
    WHERE d.workspace_id = ${workspaceId}
      ${after ? sql`AND (d.id, c.chunk_no) > (${after.documentId}::uuid, ${after.chunkNo})` : empty}
    ORDER BY d.id, c.chunk_no LIMIT ${limit}`)
