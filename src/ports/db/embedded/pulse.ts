// The health check of the engine, by which the supervisor sees whether the engine is alive. It has a socket of its own, so that
// a check does not wait behind the statements of clients. The engine's main thread answers, because a long statement may occupy the
// database thread.

import { rm } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'

/** The indexes of the counters that the database thread increments, in memory that both threads share. */
export const ACTIVITY = { files: 0, units: 1 } as const

export const makeActivity = (): Int32Array<SharedArrayBuffer> =>
  new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))

interface PulseOptions {
  socketPath: string
  activity: Int32Array<SharedArrayBuffer>
  /** Resolves when the database session has shown that it works (`Turns.probe`). */
  probe(): Promise<void>
  /** A statement that reads or writes files counts as alive for this time at most (default 15 minutes). */
  maxStatementMs?: number
}

// One statement can take minutes, for example VACUUM of a million passages, or a checkpoint on a slow disk. But the supervisor must
// be able to end a statement that never ends by itself.
const MAX_STATEMENT_MS = 15 * 60_000
const CHECK_MS = 200

/** A check that has not been answered yet, and the count of file operations when it arrived. */
interface PendingCheck {
  answer(): void
  filesAtStart: number
}

/**
 * Answers each connection with one byte as soon as the session has shown that it works, or the running statement has read or
 * written a file. (A statement that only computes looks like one that hangs.) Resolves when the socket listens, to a function that
 * stops the server.
 */
export async function servePulse(options: PulseOptions): Promise<() => void> {
  const { activity, probe, socketPath, maxStatementMs = MAX_STATEMENT_MS } = options
  const pendingChecks = new Set<PendingCheck>()
  let lastUnits = Atomics.load(activity, ACTIVITY.units)
  let lastProgressAt = performance.now()

  const answerChecks = (): void => {
    const currentUnits = Atomics.load(activity, ACTIVITY.units)
    if (currentUnits !== lastUnits) lastProgressAt = performance.now()
    lastUnits = currentUnits
    if (performance.now() - lastProgressAt > maxStatementMs) return
    const files = Atomics.load(activity, ACTIVITY.files)
    for (const check of pendingChecks) if (check.filesAtStart !== files) check.answer()
  }
  const timer = setInterval(answerChecks, CHECK_MS).unref()

  await rm(socketPath, { force: true })
  const server = createServer((socket) => {
    const check: PendingCheck = {
      answer: () => socket.end('.'),
      filesAtStart: Atomics.load(activity, ACTIVITY.files),
    }
    pendingChecks.add(check)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => pendingChecks.delete(check))
    socket.resume()
    void probe().then(check.answer)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, () => resolve())
  })
  return () => {
    clearInterval(timer)
    server.close()
  }
}

/** Connects to the socket, and resolves when the engine has answered. */
export async function askPulse(socketPath: string, signal: AbortSignal): Promise<void> {
  const socket = createConnection({ path: socketPath })
  const stop = () => socket.destroy(new Error('no answer in time'))
  signal.addEventListener('abort', stop)
  try {
    for await (const _ of socket) return
    throw new Error('the engine hung up')
  } finally {
    signal.removeEventListener('abort', stop)
    socket.destroy()
  }
}
