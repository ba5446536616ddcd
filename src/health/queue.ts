// Checks whether a worker takes the waiting tasks.

import type { Db } from '../ports/db/db.ts'
import { selectQueue } from '../work/queue.sql.ts'
import type { Finding } from './finding.ts'
import { type Part, partOf, sentence } from './sentences.ts'

// The alert on waiting files in deploy/observe has the same limit.
const MAX_WAIT_SECONDS = 900

export const checkQueue = async (db: Db): Promise<Finding> => queueFinding(await selectQueue(db))

export function queueFinding(queue: Awaited<ReturnType<typeof selectQueue>>): Finding & Part {
  const check = 'queue'
  const sum = (state: 'waiting' | 'running'): number => queue.reduce((total, row) => total + row[state], 0)
  const [waiting, running] = [sum('waiting'), sum('running')]
  if (waiting + running === 0) return { check, ...partOf('ok', sentence('queue_empty')) }
  const tasks = sentence('queue', { waiting, running })
  const oldestSeconds = queue.find(({ kind }) => kind === 'ingest')?.oldest_s ?? 0
  if (oldestSeconds <= MAX_WAIT_SECONDS) return { check, ...partOf('ok', tasks) }
  const minutes = Math.floor(oldestSeconds / 60)
  const wait = sentence(running ? 'queue_slow' : 'queue_stuck', { minutes })
  return { check, ...partOf('warning', tasks, wait) }
}
