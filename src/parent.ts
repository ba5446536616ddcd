// Ends a process when its parent has exited. An event loop that is busy, or blocked in native code, does not receive
// "disconnect", so a separate thread polls the parent's process id and kills the process.

import { Worker } from 'node:worker_threads'

/** The thread's `workerData`. */
interface ParentWatch {
  parent: number
  graceMs: number
  pollMs: number
}

// Three generations (supervisor, worker, parser) are gone within two polls and the worker's grace time.
const POLL_MS = 250
// Source text, because it works from the build and from the TypeScript sources alike, without a loader.
const thread = `
const { parent, graceMs, pollMs } = require('node:worker_threads').workerData
const end = () => process.kill(process.pid, 'SIGKILL')
const timer = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(timer)
  setTimeout(end, graceMs)
}, pollMs)
`

/**
 * From now on this process outlives its parent by at most one poll and `graceMs`, in which it may shut down by itself.
 * @param parent process id of the parent; by default the current parent's
 */
export function endWithParent(graceMs: number, parent = process.ppid): void {
  const workerData: ParentWatch = { parent, graceMs, pollMs: POLL_MS }
  new Worker(thread, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref()
  const end = (): void => void setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs).unref()
  if (process.connected) process.once('disconnect', end)
}
