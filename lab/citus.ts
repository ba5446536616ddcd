// The same texts in a plain PostgreSQL and in a Citus of the same machine, in one run: `scripts/citus run -- node dist/lab/run.js
// citus [--sizes 2k] [--data DIR]`. What is uploaded and asked goes to both in turns, so that what else the machine does meets
// both. The plain database is one of the coordinator's server, without the extension, so its
// server counts as the coordinator.

import { withRowSecurity } from '../src/auth/row-security.ts'
import type { KenningClient } from '../src/client/client.ts'
import { openClient } from '../src/eval/target/client.ts'
import { untilReady, uploadSet } from '../src/eval/target/upload.ts'
import { openDb } from '../src/ports/db/postgres.ts'
import { siblingModule } from '../src/processes/module.ts'
import { search } from '../src/search/search.ts'
import { startTemporary, type TemporaryService } from '../src/temporary.ts'
import { makeDistributed, onNodes } from '../test/support/citus-nodes.ts'
import { serverHere, treeSeconds } from './processor-time.ts'
import { type BenchOptions, quantile, table } from './report.ts'
import * as bare from './speed/bare.sql.ts'
import { openCorpus, PARAGRAPH_WORDS } from './speed/corpus.ts'
import { withDatabase } from './speed/fill.ts'

const TURNS = 4
const CHUNKS_A_DOC = 50
const WARM_UP = 40
const QUERIES = 200
const BLOCK = 50
const MARKS = { search: 1.5, ingest: 0.7 }

interface Spent {
  /** Seconds by the clock, and of processor time: Node's, the coordinator's, the workers'. */
  clock: number
  node: number
  coordinator: number
  workers: number
}

interface Side {
  name: string
  service: TemporaryService
  client: KenningClient
  workspaceId: string
  chunks: number
  filling: Spent[]
  latencies: number[]
  searching: Spent[]
}

export async function benchCitus({ data, sizes, databaseUrl }: BenchOptions): Promise<string> {
  const ports = (process.env.KENNING_CITUS_PORTS ?? '').split(',').filter(Boolean).map(Number)
  if (databaseUrl === undefined || ports.length === 0)
    throw new Error('Run it with nodes: scripts/citus run -- node dist/lab/run.js citus')
  const makeDoc = await openCorpus({ data, words: PARAGRAPH_WORDS })
  const name = `kenning_bench_citus_${process.pid}`
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  try {
    await makeDistributed(databaseUrl, ports, name)
    return await withDatabase(databaseUrl, async (plainUrl) => {
      const sides = [await open('PostgreSQL', plainUrl ?? ''), await open('Citus', url.href)]
      try {
        const spent = await meterOf(ports)
        const count = Math.ceil((sizes[0] ?? 2000) / CHUNKS_A_DOC / TURNS)
        const docs = Array.from({ length: count * TURNS }, (_, no) => makeDoc(no))
        for (let turn = 0; turn < TURNS; turn++)
          for (const side of inTurn(sides, turn)) {
            process.stderr.write(`filling ${side.name}, turn ${turn + 1} of ${TURNS}\n`)
            const documents = docs.slice(turn * count, (turn + 1) * count)
            side.filling.push(await spent(() => fillSide(side, documents)))
          }
        for (const side of sides) {
          await bare.analyse(side.service.deps.db)
          side.chunks = await bare.countChunks(side.service.deps.db, side.workspaceId)
        }
        const items = docs.flatMap((doc) => doc.items)
        const queryOf = (no: number): string => items[(no * 7) % items.length]?.query ?? ''
        for (const side of sides) await askBlock(side, queryOf, 0, WARM_UP)
        for (const side of sides) side.latencies.length = 0
        for (let from = 0; from < QUERIES; from += BLOCK)
          for (const side of inTurn(sides, from / BLOCK))
            side.searching.push(await spent(() => askBlock(side, queryOf, WARM_UP + from, BLOCK)))
        return sectionOf(sides)
      } finally {
        for (const { service } of sides) await service.stop()
      }
    })
  } finally {
    await onNodes(ports, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
}

const inTurn = (sides: readonly Side[], turn: number): Side[] =>
  turn % 2 === 0 ? [...sides] : [...sides].reverse()

async function open(name: string, url: string): Promise<Side> {
  const main = siblingModule('../src/main', import.meta.url)
  const service = await startTemporary(main, { databaseUrl: url })
  const client = openClient(service.base, service.token)
  const { id } = await client.createWorkspace({ name })
  return { name, service, client, workspaceId: id, chunks: 0, filling: [], latencies: [], searching: [] }
}

async function fillSide(
  { client, workspaceId }: Side,
  documents: Parameters<typeof uploadSet>[2]['documents'],
): Promise<void> {
  const silence = { onProgress: () => () => {}, signal: new AbortController().signal }
  await uploadSet(client, workspaceId, { documents, ...silence })
  await untilReady(client, workspaceId, silence)
}

async function askBlock(
  { service, workspaceId, latencies }: Side,
  queryOf: (no: number) => string,
  from: number,
  count: number,
): Promise<void> {
  for (let no = from; no < from + count; no++) {
    const started = performance.now()
    const deps = withRowSecurity(service.deps, service.caller, workspaceId)
    await search(deps, service.caller, workspaceId, { query: queryOf(no), limit: 10 })
    latencies.push(performance.now() - started)
  }
}

/** Measures what work takes of this process with all that it started, and of the servers. */
async function meterOf(ports: readonly number[]): Promise<(work: () => Promise<void>) => Promise<Spent>> {
  const servers: number[] = []
  for (const port of ports) {
    const db = openDb({ url: `postgresql://postgres@127.0.0.1:${port}/postgres` }, { max: 1 })
    const server = await serverHere(db).finally(() => db.close())
    if (server === undefined) throw new Error(`The server of port ${port} is not on this machine.`)
    servers.push(server)
  }
  const seconds = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + treeSeconds(pid), 0)
  return async (work) => {
    const now = (): number[] => [[process.pid], servers.slice(0, 1), servers.slice(1)].map(seconds)
    const [before, began] = [now(), performance.now()]
    await work()
    const clock = (performance.now() - began) / 1000
    const [node = 0, coordinator = 0, workers = 0] = now().map((after, no) => after - (before[no] ?? 0))
    return { clock, node, coordinator, workers }
  }
}

function sectionOf(sides: readonly Side[]): string {
  const [plain, citus] = sides
  if (!plain || !citus) throw new Error('two sides are needed')
  const sum = (all: readonly Spent[], what: keyof Spent): number =>
    all.reduce((total, one) => total + one[what], 0)
  const row = (what: string, of: (side: Side) => number, unit: string, mark = ''): (string | number)[] => {
    const [one, other] = [of(plain), of(citus)]
    const ratio = one > 0 ? (other / one).toFixed(2) : '–'
    return [what, `${one.toFixed(1)}${unit}`, `${other.toFixed(1)}${unit}`, ratio, mark]
  }
  const perSearch = (what: keyof Spent) => (side: Side) => (1000 * sum(side.searching, what)) / QUERIES
  const perThousand = (what: keyof Spent) => (side: Side) => (1000 * sum(side.filling, what)) / side.chunks
  const rows = [
    row('search p50', ({ latencies }) => quantile(latencies, 0.5), ' ms', `≤ ${MARKS.search}`),
    row('search p99', ({ latencies }) => quantile(latencies, 0.99), ' ms'),
    row('processor time of a search, Node', perSearch('node'), ' ms'),
    row('processor time of a search, coordinator', perSearch('coordinator'), ' ms'),
    row('processor time of a search, workers', perSearch('workers'), ' ms'),
    row(
      'texts to ready, chunks a second',
      (side) => side.chunks / sum(side.filling, 'clock'),
      '',
      `≥ ${MARKS.ingest}`,
    ),
    row('processor time of 1,000 chunks, Node', perThousand('node'), ' s'),
    row('processor time of 1,000 chunks, coordinator', perThousand('coordinator'), ' s'),
    row('processor time of 1,000 chunks, workers', perThousand('workers'), ' s'),
  ]
  return `## Citus beside PostgreSQL: ${plain.chunks.toLocaleString('en')} chunks of ${PARAGRAPH_WORDS} words in one workspace, a coordinator and two workers on this machine

${table(['what', 'PostgreSQL', 'Citus', 'ratio', 'mark'], rows)}

The same files and questions to both in ${TURNS} turns; both services run all the time. All three nodes share the machine, so this is what distributing costs, not what more machines give.`
}
