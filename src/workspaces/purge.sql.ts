// Deletes the rows of a deleted workspace, table by table in short batches.

import sql, { raw } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

const ROWS_PER_BATCH = 500

/** All tables with a workspace_id except task and workspace. A test compares the list with the database. */
export const PURGED_TABLES = [
  'relation_evidence',
  'mention',
  'edge',
  'entity',
  'entity_part',
  'entity_counted',
  'entity_merge',
  'document_graph',
  'graph_reply',
  'graph_spending',
  'question_spending',
  'suggestion',
  'document_use',
  'document_reader',
  'feedback',
  'turn',
  'thread',
  'evaluation_question',
  'chunk_vector',
  'version_space',
  'lexical_basis',
  'workspace_space',
  'vector_space',
  'chunk',
  'term_stat',
  'version_subject',
  'version',
  'picture',
  'document',
  'document_version',
  'trashed_version',
  'trashed_document',
  'workspace_language',
  'source_file',
  'source_job',
  'source',
  'webhook_job',
  'webhook_delivery',
  'webhook',
  'job_file',
  'job',
  'scope_document',
  'scope',
  'idempotency',
  'member',
  'invitation',
  'activity',
] as const

/** Deletes one batch of rows. Returns true when only the workspace's own row and its task are left. */
export async function purgeBatch(db: Queryable, workspaceId: string): Promise<boolean> {
  for (const table of PURGED_TABLES) {
    const name = raw(table)
    const rows = await db.rows(sql`
      DELETE FROM ${name} WHERE workspace_id = ${workspaceId} AND ctid = ANY (ARRAY(
        SELECT ctid FROM ${name} WHERE workspace_id = ${workspaceId} LIMIT ${ROWS_PER_BATCH}))
      RETURNING 1`)
    if (rows.length > 0) return false
  }
  return true
}

/**
 * Deletes the workspace's own row. After that an import may use its id again, so the id is removed from API keys too.
 * @param owners the owners when the workspace was deleted. They may use the id again. Empty if the workspace was never visible
 */
export async function deleteWorkspaceRow(
  tx: Queryable,
  workspaceId: string,
  owners: readonly string[],
): Promise<void> {
  await tx.rows(sql`
    UPDATE api_key SET workspace_ids = array_remove(workspace_ids, ${workspaceId}::uuid)
    WHERE ${workspaceId}::uuid = ANY (workspace_ids)`)
  if (owners.length > 0)
    await tx.rows(sql`
      INSERT INTO former_workspace (id, owners) VALUES (${workspaceId}, ${[...owners]}::uuid[])
      ON CONFLICT (id) DO UPDATE SET owners = excluded.owners`)
  await tx.rows(sql`DELETE FROM workspace WHERE id = ${workspaceId} AND deleted_at IS NOT NULL`)
}
