// The statements that read the rows of a workspace for its archive: one for each part, all in one snapshot.

import sql, { type Sql } from 'sql-template-tag'
import { batchesOf } from '../ports/db/cursor.sql.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Part } from './format.ts'

const BATCH_ROWS = 200

const timestampText = (column: Sql): Sql =>
  sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

export async function selectWorkspaceRow(
  db: Queryable,
  workspaceId: string,
): Promise<{ id: string; name: string; description: string; created_at: string } | undefined> {
  const [row] = await db.rows<{ id: string; name: string; description: string; created_at: string }>(sql`
    SELECT id, name, description, ${timestampText(sql`created_at`)} AS created_at FROM workspace
    WHERE id = ${workspaceId} AND deleted_at IS NULL`)
  return row
}

/**
 * The lines of a part. Their order is always the same, so that an unchanged workspace gives the same bytes.
 * @param principal the owner of the conversations that are exported
 */
export async function* selectLines(
  tx: Queryable,
  workspaceId: string,
  { part, principal }: { part: Part; principal: string },
): AsyncGenerator<string> {
  const lines = sql`
    SELECT line FROM (
      SELECT key COLLATE "C" AS key, line::text AS line FROM (${statementsOf(workspaceId, principal)[part]}) p
    ) lines ORDER BY key, line`
  for await (const batch of batchesOf<{ line: string }>(tx, lines, BATCH_ROWS))
    for (const { line } of batch) yield line
}

function statementsOf(workspaceId: string, principal: string): Record<Part, Sql> {
  const inThisWorkspace = (table: Sql): Sql => sql`${table}.workspace_id = ${workspaceId}::uuid`
  // Versions that can no longer be restored are not exported.
  const isRestorable = sql`(v.replaced_at IS NULL OR v.replaced_at > now() - interval '30 days')`
  const isOwnThread = sql`h.principal = ${principal}::text`
  // If several people saved the same question, only the first question is exported.
  const questions = sql`
    SELECT DISTINCT ON (q.query, q.document_id, q.chunk_id) q.* FROM evaluation_question q
    JOIN document d ON d.workspace_id = q.workspace_id AND d.id = q.document_id
    WHERE ${inThisWorkspace(sql`q`)} ORDER BY q.query, q.document_id, q.chunk_id, q.created_at, q.id`
  const turns = sql`
    SELECT t.* FROM turn t JOIN thread h ON h.workspace_id = t.workspace_id AND h.id = t.thread_id
    WHERE ${inThisWorkspace(sql`t`)} AND ${isOwnThread}`
  const numberedSources = sql`
    SELECT s.*, row_number() OVER (ORDER BY s.created_at, s.id) AS number FROM source s
    WHERE ${inThisWorkspace(sql`s`)} AND NOT s.removing`
  return {
    documents: sql`
      SELECT d.path AS key, json_build_object('id', d.id, 'path', d.path, 'uploaded_as', d.uploaded_as, 'title', d.title,
        'kind', d.kind, 'sha256', d.content_hash, 'uploaded_at', ${timestampText(sql`d.uploaded_at`)},
        'created_at', ${timestampText(sql`d.created_at`)}) AS line
      FROM document d WHERE ${inThisWorkspace(sql`d`)}`,
    versions: sql`
      SELECT d.path || v.content_hash AS key, json_build_object('document_id', v.document_id, 'sha256', v.content_hash,
        'filename', v.filename, 'kind', v.kind, 'bytes', v.size, 'uploaded_at', ${timestampText(sql`v.uploaded_at`)},
        'uploaded_by', v.uploaded_by, 'forced', v.forced, 'replaced_at', ${timestampText(sql`v.replaced_at`)}) AS line
      FROM document_version v JOIN document d ON d.workspace_id = v.workspace_id AND d.id = v.document_id
      WHERE ${inThisWorkspace(sql`v`)} AND ${isRestorable}`,
    scopes: sql`
      SELECT s.name AS key, json_build_object('name', s.name, 'description', s.description, 'folders', s.folders,
        'document_ids', ARRAY(SELECT sd.document_id FROM scope_document sd
          JOIN document d ON d.workspace_id = sd.workspace_id AND d.id = sd.document_id
          WHERE ${inThisWorkspace(sql`sd`)} AND sd.name = s.name ORDER BY sd.document_id),
        'created_at', ${timestampText(sql`s.created_at`)}, 'updated_at', ${timestampText(sql`s.updated_at`)}) AS line
      FROM scope s WHERE ${inThisWorkspace(sql`s`)}`,
    'graph-corrections': sql`
      SELECT m.from_key || ' ' || m.into_key AS key, json_build_object('from', m.from_key, 'into', m.into_key,
        'decision', CASE m.state WHEN 'manual' THEN 'same' ELSE 'different' END, 'reason', m.reason) AS line
      FROM entity_merge m WHERE ${inThisWorkspace(sql`m`)} AND m.state IN ('manual', 'undone')`,
    threads: sql`
      SELECT h.id::text AS key, json_build_object('id', h.id, 'title', h.title, 'created_at', ${timestampText(sql`h.created_at`)},
        'updated_at', ${timestampText(sql`h.updated_at`)}) AS line
      FROM thread h WHERE ${inThisWorkspace(sql`h`)} AND ${isOwnThread}`,
    turns: sql`
      SELECT t.thread_id::text || lpad(t.turn_no::text, 6, '0') AS key, json_build_object('thread_id', t.thread_id,
        'number', t.turn_no, 'question', t.question, 'answer', t.answer, 'citations', t.citations,
        'created_at', ${timestampText(sql`t.created_at`)}, 'feedback', CASE WHEN f.verdict IS NOT NULL THEN
          json_build_object('verdict', f.verdict, 'note', f.note, 'updated_at', ${timestampText(sql`f.updated_at`)}) END) AS line
      FROM (${turns}) t LEFT JOIN feedback f
        ON ${inThisWorkspace(sql`f`)} AND f.thread_id = t.thread_id AND f.turn_no = t.turn_no`,
    passages: sql`
      SELECT c.id::text AS key, json_build_object('id', c.id, 'document_id', d.id,
        'sha256', encode(sha256(convert_to(c.type || E'\n' || c.text, 'UTF8')), 'hex')) AS line
      FROM (
        SELECT (cited ->> 'chunk_id')::uuid AS id FROM (${turns}) t CROSS JOIN jsonb_array_elements(t.citations) AS cited
        UNION SELECT q.chunk_id FROM (${questions}) q WHERE q.chunk_id IS NOT NULL
      ) named
      JOIN chunk c ON ${inThisWorkspace(sql`c`)} AND c.id = named.id
      JOIN document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id AND d.version_id = c.version_id`,
    'evaluation-questions': sql`
      SELECT ${timestampText(sql`q.created_at`)} || q.query AS key, json_build_object('query', q.query, 'document_id', q.document_id,
        'chunk_id', q.chunk_id, 'created_at', ${timestampText(sql`q.created_at`)}) AS line
      FROM (${questions}) q`,
    sources: sql`
      SELECT lpad(s.number::text, 4, '0') AS key, json_build_object('number', s.number, 'name', s.name, 'kind', s.kind,
        'addresses', s.addresses, 'branch', s.branch, 'into', s.into_folder, 'include', s.include, 'exclude', s.exclude,
        'every_minutes', s.every_minutes, 'paused', s.paused, 'created_at', ${timestampText(sql`s.created_at`)}) AS line
      FROM (${numberedSources}) s`,
    // The marks by which a run recognises unchanged files are omitted, because they are valid on one machine only.
    'source-files': sql`
      SELECT lpad(s.number::text, 4, '0') || f.path AS key, json_build_object('source', s.number, 'path', f.path,
        'kept', f.kept - 'mark') AS line
      FROM source_file f JOIN (${numberedSources}) s ON s.workspace_id = f.workspace_id AND s.id = f.source_id
      WHERE f.kept IS NOT NULL`,
  }
}
