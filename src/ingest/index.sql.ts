// Writing a version and making it the document's own.

import sql, { empty, join } from 'sql-template-tag'
import { waitsForGraph } from '../graph/task.sql.ts'
import { SPARSE_DIMENSIONS, type Sparse } from '../index/weights.ts'
import { int4Array, sparseVector } from '../ports/db/binary.ts'
import type { Queryable } from '../ports/db/db.ts'
import { kept } from '../ports/db/kept.sql.ts'
import type { Task } from '../work/queue.sql.ts'

export interface VersionKey {
  workspaceId: string
  documentId: string
  versionId: string
}

/**
 * A version that nobody sees yet; an earlier attempt's is given to the sweeper. False when the task is no longer this
 * attempt's: whoever ends it waits for this statement, so that no version comes after its end. Without a task (rows
 * brought in by hand) it is the caller's to publish within a minute: then the sweeper takes it.
 */
export async function insertVersion(db: Queryable, key: VersionKey, task?: Task): Promise<boolean> {
  const { workspaceId, versionId, documentId } = key
  if (!task) {
    await db.rows(sql`
      INSERT INTO version (workspace_id, id, document_id, state)
      VALUES (${workspaceId}, ${versionId}, ${documentId}, 'building')`)
    return true
  }
  await db.rows(sql`
    UPDATE version SET state = 'retired'
    WHERE workspace_id = ${workspaceId} AND task_id = ${task.id} AND attempt < ${task.attempt}
      AND state = 'building'`)
  const rows = await db.rows(sql`
    INSERT INTO version (workspace_id, id, document_id, task_id, attempt, state)
    SELECT ${workspaceId}, ${versionId}, ${documentId}, t.id, t.attempt, 'building'
    FROM task t WHERE t.id = ${task.id} AND t.attempt = ${task.attempt} FOR SHARE OF t
    RETURNING 1`)
  return rows.length > 0
}

// Searches keep their idle p50 on the embedded engine while statements of so many chunks come (20 rows).
export const CHUNKS_A_BATCH = 25

/** The lexical side is a sparse vector; `words` stand parallel to its terms. */
export interface ChunkRow extends Sparse {
  chunk_no: number
  id: string
  type: string
  text: string
  html: string | null
  heading: string
  page: number | null
  boxes: string | null
  language: string
  words: string[]
}

/**
 * One short statement a batch: while it runs the embedded engine serves nobody else. False, and nothing written, when
 * the version is no longer being built: its attempt was taken over or its workspace purged. Whoever ends it waits for
 * this statement, so that no chunk comes after its sweeper. Words go as lines of one text (no word holds a line's end):
 * `pg` escapes the items of an array one by one. `again`: they may be there already, since the answer got lost.
 */
export async function insertChunks(
  db: Queryable,
  key: VersionKey,
  rows: ChunkRow[],
  again = false,
): Promise<boolean> {
  const values = rows.map(
    (r) => sql`(${r.chunk_no}::int, ${r.id}::uuid, ${r.type}::text, ${r.text}::text, ${r.html}::text,
      ${r.heading}::text, ${r.page}::int, ${r.boxes}::jsonb, ${r.language}::text, ${vectorOf(r)}::sparsevec,
      ${int4Array(r.terms)}::int[], string_to_array(${r.words.join('\n')}, E'\\n'))`,
  )
  const statement = sql`
    INSERT INTO chunk (workspace_id, version_id, document_id, chunk_no, id, type, text, html, heading, page, boxes,
      language, lex, terms, words)
    SELECT v.workspace_id, v.id, v.document_id, c.*
    FROM version v CROSS JOIN (VALUES ${join(values)}) AS c
    WHERE v.workspace_id = ${key.workspaceId} AND v.id = ${key.versionId} AND v.state = 'building'
    FOR SHARE OF v
    ${again ? sql`ON CONFLICT (workspace_id, version_id, chunk_no) DO UPDATE SET chunk_no = excluded.chunk_no` : empty}
    RETURNING 1`
  // Batches of one size are one text, planned once: an eighth of the engine's time. Others come once a file.
  const written = await db.rows(rows.length === CHUNKS_A_BATCH ? kept(statement) : statement)
  return written.length === rows.length
}

const vectorOf = ({ terms, weights }: Sparse): Buffer =>
  sparseVector({ at: terms, values: weights }, SPARSE_DIMENSIONS)

/** The whole document's terms, for judging a chunk together with its document (index/weights.ts). */
export const updateDocumentSide = (db: Queryable, key: VersionKey, side: Sparse | null): Promise<unknown> =>
  db.rows(sql`
    UPDATE version SET lex = ${side && vectorOf(side)}::sparsevec
    WHERE workspace_id = ${key.workspaceId} AND id = ${key.versionId} AND state = 'building'`)

export interface DocumentRow {
  path: string
  /** The name it came with, where that was another document's. */
  uploaded_as?: string | null
  title: string
  title_key: string
  kind: string
  content_hash: string
  language: string
  pages: number | null
  chunk_count: number
  has_tables: boolean
  /** When its upload was accepted: of two uploads of one path the later wins, whichever is parsed first. */
  uploaded_at: Date
}

/** Locks the workspace for the rest of the transaction; false when it was deleted. */
export async function lockWorkspace(tx: Queryable, workspaceId: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM workspace WHERE id = ${workspaceId} AND deleted_at IS NULL FOR NO KEY UPDATE`)
  return rows.length > 0
}

/** Locks a version that is still being built; false when the sweeper has taken it. */
export async function lockVersion(tx: Queryable, key: VersionKey): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM version WHERE workspace_id = ${key.workspaceId} AND id = ${key.versionId} AND state = 'building'
    FOR UPDATE`)
  return rows.length > 0
}

/** Whether another document of the workspace is listed under this title. */
export async function isTitleTaken(tx: Queryable, key: VersionKey, titleKey: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM document
    WHERE workspace_id = ${key.workspaceId} AND title_key = ${titleKey} AND id <> ${key.documentId} LIMIT 1`)
  return rows.length > 0
}

/** A version that is not to be published after all; the sweeper takes it. */
export const retireVersion = (tx: Queryable, key: VersionKey): Promise<unknown> =>
  tx.rows(sql`
    UPDATE version SET state = 'retired'
    WHERE workspace_id = ${key.workspaceId} AND id = ${key.versionId} AND state = 'building'`)

/**
 * Makes the version the document's own and retires the one before; undefined when a later upload of other bytes is there
 * already. The same bytes may have been uploaded again since the version was begun, which changes nothing about it.
 * `reread`: the document was readable before, so that nobody waits for the version's graph and vectors.
 */
export async function publishVersion(
  tx: Queryable,
  key: VersionKey,
  row: DocumentRow,
  reread = false,
): Promise<'created' | 'replaced' | undefined> {
  const [written] = await tx.rows<{ created: boolean }>(sql`
    INSERT INTO document (workspace_id, id, version_id, path, uploaded_as, title, title_key, provider, kind, content_hash, language,
      pages, chunk_count, has_tables, uploaded_at)
    VALUES (${key.workspaceId}, ${key.documentId}, ${key.versionId}, ${row.path}, ${row.uploaded_as ?? null}, ${row.title}, ${row.title_key},
      'upload', ${row.kind}, ${row.content_hash}, ${row.language}, ${row.pages}, ${row.chunk_count},
      ${row.has_tables}, ${row.uploaded_at})
    ON CONFLICT (workspace_id, id) DO UPDATE SET version_id = excluded.version_id, title = excluded.title,
      title_key = excluded.title_key, kind = excluded.kind, content_hash = excluded.content_hash,
      language = excluded.language, pages = excluded.pages, chunk_count = excluded.chunk_count,
      has_tables = excluded.has_tables, uploaded_at = greatest(document.uploaded_at, excluded.uploaded_at),
      updated_at = now()
      WHERE document.uploaded_at <= excluded.uploaded_at OR document.content_hash = excluded.content_hash
    RETURNING xmax = 0 AS created`)
  const waiting = written !== undefined && (await takeWaiting(tx, key))
  await tx.rows(sql`
    UPDATE version SET vectors = ${reread && !waiting ? 'later' : 'awaited'}
    WHERE workspace_id = ${key.workspaceId} AND id = ${key.versionId}`)
  await tx.rows(sql`
    UPDATE version SET state = CASE WHEN id = ${key.versionId} AND ${written !== undefined} THEN 'live' ELSE 'retired' END,
      settled = false
    WHERE workspace_id = ${key.workspaceId} AND document_id = ${key.documentId}
      AND (id = ${key.versionId} OR state = 'live' AND ${written !== undefined})`)
  if (written) await tx.rows(sql`UPDATE workspace SET updated_at = now() WHERE id = ${key.workspaceId}`)
  return written && (written.created ? 'created' : 'replaced')
}

/**
 * Files whose live version is replaced before it is complete (progress/complete.sql.ts) wait for the one that comes; true
 * when `ready` waits with them for vectors.
 */
async function takeWaiting(
  tx: Queryable,
  { workspaceId, documentId, versionId }: VersionKey,
): Promise<boolean> {
  const [old] = await tx.rows<{ id: string; vectors: string }>(sql`
    SELECT v.id, v.vectors FROM version v
    WHERE v.workspace_id = ${workspaceId} AND v.document_id = ${documentId} AND v.state = 'live'
      AND (v.vectors <> 'made' OR ${waitsForGraph(sql`v`)})`)
  if (!old) return false
  await tx.rows(sql`
    UPDATE job_file SET version_id = ${versionId} WHERE workspace_id = ${workspaceId} AND version_id = ${old.id}`)
  return old.vectors === 'awaited'
}
