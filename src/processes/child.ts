// Supervises one child process: starts it, waits until it is ready, restarts it with a growing delay when it dies, and kills it
// when it stops answering. To stop a child, it sends SIGTERM, and SIGKILL after a grace period.

import type { ChildProcess } from 'node:child_process'
import type { Log } from '../ports/deps.ts'
import { type ForkOptions, forkModule } from './module.ts'
import { ownClock } from './own-time.ts'
import { activityOf, watchProgress } from './progress.ts'
import { startWatch, type Watch } from './watch.ts'

export type ChildLog = Pick<Log, 'info' | 'warn' | 'error'>

/** A child process and how to supervise it. A restart uses the same module, arguments and environment. */
export interface ChildSpec extends ForkOptions {
  name: string
  module: URL
  /** Time from SIGTERM to SIGKILL (default 8 s). */
  graceMs?: number
  /** A child that is starting is killed after this time without a report and without work (default 2 minutes). */
  idleLimitMs?: number
  /** Called with the step that the child reports while it starts, such as `creating the database …`. */
  onProgress?: (step: string) => void
  /** Called whenever the child reports that it is migrating, or waiting for another process that is. */
  onMigrating?: () => void
  /** How to check whether the child still answers. It is killed when it is silent (default: no checks). */
  watch?: Watch
}

/**
 * Messages of a child over IPC. `progress`: the current step of the start. `migrating`: sent every few seconds while the database
 * is migrated. `ready`: the child serves. `failed`: the reason why the child cannot start; then it ends by itself.
 */
export type ChildMessage =
  | { type: 'progress'; doing: string }
  | { type: 'migrating' }
  | { type: 'ready' }
  | { type: 'failed'; message: string }

export interface Child {
  readonly name: string
  /** The child's current process id. Undefined between two runs. */
  pid(): number | undefined
  /** How often the child was restarted. */
  restarts(): number
  /** Ends the child for good: SIGTERM (and `{type: 'stop'}`), then SIGKILL after the grace period. Resolves when it has ended. */
  stop(): Promise<void>
}

/** A child ended before it was ready for the first time. `message` is its own reason, if it gave one. */
export class ChildFailed extends Error {
  readonly child: string
  constructor(child: string, message: string) {
    super(message)
    this.child = child
  }
}

const DEFAULT_GRACE_MS = 8000
const DEFAULT_IDLE_LIMIT_MS = 120_000
const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 10_000
// The grace period during a migration: a server continues after it has lost its client, and the next start would repeat the work.
const MIGRATION_GRACE_MS = 45_000
// After a run of this length, the delay starts at FIRST_DELAY_MS again.
const STABLE_AFTER_MS = 30_000

/** How one run of the child ended. */
interface Ending {
  wasReady: boolean
  livedMs: number
  reason: string
}

/**
 * Starts a child and resolves when it is ready. @throws ChildFailed when its first run ends before that, which also happens
 * when `signal` stops it
 */
export async function superviseChild(spec: ChildSpec, log: ChildLog, signal?: AbortSignal): Promise<Child> {
  let current: ChildProcess | undefined
  let restarts = 0
  let isStopping = false
  let isMigrating = false
  let wake = () => {}
  const specWithMigration: ChildSpec = {
    ...spec,
    onMigrating: () => {
      isMigrating = true
      spec.onMigrating?.()
    },
  }

  function runOnce(onReady: () => void): Promise<Ending> {
    const child = forkModule(spec.module, spec)
    current = child
    return followRun(specWithMigration, child, log, onReady).finally(() => {
      current = undefined
    })
  }

  async function keepAlive(firstRun: Promise<Ending>) {
    let delayMs = FIRST_DELAY_MS
    for (let exit = await firstRun; !isStopping; exit = await runOnce(() => {})) {
      if (exit.livedMs > STABLE_AFTER_MS) delayMs = FIRST_DELAY_MS
      log.error({ child: spec.name, delay_ms: delayMs }, `${spec.name} ended (${exit.reason}), restarting it`)
      // This timer also keeps the process alive when all children have died at once.
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, delayMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      if (isStopping) return
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)
      restarts += 1
    }
  }

  const stop = async (graceMs = spec.graceMs ?? DEFAULT_GRACE_MS): Promise<void> => {
    isStopping = true
    wake()
    if (current) await end(current, graceMs)
  }
  const abortStart = (): void => void stop(isMigrating ? MIGRATION_GRACE_MS : undefined)

  let supervision = Promise.resolve()
  await new Promise<void>((resolve, reject) => {
    const firstRun = runOnce(resolve).then((exit) => {
      if (exit.wasReady) return exit
      isStopping = true
      reject(new ChildFailed(spec.name, exit.reason))
      return exit
    })
    supervision = keepAlive(firstRun)
    signal?.addEventListener('abort', abortStart)
    if (signal?.aborted) abortStart()
  }).finally(() => signal?.removeEventListener('abort', abortStart))

  return {
    name: spec.name,
    pid: () => current?.pid,
    restarts: () => restarts,
    async stop() {
      await stop()
      await supervision
    },
  }
}

/** Follows one process from its start to its end. */
async function followRun(
  spec: ChildSpec,
  child: ChildProcess,
  log: ChildLog,
  onReady: () => void,
): Promise<Ending> {
  const startedAt = performance.now()
  let wasReady = false
  let reason = ''
  let stopWatch = () => {}

  const kill = (killReason: string) => {
    reason = killReason
    child.kill('SIGKILL')
  }
  const idleLimitMs = spec.idleLimitMs ?? DEFAULT_IDLE_LIMIT_MS
  const clock = ownClock(child.pid)
  const start = watchProgress(
    idleLimitMs,
    () => activityOf(child.pid),
    () => kill(`its start did nothing for ${idleLimitMs / 1000} s`),
  )

  child.on('message', (message: ChildMessage) => {
    if (message.type === 'failed') reason = message.message
    if (wasReady) return
    start.renew()
    if (message.type === 'progress') spec.onProgress?.(message.doing)
    if (message.type === 'migrating') spec.onMigrating?.()
    if (message.type !== 'ready') return
    wasReady = true
    start.end()
    log.info(
      { child: spec.name, pid: child.pid, ms: Math.round(performance.now() - startedAt) },
      `${spec.name} is ready`,
    )
    if (spec.watch)
      stopWatch = startWatch(spec.watch, clock.now, (silentMs) => kill(`no answer for ${silentMs / 1000} s`))
    else clock.end()
    onReady()
  })
  const exitReason = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  start.end()
  stopWatch()
  clock.end()
  return { wasReady, livedMs: performance.now() - startedAt, reason: reason || exitReason }
}

async function end(child: ChildProcess, graceMs: number) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  if (child.connected) child.send({ type: 'stop' }, () => {}) // the callback receives the error of a closed channel
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await exited
  clearTimeout(timer)
}
