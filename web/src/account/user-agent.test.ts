import { expect, test } from 'vitest'
import { clientOf } from './user-agent.ts'

const MOZILLA = 'Mozilla/5.0'
const CASES: [userAgent: string, browser: string | undefined, system: string | undefined][] = [
  [`${MOZILLA} (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0`, 'Firefox', 'Linux'],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36`,
    'Chrome',
    'Windows',
  ],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
    'Edge',
    'Windows',
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`,
    'Safari',
    'macOS',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1`,
    'Safari',
    'iPhone',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0.0.0 Mobile/15E148 Safari/604.1`,
    'Chrome',
    'iPhone',
  ],
  [
    `${MOZILLA} (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36`,
    'Chrome',
    'Android',
  ],
  ['node', undefined, undefined],
  ['', undefined, undefined],
]

test.each(CASES)('%s', (userAgent, browser, system) => {
  expect(clientOf(userAgent)).toEqual({ browser, system })
})
