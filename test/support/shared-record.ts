// What a run knows of the service that its tests share, in the run's folder.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessIdentity } from '../../src/ports/db/embedded/process-identity.ts'

export interface Shared {
  /** Of what is known of the service. */
  folder: string
  /** The process that ends it. */
  owner: ProcessIdentity
}

export interface Running {
  pid: number
  origin: string
  dataDir: string
  elsewhere: string
  metrics: { host: string; port: number }
}

export const recordOf = (folder: string): string => join(folder, 'service.json')
export const outputOf = (folder: string): string => join(folder, 'output')

/** One that nobody has asked about since it ended is gone; the worker that started it may have ended before. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return false
  }
}
