// Finds and starts our own modules, whether we run from `dist` (.js) or from the sources (.ts under tsx or vitest).

import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The module `path` (without extension) relative to the module `base`, with the extension that `base` has. */
export function siblingModule(path: string, base: string): URL {
  return new URL(`${path}${extname(new URL(base).pathname)}`, base)
}

export interface ForkOptions {
  args?: readonly string[]
  /** The child's whole environment: it inherits nothing. */
  env?: Record<string, string>
  /** Flags for node itself, such as --max-old-space-size. */
  nodeFlags?: readonly string[]
  /** Whether the child leads a process group, so that it can be ended with all that it starts. */
  detached?: boolean
}

// Variables of glibc, which other C libraries ignore. glibc keeps memory that V8 has freed, separately for each thread. With one
// arena for all threads, most of it is returned to the system (42 of the 278 MB of an idle engine).
const MEMORY = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }

/** Starts a module as a child process with an IPC channel. It shares our standard output and error. */
export function forkModule(module: URL, options: ForkOptions = {}): ChildProcess {
  const path = fileURLToPath(module)
  const loader = extname(path) === '.ts' ? ['--import', import.meta.resolve('tsx')] : []
  return fork(path, options.args ?? [], {
    env: { ...MEMORY, ...options.env },
    execArgv: [...loader, ...(options.nodeFlags ?? [])],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: options.detached ?? false,
  })
}
