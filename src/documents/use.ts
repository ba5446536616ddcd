// Counts how often documents are found, cited and opened, and who opens them. Only owners of the workspace see the counts. They
// are collected in memory and written every half minute, so that no search and no reader waits for the database. If the process
// is killed, the counts since the last write are lost; if the database is down, they are written later. A count belongs to the day
// on which it is written. If the connection is lost between the COMMIT and its answer, counts are added twice.

import { setTimeout as delay } from 'node:timers/promises'
import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { DocumentUse } from '../contract/usage.ts'
import { notFound } from '../errors.ts'
import type { Db } from '../ports/db/db.ts'
import { isNodeAway, isUnavailable } from '../ports/db/db-errors.ts'
import type { Deps, Log, UseCounts } from '../ports/deps.ts'
import { selectDocument } from './documents.sql.ts'
import { addUse, type DocumentCounts, type ReaderCount, selectReaders, selectUse } from './use.sql.ts'

const DAYS = 30
const MAX_READERS = 100

/** @throws ApiError 404, 403 unless the caller is an owner */
export async function getDocumentUse(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  documentId: string,
): Promise<DocumentUse> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  if (!(await selectDocument(deps.db, workspaceId, documentId))) throw notFound()
  return {
    days: await selectUse(deps.db, workspaceId, documentId, DAYS),
    readers: await selectReaders(deps.db, workspaceId, documentId, MAX_READERS),
  }
}

const WRITE_INTERVAL_MS = 30_000
// If an account opens a document again within this time, it is still the same visit: the console reloads, or an assistant reads on.
const VISIT_MS = 30 * 60_000
// The limit of documents whose counts wait to be written. While the database is down, others are not counted.
const MAX_PENDING_DOCUMENTS = 10_000
// A stopping process has 15 s, and requests may use 12 of them. Counts that are not written by then are lost.
const CLOSE_MS = 2_000

export interface UseCounter extends UseCounts {
  /** Writes the counts. */
  write(): Promise<void>
  /** Writes the counts for the last time, and waits some seconds at most. */
  close(): Promise<void>
}

/** The counts of one workspace that have not been written yet, by document. */
type PendingCounts = Map<string, DocumentCounts & { readers: Map<string, number> }>

/** The caller has to call `close`. @param closeMs for tests */
export function countUse(
  { db, log }: { db: Db; log: Log },
  { closeMs = CLOSE_MS }: { closeMs?: number } = {},
): UseCounter {
  let pendingByWorkspace = new Map<string, PendingCounts>()
  let pendingDocuments = 0
  let runningWrite: Promise<void> | undefined
  let isClosed = false
  /** Workspaces whose node was down at the last write. */
  const delayedWorkspaces = new Set<string>()
  const visits = new Map<string, number>()

  const add = (workspaceId: string, documentId: string, event: 'found' | 'cited' | 'opened'): void => {
    const counts = countsOf(workspaceId, documentId)
    if (counts) counts[event]++
  }
  const countsOf = (workspaceId: string, documentId: string) => {
    const byDocument: PendingCounts = pendingByWorkspace.get(workspaceId) ?? new Map()
    pendingByWorkspace.set(workspaceId, byDocument)
    const counts = byDocument.get(documentId)
    if (counts || pendingDocuments >= MAX_PENDING_DOCUMENTS) return counts
    pendingDocuments++
    const newCounts = { document_id: documentId, found: 0, cited: 0, opened: 0, readers: new Map() }
    byDocument.set(documentId, newCounts)
    return newCounts
  }
  const writeNow = async (): Promise<void> => {
    const [batch, now] = [pendingByWorkspace, performance.now()]
    pendingByWorkspace = new Map()
    pendingDocuments = 0
    for (const [key, lastVisit] of visits) if (lastVisit < now - VISIT_MS) visits.delete(key)
    // Workspaces whose node was down come last, because each of them may take until its connection times out.
    const orderedBatch = [...batch].sort(
      ([a], [b]) => Number(delayedWorkspaces.has(a)) - Number(delayedWorkspaces.has(b)),
    )
    for (const [workspaceId, byDocument] of orderedBatch) {
      if (isClosed) break
      const counts = [...byDocument.values()]
      const openedCounts = counts.flatMap(({ document_id, readers }) =>
        [...readers].map(([account_id, opened]): ReaderCount => ({ document_id, account_id, opened })),
      )
      try {
        await db.tx((tx) => addUse(tx, workspaceId, counts, openedCounts))
        batch.delete(workspaceId)
        delayedWorkspaces.delete(workspaceId)
      } catch (error) {
        const isUnavailableNow = isUnavailable(error)
        const message = `the use of documents could not be ${isUnavailableNow ? 'written yet' : 'counted'}`
        log.warn({ err: error }, message)
        if (!isUnavailableNow) batch.delete(workspaceId)
        // If the whole database is down, each other workspace would also wait for a timeout, so none is tried. If only a node is
        // down, the others are tried.
        else if (!isNodeAway(error)) break
        else delayedWorkspaces.add(workspaceId)
      }
    }
    for (const [workspaceId, byDocument] of batch) addBack(workspaceId, byDocument)
  }
  /** Adds counts that could not be written to those that were collected since. */
  const addBack = (workspaceId: string, byDocument: PendingCounts): void => {
    for (const { document_id, readers, ...unwrittenCounts } of byDocument.values()) {
      const counts = countsOf(workspaceId, document_id)
      if (!counts) continue
      counts.found += unwrittenCounts.found
      counts.cited += unwrittenCounts.cited
      counts.opened += unwrittenCounts.opened
      for (const [id, times] of readers) counts.readers.set(id, (counts.readers.get(id) ?? 0) + times)
    }
  }
  /**
   * Only one write runs at a time. Otherwise, if a write took longer than the interval, more and more writes would wait for each
   * other.
   */
  const write = (): Promise<void> => {
    runningWrite ??= writeNow().finally(() => {
      runningWrite = undefined
    })
    return runningWrite
  }
  const timer = setInterval(() => void write(), WRITE_INTERVAL_MS)
  timer.unref()

  return {
    found: (workspaceId, documentIds) => {
      for (const id of new Set(documentIds)) add(workspaceId, id, 'found')
    },
    cited: (workspaceId, documentIds) => {
      for (const id of new Set(documentIds)) add(workspaceId, id, 'cited')
    },
    opened: (workspaceId, documentId, accountId) => {
      const visit = `${documentId} ${accountId}`
      const previousVisit = visits.get(visit)
      visits.set(visit, performance.now())
      if (previousVisit !== undefined && performance.now() - previousVisit < VISIT_MS) return
      const counts = countsOf(workspaceId, documentId)
      if (!counts) return
      counts.opened++
      counts.readers.set(accountId, (counts.readers.get(accountId) ?? 0) + 1)
    },
    // A write that is running may have begun before the newest counts, so another one follows it.
    write: async () => {
      await runningWrite
      await write()
    },
    // The last counts are written even if an earlier write hangs.
    close: async () => {
      clearInterval(timer)
      const timeout = new AbortController()
      const timedOut = delay(closeMs, undefined, { signal: timeout.signal }).catch(() => undefined)
      await Promise.race([Promise.all([runningWrite, writeNow()]), timedOut])
      timeout.abort()
      isClosed = true
    },
  }
}
