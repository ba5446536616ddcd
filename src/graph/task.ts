// The graph task: indexes the graph of a document's live version.

import { holdsVersion, selectDocument } from '../documents/documents.sql.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { TaskLost, TaskStale } from '../work/handler.ts'
import { extendLease, finishTask, insertTask, type Subject, type Task } from '../work/queue.sql.ts'
import { extractGraph } from './extract/extract.ts'
import type { Extraction, Extractor } from './extraction.ts'
import { dropGraph, indexGraph } from './index-graph.ts'
import { enrich, type ModelNeeds } from './model/enrich.ts'
import { deleteReplies } from './model/replies.sql.ts'
import { selectGraphSource } from './task.sql.ts'

interface GraphSubject extends Subject {
  document_id?: string
  /** `ready` does not wait for it. */
  awaited?: false
}

export interface GraphTask extends Task {
  subject: GraphSubject
}

export type GraphDeps = Pick<Deps, 'db' | 'log'> & {
  /** The model that reads documents in addition to the statistical extractor; undefined for none. */
  graphModel?: Pick<ModelNeeds, 'llm' | 'budget'> | undefined
}

/** Queues indexing of a document's graph; the rest of `subject` is kept for the report of a failure. */
export const queueGraph = (
  tx: Queryable,
  workspaceId: string,
  subject: object & { document_id: string; awaited?: false },
): Promise<void> => insertTask(tx, { workspaceId, kind: 'graph', priority: 'derived', subject })

// Extraction reads 1 MB/s in one go and holds its findings in memory: 24 MB blocked the worker for 30 s with 1 GB.
const MOST_CHARACTERS = 4_000_000

/** The extractors in their order: the rules, then the model, where one is configured. */
function extractorsFor(deps: GraphDeps): Extractor[] {
  const { graphModel } = deps
  const rules: Extractor = async (document) => extractGraph(document, document.chunks)
  if (!graphModel) return [rules]
  return [rules, (document, found, signal) => enrich({ ...deps, ...graphModel }, document, found, signal)]
}

/** Indexes the document's graph, or deletes it when the document is gone. */
export async function graphDocument(deps: GraphDeps, task: GraphTask, signal: AbortSignal): Promise<void> {
  const workspaceId = task.workspace_id
  const documentId = task.subject.document_id ?? ''
  const document = await selectDocument(deps.db, workspaceId, documentId)
  if (document) {
    const versionId = document.version_id
    const source = { workspaceId, versionId, most: MOST_CHARACTERS }
    const { language, chunks } = await selectGraphSource(deps.db, source)
    if (chunks.length < document.chunk_count) {
      const fields = { document: documentId, chunks: chunks.length, of: document.chunk_count }
      deps.log.warn(fields, 'the graph covers only the beginning of a very long document')
    }
    const read = { workspaceId, documentId, title: document.title, language, chunks }
    let extraction: Extraction = { mentions: [], relations: [] }
    for (const extract of extractorsFor(deps)) extraction = await extract(read, extraction, signal)
    await indexGraph(deps, { workspaceId, documentId, versionId }, extraction, signal, async (tx) => {
      if (!(await extendLease(tx, task))) throw new TaskLost()
      if (!(await holdsVersion(tx, { workspaceId, documentId, versionId }))) throw new TaskStale()
    })
  } else {
    await dropGraph(deps, { workspaceId, documentId })
    await deleteReplies(deps.db, workspaceId, documentId, [])
  }
  await finishTask(deps.db, task)
}
