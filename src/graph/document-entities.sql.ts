// The entities that a document mentions. The mentions of a merged entity count for its root.

import sql, { empty } from 'sql-template-tag'
import type { DocumentEntity } from '../contract/resources.ts'
import type { Queryable } from '../ports/db/db.ts'
import { rootOf } from './clusters.sql.ts'

export interface MentionedPosition {
  mentions: number
  id: string
}

/** Ordered by the number of mentions, then by id. */
export const selectDocumentEntities = (
  db: Queryable,
  workspaceId: string,
  versionId: string,
  range: { page: number | undefined; after: MentionedPosition | undefined; limit: number },
): Promise<DocumentEntity[]> => {
  const { page, after, limit } = range
  const onPage = sql`
    JOIN chunk c ON c.workspace_id = m.workspace_id AND c.version_id = m.version_id AND c.chunk_no = m.chunk_no
      AND c.page = ${page ?? null}::int`
  return db.rows(sql`
    SELECT e.id, e.name, e.type, counted.mentions
    FROM (
      SELECT ${rootOf(workspaceId, sql`named.entity_id`)} AS id, sum(named.mentions)::int AS mentions
      FROM (
        SELECT m.entity_id, count(*) AS mentions FROM mention m ${page === undefined ? empty : onPage}
        WHERE m.workspace_id = ${workspaceId} AND m.version_id = ${versionId}
        GROUP BY 1
      ) named GROUP BY 1
    ) counted
    JOIN entity e ON e.workspace_id = ${workspaceId} AND e.id = counted.id
    ${after ? sql`WHERE (-counted.mentions, e.id) > (${-after.mentions}::int, ${after.id}::uuid)` : empty}
    ORDER BY -counted.mentions, e.id LIMIT ${limit}`)
}
