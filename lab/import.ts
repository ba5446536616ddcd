// `npm run bench -- import [--sizes 200k,1m]`: an archive of so many small rows imported on the embedded engine, while another client
// asks for what people ask for, at a fixed rate that waits for no answer.

import { openAsBlob, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkspaceImport } from '../src/contract/archives.ts'
import { processTree, startService } from '../test/support/service.ts'
import { makeLargeArchive } from './import/large-archive.ts'
import { during, failuresOf, latenciesOf, makeOther, type Others, processesOf } from './load/others.ts'
import { secondsOf } from './processor-time.ts'
import { type BenchOptions, table } from './report.ts'
import { residentMemory, roleOf } from './start.ts'

const BEFORE_MS = 20_000

interface Run {
  rows: number
  seconds: { sent: number; checked: number; done: number }
  before: Others
  meanwhile: Others
  /** Seconds of processor time by process. */
  processor: Map<string, number>
  workerMegabytes: number
  outcome: string
  /** Processes that were started anew meanwhile. */
  restarts: number
}

export async function benchImport({ sizes }: BenchOptions): Promise<string> {
  const runs: Run[] = []
  for (const rows of sizes) runs.push(await measure(rows))
  return report(runs)
}

async function measure(rows: number): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'kenning-bench-import-'))
  const service = await startService({ env: { KENNING_LOG_LEVEL: 'warn' } })
  try {
    const archive = await makeLargeArchive(folder, rows)
    const other = await makeOther(service)
    const before = await during(other, () => sleep(BEFORE_MS))
    const root = service.child.pid ?? 0
    const pids = (): string => [...processesOf(root).values()].join()
    const [processesBefore, timesBefore] = [pids(), timesOf(root)]
    const seconds = { sent: 0, checked: 0, done: 0 }
    let state: WorkspaceImport | undefined
    let workerMegabytes = 0
    const token = await service.token()
    const meanwhile = await during(other, async () => {
      const began = performance.now()
      const answer = await fetch(`${service.base}/workspaces/import?ids=new`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/zip' },
        body: await openAsBlob(archive),
      })
      state = (await answer.json()) as WorkspaceImport
      seconds.sent = (performance.now() - began) / 1000
      while (state.finished_at === null) {
        await sleep(1000)
        state = await other.client.get<WorkspaceImport>(`/imports/${state.id}`)
        if (state.status === 'writing' && seconds.checked === 0)
          seconds.checked = (performance.now() - began) / 1000
        workerMegabytes = Math.max(workerMegabytes, (residentMemory(root).get('worker') ?? 0) / 1024)
      }
      seconds.done = (performance.now() - began) / 1000
    })
    const timesAfter = timesOf(root)
    const processor = new Map(
      [...timesAfter].map(([name, now]) => [name, now - (timesBefore.get(name) ?? 0)]),
    )
    const outcome = `${state?.status}${state?.error ? `: ${state.error.message}` : ''}`
    const restarts = pids() === processesBefore ? 0 : 1
    return { rows, seconds, before, meanwhile, processor, workerMegabytes, outcome, restarts }
  } finally {
    await service.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

function timesOf(root: number): Map<string, number> {
  const times = new Map<string, number>()
  for (const row of processTree(root)) {
    const role = roleOf(row, root)
    times.set(role, (times.get(role) ?? 0) + secondsOf(row))
  }
  return times
}

function report(runs: Run[]): string {
  const rows = runs.map((run) => [
    run.rows.toLocaleString('en'),
    run.outcome,
    run.seconds.sent.toFixed(1),
    run.seconds.checked.toFixed(0),
    run.seconds.done.toFixed(0),
    latenciesOf(run.before),
    latenciesOf(run.meanwhile),
    failuresOf(run.meanwhile),
    `${(run.processor.get('engine') ?? 0).toFixed(0)} / ${(run.processor.get('api') ?? 0).toFixed(0)} / ${(run.processor.get('worker') ?? 0).toFixed(0)}`,
    Math.round(run.workerMegabytes),
    run.restarts,
  ])
  return `## Importing an archive (embedded)

Four requests a second of another client (workspaces, search, documents, me) meanwhile.

${table(
  [
    'rows',
    'outcome',
    's until the answer',
    's until checked',
    's until done',
    'others before, p50 / p99 / longest ms',
    'others meanwhile, p50 / p99 / longest ms',
    'failed',
    'processor s: engine / api / worker',
    'worker MB',
    'processes restarted',
  ],
  rows,
)}
`
}
