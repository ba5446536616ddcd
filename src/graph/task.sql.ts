// SQL for the graph task: whether such a task is queued, and the text that it reads.

import sql, { type Sql } from 'sql-template-tag'
import type { ChunkType } from '../contract/resources.ts'
import type { Language } from '../language/language.ts'
import type { Queryable } from '../ports/db/db.ts'
import { LEASE_SECONDS, type Task } from '../work/queue.sql.ts'

/** Whether a graph task for the document (a uuid) is queued. The tasks are read once per statement. */
export const waitsForGraph = (workspaceId: string, documentId: Sql): Sql => sql`${documentId}::text IN (
  SELECT t.subject ->> 'document_id' FROM task t WHERE t.workspace_id = ${workspaceId} AND t.kind = 'graph')`

interface GraphChunk {
  chunk_no: number
  type: ChunkType
  text: string
  heading: string
}

/** The first chunks of each version in reading order, up to `maxCharacters` per version. */
export async function selectGraphSources(
  db: Queryable,
  {
    workspaceId,
    versionIds,
    maxCharacters,
  }: { workspaceId: string; versionIds: readonly string[]; maxCharacters: number },
): Promise<Map<string, { language: Language; chunks: GraphChunk[] }>> {
  const rows = await db.rows<GraphChunk & { version_id: string; language: Language }>(sql`
    SELECT version_id, chunk_no, type, text, heading, language FROM (
      SELECT version_id, chunk_no, type, text, heading, language,
        sum(char_length(text)) OVER (PARTITION BY version_id ORDER BY chunk_no) AS upto
      FROM chunk WHERE workspace_id = ${workspaceId} AND version_id = ANY (${[...versionIds]}::uuid[])
    ) c WHERE upto <= ${maxCharacters} ORDER BY version_id, chunk_no`)
  const sources = new Map<string, { language: Language; chunks: GraphChunk[] }>()
  for (const { version_id, language, ...chunk } of rows) {
    const source = sources.get(version_id) ?? { language, chunks: [] }
    source.chunks.push(chunk)
    sources.set(version_id, source)
  }
  return sources
}

/** A document with its live version. */
interface GraphDocumentRow {
  documentId: string
  versionId: string
  title: string
  chunkCount: number
}

/** The given documents that still exist. */
export const selectGraphDocuments = (
  db: Queryable,
  workspaceId: string,
  documentIds: readonly string[],
): Promise<GraphDocumentRow[]> =>
  db.rows(sql`
    SELECT id AS "documentId", version_id AS "versionId", title, chunk_count AS "chunkCount" FROM document
    WHERE workspace_id = ${workspaceId} AND id = ANY (${[...documentIds]}::uuid[]) ORDER BY id`)

// The limits on extra tasks in a batch. All are extracted within half a second, so that the lease is extended before anything is
// written.
const MAX_EXTRA_TASKS = 31
const MAX_EXTRA_CHUNKS = 250

/** Claims further graph tasks of the workspace for the worker of this task: tasks for short documents that have never failed. */
export async function claimMoreGraphTasks(
  db: Queryable,
  { id, workspace_id: workspaceId }: Task,
): Promise<Task[]> {
  const waitingTasks = await db.rows<{ id: string; document_id: string }>(sql`
    SELECT id, subject ->> 'document_id' AS document_id FROM task
    WHERE workspace_id = ${workspaceId} AND kind = 'graph' AND lease_until IS NULL AND failures = 0
      AND run_after <= now() AND id <> ${id}
    ORDER BY run_after, id LIMIT ${MAX_EXTRA_TASKS}`)
  if (waitingTasks.length === 0) return []
  const documents = await selectGraphDocuments(
    db,
    workspaceId,
    waitingTasks.map((task) => task.document_id),
  )
  const chunkCounts = new Map(documents.map(({ documentId, chunkCount }) => [documentId, chunkCount]))
  const batchedTaskIds: string[] = []
  let claimedChunks = 0
  for (const task of waitingTasks) {
    const chunks = chunkCounts.get(task.document_id)
    if (chunks === undefined) continue
    claimedChunks += chunks
    if (claimedChunks > MAX_EXTRA_CHUNKS) break
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
