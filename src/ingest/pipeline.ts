// The ingestion of a file: parse, chunk, index, publish. After an UnreadableFile error the file has failed. After any other error
// the task is tried again. A separate task builds the graph, so that a failure there does not affect the file.

import { randomUUID } from 'node:crypto'
import { subjectBuilder } from '../index/subject.ts'
import { type DocumentVectorBuilder, documentVectorBuilder, toLexicalVector } from '../index/weights.ts'
import { isUnavailable } from '../ports/db/db-errors.ts'
import { span } from '../ports/trace/trace.ts'
import { type DocumentKind, type ParsedDocument, type ScanRound, UnreadableFile } from '../reader/reader.ts'
import { TaskLost } from '../work/handler.ts'
import { retryWhileAway } from '../work/persist.ts'
import { endRound, finishTask } from '../work/queue.sql.ts'
import { type ChunkDraft, chunksOf } from './chunk/chunk.ts'
import { type SourceRow, selectSource, updateProgress } from './jobs.sql.ts'
import { type DocumentNames, namesOf } from './names.ts'
import { parseRound, recallParsed } from './parsed/parsed.ts'
import { withWords } from './pictures/words.ts'
import {
  BATCH_CHUNKS,
  type ChunkRow,
  insertChunks,
  insertVersion,
  updateDocumentVector,
  type VersionKey,
} from './publish.sql.ts'
import { failNameTaken, finishWithoutReading, publish, type ReadFile } from './publish.ts'
import type { FileTask, IngestDeps } from './task.ts'
import { chooseDestination } from './versions/place.ts'

// A batch is also limited in characters, because a large table has ten times the terms of a paragraph.
const BATCH_CHARACTERS = 40_000
// The share of parsing in a file's progress; indexing is the rest. It depends on the kind: text is parsed fast and indexed slowly,
// while a scan spends most of its time in text recognition.
const PARSING_SHARES: Partial<Record<DocumentKind, number>> = {
  image: 0.9,
  pdf: 0.6,
  text: 0.05,
  markdown: 0.2,
  csv: 0.2,
  json: 0.2,
}
const DEFAULT_PARSING_SHARE = 0.4
const REPORT_INTERVAL_MS = 500

/** Runs one ingest task. @throws TaskLost if it was taken over or cancelled */
export async function ingestFile(deps: IngestDeps, task: FileTask, signal: AbortSignal): Promise<void> {
  const source = await selectSource(deps.db, task)
  if (!source) return void (await finishTask(deps.db, task))
  if (await finishWithoutReading(deps, task, source)) return
  const report = reporter(deps, task)
  await report('parsing', 0)
  const parsingShare = PARSING_SHARES[source.kind as DocumentKind] ?? DEFAULT_PARSING_SHARE
  const onShare = (share: number): Promise<void> => report('parsing', share * parsingShare)
  const attributes = { 'kenning.file.kind': source.kind, 'kenning.file.bytes': source.size }
  const parsedFile = await span('ingest: parse', attributes, () =>
    parseFileRound(deps, { task, source }, signal, onShare),
  )
  // After each round, a long scan is queued behind the waiting files, so that a short letter does not wait for an hour.
  if (parsedFile === undefined) return endRound(deps.db, task)
  const { parsed, hasUnreadPictures } = await span('ingest: pictures', {}, () =>
    withWords(deps, { task, source, parsed: parsedFile }, signal, onShare),
  )
  await report('chunking', parsingShare)
  const total = parsed.blocks.reduce((sum, { text }) => sum + text.length, 1)
  // If another file with the same name is published meanwhile, the destination is chosen again.
  for (;;) {
    const destination = await span('ingest: choose place', {}, () =>
      chooseDestination(deps.db, { workspaceId: task.workspace_id, source, parsed }, signal),
    )
    if (destination === 'taken') return void (await failNameTaken(deps, task))
    const { documentId } = destination
    const chunks = chunksOf(documentId, parsed)
    const firstChunk = chunks.next()
    if (firstChunk.done) throw new UnreadableFile('no_text')
    const names = namesOf(parsed, destination.path)
    const key = { workspaceId: task.workspace_id, documentId, versionId: randomUUID() }
    if (!(await insertVersion(deps.db, key, task))) throw new TaskLost()
    const onCharacters = (characters: number): Promise<void> =>
      report('indexing', parsingShare + Math.min(1, characters / total) * (1 - parsingShare))
    const result = await span('ingest: index', { 'kenning.characters': total }, async (span) => {
      const allChunks = prepend(firstChunk.value, chunks)
      const counts = await writeChunks(deps, { key, names, chunks: allChunks }, signal, onCharacters)
      span.set({ 'kenning.chunks': counts.chunkCount })
      return counts
    })
    const readFile = { names, parsed, hasUnreadPictures, ...result }
    // If the version was published but the answer of the database was lost, the second call finds no task and throws TaskLost.
    const isPublished = await span('ingest: publish', {}, () =>
      retryWhileAway(signal, () => publish(deps, task, key, { source, destination, readFile })),
    )
    if (isPublished) return
  }
}

/**
 * Returns a function that stores the progress, at most twice a second and one report at a time. The same statement checks whether
 * the task still belongs to this attempt. If the database cannot be reached, the report is skipped.
 */
function reporter(deps: IngestDeps, task: FileTask): (stage: string, progress: number) => Promise<void> {
  let nextReportAt = 0
  return async (stage, progress) => {
    if (Date.now() < nextReportAt) return
    nextReportAt = Number.POSITIVE_INFINITY
    const isTaskOurs = await updateProgress(deps.db, task, stage, progress).catch((error: unknown) => {
      if (isUnavailable(error)) return true
      throw error
    })
    nextReportAt = Date.now() + REPORT_INTERVAL_MS
    if (!isTaskOurs) throw new TaskLost()
  }
}

/** The parsed file, from the cache if possible. Undefined if more rounds of a long scan must follow. */
async function parseFileRound(
  deps: IngestDeps,
  { task, source }: { task: FileTask; source: SourceRow },
  signal: AbortSignal,
  onShare: (share: number) => Promise<void>,
): Promise<ParsedDocument | undefined> {
  if (source.size === 0) throw new UnreadableFile('empty')
  const key = {
    workspaceId: task.workspace_id,
    jobId: task.subject.job_id ?? '',
    contentHash: source.content_hash,
    kind: source.kind,
  }
  const storedResult = await recallParsed(deps, key, signal)
  if (storedResult) return storedResult
  return parseRound(deps, key, (round) => parse(deps, { source, round }, signal, onShare))
}

async function parse(
  deps: IngestDeps,
  { source, round }: { source: SourceRow; round: 'first' | ScanRound },
  signal: AbortSignal,
  onShare: (share: number) => Promise<void>,
): Promise<ParsedDocument> {
  const path = await deps.blobs.open(source.content_hash)
  const stopping = new AbortController()
  let failure: unknown
  const onProgress = (share: number): void => {
    onShare(share).catch((error: unknown) => {
      failure = error
      stopping.abort()
    })
  }
  try {
    return await deps.parser.parse({
      path,
      filename: source.path,
      kind: source.kind as DocumentKind,
      signal: AbortSignal.any([signal, stopping.signal]),
      onProgress,
      round,
      ...(deps.reserveMemory && { enter: deps.reserveMemory }),
    })
  } catch (error) {
    throw failure ?? error
  }
}

function* prepend<T>(item: T, items: Iterable<T>): Generator<T> {
  yield item
  yield* items
}

/** Writes the chunks in batches. While the database writes one batch, the terms of the next one are computed. */
export async function writeChunks(
  deps: IngestDeps,
  version: { key: VersionKey; names: DocumentNames; chunks: Iterable<ChunkDraft> },
  signal: AbortSignal,
  onCharacters: (characters: number) => Promise<void>,
): Promise<Pick<ReadFile, 'chunkCount' | 'hasTables'>> {
  const { key, names, chunks } = version
  const result = { chunkCount: 0, hasTables: false }
  const documentBuilder = documentVectorBuilder(names.title, names.name)
  const subjects = subjectBuilder(names.title, names.name)
  let characters = 0
  let runningInsert = Promise.resolve(true)
  try {
    for (const batch of batches(chunks)) {
      const rows = batch.map((chunk, i) => {
        subjects.add(chunk.text, chunk.language)
        const { row, dropped } = chunkRow(names, chunk, result.chunkCount + i, documentBuilder)
        if (dropped > 0) deps.log.warn({ chunk: row.id, dropped }, 'a chunk has more terms than are indexed')
        return row
      })
      if (!(await runningInsert)) throw new TaskLost()
      await onCharacters(characters)
      signal.throwIfAborted()
      runningInsert = retryWhileAway(signal, (isRetry) => insertChunks(deps.db, key, rows, isRetry))
      result.chunkCount += rows.length
      result.hasTables ||= batch.some(({ type }) => type === 'table')
      characters += batch.reduce((sum, { text }) => sum + text.length, 0)
    }
    if (!(await runningInsert)) throw new TaskLost()
    const [documentVector, subject] = [documentBuilder.vector(), subjects.subject()]
    await retryWhileAway(signal, () => updateDocumentVector(deps.db, key, documentVector, subject))
    return result
  } finally {
    // No statement of the task may run after the task has ended.
    await runningInsert.catch(() => undefined)
  }
}

function* batches(chunks: Iterable<ChunkDraft>): Generator<ChunkDraft[]> {
  let batch: ChunkDraft[] = []
  let characters = 0
  for (const chunk of chunks) {
    const isFull = batch.length >= BATCH_CHUNKS || characters + chunk.text.length > BATCH_CHARACTERS
    if (batch.length > 0 && isFull) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(chunk)
    characters += chunk.text.length
  }
  if (batch.length) yield batch
}

// A chunk that only repeats earlier text is not indexed, because a search finds the text at its first occurrence.
const NO_TEXT = { title: '', name: '', heading: '', text: '', language: 'xx' } as const

/** The row of a chunk. `dropped`: how many terms, the lightest ones, do not fit into the chunk's sparse vector. */
function chunkRow(
  names: DocumentNames,
  chunk: ChunkDraft,
  chunkNo: number,
  documentBuilder: DocumentVectorBuilder,
): { row: ChunkRow; dropped: number } {
  const { terms, weights, indexed, pairs, body, dropped } = toLexicalVector(
    chunk.indexed === '' ? NO_TEXT : { ...chunk, ...names, text: chunk.indexed ?? chunk.text },
  )
  documentBuilder.add(body, chunk.language)
  const row = {
    chunk_no: chunkNo,
    id: chunk.id,
    type: chunk.type,
    text: chunk.text,
    html: chunk.html ?? null,
    heading: chunk.heading,
    page: chunk.page,
    boxes: chunk.boxes.length ? JSON.stringify(chunk.boxes) : null,
    language: chunk.language,
    terms,
    weights,
    indexed,
    pairs,
  }
  return { row, dropped }
}
