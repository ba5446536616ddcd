// Ends a process whose parent is gone. An event loop that computes, or waits in native code, never hears "disconnect":
// so a thread beside it looks whether the parent is still there, and kills the process.

import { Worker } from 'node:worker_threads'

/** What the thread is started with. */
interface Watch {
  parent: number
  graceMs: number
  lookMs: number
}

// A tree of three (supervisor, worker, parser) is gone within two looks and the worker's grace.
const LOOK_MS = 250
// Source, since it is the same from the build and from the sources, and starts without a loader.
const thread = `
const { parent, graceMs, lookMs } = require('node:worker_threads').workerData
const end = () => process.kill(process.pid, 'SIGKILL')
const look = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(look)
  setTimeout(end, graceMs)
}, lookMs)
`

/**
 * From now on this process outlives its parent by no more than a look and `graceMs`, in which it may end by itself.
 * `parent`: who it must be; whoever it is now where that is not known.
 */
export function endWithParent(graceMs: number, parent = process.ppid): void {
  const workerData: Watch = { parent, graceMs, lookMs: LOOK_MS }
  new Worker(thread, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref()
  const end = (): void => void setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs).unref()
  if (process.connected) process.once('disconnect', end)
}
