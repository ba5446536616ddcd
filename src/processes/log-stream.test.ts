import { pino } from 'pino'
import { expect, test } from 'vitest'
import { LOG_FORM, logStream, readableLine } from './log-stream.ts'

test('a terminal gets short lines, with what a warning is about', () => {
  const written: string[] = []
  const stream = logStream({ isTTY: true, write: (text) => written.push(String(text)) > 0 })
  const log = pino({ ...LOG_FORM, base: { role: 'worker' } }, stream)
  log.info({ child: 'worker', ms: 12 }, 'worker is ready')
  log.warn({ path: 'a.pdf' }, 'the file is locked')
  log.error({ err: new Error('no space') }, 'failed')
  const [info, warning, error] = written
  expect(info).toMatch(/^\d\d:\d\d:\d\d {2}worker {6}worker is ready\n$/)
  expect(warning).toMatch(/ WARNING: the file is locked \(path=a\.pdf\)\n$/)
  expect(error).toMatch(/ ERROR: failed\nError: no space\n +at /)
})

test('a line of JSON has its level by name and its time in ISO 8601', () => {
  const lines: string[] = []
  pino({ ...LOG_FORM, base: { role: 'api' } }, { write: (line) => void lines.push(line) }).warn({ a: 1 }, 'b')
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    {
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      role: 'api',
      a: 1,
      msg: 'b',
    },
  ])
})

test('everything else gets JSON, and what is no JSON stays as it is', () => {
  expect(logStream({ isTTY: false, write: () => true })).toBeUndefined()
  expect(readableLine('plain words\n')).toBe('plain words\n')
})
