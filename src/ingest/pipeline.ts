// The ingestion of a file: parse, chunk, index, publish. A separate task builds the graph, so that its failure does not affect the
// file. After an UnreadableFile error the file has failed. After any other error the task is tried again.

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
// Parsing is this share of a file's progress, and indexing is the rest. The share depends on the kind: 80 MB of text are parsed in
// 20 s and indexed in ten minutes, while a scan spends most of its time in text recognition. With one share for all kinds, the
// remaining time was wrong.
const parsedShares: Partial<Record<DocumentKind, number>> = {
  image: 0.9,
  pdf: 0.6,
  text: 0.05,
  markdown: 0.2,
  csv: 0.2,
  json: 0.2,
}
const DEFAULT_PARSED_SHARE = 0.4
const REPORT_INTERVAL_MS = 500

/** Runs one ingest task to its end. @throws TaskLost when it was taken over or cancelled */
export async function ingestFile(deps: IngestDeps, task: FileTask, signal: AbortSignal): Promise<void> {
  const source = await selectSource(deps.db, task)
  if (!source) return void (await finishTask(deps.db, task))
  if (await finishWithoutReading(deps, task, source)) return
  const report = reporter(deps, task)
  await report('parsing', 0)
  const parsedShare = parsedShares[source.kind as DocumentKind] ?? DEFAULT_PARSED_SHARE
  const onShare = (share: number): Promise<void> => report('parsing', share * parsedShare)
  const attributes = { 'kenning.file.kind': source.kind, 'kenning.file.bytes': source.size }
  const parsedFile = await span('ingest: parse', attributes, () =>
    parseFileRound(deps, { task, source }, signal, onShare),
  )
  // A long scan ends its round here and is queued behind the waiting files, so that a letter does not wait for an hour.
  if (parsedFile === undefined) return endRound(deps.db, task)
  const { parsed, hasUnreadPictures } = await span('ingest: pictures', {}, () =>
    withWords(deps, { task, source, parsed: parsedFile }, signal, onShare),
  )
  await report('chunking', parsedShare)
  const total = parsed.blocks.reduce((sum, { text }) => sum + text.length, 1)
  // If another file has been published under the name meanwhile, the destination is chosen again, because there is a new document to
  // compare with.
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
      report('indexing', parsedShare + Math.min(1, characters / total) * (1 - parsedShare))
    const result = await span('ingest: index', { 'kenning.characters': total }, async (span) => {
      const allChunks = prepend(firstChunk.value, chunks)
      const counts = await writeChunks(deps, { key, names, chunks: allChunks }, signal, onCharacters)
      span.set({ 'kenning.chunks': counts.chunkCount })
      return counts
    })
    const readFile = { names, parsed, hasUnreadPictures, ...result }
    // If the version was published but the database's answer was lost, the second attempt finds no task and throws TaskLost.
    const isPublished = await span('ingest: publish', {}, () =>
      retryWhileAway(signal, () => publish(deps, task, key, { source, destination, readFile })),
    )
    if (isPublished) return
  }
}

/**
 * Returns a function that stores the progress, at most twice a second and one report at a time. The same statement checks whether
 * the task still belongs to this attempt. If the database cannot be reached, the report is skipped and reading continues.
 */
function reporter(deps: IngestDeps, task: FileTask): (stage: string, progress: number) => Promise<void> {
  let nextReportAt = 0
  return async (stage, progress) => {
    if (Date.now() < nextReportAt) return
    nextReportAt = Number.POSITIVE_INFINITY
    const isOurs = await updateProgress(deps.db, task, stage, progress).catch((error: unknown) => {
      if (isUnavailable(error)) return true
      throw error
    })
    nextReportAt = Date.now() + REPORT_INTERVAL_MS
    if (!isOurs) throw new TaskLost()
  }
}

/** The parsed file, from the cache if possible. Undefined if a round of a long scan has ended and more rounds must follow. */
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
  const stopController = new AbortController()
  let failure: unknown
  const onProgress = (share: number): void => {
    onShare(share).catch((error: unknown) => {
      failure = error
      stopController.abort()
    })
  }
  try {
    return await deps.parser.parse({
      path,
      filename: source.path,
      kind: source.kind as DocumentKind,
      signal: AbortSignal.any([signal, stopController.signal]),
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
  const documentTerms = documentVectorBuilder(names.title, names.name)
  const subjectTerms = subjectBuilder(names.title, names.name)
  let characters = 0
  let runningInsert = Promise.resolve(true)
  try {
    for (const batch of batches(chunks)) {
      const rows = batch.map((chunk, i) => {
        subjectTerms.add(chunk.text, chunk.language)
        const { row, dropped } = chunkRow(names, chunk, result.chunkCount + i, documentTerms)
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
    const [documentLexemes, attributes] = [documentTerms.vector(), subjectTerms.subject()]
    await retryWhileAway(signal, () => updateDocumentVector(deps.db, key, documentLexemes, attributes))
    return result
  } finally {
    // When the task has ended, none of its statements may still run.
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

// Nothing is indexed of a chunk that only repeats earlier text, because a search finds the text at its first occurrence.
const NO_TEXT = { title: '', name: '', heading: '', text: '', language: 'xx' } as const

/** The row of a chunk. `dropped` is the number of terms with least weight that do not fit into the chunk's sparse vector. */
function chunkRow(
  names: DocumentNames,
  chunk: ChunkDraft,
  chunkNo: number,
  documentVector: DocumentVectorBuilder,
): { row: ChunkRow; dropped: number } {
  const { terms, weights, indexed, pairs, body, dropped } = toLexicalVector(
    chunk.indexed === '' ? NO_TEXT : { ...chunk, ...names, text: chunk.indexed ?? chunk.text },
  )
  documentVector.add(body, chunk.language)
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
