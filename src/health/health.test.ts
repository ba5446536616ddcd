import { expect, test } from 'vitest'
import type { Backup } from '../contract/health.ts'
import { backfillSentences, backupPart, diskPart, readingPart, workersPart } from './health.ts'
import { partOf } from './sentences.ts'

const worker = { machine: 'heron', version: '1', ocr: 'none', seen_at: '', disk_free: 5 * 2 ** 30 }
const NOW = Date.parse('2026-11-29T12:00:00Z')
const backup = (days: number, state: Backup['state'] = 'done'): Backup => ({
  id: 'b',
  state,
  step: null,
  progress: 1,
  created_at: '',
  finished_at: new Date(NOW - days * 86_400_000).toISOString(),
  machine: 'heron',
  folder: '/mnt',
  size: 1,
  is_checked: state === 'done',
  error: state === 'failed' ? 'The disk is full.' : null,
})

test.each([
  ['no worker', workersPart([], '1'), 'problem', 'nothing is read'],
  ['two workers', workersPart([worker, worker], '1'), 'ok', '2 run, on heron'],
  ['another version', workersPart([worker], '2'), 'warning', 'finish the update'],
  ['no upload', readingPart({ read: 0, failed: 0 }), 'ok', 'no file was uploaded'],
  ['one file', readingPart({ read: 1, failed: 0 }), 'ok', '1 file was read'],
  ['some failed', readingPart({ read: 5, failed: 1 }), 'warning', '1 could not be'],
  ['most failed', readingPart({ read: 1, failed: 5 }), 'problem', '5 could not be'],
  ['room', diskPart(9 * 2 ** 30, [worker]), 'ok', '5.4 GB free on heron'],
  ['little room', diskPart(2 ** 30, [worker]), 'warning', 'only 1.1 GB free for files'],
  ['no room', diskPart(1e6, []), 'problem', 'only 1 MB free'],
  ['unknown room', diskPart(undefined, []), 'warning', 'cannot be seen'],
  ['no backup', backupPart([], NOW), 'warning', 'none was ever made'],
  ['a new backup', backupPart([backup(0)], NOW), 'ok', 'within a day'],
  ['an old backup', backupPart([backup(9)], NOW), 'warning', '9 days old'],
  ['one that is made', backupPart([backup(0, 'running'), backup(1)], NOW), 'ok', 'a day old'],
  ['a failed backup', backupPart([backup(0, 'failed'), backup(1)], NOW), 'problem', 'The disk is full.'],
])('%s', (_, part, status, text) => {
  expect(part).toMatchObject({ status, message: expect.stringContaining(text) })
})

test('a model whose vectors are not complete says how many passages have them', () => {
  expect(backfillSentences({ chunks: 3000, embedded: 3000 })).toEqual([])
  const { message } = partOf('ok', ...backfillSentences({ chunks: 3000, embedded: 1200 }))
  expect(message).toContain('1,200 of 3,000 passages have its vectors')
})
