// A file's way: source, parse, chunk, index, publish; the graph follows as a task of its own, so its failure never
// fails the file (design/architecture.md, "A document"). Errors: UnreadableFile for good, anything else is retried.

import { randomUUID } from 'node:crypto'
import { titleKey } from '../../documents/documents.ts'
import { lexicalSide } from '../../search/weights.ts'
import { type ChunkDraft, chunkDocument, documentLanguage } from '../chunk/chunk.ts'
import { finishFile, type SourceRow, selectSource, takeSettled, updateProgress } from '../jobs.sql.ts'
import { type DocumentKind, type ParsedDocument, UnreadableFile } from '../parse/block.ts'
import { titleOf } from '../path.ts'
import {
  type ChunkRow,
  insertChunks,
  insertVersion,
  lockVersion,
  lockWorkspace,
  publishVersion,
  type VersionKey,
} from './index.sql.ts'
import { finishTask, insertFold, insertTask, type Task } from './queue.sql.ts'
import { TaskLost, type WorkDeps } from './work.ts'

// 25 chunks a statement: searches keep their idle p50 on the embedded engine (reference/engine.md, 20 rows).
const CHUNKS_A_BATCH = 25
// Share of the progress bar when parsing is over; the rest is indexing.
const PARSED = 0.6
const REPORT_EVERY_MS = 500

/** Runs one ingest task to its end. @throws TaskLost when another worker took it over or it was cancelled */
export async function ingestFile(deps: WorkDeps, task: Task, signal: AbortSignal): Promise<void> {
  const source = await selectSource(deps.db, task)
  if (!source) return void (await finishTask(deps.db, task))
  if (await finishKnown(deps, task, source)) return
  const report = reporter(deps, task)
  await report('parsing', 0)
  const parsed = await parse(deps, source, signal, (share) => report('parsing', share * PARSED))
  await report('chunking', PARSED)
  const chunks = chunkDocument(source.document_id, parsed)
  if (chunks.length === 0) throw new UnreadableFile('no_text')
  const title = parsed.title?.trim() || titleOf(source.path)
  const key = { workspaceId: task.workspace_id, documentId: source.document_id, versionId: randomUUID() }
  if (!(await insertVersion(deps.db, key, task))) throw new TaskLost()
  await index(deps, key, { title, chunks }, signal, (share) =>
    report('indexing', PARSED + share * (1 - PARSED)),
  )
  await publish(deps, task, key, source, { title, parsed, chunks })
}

/** Nothing is to be read: the bytes are a document already (uploaded twice at once), or were replaced meanwhile. */
const finishKnown = (deps: WorkDeps, task: Task, source: SourceRow): Promise<boolean> =>
  deps.db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, task.workspace_id))) throw new TaskLost()
    const known = await takeSettled(tx, task, source)
    if (known === 'gone') throw new UnreadableFile('cancelled')
    if (known === undefined) return false
    if (!(await finishTask(tx, task))) throw new TaskLost()
    await finishFile(tx, task, { status: 'done', documentId: known })
    return true
  })

/** Reports at most twice a second; learns from the same statement that the task is no longer ours. */
function reporter(deps: WorkDeps, task: Task): (stage: string, progress: number) => Promise<void> {
  let last = 0
  let shown = ''
  return async (stage, progress) => {
    if (stage === shown && Date.now() - last < REPORT_EVERY_MS) return
    shown = stage
    last = Date.now()
    if (!(await updateProgress(deps.db, task, stage, progress))) throw new TaskLost()
  }
}

async function parse(
  deps: WorkDeps,
  source: SourceRow,
  signal: AbortSignal,
  onShare: (share: number) => Promise<void>,
): Promise<ParsedDocument> {
  if (source.size === 0) throw new UnreadableFile('empty')
  const path = await deps.blobs.open(source.content_hash)
  const stop = new AbortController()
  let lost: unknown
  const onProgress = (share: number): void => {
    onShare(share).catch((error: unknown) => {
      lost = error
      stop.abort()
    })
  }
  try {
    return await deps.parser.parse({
      path,
      filename: source.path,
      kind: source.kind as DocumentKind,
      signal: AbortSignal.any([signal, stop.signal]),
      onProgress,
    })
  } catch (error) {
    throw lost ?? error
  }
}

async function index(
  deps: WorkDeps,
  key: VersionKey,
  document: { title: string; chunks: ChunkDraft[] },
  signal: AbortSignal,
  onShare: (share: number) => Promise<void>,
): Promise<void> {
  const { title, chunks } = document
  for (let from = 0; from < chunks.length; from += CHUNKS_A_BATCH) {
    signal.throwIfAborted()
    const rows = chunks.slice(from, from + CHUNKS_A_BATCH).map((chunk, i) => chunkRow(title, chunk, from + i))
    if (!(await insertChunks(deps.db, key, rows))) throw new TaskLost()
    await onShare(Math.min(1, (from + CHUNKS_A_BATCH) / chunks.length))
  }
}

function chunkRow(title: string, chunk: ChunkDraft, chunkNo: number): ChunkRow {
  const { lex, terms, words } = lexicalSide({ ...chunk, title })
  return {
    chunk_no: chunkNo,
    id: chunk.id,
    type: chunk.type,
    text: chunk.text,
    html: chunk.html ?? null,
    heading: chunk.heading,
    page: chunk.page,
    boxes: chunk.boxes.length ? JSON.stringify(chunk.boxes) : null,
    language: chunk.language,
    lex,
    terms,
    words,
  }
}

/** The one moment at which readers see the file: document, job and what follows, in one small transaction. */
async function publish(
  deps: WorkDeps,
  task: Task,
  key: VersionKey,
  source: SourceRow,
  read: { title: string; parsed: ParsedDocument; chunks: ChunkDraft[] },
): Promise<void> {
  const { title, parsed, chunks } = read
  const workspaceId = task.workspace_id
  await deps.db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) throw new TaskLost()
    if (!(await finishTask(tx, task)) || !(await lockVersion(tx, key))) throw new TaskLost()
    // Another file with these bytes may have been published while this one was parsed.
    const known = await takeSettled(tx, task, source)
    if (known === 'gone') throw new UnreadableFile('cancelled')
    if (known !== undefined) {
      await finishFile(tx, task, { status: 'done', documentId: known })
      return
    }
    await publishVersion(tx, key, {
      path: source.path,
      title: title.slice(0, 1000),
      title_key: titleKey(title),
      kind: source.kind,
      content_hash: source.content_hash,
      language: documentLanguage(parsed),
      pages: parsed.pages ?? null,
      chunk_count: chunks.length,
      has_tables: chunks.some(({ type }) => type === 'table'),
      uploaded_at: source.uploaded_at,
    })
    await finishFile(tx, task, { status: 'done', documentId: key.documentId })
    await insertTask(tx, { workspaceId, kind: 'graph', subject: { document_id: key.documentId } })
    await insertFold(tx, workspaceId)
  })
}
