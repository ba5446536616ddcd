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
  /** The child's whole environment; nothing is inherited. */
  env?: Record<string, string>
  /** Flags for node itself, such as --max-old-space-size. */
  nodeFlags?: readonly string[]
}

// What V8 allocates while it compiles comes in pieces of up to 32 kB, and glibc keeps what is given back: 110 of the 300 MB of an
// idle engine. Pieces of this size come from the system and go back to it. Other C libraries do not know the variable.
const MEMORY = { MALLOC_MMAP_THRESHOLD_: '32768' }

/** Starts a module as a child process with an IPC channel; it shares our standard output and error. */
export function forkModule(module: URL, options: ForkOptions = {}): ChildProcess {
  const path = fileURLToPath(module)
  const loader = extname(path) === '.ts' ? ['--import', import.meta.resolve('tsx')] : []
  return fork(path, options.args ?? [], {
    env: { ...MEMORY, ...options.env },
    execArgv: [...loader, ...(options.nodeFlags ?? [])],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}
