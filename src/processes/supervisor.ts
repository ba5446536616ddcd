// Supervises the service's children together: starts them at the same time, keeps them running, and stops them within 30 s.

import type { ChildLog } from './child.ts'
import { type Child, type ChildSpec, superviseChild } from './child.ts'

/** Anything that runs and can be stopped: a child, the engine. */
export interface Stoppable {
  stop(): Promise<void>
}

export interface Supervisor {
  readonly children: readonly Child[]
  /** Stops all children. */
  stop(): Promise<void>
}

const STOP_LIMIT_MS = 30_000

/**
 * Starts the children at the same time and resolves when all are ready. When one cannot start, or `signal` ends the start, the
 * others are stopped. @throws ChildFailed of that child
 */
export async function supervise(
  specs: readonly ChildSpec[],
  log: ChildLog,
  signal?: AbortSignal,
): Promise<Supervisor> {
  const starts = await Promise.allSettled(specs.map((spec) => superviseChild(spec, log, signal)))
  const children = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const stop = async (): Promise<void> => {
    await Promise.all(children.map((child) => child.stop()))
  }
  const failure = starts.find((start) => start.status === 'rejected')
  if (failure) {
    await stop()
    throw failure.reason
  }
  return { children, stop }
}

/** Stops one part after the other. Throws after 30 s, so that the caller can end the process anyway. */
export async function stopInOrder(parts: readonly Stoppable[]): Promise<void> {
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('stopping took more than 30 s')), STOP_LIMIT_MS).unref()
  })
  const stopped = (async () => {
    for (const part of parts) await part.stop()
  })()
  await Promise.race([stopped, timeout])
}

/** Resolves with the first signal to end this process: SIGTERM, SIGINT (Ctrl-C) or SIGHUP. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve(signal))
  })
}
