// What the API costs: requests a second of GET /v1/me (credential, access, contract) beside a bare Fastify route with
// one indexed query on the same database, in turns. Load by autocannon from bench/anchors, 10 connections.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Me } from '../src/contract/resources.ts'
import { forkModule, siblingModule } from '../src/processes/module.ts'
import { makeClient } from '../test/support/client.ts'
import { startService } from '../test/support/service.ts'
import { type BenchOptions, median, table } from './report.ts'
import { withDatabase } from './speed/fill.ts'

const run = promisify(execFile)
const FOLDER = 'bench/anchors'
const SECONDS = 5
const CONNECTIONS = 10

interface Load {
  perSecond: number
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
    const [ours, theirs]: [Load[], Load[]] = [[], []]
    for (let round = 0; round <= runs; round++) {
      const token = await service.token()
      const measured = [
        await load(`${service.base}/me`, token),
        await load(`http://127.0.0.1:${port}/`),
      ] as const
      // The first round warms both up.
      if (round === 0) continue
      ours.push(measured[0])
      theirs.push(measured[1])
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

async function load(url: string, token?: string): Promise<Load> {
  const program = fileURLToPath(
    new URL(`file://${join(process.cwd(), FOLDER, 'node_modules/autocannon/autocannon.js')}`),
  )
  const header = token === undefined ? [] : ['-H', `authorization=Bearer ${token}`]
  const args = [program, '-j', '-n', '-c', String(CONNECTIONS), '-d', String(SECONDS), ...header, url]
  const { stdout } = await run(process.execPath, args, { maxBuffer: 2 ** 24 })
  const found = JSON.parse(stdout) as {
    requests: { average: number }
    latency: { p50: number; p99: number }
    non2xx: number
    errors: number
  }
  if (found.non2xx + found.errors > 0)
    throw new Error(`${url}: ${found.non2xx} refused, ${found.errors} failed`)
  return { perSecond: found.requests.average, p50: found.latency.p50, p99: found.latency.p99 }
}

function report(ours: Load[], theirs: Load[], where: string): string {
  const of = (loads: Load[], pick: (load: Load) => number): number => median(loads.map(pick))
  const row = (name: string, loads: Load[], share: string) => [
    name,
    Math.round(of(loads, (found) => found.perSecond)),
    `${of(loads, (found) => found.p50)} / ${of(loads, (found) => found.p99)}`,
    share,
  ]
  const shares = ours.map((found, i) => found.perSecond / (theirs[i]?.perSecond ?? Number.NaN))
  return `## API overhead (${where}, ${CONNECTIONS} connections, median of ${ours.length} turns)

${table(
  ['what', 'requests/s', 'p50 / p99 ms', 'share (mark ≥ 70 %)'],
  [
    row('GET /v1/me', ours, `${Math.round(median(shares) * 100)} %`),
    row('bare Fastify route, one indexed query', theirs, ''),
  ],
)}`
}
