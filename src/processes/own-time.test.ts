import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  type Moment,
  ownClock,
  ownMs,
  type Thread,
  threadsOf,
  waitOfEndedThreads,
  withCurrentWaits,
} from './own-time.ts'
import { startWatch } from './watch.ts'

test("time in which others had the processor is not a process's own, but for a tenth of the clock", () => {
  const from: Moment = { at: 1000, starvedMs: 500 }
  expect(ownMs(from, { at: 2000, starvedMs: 500 })).toBe(1000)
  expect(ownMs(from, { at: 2000, starvedMs: 1100 })).toBe(400)
  expect(ownMs(from, { at: 2000, starvedMs: 9000 })).toBe(100) // several threads wait at once
  expect(ownMs(from, { at: 2000, starvedMs: 0 })).toBe(1000) // a thread that had waited has ended
})

/** How long the main thread alone has waited. */
const mainMs = (): number => {
  const path = `/proc/${process.pid}/task/${process.pid}/schedstat`
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ')[1]) / 1e6 : 0
}

test('the waits of all threads count, and a process that has ended has none', () => {
  const before = mainMs()
  const clock = ownClock(process.pid)
  expect(clock.now().starvedMs).toBeGreaterThanOrEqual(before)
  clock.end()
  expect(threadsOf(2 ** 22 + 1).size).toBe(0)
  expect(threadsOf(undefined).size).toBe(0)
})

test('a wait that has not ended counts too, once: the kernel counts it when it ends', () => {
  const thread = (ranMs: number, waitedMs: number, isRunningOrWaiting = true): Map<string, Thread> =>
    new Map([['1', { ranMs, waitedMs, isRunningOrWaiting }]])
  let threads = withCurrentWaits(new Map(), thread(5, 10), 0)
  const stands = (now: Map<string, Thread>) => {
    threads = withCurrentWaits(threads, now, 1000)
    return threads.get('1')?.currentWaitMs
  }
  expect([stands(thread(5, 10)), stands(thread(5, 10))]).toEqual([1000, 2000])
  expect(stands(thread(6, 2300))).toBe(0)
  expect(stands(thread(6, 2300))).toBe(1000)
  // It sleeps, which counts as its own time.
  expect(stands(thread(6, 2300, false))).toBe(0)
  expect(stands(new Map())).toBeUndefined()
})

test('the waits of a thread still count when it has ended', () => {
  const thread = { ranMs: 5, waitedMs: 10, isRunningOrWaiting: true, currentWaitMs: 700 }
  const before = new Map([
    ['1', thread],
    ['2', thread],
  ])
  expect(waitOfEndedThreads(before, new Map([['1', thread]]))).toBe(710)
  expect(waitOfEndedThreads(before, before)).toBe(0)
})

// A process that waits for nine tenths of the time or more.
const starving = (): Moment => {
  const now = performance.now()
  return { at: now, starvedMs: now }
}

test('a starving child that is silent is given ten times the time', async () => {
  const started = performance.now()
  const taken = () => performance.now() - started
  const silent = new Promise<number>((resolve) => {
    const ask = (signal: AbortSignal) =>
      new Promise<void>((_, reject) => signal.addEventListener('abort', reject))
    startWatch({ ask, everyMs: 5, silentLimitMs: () => 20 }, starving, () => resolve(taken()))
  })
  expect(await silent).toBeGreaterThan(195)
})
