// The pictures task runs after a document has been published. It reads pictures in rounds, so that other files are read in between.
// If the pictures contain words, it publishes the document again with them (docs/decisions/0025-pictures.md).

import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { lockLiveVersion } from '../../documents/documents.sql.ts'
import { graphTask } from '../../graph/task.ts'
import type { Language } from '../../language/language.ts'
import type { DocumentKind, ParsedDocument } from '../../reader/reader.ts'
import { TaskLost, TaskStale } from '../../work/handler.ts'
import { finishTask, insertTask, releaseTask } from '../../work/queue.sql.ts'
import { chunksOf, documentLanguage } from '../chunk/chunk.ts'
import { foldTask } from '../fold.ts'
import { namesOf } from '../names.ts'
import { parseRound, recallParsed } from '../parsed/parsed.ts'
import { writeChunks } from '../pipeline.ts'
import { insertVersion, lockVersion, lockWorkspace, publishVersion } from '../publish.sql.ts'
import type { FileTask, IngestDeps } from '../task.ts'
import {
  type DocumentWithPictures,
  insertWarning,
  selectChunkIds,
  selectDocumentWithPictures,
} from './pictures.sql.ts'
import { placeWords } from './place-words.ts'
import { readUnread } from './words.ts'

// The length of a round, during which the task's slot reads no files.
const ROUND_MS = 10_000

export async function readPictures(deps: IngestDeps, task: FileTask, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + ROUND_MS
  const workspaceId = task.workspace_id
  const documentId = task.subject.document_id ?? ''
  const document = await selectDocumentWithPictures(deps.db, workspaceId, documentId)
  if (!document) return void (await finishTask(deps.db, task))
  let pendingParse: Promise<ParsedDocument> | undefined
  const parseOnce = (): Promise<ParsedDocument> => {
    pendingParse ??= recallOrParse(deps, task, document, signal)
    return pendingParse
  }
  const key = { workspaceId, contentHash: document.content_hash }
  const language = document.language as Language
  const reading = { task, key, kind: document.kind, language, parsed: parseOnce, signal }
  const result = await readUnread(deps, reading, deadline)
  if (!result) return releaseTask(deps.db, task, 0, false)
  const documentWithWords = placeWords(await parseOnce(), result.recognisedPictures)
  const ids = await selectChunkIds(deps.db, workspaceId, document.version_id)
  const { warnings } = result
  // If the chunks stay the same, no new version is needed.
  if (await haveSameIds(ids, chunksOf(documentId, documentWithWords))) return finish(deps, task, warnings)
  await publishWithWords(deps, task, { documentId, document, parsed: documentWithWords, warnings }, signal)
}

// After this many chunks, other work of the process gets a turn, because the chunks of a long document take half a minute.
const CHUNKS_PER_TURN = 200

async function haveSameIds(ids: readonly string[], chunks: Iterable<{ id: string }>): Promise<boolean> {
  let index = 0
  for (const { id } of chunks) {
    if (id !== ids[index++]) return false
    if (index % CHUNKS_PER_TURN === 0) await setImmediate()
  }
  return index === ids.length
}

/** The parsed document from the cache, or parsed again. */
async function recallOrParse(
  deps: IngestDeps,
  task: FileTask,
  { kind, content_hash: contentHash, path }: DocumentWithPictures,
  signal: AbortSignal,
): Promise<ParsedDocument> {
  const key = { workspaceId: task.workspace_id, jobId: task.subject.job_id ?? '', contentHash, kind }
  const storedResult = await recallParsed(deps, key, signal)
  if (storedResult) return storedResult
  const file = {
    path: await deps.blobs.open(contentHash),
    filename: path,
    kind: kind as DocumentKind,
    signal,
    ...(deps.reserveMemory && { enter: deps.reserveMemory }),
  }
  for (;;) {
    const parsed = await parseRound(deps, key, (round) => deps.parser.parse({ ...file, round }))
    if (parsed) return parsed
  }
}

const finish = (deps: IngestDeps, task: FileTask, warnings: string[]): Promise<void> =>
  deps.db.tx(async (tx) => {
    if (!(await finishTask(tx, task))) throw new TaskLost()
    for (const warning of warnings) await insertWarning(tx, task, warning)
  })

interface DocumentWithWords {
  documentId: string
  document: DocumentWithPictures
  /** The document's blocks with the words of its pictures. */
  parsed: ParsedDocument
  warnings: string[]
}

/** Writes a new version with the words, and publishes it if the document still has the version from which it was made. */
async function publishWithWords(
  deps: IngestDeps,
  task: FileTask,
  { documentId, document, parsed, warnings }: DocumentWithWords,
  signal: AbortSignal,
): Promise<void> {
  const { version_id: replacedVersionId, ...row } = document
  const workspaceId = task.workspace_id
  const key = { workspaceId, documentId, versionId: randomUUID() }
  if (!(await insertVersion(deps.db, key, task))) throw new TaskLost()
  const chunks = chunksOf(documentId, parsed)
  const names = namesOf(parsed, row.path)
  const counts = await writeChunks(deps, { key, names, chunks }, signal, async () => undefined)
  await deps.db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) throw new TaskLost()
    const replacedTarget = { workspaceId, documentId, versionId: replacedVersionId }
    if (!(await lockLiveVersion(tx, replacedTarget))) throw new TaskStale()
    if (!(await finishTask(tx, task)) || !(await lockVersion(tx, key))) throw new TaskLost()
    const { chunkCount, hasTables } = counts
    const language = documentLanguage(parsed)
    await publishVersion(tx, key, { ...row, language, chunk_count: chunkCount, has_tables: hasTables }, true)
    for (const warning of warnings) await insertWarning(tx, task, warning)
    const graph = graphTask(workspaceId, { document_id: documentId, awaited: false })
    await insertTask(tx, graph, foldTask(workspaceId))
  })
}
