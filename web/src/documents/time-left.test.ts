import { expect, test } from 'vitest'
import { secondsLeft, steadyEstimate } from './time-left.ts'

test('what is shown does not count upward by a little; what stands still for long is corrected', () => {
  expect(steadyEstimate(undefined, 20)).toBe(20)
  expect(steadyEstimate(20, 12)).toBe(12)
  expect(steadyEstimate(12, 15)).toBe(12)
  expect(steadyEstimate(12, 30)).toBe(30)
  expect(steadyEstimate(120, 150)).toBe(120)
  expect(steadyEstimate(120, 170)).toBe(170)
  expect(steadyEstimate(12, undefined)).toBeUndefined()
})

test('the time left of an upload is that of its slowest file, or by its own pace while files are still to be sent', () => {
  const running = { size: 10, state: 'running', progress: 0.5 }
  const done = { size: 10, state: 'complete', progress: 1 }
  const waiting = { size: 10, state: 'waiting', progress: 0 }
  expect(
    secondsLeft([{ ...running, remainingSeconds: 4 }, { ...running, remainingSeconds: 9 }, done], 60),
  ).toBe(9)
  expect(secondsLeft([{ ...running, remainingSeconds: 4 }, running], 60)).toBeUndefined()
  expect(secondsLeft([done, waiting], 60)).toBe(60)
  expect(secondsLeft([waiting, waiting], 60)).toBeUndefined()
})
