// Checks whether a worker takes the waiting tasks.

import type { Db } from '../ports/db/db.ts'
import { selectQueue } from '../work/queue.sql.ts'
import type { Finding } from './finding.ts'

// The alert on waiting files in deploy/observe has the same limit.
const MAX_WAIT_SECONDS = 900

export const checkQueue = async (db: Db): Promise<Finding> => queueFinding(await selectQueue(db))

export function queueFinding(queue: Awaited<ReturnType<typeof selectQueue>>): Finding {
  const check = 'queue'
  const sum = (state: 'waiting' | 'running'): number => queue.reduce((total, row) => total + row[state], 0)
  const [waiting, running] = [sum('waiting'), sum('running')]
  if (waiting + running === 0) return { check, status: 'ok', message: 'empty' }
  const message = `tasks: ${waiting} waiting, ${running} running`
  const oldestSeconds = queue.find(({ kind }) => kind === 'ingest')?.oldest_s ?? 0
  if (oldestSeconds <= MAX_WAIT_SECONDS) return { check, status: 'ok', message }
  const advice = running
    ? 'more cores, or another worker (KENNING_ROLE=worker), would read them sooner'
    : 'is a worker running?'
  const waitText = `a file has waited for ${Math.floor(oldestSeconds / 60)} minutes`
  return { check, status: 'warning', message: `${message}; ${waitText}: ${advice}` }
}
