import { expect, test } from 'vitest'
import { queueFinding } from './queue.ts'

const row = (kind: string, waiting: number, running: number, oldest_s: number) => ({
  kind,
  waiting,
  running,
  oldest_s,
})

test.each([
  ['nothing', [], 'ok', /^empty$/],
  ['work', [row('graph', 2, 1, 4000), row('ingest', 5, 2, 899)], 'ok', /^tasks: 7 waiting, 3 running$/],
  [
    'more work than is done',
    [row('ingest', 5, 2, 1500)],
    'warning',
    /^tasks: 5 waiting, 2 running; a file has waited for 25 minutes: more cores, or another worker/,
  ],
  ['nobody who works', [row('ingest', 5, 0, 901)], 'warning', /for 15 minutes: is a worker running\?$/],
] as const)('the queue of a service with %s', (_, rows, status, message) => {
  expect(queueFinding([...rows])).toMatchObject({
    check: 'queue',
    status,
    message: expect.stringMatching(message),
  })
})
