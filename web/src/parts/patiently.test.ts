import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isNotLoaded, loadWithRetries } from './patiently.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const failing = (times: number) => {
  let calls = 0
  return async (): Promise<number> => {
    if (++calls <= times) throw new TypeError('Failed to fetch dynamically imported module: /assets/a.js')
    return calls
  }
}

test('what does not load at once is loaded again', async () => {
  const loaded = loadWithRetries(failing(3))
  await vi.runAllTimersAsync()
  expect(await loaded).toBe(4)
})

test('what never loads fails with its error', async () => {
  const error = loadWithRetries(failing(10)).catch((reason: unknown) => reason)
  await vi.runAllTimersAsync()
  expect(isNotLoaded(await error)).toBe(true)
  expect(isNotLoaded(new TypeError('x is not a function'))).toBe(false)
})
