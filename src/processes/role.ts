// The child's side of supervision: it reports that it is ready or why it failed, and ends when asked to or with its parent.

import { endWithParent } from '../parent.ts'
import type { ChildMessage } from './child.ts'
import type { Stoppable } from './supervisor.ts'

// Time to release what it holds when the supervisor is gone; there is nothing left to serve then.
const ORPHAN_GRACE_MS = 1500

/**
 * Runs one role (api, worker) as a supervised child. Resolves when the role has stopped: `ok`, or `failed` when it could not
 * start, after reporting the reason to the supervisor. Without a parent (KENNING_ROLE) it serves until a signal; with one it
 * ends soon after the parent, busy or not. `start` calls `onMigrating` while it migrates, so that this does not count as a
 * start that hangs.
 */
export async function runRole(
  start: (onMigrating: () => void) => Promise<Stoppable>,
): Promise<'ok' | 'failed'> {
  if (process.connected) endWithParent(ORPHAN_GRACE_MS)
  const told = toldToStop()
  let running: Stoppable
  try {
    running = await start(() => report({ type: 'migrating' }))
  } catch (error) {
    report({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
    if (!process.connected) throw error
    process.disconnect()
    return 'failed'
  }
  report({ type: 'ready' })
  await told
  await running.stop()
  if (process.connected) process.disconnect()
  return 'ok'
}

function report(message: ChildMessage) {
  if (process.connected) process.send?.(message, () => {}) // the callback takes the error of a lost parent
}

// Ctrl-C reaches the whole process group; if there is a supervisor, it decides the order of stopping.
function toldToStop(): Promise<void> {
  const supervised = process.connected
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('disconnect', () => resolve())
    process.on('SIGINT', () => supervised || resolve())
    process.on('SIGHUP', () => supervised || resolve())
    process.on('message', (message) => {
      if ((message as { type?: unknown }).type === 'stop') resolve()
    })
  })
}
