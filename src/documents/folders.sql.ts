// The statements about the folders of documents, which are the beginnings of their paths.

import sql, { type Sql } from 'sql-template-tag'
import type { Folder } from '../contract/resources.ts'
import type { Queryable } from '../ports/db/db.ts'

/** The folders that contain documents themselves, each with their number. Folders that contain only folders are left out. */
export const selectFolders = (db: Queryable, workspaceId: string): Promise<Folder[]> =>
  db.rows(sql`
    SELECT f.path, count(*)::int AS document_count
    FROM document d CROSS JOIN LATERAL (
      SELECT left(d.path, length(d.path) - strpos(reverse(d.path), '/')) AS path) f
    WHERE d.workspace_id = ${workspaceId} AND strpos(d.path, '/') > 0
    GROUP BY f.path`)

/** The condition that `document d` lies in the folder or in one below it. */
export const isInFolder = (folder: string): Sql => sql`starts_with(d.path, ${`${folder}/`}::text)`
