// Sends reads of requests to a replica, without the callers noticing. The replica answers only if it has replayed everything
// that had been acknowledged when the statement was sent. Otherwise the primary answers (docs/decisions/0041-many-processes.md).

import type { Sql } from 'sql-template-tag'
import { mayOnlyRead, requirePosition, TELL_POSITION } from './replica.sql.ts'

export interface ReplicaSettings {
  url: string
  /** Called when the replica is used from now on, and when it is no longer used, then with the reason. */
  onChange?: (isUsed: boolean, reason?: unknown) => void
}

/** The reads of one request. A later read never returns an older state than an earlier one. */
export interface Reader {
  /** The rows from the replica; undefined if they have to be read from the primary. */
  rows<T extends object>(setting: string, statement: Sql): Promise<T[] | undefined>
  /**
   * Call this after the primary has answered a statement of this request. The next read then asks for the primary's position
   * again.
   */
  invalidatePosition(): void
}

export interface Replica {
  reader(): Reader
  /** Call this when this process has written to the primary, or may have done so. */
  noteWrite(): void
  mayOnlyRead(text: string): boolean
}

interface Sources {
  /** The position of the primary. */
  primary: () => Promise<number>
  /** The position of the replica; undefined if the server is not a replica. */
  replica: () => Promise<number | undefined>
  /** Whether primary and replica are the same database. */
  isSame: () => Promise<boolean>
  /**
   * Runs `beginStatements`, `statement` and `positionStatement` on the replica. Returns the rows of `statement` and the position.
   */
  run: <T extends object>(
    beginStatements: string,
    statement: Sql,
    positionStatement: string,
  ) => Promise<{ rows: T[]; at: number }>
  /** Whether an error means that the replica cannot be reached. */
  isUnavailable: (error: unknown) => boolean
  onChange: (isUsed: boolean, reason?: unknown) => void
}

// A replica on the same network is some milliseconds behind. A request waits at most MAX_CATCH_UP_MS for the replica, and then the
// primary answers. For the next PAUSE_MS all requests go to the primary without waiting.
const MAX_CATCH_UP_MS = 100
const POLL_INTERVAL_MS = 2
const PAUSE_MS = 1000
// For this time, the statements of a request share one position of the primary, if this process writes nothing in between.
const POSITION_VALID_MS = 250
const IS_BEHIND = `it is more than ${MAX_CATCH_UP_MS} ms behind`
const NO_REPLICA = 'it is no replica of this database'
const MAX_WRITING_STATEMENTS = 1000
const READ_ONLY_TRANSACTION = '25006'

export function openReplica({ primary, replica, isSame, run, isUnavailable, onChange }: Sources): Replica {
  const primaryNow = shareNext(primary)
  const replicaNow = shareNext(replica)
  const writingStatements = new Set<string>()
  let writeCount = 0
  let reachedPosition = 0
  let isUsed = false
  let pausedUntil = 0
  let isTrying = false

  // The first failure is reported as well, because otherwise a wrong address would go unnoticed.
  let reportedUse: boolean | undefined
  const setUsed = (isUsedNow: boolean, reason?: unknown): void => {
    isUsed = isUsedNow
    if (reportedUse !== isUsedNow) onChange(isUsedNow, reason)
    reportedUse = isUsedNow
  }

  const stopUsing = (reason: unknown): void => {
    reachedPosition = 0
    pausedUntil = performance.now() + PAUSE_MS
    setUsed(false, reason)
  }

  /** Waits for the replica to reach this position of the primary, at most MAX_CATCH_UP_MS. Returns whether it has. */
  const waitForPosition = async (target: number): Promise<boolean> => {
    const deadline = performance.now() + MAX_CATCH_UP_MS
    for (;;) {
      const position = await replicaNow()
      if (position === undefined) throw new Error(NO_REPLICA)
      reachedPosition = Math.max(reachedPosition, position)
      if (reachedPosition >= target) return true
      if (performance.now() > deadline) return false
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
    }
  }

  /**
   * Begins to use the replica if it answers in time. Runs in the background, so that no request waits for a replica that is down.
   */
  const tryAgain = async (): Promise<void> => {
    isTrying = true
    try {
      if (!(await isSame())) return stopUsing(new Error(NO_REPLICA))
      if (!(await waitForPosition(await primaryNow()))) return stopUsing(new Error(IS_BEHIND))
      setUsed(true)
    } catch (error) {
      stopUsing(error)
    } finally {
      isTrying = false
    }
  }

  const hasReached = async (position: number): Promise<boolean> => {
    if (reachedPosition >= position) return true
    try {
      if (await waitForPosition(position)) return true
      stopUsing(new Error(IS_BEHIND))
    } catch (error) {
      stopUsing(error)
    }
    return false
  }

  const reader = (): Reader => {
    let primaryPosition: { position: Promise<number>; writeCount: number; validUntil: number } | undefined
    let replayedPosition = 0
    const requiredPosition = async (): Promise<number> => {
      const isValid =
        primaryPosition?.writeCount === writeCount && performance.now() <= primaryPosition.validUntil
      if (!primaryPosition || !isValid) {
        primaryPosition = {
          writeCount,
          validUntil: performance.now() + POSITION_VALID_MS,
          position: primaryNow(),
        }
      }
      return Math.max(await primaryPosition.position, replayedPosition)
    }
    return {
      invalidatePosition: () => {
        primaryPosition = undefined
      },
      rows: async <T extends object>(setting: string, statement: Sql) => {
        if (!mayOnlyRead(statement.text) || writingStatements.has(statement.text)) return undefined
        if (!isUsed) {
          if (!isTrying && performance.now() > pausedUntil) void tryAgain()
          return undefined
        }
        const position = await requiredPosition().catch(() => undefined) // the statement itself will report the error
        if (position === undefined || !(await hasReached(position))) return undefined
        try {
          const beginStatements = `${requirePosition(position)}; ${setting}`
          const { rows, at } = await run<T>(beginStatements, statement, TELL_POSITION)
          replayedPosition = Math.max(replayedPosition, at)
          return rows
        } catch (error) {
          // The primary answers, and reports the same error if the statement is wrong.
          const isWrite = (error as { code?: unknown }).code === READ_ONLY_TRANSACTION
          if (isWrite && writingStatements.size < MAX_WRITING_STATEMENTS)
            writingStatements.add(statement.text)
          if (isUnavailable(error)) stopUsing(error)
          // The position has to be checked again: one address may lead to several replicas, and a replica that restarts is behind
          // its own last position.
          reachedPosition = 0
          return undefined
        }
      },
    }
  }

  return {
    reader,
    noteWrite: () => {
      writeCount += 1
    },
    mayOnlyRead: (text) => mayOnlyRead(text) && !writingStatements.has(text),
  }
}

/** Callers that arrive while a request is running share the next request, which starts when the running one has ended. */
function shareNext<T>(request: () => Promise<T>): () => Promise<T> {
  let currentRequest: Promise<unknown> = Promise.resolve()
  let nextRequest: Promise<T> | undefined
  return () => {
    nextRequest ??= currentRequest
      .catch(() => undefined)
      .then(() => {
        nextRequest = undefined
        const answer = request()
        currentRequest = answer
        return answer
      })
    return nextRequest
  }
}
