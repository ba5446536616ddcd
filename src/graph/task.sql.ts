// The graph task as SQL: whether one is queued, and the text it reads.

import sql, { type Sql } from 'sql-template-tag'
import type { ChunkType } from '../contract/resources.ts'
import type { Language } from '../language/language.ts'
import type { Queryable } from '../ports/db/db.ts'

/** Whether a graph task for the document is queued, for a row of `version`. */
export const waitsForGraph = (version: Sql): Sql => sql`EXISTS (
  SELECT 1 FROM task t WHERE t.kind = 'graph' AND t.subject ->> 'document_id' = ${version}.document_id::text
    AND t.workspace_id = ${version}.workspace_id)`

export interface GraphChunk {
  chunk_no: number
  type: ChunkType
  text: string
  heading: string
}

/** The version's first chunks in reading order, up to `most` characters in all. */
export async function selectGraphSource(
  db: Queryable,
  version: { workspaceId: string; versionId: string; most: number },
): Promise<{ language: Language; chunks: GraphChunk[] }> {
  const chunks = await db.rows<GraphChunk & { language: Language }>(sql`
    SELECT chunk_no, type, text, heading, language FROM (
      SELECT chunk_no, type, text, heading, language, sum(char_length(text)) OVER (ORDER BY chunk_no) AS upto
      FROM chunk WHERE workspace_id = ${version.workspaceId} AND version_id = ${version.versionId}
    ) c WHERE upto <= ${version.most} ORDER BY chunk_no`)
  return { language: chunks[0]?.language ?? 'xx', chunks }
}
