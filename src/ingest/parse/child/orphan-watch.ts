// Ends the child when its parent is gone. A parser that computes without pause never hears "disconnect", so a thread
// beside it looks every second whether the parent is still the same process.

import { Worker } from 'node:worker_threads'

const watch = `
const parent = process.ppid
setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL') }, 1000)
`

/** Starts watching; a killed process needs no clean-up, its folder belongs to the pool. */
export function watchParent(): void {
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  new Worker(watch, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref()
}
