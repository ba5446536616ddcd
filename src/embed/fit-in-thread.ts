// Runs the fit in a thread: 20,000 chunks keep a core busy for some 15 s, during which the event loop must serve others.

import { startThread } from '../ports/thread.ts'
import type { Basis, TermRows } from './fit.ts'

/** The basis; the thread ends with the signal. @throws the signal's reason, or what the fit threw */
export function fitInThread(rows: TermRows, signal: AbortSignal): Promise<Basis> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const transferList = [rows.starts.buffer, rows.terms.buffer, rows.weights.buffer] as ArrayBuffer[]
    const thread = startThread('./fit-thread', import.meta.url, { workerData: rows, transferList })
    const stop = (): void => {
      void thread.terminate()
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop)
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) => {
      signal.removeEventListener('abort', stop)
      reject(new Error(`the fit ended with exit code ${code}`))
    })
  })
}
