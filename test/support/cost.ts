// KENNING_TEST_COST=FILE: each test adds a line to that file with the processor time in seconds that it took, its processes
// and threads included, the path of its file and its name; a file's imports and hooks have a line of their own. Time on the
// clock says nothing about a test on a machine that does other things too. Linux only.

import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'

const TICKS_PER_SECOND = 100
const to = process.env.KENNING_TEST_COST

interface Process {
  parent: number
  /** In ticks, with the children that it has waited for. */
  spent: number
}

function processOf(pid: string): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    // ppid, and utime, stime, cutime and cstime of proc(5).
    return { parent: fields[1] ?? 0, spent: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) }
  } catch {
    return undefined // it has ended
  }
}

/** Of this process and of all below it, in ticks. */
function spentSoFar(): number {
  const all = new Map<number, Process>()
  for (const name of readdirSync('/proc')) {
    const processInfo = /^\d+$/.test(name) ? processOf(name) : undefined
    if (processInfo) all.set(Number(name), processInfo)
  }
  const isOurs = (pid: number): boolean =>
    pid === process.pid || (pid > 1 && isOurs(all.get(pid)?.parent ?? 0))
  return [...all].reduce((sum, [pid, { spent }]) => (isOurs(pid) ? sum + spent : sum), 0)
}

// Test files share a process: what was spent between two of them is the next one's imports.
const last = globalThis as { kenningSpent?: number }

function note(test: string): void {
  const spentTicks = spentSoFar()
  const seconds = (spentTicks - (last.kenningSpent ?? 0)) / TICKS_PER_SECOND
  last.kenningSpent = spentTicks
  const path = relative(process.cwd(), expect.getState().testPath ?? '')
  const engine = process.env.DATABASE_URL ? 'on PostgreSQL: ' : ''
  if (to && seconds > 0) appendFileSync(to, `${seconds.toFixed(2)}\t${engine}${path}\t${test}\n`)
}

if (to) {
  beforeEach(() => note('imports and hooks'))
  afterEach(({ task }) => note(task.name.replaceAll(/\s/g, ' ')))
  afterAll(() => note('imports and hooks'))
}
