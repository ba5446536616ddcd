// SQL for titles, paths and headings that may have certain words.

import sql, { join, type Sql } from 'sql-template-tag'
import { inAnyCase } from '../language/letter-case.ts'
import type { Queryable } from '../ports/db/db.ts'
import { inWorkspace } from '../ports/db/prepared.sql.ts'

export interface TitleRow {
  id: string
  title: string
  path: string
  /** A heading path of the document. Null if only its title and path were searched. */
  heading: string | null
}

// The maximum number of rows that are ranked. If there are more titles, those with most of the words are taken.
const MAX_ROWS = 400

/** Documents whose title or path has a part of a word, those with most words first. @param words the parts of each word */
export function selectTitlesLike(
  db: Queryable,
  workspaceId: string,
  words: readonly (readonly string[])[],
): Promise<TitleRow[]> {
  const hasWord = (parts: readonly string[]): Sql => sql`(d.name ~ ${parts.map(inAnyCase).join('|')})::int`
  return db.rows(sql`
    SELECT id, title, path, NULL::text AS heading FROM (
      SELECT d.*, ${join(words.map(hasWord), ' + ')} AS matched
      FROM (
        SELECT id, title, path, title_key, title_key || ' ' || path AS name
        FROM document WHERE workspace_id = ${workspaceId} OFFSET 0) d
    ) counted
    WHERE matched > 0 ORDER BY matched DESC, title_key, id LIMIT ${MAX_ROWS}`)
}

/** The heading paths of the chunks that have all terms of one of the sets. */
export async function selectHeadings(
  db: Queryable,
  workspaceId: string,
  sets: readonly (readonly number[])[],
): Promise<TitleRow[]> {
  if (sets.length === 0) return []
  const allOf = sets.map((set) => `{${set.join()}}`)
  return db.rows(sql`
    SELECT DISTINCT d.id, d.title, d.path, c.heading
    FROM chunks_holding(${workspaceId}, NULL::int[], ${allOf}::text[]) k
    CROSS JOIN LATERAL (
      SELECT v.heading FROM visible_chunk v
      WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND v.version_id = k.version_id AND v.chunk_no = k.chunk_no
        AND v.heading <> '' OFFSET 0) c
    CROSS JOIN LATERAL (
      SELECT v.id, v.title, v.path FROM visible_document v
      WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND v.version_id = k.version_id OFFSET 0) d
    LIMIT ${MAX_ROWS}`)
}
