// The SQL of suggested questions: the stored questions, the state of the documents, and the passages from which new questions are
// made.

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'
import type { Passage } from '../../search/passage.ts'

/** A question with the version of the document that answers it. */
export interface StoredQuestion {
  question: string
  document_id: string
  version_id: string
}

interface StoredSuggestions {
  questions: StoredQuestion[]
  /** How often the documents had changed when the questions were made. */
  changes: number
  /** In seconds. */
  age: number
}

export async function selectSuggestions(
  db: Queryable,
  workspaceId: string,
): Promise<StoredSuggestions | undefined> {
  const [row] = await db.rows<StoredSuggestions>(sql`
    SELECT questions, changes, extract(epoch FROM now() - made_at)::float8 AS age
    FROM suggestion WHERE workspace_id = ${workspaceId}`)
  return row
}

/** How often the documents of the workspace have changed, and their number. */
export async function selectDocumentState(
  db: Queryable,
  workspaceId: string,
): Promise<{ changes: number; documents: number }> {
  const [row] = await db.rows<{ changes: number; documents: number }>(sql`
    SELECT coalesce(sum(changes), 0)::float8 AS changes, coalesce(sum(documents), 0)::int AS documents
    FROM workspace_language WHERE workspace_id = ${workspaceId}`)
  return row ?? { changes: 0, documents: 0 }
}

/** The current versions of those documents that still exist. */
export async function selectCurrentVersions(
  db: Queryable,
  workspaceId: string,
  documentIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; version_id: string }>(sql`
    SELECT id, version_id FROM document
    WHERE workspace_id = ${workspaceId} AND id = ANY (${[...documentIds]}::uuid[])`)
  return new Map(rows.map(({ id, version_id }) => [id, version_id]))
}

export const upsertSuggestions = (
  db: Queryable,
  workspaceId: string,
  { questions, changes }: Pick<StoredSuggestions, 'questions' | 'changes'>,
): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO suggestion (workspace_id, changes, questions)
    VALUES (${workspaceId}, ${changes}, ${JSON.stringify(questions)}::jsonb)
    ON CONFLICT (workspace_id) DO UPDATE SET changes = excluded.changes, questions = excluded.questions, made_at = now()`)

/** Queues the task that makes the questions with the rights of this account, unless one is queued already. */
export async function queueSuggestions(
  db: Queryable,
  workspaceId: string,
  { accountId, priority }: { accountId: string; priority: number },
): Promise<void> {
  await db.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority)
    VALUES (${randomUUID()}, ${workspaceId}, 'suggest', ${JSON.stringify({ account_id: accountId })}::jsonb, ${priority})
    ON CONFLICT (workspace_id) WHERE kind = 'suggest' DO NOTHING`)
}

export interface SourcePassage extends Passage {
  version_id: string
}

/** The first passages of the newest documents, document by document in reading order. */
export const selectSourcePassages = (
  db: Queryable,
  workspaceId: string,
  { documents, passages }: { documents: number; passages: number },
): Promise<SourcePassage[]> =>
  db.rows(sql`
    SELECT c.id AS chunk_id, d.id AS document_id, d.title AS document_title, d.path AS document_path,
      c.chunk_no, c.type, c.text, c.heading, c.page, c.language, 0::float8 AS score, d.version_id
    FROM (
      SELECT workspace_id, id, version_id, title, path FROM document
      WHERE workspace_id = ${workspaceId} ORDER BY uploaded_at DESC, id LIMIT ${documents}
    ) d
    JOIN chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id
    WHERE c.workspace_id = ${workspaceId} AND c.chunk_no < ${passages}
    ORDER BY d.id, c.chunk_no`)
