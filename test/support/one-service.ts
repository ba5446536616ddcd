// Ends the service that the end-to-end tests of a run share (`shared-service.ts`), if one of them has started it.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'
import { secretsIn } from './secrets.ts'
import { isRunning, outputOf, type Running, recordOf } from './shared-record.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of what is known of the shared service. */
    shared: string
  }
}

let folder: string

export function setup({ provide }: TestProject): void {
  folder = mkdtempSync(join(tmpdir(), 'kenning-shared-'))
  provide('shared', folder)
}

export async function teardown(): Promise<void> {
  if (existsSync(recordOf(folder))) {
    const { pid, dataDir } = JSON.parse(readFileSync(recordOf(folder), 'utf8')) as Running
    if (isRunning(pid)) process.kill(pid, 'SIGTERM')
    // It gives what is under way ten seconds.
    for (let tries = 0; tries < 300 && isRunning(pid); tries++) await delay(100)
    rmSync(dataDir, { recursive: true, force: true })
    const said = secretsIn(readFileSync(outputOf(folder), 'utf8'))
    if (said.length > 0) throw new Error(`the shared service printed secrets: ${said.join(', ')}`)
  }
  rmSync(folder, { recursive: true, force: true })
}
