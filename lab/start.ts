// Time and processor time from start to ready (first and later starts), and the resident memory of all processes when idle. With
// `--against DIR` also of another build, in turns, and the ratio; with `--load N` first starts beside N busy loops, of which
// `--together N` begin at the same moment.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ProcessRow, processTree, type Service, startService } from '../test/support/service.ts'
import { type BenchOptions, median, table } from './report.ts'

const SETTLE_MS = 5000
const TICK_S = 0.01
const DEFAULT_TIMES = 20

interface Start {
  seconds: number
  /** Of all processes until ready. */
  processorSeconds: number
}

export async function benchStart(options: BenchOptions): Promise<string> {
  return options.load === undefined ? benchStarts(options) : benchUnderLoad(options)
}

async function benchStarts({ runs, against }: BenchOptions): Promise<string> {
  const builds = [undefined, ...(against === undefined ? [] : [join(against, 'dist/src/main.js')])]
  const starts = builds.map(() => ({ first: [] as Start[], later: [] as Start[] }))
  const memory: Map<string, number>[] = []
  for (let run = 0; run < runs; run++) {
    for (const [index, main] of builds.entries()) {
      const fresh = await startService(main === undefined ? {} : { main })
      starts[index]?.first.push(measured(fresh))
      await fresh.stop()
      const again = await startService({ dataDir: fresh.dataDir, ...(main !== undefined && { main }) })
      starts[index]?.later.push(measured(again))
      if (main === undefined) {
        await sleep(SETTLE_MS)
        memory.push(residentMemory(again.child.pid ?? 0))
      }
      await again.remove()
    }
  }
  const names = [...(memory[0]?.keys() ?? [])]
  const megabytes = (name: string) => Math.round(median(memory.map((sizes) => sizes.get(name) ?? 0)) / 1024)
  const [own, other] = starts
  const row = (kind: 'first' | 'later', mark: string) => {
    const figure = (field: keyof Start, of = own) => median((of?.[kind] ?? []).map((start) => start[field]))
    const ratios = (['seconds', 'processorSeconds'] as const).map((field) =>
      other ? `, ${(figure(field) / figure(field, other)).toFixed(2)} of the other build` : '',
    )
    return [
      [`${kind} start to ready`, `${figure('seconds').toFixed(1)} s${ratios[0]}`, mark],
      [`processor time of a ${kind} start`, `${figure('processorSeconds').toFixed(1)} s${ratios[1]}`, ''],
    ]
  }
  return `## Start and memory (embedded, idle, median of ${runs})

${table(
  ['what', 'figure', 'mark'],
  [
    ...row('first', '≤ 15 s'),
    ...row('later', '≤ 4 s'),
    ['resident memory of all processes', `${megabytes('all')} MB`, '≤ 800 MB'],
    ...names.filter((name) => name !== 'all').map((name) => [`of it ${name}`, `${megabytes(name)} MB`, '']),
  ],
)}`
}

function measured({ child, readyMs }: Service): Start {
  const ticks = processTree(child.pid ?? 0).reduce((sum, row) => sum + row.ticks, 0)
  return { seconds: readyMs / 1000, processorSeconds: ticks * TICK_S }
}

/** Whether first starts succeed where nobody has a processor for long; each begins with an empty folder. */
async function benchUnderLoad({
  load = 0,
  times = DEFAULT_TIMES,
  together = 1,
}: BenchOptions): Promise<string> {
  const loops = Array.from({ length: load }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  const endLoops = (): void => {
    for (const loop of loops) loop.kill('SIGKILL')
  }
  process.once('exit', endLoops)
  const rows: string[][] = []
  let ready = 0
  const oneStart = async (no: number): Promise<void> => {
    const began = performance.now()
    let firstLineMs: number | undefined
    const onSpawn = async (child: ChildProcess): Promise<void> => {
      if (!child.stdout) return
      await once(child.stdout, 'data')
      firstLineMs = performance.now() - began
    }
    const service = await startService({ env: { KENNING_LOG_LEVEL: 'info' }, onSpawn }).catch(
      (error: Error) => error.message,
    )
    const [average = ''] = readFileSync('/proc/loadavg', 'utf8').split(' ')
    const line = firstLineMs === undefined ? '' : `${(firstLineMs / 1000).toFixed(1)} s`
    const outcome =
      typeof service === 'string' ? service.slice(0, 200) : `${(service.readyMs / 1000).toFixed(1)} s`
    rows.push([String(no), outcome, line, average])
    process.stderr.write(`${rows.at(-1)?.join('  ')}\n`)
    if (typeof service === 'string') return
    ready += 1
    await service.remove()
  }
  try {
    for (let no = 1; no <= times; no += together) {
      const count = Math.min(together, times - no + 1)
      await Promise.all(Array.from({ length: count }, (_, index) => oneStart(no + index)))
    }
  } finally {
    endLoops()
  }
  return `## First starts beside ${load} busy loops${together > 1 ? `, ${together} at the same time` : ''}

${ready} of ${times} were ready.

${table(['start', 'ready after', 'first line after', 'load'], rows)}`
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
