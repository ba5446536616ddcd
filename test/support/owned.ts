// Loaded by a service before its own modules (`--import`): once the process that is to end it has gone, killed perhaps, the service
// ends itself and removes its folders. Both are in the query of this module's address, since settings belong to the service.

import { rmSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { isAlive, type ProcessIdentity } from '../../src/ports/db/embedded/process-identity.ts'
import { program } from './program.ts'

export interface Ownership {
  owner: ProcessIdentity
  folders: readonly string[]
}

const POLL_MS = 500

/** The options of Node for a service that is owned so. */
export function owned({ owner, folders }: Ownership): string[] {
  const module = program('owned')
  module.search = new URLSearchParams({ ownership: JSON.stringify({ owner, folders }) }).toString()
  return ['--import', module.href]
}

const ownershipId = new URL(import.meta.url).searchParams.get('ownership')
if (ownershipId !== null && isMainThread) watch(JSON.parse(ownershipId) as Ownership)

function watch({ owner, folders }: Ownership): void {
  const timer = setInterval(() => {
    if (isAlive(owner)) return
    clearInterval(timer)
    process.once('exit', () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    })
    // As a person ends it. Before it listens to that it has nothing to lose.
    process.kill(process.pid, 'SIGTERM')
  }, POLL_MS)
  timer.unref()
}
