// The statements about pictures in files and their words. Rows are written only while the task belongs to this attempt, and while a
// document or a waiting file has the bytes of the file.

import sql, { join } from 'sql-template-tag'
import { acrossWorkspaces } from '../../ports/db/across.sql.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { Block, PictureCandidate } from '../../reader/reader.ts'
import { lockTask } from '../../work/queue.sql.ts'
import type { DocumentRow } from '../publish.sql.ts'
import type { FileTask } from '../task.ts'

export interface PicturesKey {
  workspaceId: string
  /** The hash of the file that contains the pictures. */
  contentHash: string
}

export interface PictureRow {
  picture_no: number
  place: PictureCandidate
  hash: string
  reader: string
  /** Null if the picture has not been read yet. */
  words: Block[] | null
}

/** The stored pictures of a file, and the state of the search for them. */
export interface PictureLookup {
  /** Whether this reader has searched the file for pictures. */
  isSearched: boolean
  /** Whether the search for pictures failed. */
  hasFailed: boolean
  rows: PictureRow[]
}

// A file without pictures has one row with this number. Its words are null if the search for pictures failed.
const NO_PICTURE = -1

/** The pictures of a file in order. @param reader the version of the code and the settings of text recognition */
export async function selectPictures(
  db: Queryable,
  key: PicturesKey,
  reader: string,
): Promise<PictureLookup> {
  const rows = await db.rows<PictureRow>(sql`
    SELECT picture_no, place, hash, reader, words FROM picture
    WHERE workspace_id = ${key.workspaceId} AND content_hash = ${key.contentHash} ORDER BY picture_no`)
  return {
    isSearched: rows.length > 0 && rows.every((row) => row.reader === reader),
    hasFailed: rows.some(({ picture_no, words }) => picture_no === NO_PICTURE && words === null),
    rows: rows.filter(({ picture_no }) => picture_no !== NO_PICTURE),
  }
}

export type DocumentWithPictures = DocumentRow & { version_id: string; title: string }

/** The document whose pictures the task must read. Undefined if it or its workspace was deleted. */
export async function selectDocumentWithPictures(
  db: Queryable,
  workspaceId: string,
  documentId: string,
): Promise<DocumentWithPictures | undefined> {
  const [row] = await db.rows<DocumentWithPictures>(sql`
    SELECT d.version_id, d.path, d.title, d.title_key, d.kind, d.content_hash, d.language, d.pages, d.chunk_count,
      d.has_tables, d.uploaded_at
    FROM document d
    WHERE d.workspace_id = ${workspaceId} AND d.id = ${documentId}
      AND EXISTS (SELECT 1 FROM workspace WHERE id = ${workspaceId} AND deleted_at IS NULL)`)
  return row
}

/** Whether a document or a file that waits to be read has these bytes. */
async function isReferenced(db: Queryable, { workspaceId, contentHash }: PicturesKey): Promise<boolean> {
  const rows = await db.rows(sql`
    SELECT 1 FROM document d WHERE d.workspace_id = ${workspaceId} AND d.content_hash = ${contentHash}
    UNION ALL
    SELECT 1 FROM job_file f WHERE f.workspace_id = ${workspaceId} AND f.content_hash = ${contentHash}
      AND f.status IN ('queued', 'running')
    LIMIT 1`)
  return rows.length > 0
}

/**
 * Replaces the results of another reader for a file. Words that this reader has already read in the same pictures are kept.
 * @returns false if nothing was written, because the task was taken over or nothing has these bytes any more
 */
export async function replacePictures(
  tx: Queryable,
  task: FileTask,
  { key, reader, pictures }: { key: PicturesKey; reader: string; pictures: PictureCandidate[] | 'failed' },
): Promise<boolean> {
  if (!(await lockTask(tx, task)) || !(await isReferenced(tx, key))) return false
  await tx.rows(sql`
    DELETE FROM picture WHERE workspace_id = ${key.workspaceId} AND content_hash = ${key.contentHash}`)
  if (pictures === 'failed' || pictures.length === 0) {
    await tx.rows(sql`
      INSERT INTO picture (workspace_id, content_hash, picture_no, reader, place, hash, words)
      VALUES (${key.workspaceId}, ${key.contentHash}, ${NO_PICTURE}, ${reader}, '{}', '',
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

/** Stores the words of a picture for all its occurrences in the file. @returns false if nothing was written (`replacePictures`) */
export async function updateWords(
  tx: Queryable,
  task: FileTask,
  key: PicturesKey,
  picture: { hash: string; words: Block[] },
): Promise<boolean> {
  if (!(await lockTask(tx, task)) || !(await isReferenced(tx, key))) return false
  const rows = await tx.rows(sql`
    UPDATE picture SET words = ${JSON.stringify(picture.words)}::jsonb
    WHERE workspace_id = ${key.workspaceId} AND content_hash = ${key.contentHash} AND hash = ${picture.hash}
    RETURNING 1`)
  return rows.length > 0
}

/** The ids of the chunks of a version, in order. */
export async function selectChunkIds(
  db: Queryable,
  workspaceId: string,
  versionId: string,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM chunk WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} ORDER BY chunk_no`)
  return rows.map(({ id }) => id)
}

/** Adds a warning to the job's file, unless the file already has it. */
export const insertWarning = (tx: Queryable, task: FileTask, warning: string): Promise<unknown> =>
  tx.rows(sql`
    UPDATE job_file SET warnings = array_append(warnings, ${warning}::text)
    WHERE workspace_id = ${task.workspace_id} AND job_id = ${task.subject.job_id ?? null}
      AND file_no = ${task.subject.file_no ?? null} AND status = 'done' AND NOT ${warning}::text = ANY (warnings)`)

/** Deletes the pictures of one file, or of all files, if no document and no waiting file has these bytes. */
export function deleteUnreferencedPictures(db: Queryable, key?: PicturesKey): Promise<unknown> {
  const workspaceId = key ? sql`${key.workspaceId}::uuid` : sql`p.workspace_id`
  const statement = sql`
    DELETE FROM picture p
    WHERE ${key ? sql`p.workspace_id = ${key.workspaceId} AND p.content_hash = ${key.contentHash}` : sql`true`}
      AND NOT EXISTS (
        SELECT 1 FROM document d WHERE d.workspace_id = ${workspaceId} AND d.content_hash = p.content_hash)
      AND NOT EXISTS (
        SELECT 1 FROM job_file f WHERE f.workspace_id = ${workspaceId} AND f.content_hash = p.content_hash
          AND f.status IN ('queued', 'running'))`
  return db.rows(key ? statement : acrossWorkspaces(statement))
}
