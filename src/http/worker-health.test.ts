import { expect, test } from 'vitest'
import { freePort } from '../../test/support/service.ts'
import type { Db } from '../ports/db/db.ts'
import { serveWorkerHealth } from './worker-health.ts'

test('a database that hangs gets one statement, however often the worker is probed', async () => {
  let asked = 0
  let answer = (_: []): void => {}
  const hanging = new Promise<[]>((resolve) => {
    answer = resolve
  })
  const rows = (() => (++asked === 1 ? hanging : Promise.resolve([]))) as Db['rows']
  const port = await freePort()
  const health = await serveWorkerHealth({ rows }, { host: '127.0.0.1', port, answerMs: 1 })
  const probe = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/readyz`)).status
  expect(await Promise.all([probe(), probe()])).toEqual([503, 503])
  expect(await probe()).toBe(503)
  expect(asked).toBe(1)
  answer([])
  await hanging
  expect(await probe()).toBe(200)
  expect(asked).toBe(2)
  await health.close()
})
