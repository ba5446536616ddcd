// Starts the embedded engine: takes the lock of the data directory, and keeps the engine's process running. The socket folder stays
// the same after a restart, so that the pools of all clients reconnect.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { makeDataDir } from '../ports/data-dir.ts'
import type { CopySettings } from '../ports/db/embedded/daily-copy.ts'
import { type Lock, type LockContent, LockHeld, takeLock } from '../ports/db/embedded/lock.ts'
import { askPulse } from '../ports/db/embedded/pulse.ts'
import type { ChildLog } from './child.ts'
import { type Child, superviseChild } from './child.ts'
import { siblingModule } from './module.ts'

/** Another running Kenning uses the data directory. */
export class DataDirectoryInUse extends Error {
  readonly pid: number
  readonly directory: string
  constructor(directory: string, holder: LockContent) {
    super(
      `The data directory ${directory} is in use by Kenning process ${holder.pid} (since ${holder.started_at}). ` +
        'Stop that process first, or set KENNING_DATA_DIR to another directory.',
    )
    this.pid = holder.pid
    this.directory = directory
  }
}

interface EngineOptions {
  dataDir: string
  log: ChildLog
  /** Whether the engine is used for a few statements only. */
  brief?: boolean
  /** Whether a new database is created without the build's archive, which already contains the migrations. */
  withoutArchive?: boolean
  /** The settings of automatic copies of the database (default none). */
  copies?: CopySettings | undefined
  /** Called with the current step of a slow start, such as `creating the database …`. */
  onProgress?: (activity: string) => void
  /** Called when the lock has been taken, before the engine is started. If it throws, the engine is not started. */
  beforeStart?: () => Promise<void>
  /** Called when the engine is started. Its socket will be in this folder. */
  onStarting?: (socketDir: string) => void
  /** Aborts a start that is not complete. */
  signal?: AbortSignal
  /** Time between two checks of the watchdog (default 5 s). */
  askEveryMs?: number
  /** After this time without an answer the engine is killed and restarted (default 30 s). */
  silentLimitMs?: number
}

export interface Engine {
  /** The folder of the socket, for `openDb({socketDir})` in this and other processes. */
  readonly socketDir: string
  pid(): number | undefined
  restarts(): number
  /** Call this when migrations begin and end. Meanwhile one statement may block the engine for long, to create an index. */
  setMigrating(isMigrating: boolean): void
  /** Closes the database cleanly, removes the socket folder and releases the lock. */
  stop(): Promise<void>
}

export const lockFile = (dataDir: string): string => join(dataDir, 'kenning.lock')

const SILENT_LIMIT_MS = 30_000
// The limit during migrations, because creating an index over 50,000 chunks takes longer than 30 s.
const MIGRATING_LIMIT_MS = 3_600_000

const PULSE_SOCKET = 'pulse'
const REPORT_AFTER_MS = 2000
const SOCKET_NAME = '.s.PGSQL.5432'
// sun_path has 108 bytes on Linux and 104 on macOS, including a NUL. A longer path would be cut silently.
const MAX_SOCKET_PATH_BYTES = 103

/** Starts the engine on `dataDir`, which is created if missing. @throws DataDirectoryInUse, or ChildFailed with the reason */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const dataDir = resolve(options.dataDir)
  makeDataDir(dataDir)
  const socketDir = makeSocketDir()
  try {
    const lock = lockDirectory(dataDir, socketDir)
    const silence = { limitMs: options.silentLimitMs ?? SILENT_LIMIT_MS }
    const child = await startChild(options, {
      dataDir,
      socketDir,
      lock,
      silentLimitMs: () => silence.limitMs,
    })
    return {
      socketDir,
      pid: child.pid,
      restarts: child.restarts,
      setMigrating: (isMigrating) => {
        silence.limitMs = isMigrating ? MIGRATING_LIMIT_MS : (options.silentLimitMs ?? SILENT_LIMIT_MS)
      },
      async stop() {
        await child.stop()
        removeSocketDir(socketDir)
        lock.release()
      },
    }
  } catch (error) {
    removeSocketDir(socketDir)
    throw error
  }
}

/** @throws DataDirectoryInUse */
export function lockDirectory(dataDir: string, socketDir: string | null = null): Lock {
  try {
    const lock = takeLock(lockFile(dataDir), socketDir)
    if (lock.previous?.socket_dir) removeSocketDir(lock.previous.socket_dir)
    return lock
  } catch (error) {
    if (error instanceof LockHeld) throw new DataDirectoryInUse(dataDir, error.holder)
    throw error
  }
}

interface EngineLocation {
  dataDir: string
  socketDir: string
  lock: Lock
  silentLimitMs: () => number
}

async function startChild(
  options: EngineOptions,
  { dataDir, socketDir, lock, silentLimitMs }: EngineLocation,
): Promise<Child> {
  const progress = reportWhenSlow(options.onProgress ?? ((step) => options.log.info({}, step)))
  const { brief, withoutArchive, copies } = options
  const spec = {
    name: 'engine',
    module: siblingModule('../ports/db/embedded/engine', import.meta.url),
    args: [dataDir, socketDir, JSON.stringify({ brief, withoutArchive, copies })],
    onProgress: (step: string) => progress.report(step),
    watch: {
      ask: (signal: AbortSignal) => askPulse(join(socketDir, PULSE_SOCKET), signal),
      everyMs: options.askEveryMs ?? 5000,
      silentLimitMs,
    },
  }
  try {
    await options.beforeStart?.()
    options.onStarting?.(socketDir)
    return await superviseChild(spec, options.log, options.signal)
  } catch (error) {
    lock.release()
    throw error
  } finally {
    progress.end()
  }
}

/** Reports the steps of a start only if it takes longer than REPORT_AFTER_MS. Most starts take a second. */
function reportWhenSlow(onProgress: (step: string) => void): { report(step: string): void; end(): void } {
  let currentStep = 'starting the database …'
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    onProgress(currentStep)
  }, REPORT_AFTER_MS)
  return {
    report: (step) => {
      currentStep = step
      if (isLate) onProgress(currentStep)
    },
    end: () => clearTimeout(timer),
  }
}

function makeSocketDir(): string {
  const base = join(tmpdir(), 'kenning-')
  const maxBaseBytes = MAX_SOCKET_PATH_BYTES - SOCKET_NAME.length - 1 - 6 // mkdtemp adds six characters
  return mkdtempSync(Buffer.byteLength(base) <= maxBaseBytes ? base : '/tmp/kenning-') // mkdtemp makes it 0700
}

// Only a folder with a name of this form is removed, because the path may come from an old lock file.
function removeSocketDir(socketDir: string) {
  if (/kenning-\w{6}$/.test(socketDir)) rmSync(socketDir, { recursive: true, force: true })
}
