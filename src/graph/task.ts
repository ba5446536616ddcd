// The graph task: indexes the graph of a document's live version, together with the graphs of other documents that wait.

import { setImmediate } from 'node:timers/promises'
import { lockLiveVersions } from '../documents/documents.sql.ts'
import type { Deps } from '../ports/deps.ts'
import { type Slot, TaskLost, TaskStale } from '../work/handler.ts'
import {
  extendAllLeases,
  finishTasks,
  type NewTask,
  releaseTask,
  type Subject,
  type Task,
} from '../work/queue.sql.ts'
import { extractGraph } from './extract/extract.ts'
import { qualifyPersons } from './extract/namesakes.ts'
import type { ExtractDocument, Extraction, Extractor } from './extraction.ts'
import { dropGraph, type ExtractedGraph, indexGraphs } from './index-graph.ts'
import { enrich, type ModelDeps } from './model/enrich.ts'
import { deleteReplies } from './model/replies.sql.ts'
import { claimMoreGraphTasks, selectGraphDocuments, selectGraphSources } from './task.sql.ts'

interface GraphSubject extends Subject {
  document_id?: string
  /** Set if the workspace counts as `ready` before this task has ended. */
  awaited?: false
}

interface GraphTask extends Task {
  subject: GraphSubject
}

type GraphModel = Pick<ModelDeps, 'llm' | 'budget'>

export type GraphDeps = Pick<Deps, 'db' | 'log'> & {
  /** The model that now reads documents in addition to the rules. Undefined if none is configured. */
  graphModel?: () => Promise<GraphModel | undefined>
}

/** A new task that indexes the graph of a document. The other fields of `subject` are needed for the report of a failure. */
export const graphTask = (
  workspaceId: string,
  subject: object & { document_id: string; awaited?: false },
): NewTask => ({ workspaceId, kind: 'graph', priority: 'derived', subject })

// Extraction reads 1 MB/s without a pause and keeps its results in memory. 24 MB blocked the worker for 30 s and took 1 GB.
const MAX_CHARACTERS = 4_000_000

/** The extractors in their order: the rules, and then the model if one is configured. */
function extractorsFor(deps: GraphDeps, graphModel: GraphModel | undefined): Extractor[] {
  const rules: Extractor = async (document) => extractGraph(document, document.chunks)
  if (!graphModel) return [rules]
  return [
    rules,
    (document, extraction, signal) => enrich({ ...deps, ...graphModel }, document, extraction, signal),
  ]
}

/**
 * Indexes the graph of the document, or deletes it if the document no longer exists. Other waiting graph tasks of the workspace are
 * done in the same run, since most of the work is to update sums that all these tasks change. If a model is configured, the task
 * runs alone, because it takes long. If it has failed before, it also runs alone: a document that crashes its worker must not count
 * as a failure of other documents.
 */
export async function graphDocument(
  deps: GraphDeps,
  task: GraphTask,
  signal: AbortSignal,
  slot?: Pick<Slot, 'coClaim'>,
): Promise<void> {
  const graphModel = await deps.graphModel?.()
  const extraTasks = graphModel || task.failures > 0 ? [] : await claimMoreGraphTasks(deps.db, task)
  if (extraTasks.length === 0) return graphDocuments(deps, graphModel, [task], signal)
  slot?.coClaim(extraTasks)
  try {
    await graphDocuments(deps, graphModel, [task, ...extraTasks], signal)
  } catch (error) {
    // One of the tasks failed or was taken over, or its document has changed. So the other tasks are released, and this task runs
    // alone.
    slot?.coClaim([])
    for (const extraTask of extraTasks) await releaseTask(deps.db, extraTask, RELEASE_DELAY_SECONDS, false)
    if (signal.aborted) throw error
    await graphDocuments(deps, graphModel, [task], signal)
  }
}

// The other tasks may be claimed again after this time.
const RELEASE_DELAY_SECONDS = 1

/** The mentions and relations that the extractors find, with the keys of persons qualified by their evidence. */
async function extractFrom(
  document: ExtractDocument,
  extractors: readonly Extractor[],
  signal: AbortSignal,
): Promise<Extraction> {
  let extraction: Extraction = { mentions: [], relations: [] }
  for (const extract of extractors) extraction = await extract(document, extraction, signal)
  const texts = new Map(document.chunks.map(({ chunk_no, text }) => [chunk_no, text]))
  return qualifyPersons(extraction, (chunk_no) => texts.get(chunk_no) ?? '')
}

async function graphDocuments(
  deps: GraphDeps,
  graphModel: GraphModel | undefined,
  tasks: readonly GraphTask[],
  signal: AbortSignal,
): Promise<void> {
  const workspaceId = tasks[0]?.workspace_id ?? ''
  const documentIds = [...new Set(tasks.map(({ subject }) => subject.document_id ?? ''))]
  const documents = await selectGraphDocuments(deps.db, workspaceId, documentIds)
  // All texts are loaded before the first text is read. On the embedded engine a statement waits while another task is in a
  // transaction, so a statement for each document would make this task wait often.
  const versionIds = documents.map(({ versionId }) => versionId)
  const sources = await selectGraphSources(deps.db, {
    workspaceId,
    versionIds,
    maxCharacters: MAX_CHARACTERS,
  })
  const extractedGraphs: ExtractedGraph[] = []
  for (const document of documents) {
    const { documentId, versionId, title } = document
    const { language, chunks } = sources.get(versionId) ?? { language: 'xx', chunks: [] }
    if (chunks.length < document.chunkCount) {
      const fields = { document: documentId, chunks: chunks.length, of: document.chunkCount }
      deps.log.warn(fields, 'the graph covers only the beginning of a very long document')
    }
    const source = { workspaceId, documentId, title, language, chunks }
    const extraction = await extractFrom(source, extractorsFor(deps, graphModel), signal)
    extractedGraphs.push({ documentId, versionId, extraction })
    // Other tasks may write between two documents.
    await setImmediate()
  }
  if (extractedGraphs.length > 0)
    await indexGraphs(deps, workspaceId, extractedGraphs, {
      signal,
      fence: async (tx) => {
        if (!(await extendAllLeases(tx, tasks))) throw new TaskLost()
        if (!(await lockLiveVersions(tx, workspaceId, extractedGraphs))) throw new TaskStale()
      },
    })
  for (const documentId of documentIds) {
    if (documents.some((document) => document.documentId === documentId)) continue
    await dropGraph(deps, { workspaceId, documentId })
    await deleteReplies(deps.db, workspaceId, documentId, [])
  }
  await finishTasks(deps.db, tasks)
}
