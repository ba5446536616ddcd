// Services of tests and benches do not outlive a run that is killed.

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { forkModule } from '../src/processes/module.ts'
import { program } from './support/program.ts'
import { isRunning } from './support/shared-record.ts'

test('a service whose starter is killed ends, and its folder goes', async () => {
  const owner = forkModule(program('service-owner'))
  const [{ pid, dataDir }] = (await once(owner, 'message')) as [{ pid: number; dataDir: string }]
  expect([isRunning(pid), existsSync(dataDir)]).toEqual([true, true])
  owner.kill('SIGKILL')
  await expect.poll(() => [isRunning(pid), existsSync(dataDir)]).toEqual([false, false])
})
