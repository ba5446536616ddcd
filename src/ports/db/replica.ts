// Sends reads of requests to a replica, invisibly for the callers. The replica answers only if it has replayed everything that
// was acknowledged when the statement was sent. In every other case the primary answers
// (docs/decisions/0041-many-processes.md).

import type { Sql } from 'sql-template-tag'
import { mayOnlyRead, requirePosition, TELL_POSITION } from './replica.sql.ts'

export interface ReplicaSettings {
  url: string
  /** Called when the replica begins to be used, and when it is no longer used, with the reason. */
  onChange?: (isUsed: boolean, reason?: unknown) => void
}

/** What one request has seen so far. Its later reads show nothing older. */
export interface Reader {
  /** The rows from the replica; undefined if they have to be read from the primary. */
  rows<T extends object>(setting: string, statement: Sql): Promise<T[] | undefined>
  /** To be called when the primary has answered a statement of this request. */
  leave(): void
}

export interface Replica {
  reader(): Reader
  /** To be called when this process has written to the primary, or may have. */
  noteWrite(): void
  mayOnlyRead(text: string): boolean
}

interface Sources {
  /** The position of the primary. */
  primary: () => Promise<number>
  /** The position of the replica; undefined if the server is not a replica. */
  replica: () => Promise<number | undefined>
  /** Whether both are the same database. */
  isSame: () => Promise<boolean>
  /** Runs a statement on the replica between these two, and returns its rows and the position that the last one reports. */
  run: <T extends object>(
    beginStatements: string,
    statement: Sql,
    positionStatement: string,
  ) => Promise<{ rows: T[]; at: number }>
  /** Whether an error says that the replica cannot be reached. */
  isAway: (error: unknown) => boolean
  onChange: (isUsed: boolean, reason?: unknown) => void
}

// A replica on the same network is some milliseconds behind. A request waits this long for what it must see, and then the
// primary answers. For the next REST_MS all requests go to the primary at once.
const WAIT_MS = 100
const POLL_MS = 2
const REST_MS = 1000
// How long one position of the primary serves several statements of a request, if nothing is written in between.
const POSITION_VALID_MS = 250
const IS_BEHIND = `it is more than ${WAIT_MS} ms behind`
const NO_REPLICA = 'it is no replica of this database'
const MAX_WRITERS = 1000
const READ_ONLY_TRANSACTION = '25006'

export function openReplica({ primary, replica, isSame, run, isAway, onChange }: Sources): Replica {
  const primaryNow = shareNext(primary)
  const replicaNow = shareNext(replica)
  const writers = new Set<string>()
  let writes = 0
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
    pausedUntil = performance.now() + REST_MS
    setUsed(false, reason)
  }

  /** Waits a moment for the replica to reach this position of the primary. */
  const catchesUp = async (target: number): Promise<boolean> => {
    const deadline = performance.now() + WAIT_MS
    for (;;) {
      const position = await replicaNow()
      if (position === undefined) throw new Error(NO_REPLICA)
      reachedPosition = Math.max(reachedPosition, position)
      if (reachedPosition >= target) return true
      if (performance.now() > deadline) return false
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  /** Runs in the background, so that no request waits for a replica that is down. */
  const tryAgain = async (): Promise<void> => {
    isTrying = true
    try {
      if (!(await isSame())) return stopUsing(new Error(NO_REPLICA))
      if (!(await catchesUp(await primaryNow()))) return stopUsing(new Error(IS_BEHIND))
      setUsed(true)
    } catch (error) {
      stopUsing(error)
    } finally {
      isTrying = false
    }
  }

  const isThere = async (position: number): Promise<boolean> => {
    if (reachedPosition >= position) return true
    try {
      if (await catchesUp(position)) return true
      stopUsing(new Error(IS_BEHIND))
    } catch (error) {
      stopUsing(error)
    }
    return false
  }

  const reader = (): Reader => {
    let pendingPosition: { position: Promise<number>; writes: number; validUntil: number } | undefined
    let replayedPosition = 0
    const requiredPosition = async (): Promise<number> => {
      if (
        !pendingPosition ||
        pendingPosition.writes !== writes ||
        performance.now() > pendingPosition.validUntil
      ) {
        pendingPosition = {
          writes,
          validUntil: performance.now() + POSITION_VALID_MS,
          position: primaryNow(),
        }
      }
      return Math.max(await pendingPosition.position, replayedPosition)
    }
    return {
      leave: () => {
        pendingPosition = undefined
      },
      rows: async <T extends object>(setting: string, statement: Sql) => {
        if (!mayOnlyRead(statement.text) || writers.has(statement.text)) return undefined
        if (!isUsed) {
          if (!isTrying && performance.now() > pausedUntil) void tryAgain()
          return undefined
        }
        const position = await requiredPosition().catch(() => undefined) // the statement itself will report the error
        if (position === undefined || !(await isThere(position))) return undefined
        try {
          const beginStatements = `${requirePosition(position)}; ${setting}`
          const { rows, at } = await run<T>(beginStatements, statement, TELL_POSITION)
          replayedPosition = Math.max(replayedPosition, at)
          return rows
        } catch (error) {
          // The primary answers, and reports the same error if the statement is wrong.
          if ((error as { code?: unknown }).code === READ_ONLY_TRANSACTION && writers.size < MAX_WRITERS)
            writers.add(statement.text)
          if (isAway(error)) stopUsing(error)
          // One address may lead to several replicas, and one that restarts is behind its own last position.
          reachedPosition = 0
          return undefined
        }
      },
    }
  }

  return {
    reader,
    noteWrite: () => {
      writes += 1
    },
    mayOnlyRead: (text) => mayOnlyRead(text) && !writers.has(text),
  }
}

/** Callers that arrive while a request is running share the next one, which starts afterwards. */
function shareNext<T>(ask: () => Promise<T>): () => Promise<T> {
  let currentCheck: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= currentCheck
      .catch(() => undefined)
      .then(() => {
        next = undefined
        const answer = ask()
        currentCheck = answer
        return answer
      })
    return next
  }
}
