// Runs the whole service on one machine: the engine (unless a PostgreSQL server is configured), API and worker. The engine stops
// last.

import { pino } from 'pino'
import type { CopySettings } from '../ports/db/embedded/daily-copy.ts'
import { type Engine, startEngine } from './engine.ts'
import { requireFreePort } from './free-port.ts'
import { LOG_FORM, logStream } from './log-stream.ts'
import { type Supervisor, stopInOrder, stopSignal, supervise } from './supervisor.ts'

interface ServiceOptions {
  dataDir: string
  host: string
  port: number
  /** The settings of automatic copies by the embedded engine. */
  copies: CopySettings | undefined
  /** Whether to start the embedded engine. */
  embedded: boolean
  /** The module that runs the role in its environment. */
  main: URL
  environment: (role: 'api' | 'worker', socketDir: string | undefined) => Record<string, string>
  logLevel: string
}

// Limits of the heaps, because V8 lets a heap grow on a machine with much memory. When idle, both processes use 60 to 90 MB.
const API_HEAP = '--max-old-space-size=512'
const WORKER_HEAP = '--max-old-space-size=1024'
// The limit of V8's young generation. The default is 16 MB, which an idle process would keep from its start.
const YOUNG_HEAP = '--max-semi-space-size=4'
// API and worker stop at the same time, and then the engine within 8 s, so that everything has stopped within the 30 s of
// `stopInOrder`. The API finishes its requests, for up to 12 s (http/shutdown.ts), and the worker releases its tasks.
const API_GRACE_MS = 15_000
const WORKER_GRACE_MS = 10_000

/**
 * Resolves when API and worker are ready. Resolves to undefined when a signal stopped the start and everything has ended.
 * @throws DataDirectoryInUse, a port in use, ChildFailed with its reason
 */
export async function startService(
  options: ServiceOptions,
): Promise<{ untilStopped: Promise<void> } | undefined> {
  const log = pino(
    { ...LOG_FORM, level: options.logLevel, base: { role: 'supervisor' } },
    logStream(process.stdout),
  )
  log.info({ dataDir: options.dataDir }, `starting, with the data in ${options.dataDir}`)
  const stopRequested = stopSignal()
  const startController = new AbortController()
  void stopRequested.then(() => startController.abort())
  const checkPort = (): Promise<void> => requireFreePort(options.host, options.port)
  let engine: Engine | undefined
  const startChildren = (socketDir?: string): Promise<Supervisor> => {
    const child = (name: 'api' | 'worker', heap: string, graceMs: number) => ({
      name,
      module: options.main,
      args: ['serve'],
      env: options.environment(name, socketDir),
      nodeFlags: [heap, YOUNG_HEAP],
      graceMs,
      onMigrating: () => engine?.setMigrating(true),
    })
    const specs = [child('api', API_HEAP, API_GRACE_MS), child('worker', WORKER_HEAP, WORKER_GRACE_MS)]
    return supervise(specs, log, startController.signal)
  }
  let childrenStart: Promise<Supervisor> | undefined
  try {
    if (options.embedded) {
      engine = await startEngine({
        dataDir: options.dataDir,
        copies: options.copies,
        log,
        beforeStart: checkPort,
        signal: startController.signal,
        // The children load while the engine opens the database.
        onStarting: (socketDir) => {
          childrenStart = startChildren(socketDir)
          childrenStart.catch(() => undefined)
        },
      })
    } else {
      await checkPort()
    }
    const children = await (childrenStart ?? startChildren())
    engine?.setMigrating(false)
    const stop = async (): Promise<void> => {
      log.info({ signal: await stopRequested }, 'stopping')
      await stopInOrder(engine ? [children, engine] : [children])
    }
    return { untilStopped: stop() }
  } catch (error) {
    const wasStopRequested = startController.signal.aborted
    startController.abort()
    await childrenStart?.catch(() => undefined)
    await engine?.stop()
    if (!wasStopRequested) throw error
    log.info({ signal: await stopRequested }, 'stopped before it was ready')
    return undefined
  }
}
