// Time from start to ready (first and later starts) and the resident memory of all processes together when idle.

import { setTimeout as sleep } from 'node:timers/promises'
import { type ProcessRow, processTree, startService } from '../test/support/service.ts'
import { type BenchOptions, median, table } from './report.ts'

const SETTLE_MS = 5000

export async function benchStart({ runs }: BenchOptions): Promise<string> {
  const first: number[] = []
  const later: number[] = []
  const memory: Map<string, number>[] = []
  for (let run = 0; run < runs; run++) {
    const fresh = await startService()
    first.push(fresh.readyMs)
    await fresh.stop()
    const again = await startService({ dataDir: fresh.dataDir })
    later.push(again.readyMs)
    await sleep(SETTLE_MS)
    memory.push(residentMemory(again.child.pid ?? 0))
    await again.remove()
  }
  const names = [...(memory[0]?.keys() ?? [])]
  const row = (name: string) => Math.round(median(memory.map((sizes) => sizes.get(name) ?? 0)) / 1024)
  return `## Start and memory (embedded, idle, median of ${runs})

${table(
  ['what', 'figure', 'mark'],
  [
    ['first start to ready', `${(median(first) / 1000).toFixed(1)} s`, '≤ 15 s'],
    ['later start to ready', `${(median(later) / 1000).toFixed(1)} s`, '≤ 4 s'],
    ['resident memory of all processes', `${row('all')} MB`, '≤ 800 MB'],
    ...names.filter((name) => name !== 'all').map((name) => [`of it ${name}`, `${row(name)} MB`, '']),
  ],
)}`
}

/** Kilobytes resident by role, and `all`. Shared pages are counted in every process, so the sum is an upper bound. */
export function residentMemory(pid: number): Map<string, number> {
  const sizes = new Map<string, number>([['all', 0]])
  for (const row of processTree(pid)) {
    const role = roleOf(row, pid)
    sizes.set(role, (sizes.get(role) ?? 0) + row.rss)
    sizes.set('all', (sizes.get('all') ?? 0) + row.rss)
  }
  return sizes
}

/** What a process of the service does. @param pid of the supervisor */
export function roleOf(row: ProcessRow, pid: number): string {
  const child = /KENNING_CHILD=(\w+)/.exec(row.environment)?.[1]
  return row.pid === pid ? 'supervisor' : /engine/.test(row.command) ? 'engine' : (child ?? 'parser')
}
