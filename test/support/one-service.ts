// Ends the service that the end-to-end tests of a run share (`shared-service.ts`), if one of them has started it.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'
import { ownIdentity } from '../../src/ports/db/embedded/process-identity.ts'
import { secretsIn } from './secrets.ts'
import { isRunning, outputOf, type Running, recordOf, type Shared } from './shared-record.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    shared: Shared
  }
}

let folder: string

export function setup({ provide }: TestProject): void {
  folder = mkdtempSync(join(tmpdir(), 'kenning-shared-'))
  provide('shared', { folder, owner: ownIdentity() })
}

export async function teardown(): Promise<void> {
  if (existsSync(recordOf(folder))) {
    const { pid, dataDir } = JSON.parse(readFileSync(recordOf(folder), 'utf8')) as Running
    if (isRunning(pid)) process.kill(pid, 'SIGTERM')
    // It gives what is under way ten seconds.
    for (let tries = 0; tries < 300 && isRunning(pid); tries++) await delay(100)
    rmSync(dataDir, { recursive: true, force: true })
    const secrets = secretsIn(readFileSync(outputOf(folder), 'utf8'))
    if (secrets.length > 0) throw new Error(`the shared service printed secrets: ${secrets.join(', ')}`)
  }
  rmSync(folder, { recursive: true, force: true })
}
