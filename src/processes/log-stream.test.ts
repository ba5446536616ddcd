import { pino } from 'pino'
import { expect, test } from 'vitest'
import { logStream, readableLine } from './log-stream.ts'

test('a terminal gets short lines, with what a warning is about', () => {
  const written: string[] = []
  const stream = logStream({ isTTY: true, write: (text) => written.push(String(text)) > 0 })
  const log = pino({ base: { role: 'worker' } }, stream)
  log.info({ child: 'worker', ms: 12 }, 'worker is ready')
  log.warn({ path: 'a.pdf' }, 'the file is locked')
  log.error({ err: new Error('no space') }, 'failed')
  const [info, warning, error] = written
  expect(info).toMatch(/^\d\d:\d\d:\d\d {2}worker {6}worker is ready\n$/)
  expect(warning).toMatch(/ WARNING: the file is locked \(path=a\.pdf\)\n$/)
  expect(error).toMatch(/ ERROR: failed\nError: no space\n +at /)
})

test('everything else gets JSON, and what is no JSON stays as it is', () => {
  expect(logStream({ isTTY: false, write: () => true })).toBeUndefined()
  expect(readableLine('plain words\n')).toBe('plain words\n')
})
