// Ends a process when its parent has exited. An event loop that is busy, or blocked in native code, does not receive
// "disconnect", so a separate thread polls the parent's process id and kills the process.

import { Worker } from 'node:worker_threads'

/** The thread's `workerData`. */
interface ParentWatch {
  parent: number
  /** The process id, or the negative id of its group. */
  target: number
  graceMs: number
  pollMs: number
}

// Three generations (supervisor, worker, parser) are gone within two polls and the worker's grace time.
const POLL_MS = 250
// Source text, because it works from the build and from the TypeScript sources alike, without a loader.
const thread = `
const { parent, target, graceMs, pollMs } = require('node:worker_threads').workerData
const end = () => {
  try {
    process.kill(target, 'SIGKILL')
  } catch {
    process.kill(process.pid, 'SIGKILL')
  }
}
const timer = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(timer)
  setTimeout(end, graceMs)
}, pollMs)
`

interface ParentOptions {
  /** Process id of the parent; by default the current parent's. */
  parent?: number
  /** Whether the process leads a process group, which ends with it: all programs that it has started. */
  withGroup?: boolean
}

/**
 * From now on this process ends at most one poll and `graceMs` after its parent. Within `graceMs` it may shut down by
 * itself.
 */
export function endWithParent(
  graceMs: number,
  { parent = process.ppid, withGroup = false }: ParentOptions = {},
): void {
  const target = withGroup ? -process.pid : process.pid
  const workerData: ParentWatch = { parent, target, graceMs, pollMs: POLL_MS }
  new Worker(thread, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref()
  const end = (): void => void setTimeout(() => killNow(target), graceMs).unref()
  if (process.connected) process.once('disconnect', end)
}

function killNow(target: number): void {
  try {
    process.kill(target, 'SIGKILL')
  } catch {
    // The process leads no group, or the system has no groups.
    process.kill(process.pid, 'SIGKILL')
  }
}
