// The child's side of supervision. It reports that it is ready or why it failed, and ends on request or with its parent.

import { once } from 'node:events'
import { endWithParent } from '../parent.ts'
import type { ChildMessage } from './child.ts'
import type { Stoppable } from './supervisor.ts'

// After the supervisor has died, the role has this time to release its locks and tasks.
const ORPHAN_GRACE_MS = 1500

/** The input of a role's start. */
export interface StartContext {
  /** Call this with the current step, so that waiting does not count as a start that hangs. */
  onProgress: (activity: string) => void
  /** Call this while the database is migrated, when a statement may take long. */
  onMigrating: () => void
  /** Aborted when the role has to stop. This also ends a start that waits. */
  signal: AbortSignal
}

/**
 * Runs one role (api, worker). Resolves when the role has stopped: to `ok`, or to `failed` when it could not start and has reported
 * the reason to the supervisor. Without a supervisor (KENNING_ROLE) it serves until a signal. With one it ends soon after the
 * supervisor, even if it is busy.
 */
export async function runRole(
  start: (startContext: StartContext) => Promise<Stoppable>,
): Promise<'ok' | 'failed'> {
  if (process.connected) endWithParent(ORPHAN_GRACE_MS)
  const stopSignal = listenForStop()
  let role: Stoppable
  try {
    role = await start({
      onProgress: (activity) => report({ type: 'progress', doing: activity }),
      onMigrating: () => report({ type: 'migrating' }),
      signal: stopSignal,
    })
  } catch (error) {
    if (stopSignal.aborted && isAbort(error)) {
      if (process.connected) process.disconnect()
      return 'ok'
    }
    report({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
    if (!process.connected) throw error
    process.disconnect()
    return 'failed'
  }
  report({ type: 'ready' })
  if (!stopSignal.aborted) await once(stopSignal, 'abort')
  await role.stop()
  if (process.connected) process.disconnect()
  return 'ok'
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

function report(message: ChildMessage) {
  if (process.connected) process.send?.(message, () => {}) // the callback receives the error of a lost parent
}

// Ctrl-C reaches the whole process group. If there is a supervisor, it decides the order of stopping.
function listenForStop(): AbortSignal {
  const isSupervised = process.connected
  const controller = new AbortController()
  // Not `once`: without a listener, a second signal (from systemd or the supervisor) would kill the process while it stops.
  process.on('SIGTERM', () => controller.abort())
  process.once('disconnect', () => controller.abort())
  process.on('SIGINT', () => isSupervised || controller.abort())
  process.on('SIGHUP', () => isSupervised || controller.abort())
  process.on('message', (message) => {
    if ((message as { type?: unknown }).type === 'stop') controller.abort()
  })
  return controller.signal
}
