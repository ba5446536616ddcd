// Starts one of our modules as a thread, from the build or from the sources.

import { extname } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Starts `path` (without extension, relative to the module `base`) as a worker thread. */
export function startThread(path: string, base: string, options: WorkerOptions = {}): Worker {
  const extension = extname(new URL(base).pathname)
  const module = new URL(`${path}${extension}`, base)
  if (extension === '.js') return new Worker(module, options)
  // From the sources, on Node 20, tsx given by --import does not apply to worker threads.
  const tsx = import.meta.resolve('tsx/esm/api')
  const source = `import { register } from '${tsx}'; register(); await import('${module.href}')`
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), options)
}
