import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isNotLoaded, loadPatiently, loadWithRetries } from './patiently.ts'

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

test('what is needed is loaded until it is there, or until nobody waits for it', async () => {
  const loaded = loadPatiently(failing(10), new AbortController().signal)
  await vi.runAllTimersAsync()
  expect(await loaded).toBe(11)
  const waiting = new AbortController()
  let calls = 0
  const abandoned = loadPatiently(async () => {
    if (++calls === 6) waiting.abort()
    throw new TypeError('Failed to fetch dynamically imported module: /assets/a.js')
  }, waiting.signal)
  await vi.runAllTimersAsync()
  expect(await abandoned).toBeUndefined()
  expect(calls).toBe(6)
})
