// The bulk fill: the rows that uploading the same documents leaves behind, written without queue, files and batches that
// searches run between. The product's own chunker and analysis make them (bulk-thread.ts); bulk.test.ts holds them
// against the pipeline's, row by row.

import type { Worker } from 'node:worker_threads'
import { embedRound } from '../../src/embed/round.ts'
import type { Db } from '../../src/ports/db/db.ts'
import type { Deps } from '../../src/ports/deps.ts'
import { startThread } from '../../src/ports/thread.ts'
import { analyse } from './bare.sql.ts'
import { createIndex, dropIndexes, insertChunks, insertDocuments, insertTerms } from './bulk.sql.ts'
import type { Batch, TermCounts, Wish } from './bulk-thread.ts'
import type { Corpus } from './corpus.ts'

const DOCUMENTS_A_BATCH = 4
const CHUNKS_A_STATEMENT = 200
const TERMS_A_STATEMENT = 10_000
/** For the engine that is filled. */
export const PATIENT = { silentLimitMs: 3_600_000 }
// A batch is made while the one before is written.
const AHEAD = 2

/** Documents `first` up to `first + count` of the corpus. */
export interface Portion {
  workspaceId: string
  first: number
  count: number
}

export interface BulkOptions {
  corpus: Corpus
  /** A server works on as many statements as there are threads; the embedded engine on one. */
  isServer: boolean
  /** Whether chunks get their vectors. */
  vectors: boolean
  say?: (text: string) => void
}

/**
 * Fills workspaces of nobody's but the caller; the service may run, but nothing else may be written meanwhile. An embedded engine
 * makes an index in one statement of minutes: `PATIENT` keeps its watchdog from taking it for stuck.
 */
export async function bulkFill(
  deps: Pick<Deps, 'db' | 'log' | 'embedder'>,
  portions: readonly Portion[],
  { corpus, isServer, vectors, say = () => {} }: BulkOptions,
): Promise<void> {
  const { db } = deps
  const indexes = await dropIndexes(db)
  const threads = Array.from({ length: isServer ? 2 : 1 }, () =>
    startThread('./bulk-thread', import.meta.url, { workerData: corpus }),
  )
  try {
    const left = portions.flatMap(batchesOf)
    await Promise.all(threads.map((thread) => writeBatches(db, thread, left, say)))
    say('rows written; counting terms')
    for (const { workspaceId } of portions)
      for (const thread of threads) await writeTerms(db, thread, workspaceId)
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()))
  }
  say('terms written; making indexes')
  for (const definition of indexes) await createIndex(db, definition, isServer ? '1GB' : '256MB')
  await analyse(db)
  if (!vectors) return
  say('indexes made; making vectors')
  const limits = { signal: new AbortController().signal, until: Number.POSITIVE_INFINITY }
  for (const { workspaceId } of portions) await embedRound(deps, workspaceId, limits)
  await analyse(db)
}

function batchesOf({ workspaceId, first, count }: Portion): Extract<Wish, { from: number }>[] {
  return Array.from({ length: Math.ceil(count / DOCUMENTS_A_BATCH) }, (_, i) => {
    const from = first + i * DOCUMENTS_A_BATCH
    return { workspaceId, from, to: Math.min(first + count, from + DOCUMENTS_A_BATCH) }
  })
}

async function writeBatches(
  db: Db,
  thread: Worker,
  left: Extract<Wish, { from: number }>[],
  say: (text: string) => void,
): Promise<void> {
  const wished: Extract<Wish, { from: number }>[] = []
  const wish = (): void => {
    const next = left.shift()
    if (!next) return
    wished.push(next)
    thread.postMessage(next)
  }
  const made = answersOf<Batch>(thread)
  for (let i = 0; i < AHEAD; i++) wish()
  for (let done = wished.shift(); done; done = wished.shift()) {
    const { documents, chunks } = await made()
    wish()
    await insertDocuments(db, done.workspaceId, documents)
    for (let from = 0; from < chunks.length; from += CHUNKS_A_STATEMENT)
      await insertChunks(db, done.workspaceId, chunks.slice(from, from + CHUNKS_A_STATEMENT))
    if (left.length % 100 === 0) say(`${left.length * DOCUMENTS_A_BATCH} documents left`)
  }
}

/** Answers of a thread, in order, also those that come before they are asked for. @throws what ended the thread */
function answersOf<T>(thread: Worker): () => Promise<T> {
  const waiting: T[] = []
  let failure: unknown
  let wake = (): void => {}
  thread.on('message', (answer: T) => {
    waiting.push(answer)
    wake()
  })
  thread.once('error', (error) => {
    failure = error
    wake()
  })
  // No race of promises: one that stays open for the whole fill holds the answer of every race it was in (2 MB each).
  return async () => {
    while (waiting.length === 0) {
      if (failure !== undefined) throw failure
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return waiting.shift() as T
  }
}

async function writeTerms(db: Db, thread: Worker, workspaceId: string): Promise<void> {
  thread.removeAllListeners('message')
  const answer = answersOf<TermCounts>(thread)
  thread.postMessage({ workspaceId, terms: true } satisfies Wish)
  const { terms, counts, words } = await answer()
  for (let from = 0; from < terms.length; from += TERMS_A_STATEMENT) {
    const to = from + TERMS_A_STATEMENT
    await insertTerms(db, workspaceId, {
      terms: [...terms.slice(from, to)],
      counts: [...counts.slice(from, to)],
      words: words.slice(from, to),
    })
  }
}
