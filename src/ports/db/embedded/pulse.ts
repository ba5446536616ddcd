// Reports whether the engine is alive, on a socket of its own, so that the supervisor's question does not wait behind the
// clients' statements. The engine's first thread serves it, so it answers even while a long statement occupies the database's
// thread.

import { rm } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'

/** The counters that the database's thread increments, in memory that both threads share. */
export const ACTIVITY = { files: 0, units: 1 } as const

export const makeActivity = (): Int32Array<SharedArrayBuffer> =>
  new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))

interface PulseOptions {
  socketPath: string
  activity: Int32Array<SharedArrayBuffer>
  /** Resolves when the session proves that it works (`Turns.probe`). */
  probe(): Promise<void>
  /** How long reading and writing files proves that one statement is alive (default 15 minutes). */
  maxStatementMs?: number
}

// VACUUM of a million passages, or a checkpoint on a slow disk, is one statement of minutes. But a statement that never ends
// must be ended.
const MAX_STATEMENT_MS = 15 * 60_000
const CHECK_MS = 200

/** A waiting question, and how many files the database had used when it arrived. */
interface Question {
  answer(): void
  filesAtStart: number
}

/**
 * Answers each connection with one byte as soon as the session works, or its statement has read or written a file. A statement
 * that only computes cannot be distinguished from one that hangs. Resolves when it listens, to a function that stops it.
 */
export async function servePulse(options: PulseOptions): Promise<() => void> {
  const { activity, probe, socketPath, maxStatementMs = MAX_STATEMENT_MS } = options
  const questions = new Set<Question>()
  let units = Atomics.load(activity, ACTIVITY.units)
  let lastProgressAt = performance.now()

  const checkQuestions = (): void => {
    const now = Atomics.load(activity, ACTIVITY.units)
    if (now !== units) lastProgressAt = performance.now()
    units = now
    if (performance.now() - lastProgressAt > maxStatementMs) return
    const files = Atomics.load(activity, ACTIVITY.files)
    for (const question of questions) if (question.filesAtStart !== files) question.answer()
  }
  const timer = setInterval(checkQuestions, CHECK_MS).unref()

  await rm(socketPath, { force: true })
  const server = createServer((socket) => {
    const question: Question = {
      answer: () => socket.end('.'),
      filesAtStart: Atomics.load(activity, ACTIVITY.files),
    }
    questions.add(question)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => questions.delete(question))
    socket.resume()
    void probe().then(question.answer)
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

/** Resolves when the engine behind the socket has answered. */
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
