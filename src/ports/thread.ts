// A module of ours in a thread of its own, from the build as from the sources.

import { extname } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Starts `path` (without extension, relative to the module `base`) as a worker thread. */
export function startThread(path: string, base: string, options: WorkerOptions = {}): Worker {
  const extension = extname(new URL(base).pathname)
  const module = new URL(`${path}${extension}`, base)
  if (extension === '.js') return new Worker(module, options)
  // From the sources: tsx, though given by --import, does not reach into worker threads on Node 20.
  const tsx = import.meta.resolve('tsx/esm/api')
  const source = `import { register } from '${tsx}'; register(); await import('${module.href}')`
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), options)
}
