// The statements that write a version of a document and publish it.

import sql, { empty, join, type Sql } from 'sql-template-tag'
import { waitsForGraph } from '../graph/task.sql.ts'
import type { Subject } from '../index/subject.ts'
import { type IndexedTerms, SPARSE_DIMENSIONS, type Sparse } from '../index/weights.ts'
import { int4Array, sparseVector } from '../ports/db/binary.ts'
import type { Db, Queryable } from '../ports/db/db.ts'
import { prepared } from '../ports/db/prepared.sql.ts'
import { lockTask, type Task } from '../work/queue.sql.ts'

export interface VersionKey {
  workspaceId: string
  documentId: string
  versionId: string
}

/**
 * Inserts a version, which readers do not see yet, and retires the versions of earlier attempts. The row of the task is locked, so
 * that no version is inserted after the task has ended. Without a task (in tests and benches) the caller must publish within a
 * minute, before a sweep removes the version.
 * @returns false if the task no longer belongs to this attempt
 */
export async function insertVersion(db: Db, key: VersionKey, task?: Task): Promise<boolean> {
  const { workspaceId, versionId, documentId } = key
  if (!task) {
    await db.rows(sql`
      INSERT INTO version (workspace_id, id, document_id, state)
      VALUES (${workspaceId}, ${versionId}, ${documentId}, 'building')`)
    return true
  }
  return db.tx(async (tx) => {
    if (!(await lockTask(tx, task))) return false
    if (task.attempt > 1)
      await tx.rows(sql`
        UPDATE version SET state = 'retired'
        WHERE workspace_id = ${workspaceId} AND task_id = ${task.id} AND attempt < ${task.attempt}
          AND state = 'building'`)
    await tx.rows(
      prepared(sql`
        INSERT INTO version (workspace_id, id, document_id, task_id, attempt, state)
        VALUES (${workspaceId}, ${versionId}, ${documentId}, ${task.id}, ${task.attempt}, 'building')`),
    )
    return true
  })
}

// The maximum number of chunks in a batch. While the embedded engine runs statements of this size, the median search is as fast as
// without them.
export const BATCH_CHUNKS = 25

/** A chunk with its sparse vector of terms. */
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
  indexed: IndexedTerms
  pairs: number
}

/**
 * Inserts a batch in one short statement, because the embedded engine runs nothing else meanwhile. The row of the version is
 * locked, so that no chunk is inserted after the version was removed.
 * @param isRetry whether the rows may already exist, because the answer to the first attempt was lost
 * @returns false if nothing was written, because another attempt has taken over or the workspace is purged
 */
export async function insertChunks(
  db: Queryable,
  key: VersionKey,
  rows: ChunkRow[],
  isRetry = false,
): Promise<boolean> {
  const statement = sql`
    INSERT INTO chunk (workspace_id, version_id, document_id, chunk_no, id, type, text, html, heading, page, boxes,
      language, lex, terms, words, pairs)
    SELECT v.workspace_id, v.id, v.document_id, c.*
    FROM version v CROSS JOIN ${rowsOf(rows)} AS c
    WHERE v.workspace_id = ${key.workspaceId} AND v.id = ${key.versionId} AND v.state = 'building'
    FOR SHARE OF v
    ${isRetry ? sql`ON CONFLICT (workspace_id, version_id, chunk_no) DO UPDATE SET chunk_no = excluded.chunk_no` : empty}
    RETURNING 1`
  const insertedRows = await db.rows(sizeOf(rows) === undefined ? statement : prepared(statement))
  return insertedRows.length === rows.length
}

// The statement of each batch size is planned once. There are few sizes, because planning takes as long as writing seven chunks. A
// batch is filled up to the next size with rows of nulls, which are not inserted.
const BATCH_SIZES = [1, 2, 4, 8, 12, 16, 20, BATCH_CHUNKS]
const sizeOf = (rows: readonly ChunkRow[]): number | undefined =>
  BATCH_SIZES.find((size) => size >= rows.length)

function rowsOf(rows: readonly ChunkRow[]): Sql {
  const padding = (sizeOf(rows) ?? rows.length) - rows.length
  const values = [...rows, ...Array<undefined>(padding).fill(undefined)].map(rowOf)
  return sql`(SELECT * FROM (VALUES ${join(values)}) AS r (chunk_no) WHERE r.chunk_no IS NOT NULL)`
}

// Words are sent as lines of one text, because `pg` is slow with long arrays of text. No word contains a line break.
const rowOf = (r: ChunkRow | undefined): Sql =>
  sql`(${r?.chunk_no ?? null}::int, ${r?.id ?? null}::uuid, ${r?.type ?? null}::text, ${r?.text ?? null}::text,
    ${r?.html ?? null}::text, ${r?.heading ?? null}::text, ${r?.page ?? null}::int, ${r?.boxes ?? null}::jsonb,
    ${r?.language ?? null}::text, ${r ? vectorOf(r) : null}::sparsevec, ${r ? int4Array(r.indexed.terms) : null}::int[],
    string_to_array(${r?.indexed.words.join('\n') ?? null}, E'\\n'), ${r?.pairs ?? null}::smallint)`

const vectorOf = ({ terms, weights }: Sparse): Buffer =>
  sparseVector({ at: terms, values: weights }, SPARSE_DIMENSIONS)

/** Stores the terms of the whole document, by which its chunks are ranked (index/weights.ts), and the terms of its subject. */
export const updateDocumentVector = (
  db: Queryable,
  key: VersionKey,
  documentVector: Sparse | null,
  subject: Subject,
): Promise<unknown> =>
  db.rows(
    prepared(sql`
    WITH whole AS (
      UPDATE version SET lex = ${documentVector && vectorOf(documentVector)}::sparsevec, dated = ${subject.dated}::date
      WHERE workspace_id = ${key.workspaceId} AND id = ${key.versionId} AND state = 'building'
      RETURNING workspace_id, id
    ) INSERT INTO version_subject (workspace_id, term, weight, version_id)
    SELECT whole.workspace_id, s.term, s.weight, whole.id
    FROM whole CROSS JOIN unnest(${int4Array(subject.terms)}::int[], ${subject.weights}::real[]) AS s (term, weight)
    ON CONFLICT DO NOTHING`),
  )

export interface DocumentRow {
  path: string
  /** The name with which the file was uploaded, if another document has that name. */
  uploaded_as?: string | null
  title: string
  title_key: string
  kind: string
  content_hash: string
  language: string
  pages: number | null
  chunk_count: number
  has_tables: boolean
  /** When the upload was accepted. Of two uploads with one path, the later one is published, whichever is parsed first. */
  uploaded_at: Date
}

/** Locks the workspace until the transaction ends. Returns false if it was deleted. */
export async function lockWorkspace(tx: Queryable, workspaceId: string): Promise<boolean> {
  const rows = await tx.rows(
    prepared(sql`
    SELECT 1 FROM workspace WHERE id = ${workspaceId} AND deleted_at IS NULL FOR NO KEY UPDATE`),
  )
  return rows.length > 0
}

/** Locks a version that is being built. Returns false if a sweep has retired it. */
export async function lockVersion(tx: Queryable, key: VersionKey): Promise<boolean> {
  const rows = await tx.rows(
    prepared(sql`
    SELECT 1 FROM version WHERE workspace_id = ${key.workspaceId} AND id = ${key.versionId} AND state = 'building'
    FOR UPDATE`),
  )
  return rows.length > 0
}

/** Whether another document of the workspace has this title. */
export async function isTitleTaken(
  tx: Queryable,
  key: Omit<VersionKey, 'versionId'>,
  titleKey: string,
): Promise<boolean> {
  const rows = await tx.rows(
    prepared(sql`
    SELECT 1 FROM document
    WHERE workspace_id = ${key.workspaceId} AND title_key = ${titleKey} AND id <> ${key.documentId} LIMIT 1`),
  )
  return rows.length > 0
}

/** Retires a version that will not be published. Its rows are removed later. */
export const retireVersion = (tx: Queryable, key: VersionKey): Promise<unknown> =>
  tx.rows(sql`
    UPDATE version SET state = 'retired'
    WHERE workspace_id = ${key.workspaceId} AND id = ${key.versionId} AND state = 'building'`)

/**
 * Makes this version the current version of the document, and retires the previous version.
 * @param isReread whether the document was searchable before. Then `ready` does not wait for the graph and vectors of the version.
 * @returns undefined if a later upload with other bytes is already published; then this version is retired
 */
export async function publishVersion(
  tx: Queryable,
  key: VersionKey,
  row: DocumentRow,
  isReread = false,
): Promise<'created' | 'replaced' | undefined> {
  const [version] = await tx.rows<{ created: boolean }>(
    prepared(sql`
    INSERT INTO document (workspace_id, id, version_id, path, uploaded_as, title, title_key, provider, kind, content_hash, language,
      pages, chunk_count, has_tables, uploaded_at, updated_at)
    VALUES (${key.workspaceId}, ${key.documentId}, ${key.versionId}, ${row.path}, ${row.uploaded_as ?? null}, ${row.title}, ${row.title_key},
      'upload', ${row.kind}, ${row.content_hash}, ${row.language}, ${row.pages}, ${row.chunk_count},
      ${row.has_tables}, ${row.uploaded_at}, now())
    ON CONFLICT (workspace_id, id) DO UPDATE SET version_id = excluded.version_id, title = excluded.title,
      title_key = excluded.title_key, kind = excluded.kind, content_hash = excluded.content_hash,
      language = excluded.language, pages = excluded.pages, chunk_count = excluded.chunk_count,
      has_tables = excluded.has_tables, uploaded_at = greatest(document.uploaded_at, excluded.uploaded_at),
      updated_at = excluded.updated_at
      WHERE document.uploaded_at <= excluded.uploaded_at OR document.content_hash = excluded.content_hash
    RETURNING xmax = 0 AS created`),
  )
  const wasAwaited = version !== undefined && !version.created && (await moveWaitingFiles(tx, key))
  await tx.rows(
    prepared(sql`
      UPDATE version SET settled = false,
        state = CASE WHEN id = ${key.versionId} AND ${version !== undefined}::boolean THEN 'live' ELSE 'retired' END,
        vectors = CASE WHEN id = ${key.versionId} THEN ${isReread && !wasAwaited ? 'later' : 'awaited'} ELSE vectors END
      WHERE workspace_id = ${key.workspaceId} AND document_id = ${key.documentId}
        AND (id = ${key.versionId} OR state = 'live' AND ${version !== undefined}::boolean)`),
  )
  if (version)
    await tx.rows(prepared(sql`UPDATE workspace SET updated_at = now() WHERE id = ${key.workspaceId}`))
  return version && (version.created ? 'created' : 'replaced')
}

/**
 * If the replaced version is not complete, the files that wait for it wait for the new version instead.
 * @returns whether `ready` was waiting for the vectors of the replaced version
 */
async function moveWaitingFiles(
  tx: Queryable,
  { workspaceId, documentId, versionId }: VersionKey,
): Promise<boolean> {
  const [replacedVersion] = await tx.rows<{ id: string; vectors: string }>(
    prepared(sql`
    SELECT v.id, v.vectors FROM version v
    WHERE v.workspace_id = ${workspaceId} AND v.document_id = ${documentId} AND v.state = 'live'
      AND (v.vectors <> 'made' OR ${waitsForGraph(workspaceId, sql`v.document_id`)})`),
  )
  if (!replacedVersion) return false
  await tx.rows(sql`
    UPDATE job_file SET version_id = ${versionId} WHERE workspace_id = ${workspaceId} AND version_id = ${replacedVersion.id}`)
  return replacedVersion.vectors === 'awaited'
}
