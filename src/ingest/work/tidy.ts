// The tasks that nobody waits for: folding and sweeping, the graph, embedding, purging a deleted workspace; and the round
// that puts right what a crash left behind. All repeatable at any point.

import { selectDocument } from '../../documents/documents.sql.ts'
import { embedRound } from '../../embed/round.ts'
import { dropGraph, indexGraph } from '../../graph/evidence.ts'
import { extractGraph } from '../../graph/extract/extract.ts'
import { enrich } from '../../graph/model/enrich.ts'
import { deleteReplies } from '../../graph/model/model.sql.ts'
import { PAGES, pagesFolder } from '../../ports/cache/disk-cache.ts'
import type { Deps } from '../../ports/deps.ts'
import { markEmbedded, selectForgotten, selectUnembedded } from '../progress/complete.sql.ts'
import { foldStep, retireAbandoned, selectUnsettled, sweepStep } from './fold.sql.ts'
import { deleteWorkspaceRow, purgeStep, selectUnnamed, selectUnnamedIn } from './purge.sql.ts'
import {
  absorbFolds,
  endRound,
  extendLease,
  finishEmbed,
  finishTask,
  insertEmbed,
  insertFold,
  startEmbed,
  type Task,
} from './queue.sql.ts'
import { holdsVersion, selectGraphSource } from './source.sql.ts'
import { TaskLost, TaskStale, type WorkDeps } from './work.ts'

const UNNAMED_FOR_MS = 3_600_000

/** Counts live versions in and retired ones out, and removes the rows of those. */
export async function foldWorkspace(deps: WorkDeps, task: Task, signal: AbortSignal): Promise<void> {
  await absorbFolds(deps.db, task)
  for (;;) {
    signal.throwIfAborted()
    const version = await selectUnsettled(deps.db, task.workspace_id)
    if (!version) break
    if (version.state === 'live' || version.folded > 0) await foldStep(deps.db, task.workspace_id, version.id)
    else await sweepStep(deps.db, task.workspace_id, version.id)
  }
  // Every change of a workspace's chunks asks for a fold, so this is where their vectors are asked for.
  await deps.db.tx(async (tx) => {
    if (await finishTask(tx, task)) await insertEmbed(tx, task.workspace_id)
  })
}

// Extraction reads 1 MB/s in one go and holds its findings in memory: 24 MB blocked the worker for 30 s with 1 GB.
const GRAPH_CHARACTERS = 4_000_000

/** Makes the graph's share of a document what its live version says, or nothing when the document is gone. */
export async function graphDocument(deps: WorkDeps, task: Task, signal: AbortSignal): Promise<void> {
  const workspaceId = task.workspace_id
  const documentId = task.subject.document_id ?? ''
  const document = await selectDocument(deps.db, workspaceId, documentId)
  if (document) {
    const versionId = document.version_id
    const { language, chunks } = await selectGraphSource(deps.db, {
      workspaceId,
      versionId,
      most: GRAPH_CHARACTERS,
    })
    if (chunks.length < document.chunk_count) {
      const fields = { document: documentId, chunks: chunks.length, of: document.chunk_count }
      deps.log.warn(fields, 'the graph covers the beginning of a very long document')
    }
    const found = extractGraph({ title: document.title, language }, chunks)
    const read = { workspaceId, documentId, title: document.title, chunks }
    const { reader } = deps
    const extraction = reader ? await enrich({ ...deps, ...reader }, read, found, signal) : found
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

// A slot that embeds reads no files: files come first again after this long.
const EMBED_ROUND_MS = 10_000

/** A round for one workspace. Never given up: a model server may be away for a night, and words find meanwhile. */
export async function embedWorkspace(deps: WorkDeps, task: Task, signal: AbortSignal): Promise<void> {
  const workspaceId = task.workspace_id
  await startEmbed(deps.db, task)
  // Before the round counts the chunks by which it decides whether a space is to be fitted.
  const counted = await selectUnembedded(deps.db, workspaceId)
  const until = Date.now() + EMBED_ROUND_MS
  const outcome = await embedRound(deps, workspaceId, { signal, until })
  const ended = await deps.db.tx(async (tx) => {
    if (outcome === 'more') return false
    await markEmbedded(tx, workspaceId, counted)
    return finishEmbed(tx, task)
  })
  if (!ended) await endRound(deps.db, task)
}

/** Removes every row of a deleted workspace. */
export async function purgeWorkspace(deps: WorkDeps, task: Task, signal: AbortSignal): Promise<void> {
  while (!(await purgeStep(deps.db, task.workspace_id))) signal.throwIfAborted()
  await deps.db.tx(async (tx) => {
    await finishTask(tx, task)
    await deleteWorkspaceRow(tx, task.workspace_id)
  })
  // A parser that ended while the workspace was being deleted may have left its result after the first drop.
  await deps.cache?.drop(pagesFolder(task.workspace_id))
}

/** Once a minute: versions of dead attempts and staged files of dead uploads. */
export async function tidyRound(deps: Pick<Deps, 'db' | 'blobs'>): Promise<void> {
  for (const workspaceId of await retireAbandoned(deps.db)) await insertFold(deps.db, workspaceId)
  // A worker of another release, which runs on while others are replaced, marks nothing.
  for (const workspaceId of await selectForgotten(deps.db)) await insertEmbed(deps.db, workspaceId)
  await deps.blobs.sweep(UNNAMED_FOR_MS)
}

/** Once an hour: blobs that no document and no waiting file names. Their age keeps running uploads safe. */
export async function removeUnnamedBlobs(deps: Pick<Deps, 'db' | 'blobs'>): Promise<void> {
  let batch: string[] = []
  const settle = async (): Promise<void> => {
    for (const hash of await selectUnnamed(deps.db, batch)) await deps.blobs.remove(hash, UNNAMED_FOR_MS)
    batch = []
  }
  for await (const hash of deps.blobs.kept(UNNAMED_FOR_MS)) if (batch.push(hash) >= 500) await settle()
  if (batch.length) await settle()
}

// The name of a folder that somebody else may have made.
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Once an hour: pages drawn and results kept of files that their workspace no longer names. Deleting drops them at once;
 * what is left was replaced by a new version, or written by whoever was just at it.
 */
export async function removeUnnamedPages({ db, cache }: Pick<WorkDeps, 'db' | 'cache'>): Promise<void> {
  for (const workspaceId of (await cache?.folders(PAGES)) ?? []) {
    if (!isUuid.test(workspaceId)) continue
    const hashes = (await cache?.folders(pagesFolder(workspaceId))) ?? []
    const unnamed = await selectUnnamedIn(db, workspaceId, hashes)
    for (const hash of unnamed) await cache?.drop(pagesFolder(workspaceId, hash))
    if (unnamed.length === hashes.length) await cache?.drop(pagesFolder(workspaceId))
  }
}
