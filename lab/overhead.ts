// What the API costs: requests a second of GET /v1/me (credential, access, contract) beside a bare Fastify route with
// one indexed query on the same database by the same driver, in turns and with the same request. Load by autocannon from
// lab/anchors, 10 connections. Processor time a request tells more than requests a second where others share the cores.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Me } from '../src/contract/resources.ts'
import { forkModule, siblingModule } from '../src/processes/module.ts'
import { makeClient } from '../test/support/client.ts'
import { processTree, startService } from '../test/support/service.ts'
import { type BenchOptions, median, table } from './report.ts'
import { withDatabase } from './speed/fill.ts'

const run = promisify(execFile)
const FOLDER = 'lab/anchors'
const SECONDS = 5
// Before some 8,000 requests the API's code, which is more than the bare route's, is not compiled as it will be.
const WARM_UP_SECONDS = 15
const MICROSECONDS_A_TICK = 10_000
const CONNECTIONS = 10

interface Target {
  url: string
  /** Its HTTP process. */
  pid: number
}

interface Load {
  perSecond: number
  /** Processor time of the HTTP process a request. */
  microseconds: number
  p50: number
  p99: number
}

export async function benchOverhead({ runs, databaseUrl }: BenchOptions): Promise<string> {
  if (!existsSync(join(FOLDER, 'node_modules')))
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER })
  return await withDatabase(databaseUrl, (url) => benchOn(runs, url))
}

async function benchOn(runs: number, databaseUrl: string | undefined): Promise<string> {
  const service = await startService(databaseUrl === undefined ? {} : { env: { DATABASE_URL: databaseUrl } })
  const me = await makeClient(service.base, service.token).get<Me>('/me')
  const where = databaseUrl ?? socketOf(service.dataDir)
  const bare = forkModule(siblingModule('./overhead/bare-route', import.meta.url), { args: [where, me.id] })
  try {
    const [{ port }] = (await once(bare, 'message')) as [{ port: number }]
    const targets: Target[] = [
      { url: `${service.base}/me`, pid: apiOf(service.child.pid ?? 0) },
      { url: `http://127.0.0.1:${port}/`, pid: bare.pid ?? 0 },
    ]
    const [ours, theirs]: [Load[], Load[]] = [[], []]
    for (const target of targets) await load(target, await service.token(), WARM_UP_SECONDS)
    for (let round = 0; round < runs; round++) {
      const token = await service.token()
      for (const [at, target] of targets.entries())
        (at === 0 ? ours : theirs).push(await load(target, token, SECONDS))
    }
    return report(ours, theirs, databaseUrl === undefined ? 'embedded' : 'PostgreSQL')
  } finally {
    bare.disconnect()
    await service.remove()
  }
}

/** Where the embedded engine of a data directory listens. */
function socketOf(dataDir: string): string {
  const lock = JSON.parse(readFileSync(join(dataDir, 'kenning.lock'), 'utf8')) as { socket_dir: string }
  return lock.socket_dir
}

function apiOf(supervisor: number): number {
  const api = processTree(supervisor).find(({ environment }) => environment.includes('KENNING_CHILD=api'))
  if (!api) throw new Error('the service has no API process')
  return api.pid
}

const ticksOf = (root: number): number => processTree(root).find(({ pid }) => pid === root)?.ticks ?? 0

async function load({ url, pid }: Target, token: string, seconds: number): Promise<Load> {
  const program = fileURLToPath(
    new URL(`file://${join(process.cwd(), FOLDER, 'node_modules/autocannon/autocannon.js')}`),
  )
  const header = ['-H', `authorization=Bearer ${token}`]
  const args = [program, '-j', '-n', '-c', String(CONNECTIONS), '-d', String(seconds), ...header, url]
  const before = ticksOf(pid)
  const { stdout } = await run(process.execPath, args, { maxBuffer: 2 ** 24 })
  const found = JSON.parse(stdout) as {
    requests: { average: number; total: number }
    latency: { p50: number; p99: number }
    non2xx: number
    errors: number
  }
  if (found.non2xx + found.errors > 0)
    throw new Error(`${url}: ${found.non2xx} refused, ${found.errors} failed`)
  const ticks = ticksOf(pid) - before
  return {
    perSecond: found.requests.average,
    microseconds: (ticks * MICROSECONDS_A_TICK) / found.requests.total,
    p50: found.latency.p50,
    p99: found.latency.p99,
  }
}

function report(ours: Load[], theirs: Load[], where: string): string {
  const of = (loads: Load[], pick: (load: Load) => number): number => median(loads.map(pick))
  const row = (name: string, loads: Load[], share: string) => [
    name,
    Math.round(of(loads, (found) => found.perSecond)),
    `${of(loads, (found) => found.p50)} / ${of(loads, (found) => found.p99)}`,
    Math.round(of(loads, (found) => found.microseconds)),
    share,
  ]
  const shares = ours.map((found, i) => found.perSecond / (theirs[i]?.perSecond ?? Number.NaN))
  return `## API overhead (${where}, ${CONNECTIONS} connections, median of ${ours.length} turns)

${table(
  ['what', 'requests/s', 'p50 / p99 ms', 'µs of its process a request', 'share of requests/s (mark ≥ 70 %)'],
  [
    row('GET /v1/me', ours, `${Math.round(median(shares) * 100)} %`),
    row('bare Fastify route, one indexed query', theirs, ''),
  ],
)}`
}
