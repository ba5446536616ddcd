// Pictures in files and their words as SQL. They are written only under a task that is still held, and only while a document or
// a waiting file has these bytes.

import sql, { join } from 'sql-template-tag'
import { acrossWorkspaces } from '../../ports/db/across.sql.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { Block, FoundPicture } from '../../reader/reader.ts'
import { lockTask } from '../../work/queue.sql.ts'
import type { DocumentRow } from '../publish.sql.ts'
import type { FileTask } from '../task.ts'

export interface PicturesKey {
  workspaceId: string
  /** Of the file. */
  contentHash: string
}

export interface PictureRow {
  picture_no: number
  place: FoundPicture
  hash: string
  reader: string
  /** Null: not read yet. */
  words: Block[] | null
}

/** The result of looking for a file's pictures. */
export interface Search {
  /** This reader has looked for them. */
  looked: boolean
  /** Looking failed. */
  failed: boolean
  rows: PictureRow[]
}

// A file without pictures has one row with this number. Its words are null when looking for pictures failed.
const NONE = -1

/** The pictures of a file in order, and whether `reader` or another reader has looked for them. */
export async function selectPictures(db: Queryable, key: PicturesKey, reader: string): Promise<Search> {
  const all = await db.rows<PictureRow>(sql`
    SELECT picture_no, place, hash, reader, words FROM picture
    WHERE workspace_id = ${key.workspaceId} AND content_hash = ${key.contentHash} ORDER BY picture_no`)
  return {
    looked: all.length > 0 && all.every((row) => row.reader === reader),
    failed: all.some(({ picture_no, words }) => picture_no === NONE && words === null),
    rows: all.filter(({ picture_no }) => picture_no !== NONE),
  }
}

export type PicturedDocument = DocumentRow & { version_id: string; title: string }

/** The document whose pictures are to be read. Undefined when it or its workspace was deleted. */
export async function selectPictured(
  db: Queryable,
  workspaceId: string,
  documentId: string,
): Promise<PicturedDocument | undefined> {
  const [row] = await db.rows<PicturedDocument>(sql`
    SELECT d.version_id, d.path, d.title, d.title_key, d.kind, d.content_hash, d.language, d.pages, d.chunk_count,
      d.has_tables, d.uploaded_at
    FROM document d
    WHERE d.workspace_id = ${workspaceId} AND d.id = ${documentId}
      AND EXISTS (SELECT 1 FROM workspace WHERE id = ${workspaceId} AND deleted_at IS NULL)`)
  return row
}

/** Whether a document or a file that is still to be read has these bytes. */
async function isNamed(db: Queryable, { workspaceId, contentHash }: PicturesKey): Promise<boolean> {
  const rows = await db.rows(sql`
    SELECT 1 FROM document d WHERE d.workspace_id = ${workspaceId} AND d.content_hash = ${contentHash}
    UNION ALL
    SELECT 1 FROM job_file f WHERE f.workspace_id = ${workspaceId} AND f.content_hash = ${contentHash}
      AND f.status IN ('queued', 'running')
    LIMIT 1`)
  return rows.length > 0
}

/**
 * Replaces the results of another reader for a file, but keeps words that the workspace already has for the same pictures.
 * False, with nothing written, when the task was taken over or nothing has these bytes any more.
 */
export async function replacePictures(
  tx: Queryable,
  task: FileTask,
  key: PicturesKey,
  reader: string,
  pictures: FoundPicture[] | 'failed',
): Promise<boolean> {
  if (!(await lockTask(tx, task)) || !(await isNamed(tx, key))) return false
  await tx.rows(sql`
    DELETE FROM picture WHERE workspace_id = ${key.workspaceId} AND content_hash = ${key.contentHash}`)
  if (pictures === 'failed' || pictures.length === 0) {
    await tx.rows(sql`
      INSERT INTO picture (workspace_id, content_hash, picture_no, reader, place, hash, words)
      VALUES (${key.workspaceId}, ${key.contentHash}, ${NONE}, ${reader}, '{}', '',
        ${pictures === 'failed' ? null : '[]'}::jsonb)`)
    return true
  }
  const rows = pictures.map(
    (picture, no) => sql`(${no}::int, ${JSON.stringify(picture)}::jsonb, ${picture.hash}::text)`,
  )
  await tx.rows(sql`
    INSERT INTO picture (workspace_id, content_hash, picture_no, reader, place, hash, words)
    SELECT ${key.workspaceId}, ${key.contentHash}, f.no, ${reader}, f.place, f.hash, (
      SELECT p.words FROM picture p
      WHERE p.workspace_id = ${key.workspaceId} AND p.hash = f.hash AND p.reader = ${reader} AND p.words IS NOT NULL
      LIMIT 1)
    FROM (VALUES ${join(rows)}) AS f (no, place, hash)`)
  return true
}

/** Writes the words of a picture, for all its places in the file. False when `replacePictures` would write nothing. */
export async function updateWords(
  tx: Queryable,
  task: FileTask,
  key: PicturesKey,
  picture: { hash: string; words: Block[] },
): Promise<boolean> {
  if (!(await lockTask(tx, task)) || !(await isNamed(tx, key))) return false
  const rows = await tx.rows(sql`
    UPDATE picture SET words = ${JSON.stringify(picture.words)}::jsonb
    WHERE workspace_id = ${key.workspaceId} AND content_hash = ${key.contentHash} AND hash = ${picture.hash}
    RETURNING 1`)
  return rows.length > 0
}

/** The ids of a version's chunks in order. If they would stay the same, no new version is needed. */
export async function selectChunkIds(
  db: Queryable,
  workspaceId: string,
  versionId: string,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM chunk WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} ORDER BY chunk_no`)
  return rows.map(({ id }) => id)
}

/** Adds a warning to the file that the document came with, unless it has it already. */
export const insertWarning = (tx: Queryable, task: FileTask, warning: string): Promise<unknown> =>
  tx.rows(sql`
    UPDATE job_file SET warnings = array_append(warnings, ${warning}::text)
    WHERE workspace_id = ${task.workspace_id} AND job_id = ${task.subject.job_id ?? null}
      AND file_no = ${task.subject.file_no ?? null} AND status = 'done' AND NOT ${warning}::text = ANY (warnings)`)

/** Deletes pictures of bytes that no document and no waiting file has. For one file, or for all. */
export function deleteUnnamedPictures(db: Queryable, key?: PicturesKey): Promise<unknown> {
  const own = key ? sql`${key.workspaceId}::uuid` : sql`p.workspace_id`
  const statement = sql`
    DELETE FROM picture p
    WHERE ${key ? sql`p.workspace_id = ${key.workspaceId} AND p.content_hash = ${key.contentHash}` : sql`true`}
      AND NOT EXISTS (
        SELECT 1 FROM document d WHERE d.workspace_id = ${own} AND d.content_hash = p.content_hash)
      AND NOT EXISTS (
        SELECT 1 FROM job_file f WHERE f.workspace_id = ${own} AND f.content_hash = p.content_hash
          AND f.status IN ('queued', 'running'))`
  return db.rows(key ? statement : acrossWorkspaces(statement))
}
