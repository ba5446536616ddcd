// The graph task: indexes the graph of a document's live version, together with those of others that wait.

import { setImmediate } from 'node:timers/promises'
import { holdVersions } from '../documents/documents.sql.ts'
import type { Deps } from '../ports/deps.ts'
import { type Slot, TaskLost, TaskStale } from '../work/handler.ts'
import {
  extendAll,
  finishTasks,
  type NewTask,
  releaseTask,
  type Subject,
  type Task,
} from '../work/queue.sql.ts'
import { extractGraph } from './extract/extract.ts'
import type { Extraction, Extractor } from './extraction.ts'
import { dropGraph, type FoundGraph, indexGraphs } from './index-graph.ts'
import { enrich, type ModelNeeds } from './model/enrich.ts'
import { deleteReplies } from './model/replies.sql.ts'
import { claimAlong, selectGraphDocuments, selectGraphSources } from './task.sql.ts'

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

/** Indexing of a document's graph, to be queued; the rest of `subject` is kept for the report of a failure. */
export const graphTask = (
  workspaceId: string,
  subject: object & { document_id: string; awaited?: false },
): NewTask => ({ workspaceId, kind: 'graph', priority: 'derived', subject })

// Extraction reads 1 MB/s in one go and holds its findings in memory: 24 MB blocked the worker for 30 s with 1 GB.
const MAX_CHARACTERS = 4_000_000

/** The extractors in their order: the rules, then the model, where one is configured. */
function extractorsFor(deps: GraphDeps): Extractor[] {
  const { graphModel } = deps
  const rules: Extractor = async (document) => extractGraph(document, document.chunks)
  if (!graphModel) return [rules]
  return [
    rules,
    (document, extraction, signal) => enrich({ ...deps, ...graphModel }, document, extraction, signal),
  ]
}

/**
 * Indexes the document's graph, or deletes it when the document is gone. Waiting tasks of other documents of the workspace are
 * done with it: sums that each changed alone were most of the work. Not beside a model, which takes long, and not with a task
 * that failed before: a document that takes its worker down must not count against others.
 */
export async function graphDocument(
  deps: GraphDeps,
  task: GraphTask,
  signal: AbortSignal,
  slot?: Pick<Slot, 'coClaim'>,
): Promise<void> {
  const others = deps.graphModel || task.failures > 0 ? [] : await claimAlong(deps.db, task)
  if (others.length === 0) return graphDocuments(deps, [task], signal)
  slot?.coClaim(others)
  try {
    await graphDocuments(deps, [task, ...others], signal)
  } catch (error) {
    // One of them was taken over, its document changed, or it cannot be read: each by itself, the others as they come.
    slot?.coClaim([])
    for (const other of others) await releaseTask(deps.db, other, ALONE_AFTER_SECONDS, false)
    if (signal.aborted) throw error
    await graphDocuments(deps, [task], signal)
  }
}

// So much later than the other waiting ones: until then each is claimed by itself, or along with others.
const ALONE_AFTER_SECONDS = 1

async function graphDocuments(
  deps: GraphDeps,
  tasks: readonly GraphTask[],
  signal: AbortSignal,
): Promise<void> {
  const workspaceId = tasks[0]?.workspace_id ?? ''
  const documentIds = [...new Set(tasks.map(({ subject }) => subject.document_id ?? ''))]
  const documents = await selectGraphDocuments(deps.db, workspaceId, documentIds)
  // All texts before the first is read: on the embedded engine a statement waits while another task is in a transaction, and
  // the worker would wait with it.
  const versionIds = documents.map(({ versionId }) => versionId)
  const sources = await selectGraphSources(deps.db, { workspaceId, versionIds, most: MAX_CHARACTERS })
  const extractedGraphs: FoundGraph[] = []
  for (const document of documents) {
    const { documentId, versionId, title } = document
    const { language, chunks } = sources.get(versionId) ?? { language: 'xx', chunks: [] }
    if (chunks.length < document.chunks) {
      const fields = { document: documentId, chunks: chunks.length, of: document.chunks }
      deps.log.warn(fields, 'the graph covers only the beginning of a very long document')
    }
    const read = { workspaceId, documentId, title, language, chunks }
    let extraction: Extraction = { mentions: [], relations: [] }
    for (const extract of extractorsFor(deps)) extraction = await extract(read, extraction, signal)
    extractedGraphs.push({ documentId, versionId, extraction })
    // Other tasks write meanwhile.
    await setImmediate()
  }
  if (extractedGraphs.length > 0)
    await indexGraphs(deps, workspaceId, extractedGraphs, signal, async (tx) => {
      if (!(await extendAll(tx, tasks))) throw new TaskLost()
      if (!(await holdVersions(tx, workspaceId, extractedGraphs))) throw new TaskStale()
    })
  for (const documentId of documentIds) {
    if (documents.some((document) => document.documentId === documentId)) continue
    await dropGraph(deps, { workspaceId, documentId })
    await deleteReplies(deps.db, workspaceId, documentId, [])
  }
  await finishTasks(deps.db, tasks)
}
