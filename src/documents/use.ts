// Counts how often documents are found, cited and opened, and by whom they are opened, for the owners of the workspace. Counts
// are held in memory and written every half minute, so that no search and no reading waits for them. A killed process loses the
// counts since the last write. While the database is down they wait. They belong to the day on which they are written, and
// count twice if the connection is lost between the COMMIT and its answer.

import { setTimeout as delay } from 'node:timers/promises'
import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { DocumentUse } from '../contract/usage.ts'
import { notFound } from '../errors.ts'
import type { Db } from '../ports/db/db.ts'
import { isNodeAway, isUnavailable } from '../ports/db/db-errors.ts'
import type { Deps, Log, UseCounts } from '../ports/deps.ts'
import { selectDocument } from './documents.sql.ts'
import { addUse, type Counts, type Opened, selectReaders, selectUse } from './use.sql.ts'

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

const WRITE_EVERY_MS = 30_000
// A document that is opened again within this time is still being read: the console reloads it, or an assistant continues.
const ONE_VISIT_MS = 30 * 60_000
// Documents of all workspaces. Further ones are not counted while the database is down.
const MAX_WAITING = 10_000
// A process that is told to end has 15 s in total, of which requests get twelve. Counts that are not written by then are lost.
const CLOSE_MS = 2_000

export interface UseCounter extends UseCounts {
  /** Writes what was counted. */
  write(): Promise<void>
  /** Writes for the last time, for some seconds at most. */
  close(): Promise<void>
}

/** Counts of one workspace that are not written yet, by document. */
type Waiting = Map<string, Counts & { readers: Map<string, number> }>

/** The caller has to call `close`. @param closeMs for tests */
export function countUse(
  { db, log }: { db: Db; log: Log },
  { closeMs = CLOSE_MS }: { closeMs?: number } = {},
): UseCounter {
  let waiting = new Map<string, Waiting>()
  let documents = 0
  let round: Promise<void> | undefined
  let isClosed = false
  /** Workspaces whose node was down when they were last written. */
  const late = new Set<string>()
  const visits = new Map<string, number>()

  const add = (workspaceId: string, documentId: string, what: 'found' | 'cited' | 'opened'): void => {
    const counts = of(workspaceId, documentId)
    if (counts) counts[what]++
  }
  const of = (workspaceId: string, documentId: string) => {
    const among: Waiting = waiting.get(workspaceId) ?? new Map()
    waiting.set(workspaceId, among)
    const counts = among.get(documentId)
    if (counts || documents >= MAX_WAITING) return counts
    documents++
    const fresh = { document_id: documentId, found: 0, cited: 0, opened: 0, readers: new Map() }
    among.set(documentId, fresh)
    return fresh
  }
  const writeNow = async (): Promise<void> => {
    const [batch, now] = [waiting, performance.now()]
    waiting = new Map()
    documents = 0
    for (const [key, at] of visits) if (at < now - ONE_VISIT_MS) visits.delete(key)
    // Those whose node is down come last, because each may wait until its connection times out.
    const inTurn = [...batch].sort(([a], [b]) => Number(late.has(a)) - Number(late.has(b)))
    for (const [workspaceId, byDocument] of inTurn) {
      if (isClosed) break
      const counts = [...byDocument.values()]
      const opened = counts.flatMap(({ document_id, readers }) =>
        [...readers].map(([account_id, opened]): Opened => ({ document_id, account_id, opened })),
      )
      try {
        await db.tx((tx) => addUse(tx, workspaceId, counts, opened))
        batch.delete(workspaceId)
        late.delete(workspaceId)
      } catch (error) {
        const isAway = isUnavailable(error)
        const message = `the use of documents could not be ${isAway ? 'written yet' : 'counted'}`
        log.warn({ err: error }, message)
        if (!isAway) batch.delete(workspaceId)
        // All others would wait as long, unless they are on other nodes.
        else if (!isNodeAway(error)) break
        else late.add(workspaceId)
      }
    }
    for (const [workspaceId, byDocument] of batch) keep(workspaceId, byDocument)
  }
  /** Adds what could not be written to what was counted meanwhile. */
  const keep = (workspaceId: string, byDocument: Waiting): void => {
    for (const { document_id, readers, ...more } of byDocument.values()) {
      const counts = of(workspaceId, document_id)
      if (!counts) continue
      counts.found += more.found
      counts.cited += more.cited
      counts.opened += more.opened
      for (const [id, times] of readers) counts.readers.set(id, (counts.readers.get(id) ?? 0) + times)
    }
  }
  /**
   * Only one write runs at a time. If each takes longer than the interval, they would otherwise wait for each other without
   * end.
   */
  const write = (): Promise<void> => {
    round ??= writeNow().finally(() => {
      round = undefined
    })
    return round
  }
  const timer = setInterval(() => void write(), WRITE_EVERY_MS)
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
      const before = visits.get(visit)
      visits.set(visit, performance.now())
      if (before !== undefined && performance.now() - before < ONE_VISIT_MS) return
      const counts = of(workspaceId, documentId)
      if (!counts) return
      counts.opened++
      counts.readers.set(accountId, (counts.readers.get(accountId) ?? 0) + 1)
    },
    // A running write may have begun before the newest counts were added.
    write: async () => {
      await round
      await write()
    },
    // It does not wait for a write that hangs, which has the earlier counts.
    close: async () => {
      clearInterval(timer)
      const waits = new AbortController()
      const tooLong = delay(closeMs, undefined, { signal: waits.signal }).catch(() => undefined)
      await Promise.race([Promise.all([round, writeNow()]), tooLong])
      waits.abort()
      isClosed = true
    },
  }
}
