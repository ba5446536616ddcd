// The tokens that answers have used, by workspace.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

/** Adds tokens to those of a workspace. Writes nothing if the workspace was deleted meanwhile. */
export async function addQuestionTokens(db: Queryable, workspaceId: string, tokens: number): Promise<void> {
  await db.rows(sql`
    INSERT INTO question_spending (workspace_id, tokens)
    SELECT id, ${tokens}::bigint FROM workspace WHERE id = ${workspaceId}
    ON CONFLICT (workspace_id) DO UPDATE SET tokens = question_spending.tokens + excluded.tokens`)
}
