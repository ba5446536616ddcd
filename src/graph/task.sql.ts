// The graph task as SQL: whether one is queued, and the text it reads.

import sql, { type Sql } from 'sql-template-tag'
import type { ChunkType } from '../contract/resources.ts'
import type { Language } from '../language/language.ts'
import type { Queryable } from '../ports/db/db.ts'
import { LEASE_SECONDS, type Task } from '../work/queue.sql.ts'

/** Whether a graph task for the document (a uuid) is queued. The tasks are read once a statement. */
export const waitsForGraph = (workspaceId: string, documentId: Sql): Sql => sql`${documentId}::text IN (
  SELECT t.subject ->> 'document_id' FROM task t WHERE t.workspace_id = ${workspaceId} AND t.kind = 'graph')`

export interface GraphChunk {
  chunk_no: number
  type: ChunkType
  text: string
  heading: string
}

/** The first chunks of each version in reading order, up to `most` characters of each. */
export async function selectGraphSources(
  db: Queryable,
  { workspaceId, versionIds, most }: { workspaceId: string; versionIds: readonly string[]; most: number },
): Promise<Map<string, { language: Language; chunks: GraphChunk[] }>> {
  const rows = await db.rows<GraphChunk & { version_id: string; language: Language }>(sql`
    SELECT version_id, chunk_no, type, text, heading, language FROM (
      SELECT version_id, chunk_no, type, text, heading, language,
        sum(char_length(text)) OVER (PARTITION BY version_id ORDER BY chunk_no) AS upto
      FROM chunk WHERE workspace_id = ${workspaceId} AND version_id = ANY (${[...versionIds]}::uuid[])
    ) c WHERE upto <= ${most} ORDER BY version_id, chunk_no`)
  const sources = new Map<string, { language: Language; chunks: GraphChunk[] }>()
  for (const { version_id, language, ...chunk } of rows) {
    const source = sources.get(version_id) ?? { language, chunks: [] }
    source.chunks.push(chunk)
    sources.set(version_id, source)
  }
  return sources
}

/** A document with its live version. */
export interface GraphDocumentRow {
  documentId: string
  versionId: string
  title: string
  chunks: number
}

/** Those of the documents that are there. */
export const selectGraphDocuments = (
  db: Queryable,
  workspaceId: string,
  documentIds: readonly string[],
): Promise<GraphDocumentRow[]> =>
  db.rows(sql`
    SELECT id AS "documentId", version_id AS "versionId", title, chunk_count AS chunks FROM document
    WHERE workspace_id = ${workspaceId} AND id = ANY (${[...documentIds]}::uuid[]) ORDER BY id`)

// Together with the first task they are extracted within half a second, and their lease is extended before anything is written.
const MAX_ALONG = 31
const MAX_CHUNKS_ALONG = 250

/** Claims waiting graph tasks of the workspace for the worker of this one: short documents, none that failed before. */
export async function claimAlong(db: Queryable, { id, workspace_id: workspaceId }: Task): Promise<Task[]> {
  const waiting = await db.rows<{ id: string; document_id: string }>(sql`
    SELECT id, subject ->> 'document_id' AS document_id FROM task
    WHERE workspace_id = ${workspaceId} AND kind = 'graph' AND lease_until IS NULL AND failures = 0
      AND run_after <= now() AND id <> ${id}
    ORDER BY run_after, id LIMIT ${MAX_ALONG}`)
  if (waiting.length === 0) return []
  const documents = await selectGraphDocuments(
    db,
    workspaceId,
    waiting.map((task) => task.document_id),
  )
  const chunksOf = new Map(documents.map(({ documentId, chunks }) => [documentId, chunks]))
  const batchedTaskIds: string[] = []
  let sum = 0
  for (const task of waiting) {
    const chunks = chunksOf.get(task.document_id)
    if (chunks === undefined) continue
    sum += chunks
    if (sum > MAX_CHUNKS_ALONG) break
    batchedTaskIds.push(task.id)
  }
  if (batchedTaskIds.length === 0) return []
  return db.rows(sql`
    WITH free AS (
      SELECT id FROM task WHERE id = ANY (${batchedTaskIds}::uuid[]) AND lease_until IS NULL AND failures = 0
      FOR UPDATE SKIP LOCKED
    )
    UPDATE task t SET attempt = t.attempt + 1, worker = own.worker,
      lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    FROM free, task own
    WHERE t.id = free.id AND own.id = ${id}
    RETURNING t.id, t.workspace_id, t.kind, t.subject, t.attempt, t.failures`)
}
