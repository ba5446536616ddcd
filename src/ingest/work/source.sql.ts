// What the graph stage reads of a document: the chunks of its live version.

import sql from 'sql-template-tag'
import type { ChunkType } from '../../contract/resources.ts'
import type { Language } from '../../language/language.ts'
import type { Queryable } from '../../ports/db/db.ts'

export interface GraphChunk {
  chunk_no: number
  type: ChunkType
  text: string
  heading: string
}

/** The version's chunks in reading order, as far as `most` characters reach. */
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

/** Whether the version is still the document's own; locks the document until the transaction ends, `update` to replace it. */
export async function holdsVersion(
  tx: Queryable,
  key: { workspaceId: string; documentId: string; versionId: string },
  lock: 'share' | 'update' = 'share',
): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM document WHERE workspace_id = ${key.workspaceId} AND id = ${key.documentId}
      AND version_id = ${key.versionId} ${lock === 'update' ? sql`FOR UPDATE` : sql`FOR SHARE`}`)
  return rows.length > 0
}
