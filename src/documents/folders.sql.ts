// The statements about the folders of documents, which are the beginnings of their paths.

import sql, { type Sql } from 'sql-template-tag'
import type { Folder } from '../contract/resources.ts'
import type { Queryable } from '../ports/db/db.ts'

/**
 * At most `limit` folders, first those of the first level, with the number of documents in each folder and the folders below it. At
 * most `levels` levels are returned: uploaders choose the paths, and each level costs time.
 */
export const selectFolders = (
  db: Queryable,
  workspaceId: string,
  { levels, limit }: { levels: number; limit: number },
): Promise<Folder[]> =>
  db.rows(sql`
    WITH own AS (
      SELECT (string_to_array(d.path, '/'))[1:least(
        length(d.path) - length(replace(d.path, '/', '')), ${levels}::int)] AS steps, count(*) AS documents
      FROM document d WHERE d.workspace_id = ${workspaceId} AND strpos(d.path, '/') > 0 GROUP BY 1)
    SELECT array_to_string(o.steps[1:l.level], '/') COLLATE "C" AS path, sum(o.documents)::int AS document_count
    FROM own o CROSS JOIN LATERAL generate_series(1, cardinality(o.steps)) l (level)
    GROUP BY l.level, 1 ORDER BY l.level, 1 LIMIT ${limit}`)

/** The condition that `document d` is in the folder or in one below it. */
export const isInFolder = (folder: string): Sql => sql`starts_with(d.path, ${`${folder}/`}::text)`
