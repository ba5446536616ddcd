import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Activity, activityOf, watchProgress } from './progress.ts'

/** A watch with a clock and a process that the test controls. */
function watched(limitMs: number) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const state: { activity: Activity | undefined; isIdle: boolean } = {
    activity: { cpuMs: 0, isReady: false },
    isIdle: false,
  }
  const watch = watchProgress(
    limitMs,
    () => state.activity,
    () => {
      state.isIdle = true
    },
  )
  onTestFinished(() => watch.end())
  return { state, watch }
}

const sleeping = (cpuMs: number): Activity => ({ cpuMs, isReady: false })

test('a process that does nothing is idle after the limit; its timers are no work', () => {
  const { state } = watched(120_000)
  vi.advanceTimersByTime(60_000)
  state.activity = sleeping(60)
  vi.advanceTimersByTime(58_000)
  expect(state.isIdle).toBe(false)
  state.activity = sleeping(120)
  vi.advanceTimersByTime(4000)
  expect(state.isIdle).toBe(true)
})

test('a process that works a little, waits for a processor or reports something is not idle, however long it takes', () => {
  const { state, watch } = watched(120_000)
  for (let minute = 1; minute < 60; minute++) {
    state.activity = sleeping(minute * 600)
    vi.advanceTimersByTime(60_000)
  }
  state.activity = { ...state.activity, cpuMs: 36_000, isReady: true }
  vi.advanceTimersByTime(3_600_000)
  state.activity = sleeping(36_000)
  for (let minute = 1; minute < 60; minute++) {
    vi.advanceTimersByTime(60_000)
    watch.renew()
  }
  expect(state.isIdle).toBe(false)
  vi.advanceTimersByTime(124_000)
  expect(state.isIdle).toBe(true)
})

test('time in which this process was stopped does not count', () => {
  const { state } = watched(120_000)
  vi.advanceTimersByTime(2000)
  // After SIGSTOP or the sleep of a laptop, there is one check after hours.
  const now = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(now + 7_200_000)
  onTestFinished(() => void vi.restoreAllMocks())
  vi.advanceTimersByTime(2000)
  expect(state.isIdle).toBe(false)
})

test('where the system says nothing, no process is idle', () => {
  const { state } = watched(120_000)
  state.activity = undefined
  vi.advanceTimersByTime(3_600_000)
  expect(state.isIdle).toBe(false)
})

test('the work of a child counts, also after its end', async () => {
  const script = `
    const { spawnSync } = require('node:child_process')
    process.once('SIGUSR2', () => {})
    spawnSync(process.execPath, ['-e', 'while (process.cpuUsage().user < 1e6);'])
    process.stdout.write('done')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const before = activityOf(child.pid)
  if (before === undefined) return // This system is not Linux and has no ps.
  let sawWork = false
  let isDone = false
  child.stdout.once('data', () => {
    isDone = true
  })
  while (!isDone) {
    sawWork ||= activityOf(child.pid)?.isReady === true
    await delay(5)
  }
  expect(sawWork).toBe(true)
  expect((activityOf(child.pid)?.cpuMs ?? 0) - before.cpuMs).toBeGreaterThan(800)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(activityOf(child.pid)).toBeUndefined()
})
