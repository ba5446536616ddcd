import { expect, test } from 'vitest'
import { formatDuration, formatSeconds } from './finding.ts'

test.each([
  [0, 'less than a minute'],
  [59, 'less than a minute'],
  [80, 'about 2 minutes'],
  [600, 'about 10 minutes'],
  [3601, 'about 61 minutes'],
  [7300, 'about 3 hours'],
  [200_000, 'about 3 days'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})

test.each([
  [0, 'less than 0.1 s'],
  [99, 'less than 0.1 s'],
  [100, '0.1 s'],
  [940, '0.9 s'],
  [1400, '1 s'],
])('%d milliseconds are %s', (ms, text) => {
  expect(formatSeconds(ms)).toBe(text)
})
