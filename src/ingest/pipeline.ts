// The ingestion of a file: parse, chunk, index, publish. The graph follows as a separate task, so that its failure never fails
// the file. UnreadableFile is final. After any other error the file is tried again.

import { randomUUID } from 'node:crypto'
import { subjectSide } from '../index/subject.ts'
import { type DocumentSide, documentSide, lexicalSide } from '../index/weights.ts'
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
  CHUNKS_A_BATCH,
  type ChunkRow,
  insertChunks,
  insertVersion,
  updateDocumentSide,
  type VersionKey,
} from './publish.sql.ts'
import { finishKnown, finishTaken, publish, type Read } from './publish.ts'
import type { FileTask, IngestDeps } from './task.ts'
import { choosePlace } from './versions/place.ts'

// Large tables have ten times the terms of a paragraph, so fewer of them fill a batch.
const CHARACTERS_A_BATCH = 40_000
// The progress at the end of parsing. The rest is indexing. 80 MB of text were parsed in 20 s and indexed in ten minutes. With
// .6 for all kinds, the time left was shown as half a minute all along. A scan spends most of its time in recognition.
const parsedShares: Partial<Record<DocumentKind, number>> = {
  image: 0.9,
  pdf: 0.6,
  text: 0.05,
  markdown: 0.2,
  csv: 0.2,
  json: 0.2,
}
const PARSED = 0.4
const REPORT_EVERY_MS = 500

/** Runs one ingest task to its end. @throws TaskLost when it was taken over or cancelled */
export async function ingestFile(deps: IngestDeps, task: FileTask, signal: AbortSignal): Promise<void> {
  const source = await selectSource(deps.db, task)
  if (!source) return void (await finishTask(deps.db, task))
  if (await finishKnown(deps, task, source)) return
  const report = reporter(deps, task)
  await report('parsing', 0)
  const part = parsedShares[source.kind as DocumentKind] ?? PARSED
  const onShare = (share: number): Promise<void> => report('parsing', share * part)
  const about = { 'kenning.file.kind': source.kind, 'kenning.file.bytes': source.size }
  const whole = await span('ingest: parse', about, () => parseOnce(deps, task, source, signal, onShare))
  // A long scan has had its round and goes behind the waiting files, so that an hour's scan and a letter take turns.
  if (whole === undefined) return endRound(deps.db, task)
  const { parsed, unread } = await span('ingest: pictures', {}, () =>
    withWords(deps, { task, source, parsed: whole }, signal, onShare),
  )
  await report('chunking', part)
  const total = parsed.blocks.reduce((sum, { text }) => sum + text.length, 1)
  // It repeats once if another file took the name meanwhile, because there is then another document to compare with.
  for (;;) {
    const place = await span('ingest: choose place', {}, () =>
      choosePlace(deps.db, task.workspace_id, source, parsed, signal),
    )
    if (place === 'taken') return void (await finishTaken(deps, task))
    const { documentId } = place
    const chunks = chunksOf(documentId, parsed)
    const first = chunks.next()
    if (first.done) throw new UnreadableFile('no_text')
    const names = namesOf(parsed, place.path)
    const key = { workspaceId: task.workspace_id, documentId, versionId: randomUUID() }
    if (!(await insertVersion(deps.db, key, task))) throw new TaskLost()
    const onCharacters = (characters: number): Promise<void> =>
      report('indexing', part + Math.min(1, characters / total) * (1 - part))
    const result = await span('ingest: index', { 'kenning.characters': total }, async (span) => {
      const all = withFirst(first.value, chunks)
      const counts = await writeChunks(deps, { key, names, chunks: all }, signal, onCharacters)
      span.set({ 'kenning.chunks': counts.chunkCount })
      return counts
    })
    const read = { names, parsed, unread, ...result }
    // If it was published and only the answer was lost, the repetition no longer finds the task and ends as lost.
    const isPublished = await span('ingest: publish', {}, () =>
      retryWhileAway(signal, () => publish(deps, task, key, { source, place, read })),
    )
    if (isPublished) return
  }
}

/**
 * Reports at most twice a second, one report at a time, and the same statement tells whether the task is still ours. Reading
 * continues while the database is down. Parsers used to be killed for a report that could not be written.
 */
function reporter(deps: IngestDeps, task: FileTask): (stage: string, progress: number) => Promise<void> {
  let next = 0
  return async (stage, progress) => {
    if (Date.now() < next) return
    next = Number.POSITIVE_INFINITY
    const ours = await updateProgress(deps.db, task, stage, progress).catch((error: unknown) => {
      if (isUnavailable(error)) return true
      throw error
    })
    next = Date.now() + REPORT_EVERY_MS
    if (!ours) throw new TaskLost()
  }
}

/** The file's blocks, from the cache if possible. Undefined when a long scan has had its round and continues later. */
async function parseOnce(
  deps: IngestDeps,
  task: FileTask,
  source: SourceRow,
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
  const stored = await recallParsed(deps, key, signal)
  if (stored) return stored
  return parseRound(deps, key, (round) => parse(deps, source, round, signal, onShare))
}

async function parse(
  deps: IngestDeps,
  source: SourceRow,
  round: 'first' | ScanRound,
  signal: AbortSignal,
  onShare: (share: number) => Promise<void>,
): Promise<ParsedDocument> {
  const path = await deps.blobs.open(source.content_hash)
  const stop = new AbortController()
  let failure: unknown
  const onProgress = (share: number): void => {
    onShare(share).catch((error: unknown) => {
      failure = error
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
      round,
      ...(deps.reserveMemory && { enter: deps.reserveMemory }),
    })
  } catch (error) {
    throw failure ?? error
  }
}

function* withFirst<T>(first: T, rest: Iterable<T>): Generator<T> {
  yield first
  yield* rest
}

/** Writes the chunks as they come. While the database writes one batch, the terms of the next are computed. */
export async function writeChunks(
  deps: IngestDeps,
  version: { key: VersionKey; names: DocumentNames; chunks: Iterable<ChunkDraft> },
  signal: AbortSignal,
  onCharacters: (characters: number) => Promise<void>,
): Promise<Pick<Read, 'chunkCount' | 'hasTables'>> {
  const { key, names, chunks } = version
  const read = { chunkCount: 0, hasTables: false }
  const whole = documentSide(names.title, names.name)
  const subject = subjectSide(names.title, names.name)
  let characters = 0
  let underway = Promise.resolve(true)
  try {
    for (const batch of batches(chunks)) {
      const rows = batch.map((chunk, i) => {
        subject.add(chunk.text, chunk.language)
        const { row, dropped } = chunkRow(names, chunk, read.chunkCount + i, whole)
        if (dropped > 0) deps.log.warn({ chunk: row.id, dropped }, 'a chunk has more terms than are indexed')
        return row
      })
      if (!(await underway)) throw new TaskLost()
      await onCharacters(characters)
      signal.throwIfAborted()
      underway = retryWhileAway(signal, (isRetry) => insertChunks(deps.db, key, rows, isRetry))
      read.chunkCount += rows.length
      read.hasTables ||= batch.some(({ type }) => type === 'table')
      characters += batch.reduce((sum, { text }) => sum + text.length, 0)
    }
    if (!(await underway)) throw new TaskLost()
    const [lex, about] = [whole.lex(), subject.subject()]
    await retryWhileAway(signal, () => updateDocumentSide(deps.db, key, lex, about))
    return read
  } finally {
    // When the task has ended, none of its statements may still run.
    await underway.catch(() => undefined)
  }
}

function* batches(chunks: Iterable<ChunkDraft>): Generator<ChunkDraft[]> {
  let batch: ChunkDraft[] = []
  let characters = 0
  for (const chunk of chunks) {
    const full = batch.length >= CHUNKS_A_BATCH || characters + chunk.text.length > CHARACTERS_A_BATCH
    if (batch.length > 0 && full) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(chunk)
    characters += chunk.text.length
  }
  if (batch.length) yield batch
}

// A chunk that only repeats earlier text is found at its first occurrence.
const NOTHING = { title: '', name: '', heading: '', text: '', language: 'xx' } as const

/** `dropped` is how many terms, those of least weight, do not fit into the chunk's sparse vector. */
function chunkRow(
  names: DocumentNames,
  chunk: ChunkDraft,
  chunkNo: number,
  whole: DocumentSide,
): { row: ChunkRow; dropped: number } {
  const { terms, weights, indexed, pairs, body, dropped } = lexicalSide(
    chunk.indexed === '' ? NOTHING : { ...chunk, ...names, text: chunk.indexed ?? chunk.text },
  )
  whole.add(body, chunk.language)
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
