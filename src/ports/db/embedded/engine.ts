// The engine's process. `engine <data directory> <socket folder> [options]` opens the embedded database and serves it on
// `<socket folder>/.s.PGSQL.5432`. Only one engine can run on a data directory (engine.lock). It ends when its parent process ends.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../../thread.ts'
import type { CopySettings } from './daily-copy.ts'
import { clusterFolder, ensureCluster } from './directory.ts'
import { type Lock, LockHeld, takeLock } from './lock.ts'
import { isAlive } from './process-identity.ts'
import { makeActivity, servePulse } from './pulse.ts'
import type { StopThread, ThreadCommand, ThreadReport, ThreadTask } from './thread.ts'

// WebAssembly recurses on V8's stack, which has 1 MB by default. PGlite does not report its overflow: a sum of 200 parameters gave
// an empty answer and a corrupt engine. With this stack size, PostgreSQL's own check (max_stack_depth) fails first and reports an
// error (54001).
const STACK_SIZE_MB = 256

// How long clients may take to finish and disconnect after SIGTERM.
const LINGER_MS = 6000
// How long closing may take after that. Then the process ends without closing, and the next start recovers from the log.
const CLOSE_LIMIT_MS = 7500
// The same limits after the parent has died. They are shorter, because then the clients end soon, too.
const ORPHAN_LINGER_MS = 1000
const ORPHAN_CLOSE_LIMIT_MS = 1500

// V8 optimises a function after it has executed about this many bytes of code (2 MB by default). In an engine that runs only for a
// moment, optimising took more than half of the processor time.
const NO_OPTIMISATION_FLAG = '--wasm-tiering-budget=500000000'

/**
 * Takes engine.lock, and kills another engine that has it. The parent of that engine must have died, because the parent of this
 * engine has kenning.lock.
 */
async function takeEngineLock(path: string): Promise<Lock> {
  for (;;) {
    try {
      return takeLock(path)
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error
      process.kill(error.holder.pid, 'SIGKILL')
      while (isAlive(error.holder)) await delay(20)
    }
  }
}

/** Starts the database thread. */
const startDatabaseThread = (workerData: ThreadTask): Worker =>
  startThread('./thread', import.meta.url, { workerData, resourceLimits: { stackSizeMb: STACK_SIZE_MB } })

/**
 * Handles the messages of the database thread. `ready` resolves when clients can connect, `ended` when the database is closed. Both
 * reject if the thread fails.
 */
function watchThread(thread: Worker) {
  let resolveReady = () => {}
  const readiness = new Promise<void>((resolve) => {
    resolveReady = resolve
  })
  let probes: (() => void)[] = []
  /** Resolves when the database session has run a statement. Callers that arrive during a probe share its result. */
  const probe = () =>
    new Promise<void>((resolve) => {
      if (probes.push(resolve) === 1) thread.postMessage({ type: 'probe' } satisfies ThreadCommand)
    })
  const ended = new Promise<void>((resolve, reject) => {
    thread.once('error', reject)
    thread.once('exit', () => resolve())
  })
  thread.on('message', (message: ThreadReport) => {
    if (message.type === 'ready') resolveReady()
    if (message.type === 'alive') {
      for (const resolve of probes) resolve()
      probes = []
    }
    if (message.type === 'copying' && process.connected) process.send?.({ type: 'migrating' }, () => {})
    if (message.type === 'closed') void thread.terminate() // module loaders and pools may keep it alive
    if (message.type === 'broken' || message.type === 'trouble') console.error(`engine: ${message.message}`)
    if (message.type === 'broken') die()
  })
  return { ready: Promise.race([readiness, ended]), ended, probe }
}

const reportProgress = (step: string) => {
  // The callback ignores the error of a parent that has ended.
  if (process.connected) process.send?.({ type: 'progress', doing: step }, () => {})
}

/** Kills this process: a broken engine must not write anything while it closes. Its parent starts another engine. */
function die() {
  process.kill(process.pid, 'SIGKILL')
}

/** The third argument, as JSON. */
interface EngineArguments {
  brief?: boolean
  withoutArchive?: boolean
  copies?: CopySettings
}

/**
 * Runs until it is stopped. After SIGTERM it waits for the clients to disconnect, after `{type: 'stop'}` it stops at once, and
 * after the parent has ended it stops soon.
 */
async function main(
  dataDir: string,
  socketDir: string,
  { brief: isBrief, withoutArchive = false, copies }: EngineArguments,
) {
  if (isBrief) setFlagsFromString(NO_OPTIMISATION_FLAG)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  process.once('disconnect', die)
  const lock = await takeEngineLock(join(dataDir, 'engine.lock'))
  await ensureCluster(dataDir, {
    onCreate: () => reportProgress('creating the database …'),
    withoutArchive,
  })
  reportProgress('opening the database …')
  process.removeListener('disconnect', die)
  const activity = makeActivity()
  const thread = startDatabaseThread({
    serve: clusterFolder(dataDir),
    socketPath: join(socketDir, '.s.PGSQL.5432'),
    activity,
    copies,
  })
  const { ready, ended, probe } = watchThread(thread)
  stopOnRequest((stop) => thread.postMessage(stop))
  await ready
  const endPulse = await servePulse({ socketPath: join(socketDir, 'pulse'), activity, probe })
  // The callback ignores the error of a parent that has ended; `disconnect` then ends this process.
  if (process.connected) process.send?.({ type: 'ready' }, () => {})
  await ended
  endPulse()
  lock.release()
}

/** Sends each request to stop to the thread, and kills the process if the thread does not end in time. */
function stopOnRequest(stop: (stopMode: StopThread) => void) {
  const stopWithin = (linger: number, close = CLOSE_LIMIT_MS) => {
    stop({ type: 'stop', lingerMs: linger })
    setTimeout(die, linger + close).unref()
  }
  const stopAsOrphan = () => stopWithin(ORPHAN_LINGER_MS, ORPHAN_CLOSE_LIMIT_MS)
  process.on('SIGTERM', () => stopWithin(LINGER_MS))
  process.on('message', (message) => {
    if ((message as { type?: unknown }).type === 'stop') stopWithin(0)
  })
  process.once('disconnect', stopAsOrphan)
  if (!process.connected) stopAsOrphan() // the parent ended before the listener was added
}

/** Creates a cluster in `folder`. The process ends at once if the engine that started it dies. */
async function initialise(folder: string) {
  process.once('disconnect', die)
  await watchThread(startDatabaseThread({ make: folder })).ended
  process.removeListener('disconnect', die)
}

// Ctrl-C in a terminal reaches the whole process group; the supervisor decides when the engine stops.
process.on('SIGINT', () => {})
process.on('SIGHUP', () => {})
const [first = '', second = '', third = '{}'] = process.argv.slice(2)
try {
  await (first === 'initialise' ? initialise(second) : main(first, second, JSON.parse(third)))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  if (first === 'initialise') console.error(message)
  else process.send?.({ type: 'failed', message })
  process.exitCode = 1
}
if (process.connected) process.disconnect()
