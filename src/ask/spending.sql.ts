// Tokens that answering questions has used, by workspace.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

/** Nothing for a workspace that was deleted meanwhile. */
export async function addQuestionTokens(db: Queryable, workspaceId: string, tokens: number): Promise<void> {
  await db.rows(sql`
    INSERT INTO question_spending (workspace_id, tokens)
    SELECT id, ${tokens}::bigint FROM workspace WHERE id = ${workspaceId}
    ON CONFLICT (workspace_id) DO UPDATE SET tokens = question_spending.tokens + excluded.tokens`)
}
