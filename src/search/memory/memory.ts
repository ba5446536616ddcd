// Keeps the rankings of frequently searched workspaces in memory (ports/cache/memory-cache.ts). A ranking is built from the
// database in small steps. Later only the documents that have changed are read.

import { setTimeout as sleep } from 'node:timers/promises'
import type { CachedValue } from '../../ports/cache/memory-cache.ts'
import { float32s, int32s } from '../../ports/db/binary.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { Deps } from '../../ports/deps.ts'
import {
  type ChunkRange,
  type CurrentDocument,
  selectChunkVectors,
  selectCurrent,
  selectDocumentVectors,
} from './ranking.sql.ts'
import type { Ranking } from './ranking.ts'
import {
  type IndexedChunk,
  type IndexedDocument,
  type Segment,
  segmentOf,
  type TermVector,
} from './segment.ts'

// The number of chunks that are read at once, about a megabyte.
const CHUNKS_PER_READ = 500
// The number of chunks in a segment. While a segment is built, it is in memory twice.
const CHUNKS_PER_SEGMENT = 4000
// A workspace with a longer document is not kept in memory, because all chunks of a document are in one segment.
const MAX_CHUNKS_PER_DOCUMENT = 16_000
// Each upload adds a small segment. If there are more than this, their documents are read again into one segment.
const MAX_SMALL_SEGMENTS = 16

/** The current ranking of the workspace. Undefined if there is none yet, or if it would be too large. */
export async function rankingOf(
  { db, memory }: Pick<Deps, 'db'> & Partial<Pick<Deps, 'memory'>>,
  workspaceId: string,
  { changes, chunks }: { changes: string; chunks: number },
): Promise<Ranking | undefined> {
  if (!memory?.maxBytes) return undefined
  return await memory.get(
    `ranking ${workspaceId}`,
    { version: Number(changes), size: chunks },
    (previous: Ranking | undefined) => readRanking(db, workspaceId, previous, memory.maxBytes),
  )
}

/** Reads the documents that `previous` does not have. Undefined if a document is too long, or if the ranking is too large. */
export async function readRanking(
  db: Queryable,
  workspaceId: string,
  previous?: Ranking,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<CachedValue<Ranking> | undefined> {
  const { version, documents } = await selectCurrent(db, workspaceId)
  if (documents.some(({ chunks }) => chunks > MAX_CHUNKS_PER_DOCUMENT)) return undefined
  const liveVersions = new Set(documents.map(({ version_id }) => version_id))
  const reusedSegments = segmentsToKeep(previous?.segments ?? [], liveVersions)
  const coveredVersions = new Set(
    reusedSegments.flatMap((segment) => segment.documents.map(({ versionId }) => versionId)),
  )
  const segments = [...reusedSegments]
  const chunkTotal = documents.reduce((sum, { chunks }) => sum + chunks, 0)
  for (const batch of documentBatches(
    documents.filter(({ version_id }) => !coveredVersions.has(version_id)),
  )) {
    segments.push(await runWithPauses(segmentOf(await readDocuments(db, workspaceId, batch))))
    // Estimates the final size from what was read so far. A ranking that would not be kept is not read to its end.
    if ((bytesOf(segments) / chunksOf(segments)) * chunkTotal > maxBytes) return undefined
  }
  const bytes = bytesOf(segments)
  return { version: Number(version), value: { segments, live: liveVersions }, bytes }
}

// A timer cannot wait for less than a millisecond.
const MIN_REST_MS = 1

/**
 * Runs the work and pauses regularly, each time for as long as it has worked, so that requests have at least half of the
 * process's time.
 */
async function runWithPauses<T>(work: Generator<void, T>): Promise<T> {
  for (let startedAt = performance.now(); ; ) {
    const { done, value } = work.next()
    if (done) return value
    const workedMs = performance.now() - startedAt
    if (workedMs < MIN_REST_MS) continue
    await sleep(workedMs)
    startedAt = performance.now()
  }
}

const bytesOf = (segments: readonly Segment[]): number => segments.reduce((sum, { bytes }) => sum + bytes, 0)
const chunksOf = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { chunks }) => sum + chunks, 0)

/** The segments that are reused: not those of which half is outdated, and no small ones if there are many. */
function segmentsToKeep(segments: readonly Segment[], live: ReadonlySet<string>): Segment[] {
  const liveChunksOf = ({ documents }: Segment): number =>
    documents.reduce((sum, { versionId, chunks }) => sum + (live.has(versionId) ? chunks : 0), 0)
  const usable = segments.filter((segment) => liveChunksOf(segment) * 2 > segment.chunks)
  const isSmall = ({ chunks }: Segment): boolean => chunks < CHUNKS_PER_SEGMENT / 4
  return usable.filter(isSmall).length > MAX_SMALL_SEGMENTS
    ? usable.filter((segment) => !isSmall(segment))
    : usable
}

function documentBatches(documents: readonly CurrentDocument[]): CurrentDocument[][] {
  const batches: CurrentDocument[][] = []
  let freeChunks = 0
  for (const document of documents) {
    const last = batches.at(-1)
    if (last && document.chunks <= freeChunks) last.push(document)
    else batches.push([document])
    freeChunks = (last && document.chunks <= freeChunks ? freeChunks : CHUNKS_PER_SEGMENT) - document.chunks
  }
  return batches
}

async function readDocuments(
  db: Queryable,
  workspaceId: string,
  documents: readonly CurrentDocument[],
): Promise<IndexedDocument[]> {
  const chunks = new Map(documents.map(({ version_id }): [string, IndexedChunk[]] => [version_id, []]))
  for (const ranges of planReads(documents))
    for (const { version_id, chunk_no: chunkNo, id, vector } of await selectChunkVectors(
      db,
      workspaceId,
      ranges,
    ))
      chunks.get(version_id)?.push({ chunkNo, id: idBytes(id), ...readVector(vector) })
  const versions = documents.map(({ version_id }) => version_id)
  const documentVectors = new Map<string, TermVector>()
  // The vector of a document is several times as long as that of a chunk, so fewer are read at once.
  for (let at = 0; at < versions.length; at += CHUNKS_PER_READ / 4)
    for (const { version_id, vector } of await selectDocumentVectors(
      db,
      workspaceId,
      versions.slice(at, at + CHUNKS_PER_READ / 4),
    ))
      documentVectors.set(version_id, readVector(vector))
  return documents.map(({ document_id: documentId, version_id: versionId }) => ({
    documentId,
    versionId,
    documentVector: documentVectors.get(versionId) ?? null,
    chunks: chunks.get(versionId) ?? [],
  }))
}

function planReads(documents: readonly CurrentDocument[]): ChunkRange[][] {
  const reads: ChunkRange[][] = []
  let freeChunks = 0
  for (const { version_id: versionId, chunks } of documents) {
    for (let from = 0; from < chunks; ) {
      if (freeChunks === 0) {
        reads.push([])
        freeChunks = CHUNKS_PER_READ
      }
      const to = Math.min(chunks, from + freeChunks)
      reads.at(-1)?.push({ versionId, from, to })
      freeChunks -= to - from
      from = to
    }
  }
  return reads
}

// The binary form of a sparse vector in pgvector: twelve bytes, then the indexes from 0, then the values.
function readVector(bytes: Buffer): TermVector {
  const half = 12 + (bytes.length - 12) / 2
  return {
    terms: int32s(bytes.subarray(12, half)).map((index) => index + 1),
    weights: float32s(bytes.subarray(half)),
  }
}

const idBytes = (uuid: string): Uint8Array => Buffer.from(uuid.replaceAll('-', ''), 'hex')
