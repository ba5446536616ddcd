// Text to searchable, and to complete: articles of a set uploaded as Markdown, with the processor time of each process until
// both, the server's too where it is on this machine, the bytes that a chunk takes on disk, and the memory of the processes afterwards. In machine units too, since machines
// differ by a factor of two: one unit is SHA-256 of 400 MB in Node.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Document, Job, Page, Workspace } from '../src/contract/resources.ts'
import { readSet, type SetDocument } from '../src/eval/set/set.ts'
import { openDb } from '../src/ports/db/postgres.ts'
import { type Client, makeClient } from '../test/support/client.ts'
import { processTree, startService } from '../test/support/service.ts'
import * as rows from './indexing/rows.sql.ts'
import { secondsOf, serverHere, treeSeconds } from './processor-time.ts'
import { type BenchOptions, median, table } from './report.ts'
import { withDatabase } from './speed/fill.ts'
import { residentMemory, roleOf } from './start.ts'

const BYTES = 5_000_000
const FILES_A_REQUEST = 20
const UNIT_BYTES = 400_000_000
const SETTLE_MS = 5000
/** The role of a database server's processes. */
const SERVER = 'server'

type Times = Map<string, number>

interface Run {
  unit: number
  chunks: number
  megabytes: number
  searchable: number
  ready: number
  /** Seconds of processor time by process, from the first upload on. */
  untilSearchable: Times
  untilReady: Times
  disk: rows.Relation[]
  columns: rows.Column[]
  memory: Map<string, number>
}

export async function benchIndexing({ data, runs, databaseUrl }: BenchOptions): Promise<string> {
  const { documents = [] } = await readSet(data ?? 'test/data/small', true)
  const files = filesOf(documents)
  const done: Run[] = []
  for (let run = 0; run < runs; run++)
    done.push(
      await (databaseUrl === undefined
        ? measure(files)
        : withDatabase(databaseUrl, (url) => measure(files, url ?? databaseUrl))),
    )
  return report(files.length, done, databaseUrl !== undefined)
}

interface File {
  name: string
  bytes: Buffer
}

/** As many of the documents as make 5 MB. */
function filesOf(documents: readonly SetDocument[]): File[] {
  const files: File[] = []
  let sum = 0
  for (const document of documents) {
    if (!('text' in document) || sum >= BYTES) continue
    const bytes = Buffer.from(
      `# ${document.title?.replace(/\s+/g, ' ') ?? document.id}\n\n${document.text}\n`,
    )
    files.push({ name: `${String(files.length + 1).padStart(6, '0')}.md`, bytes })
    sum += bytes.length
  }
  return files
}

function unitSeconds(): number {
  const block = Buffer.alloc(1_000_000, 'kenning')
  const started = performance.now()
  const hash = createHash('sha256')
  for (let done = 0; done < UNIT_BYTES; done += block.length) hash.update(block)
  hash.digest()
  return (performance.now() - started) / 1000
}

async function measure(files: readonly File[], databaseUrl?: string): Promise<Run> {
  const unit = median([unitSeconds(), unitSeconds(), unitSeconds()])
  const service = await startService(databaseUrl === undefined ? {} : { env: { DATABASE_URL: databaseUrl } })
  try {
    const client = makeClient(service.base, service.token)
    const pid = service.child.pid ?? 0
    const server = databaseUrl === undefined ? undefined : await serverOf(databaseUrl)
    const workspace = await client.post<Workspace>('/workspaces', { name: 'bench' })
    await sleep(SETTLE_MS)
    const before = cpuSeconds(pid, server)
    const since = (): Times =>
      new Map([...cpuSeconds(pid, server)].map(([role, now]) => [role, now - (before.get(role) ?? 0)]))
    const started = performance.now()
    const seconds = (): number => (performance.now() - started) / 1000
    const jobs: Job[] = []
    for (let at = 0; at < files.length; at += FILES_A_REQUEST)
      jobs.push(await client.upload(workspace.id, files.slice(at, at + FILES_A_REQUEST)))
    for (const { id } of jobs) await client.done(id)
    const [searchable, untilSearchable] = [seconds(), since()]
    await client.ready(workspace.id)
    const [ready, untilReady] = [seconds(), since()]
    await sleep(SETTLE_MS)
    const memory = residentMemory(pid)
    const chunks = await chunksIn(client, workspace.id)
    const megabytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6
    const connection =
      databaseUrl === undefined ? { socketDir: await socketDir(service.dataDir) } : { url: databaseUrl }
    const disk = await rows.relations(connection)
    const columns = await rows.chunkColumns(connection)
    return { unit, chunks, megabytes, searchable, ready, untilSearchable, untilReady, disk, columns, memory }
  } finally {
    await service.remove()
  }
}

/** The folder of the embedded engine's socket, from the lock that its parent holds. */
async function socketDir(dataDir: string): Promise<string> {
  const { socket_dir } = JSON.parse(await readFile(join(dataDir, 'kenning.lock'), 'utf8')) as {
    socket_dir: string
  }
  return socket_dir
}

async function chunksIn(client: Client, workspaceId: string): Promise<number> {
  let sum = 0
  for (let cursor = ''; ; ) {
    const page = await client.get<Page<Document>>(`/workspaces/${workspaceId}/documents?limit=200${cursor}`)
    sum += page.data.reduce((chunks, document) => chunks + document.chunk_count, 0)
    if (!page.next_cursor) return sum
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
}

async function serverOf(url: string): Promise<number | undefined> {
  const db = openDb({ url }, { max: 1 })
  return serverHere(db).finally(() => db.close())
}

/** Seconds of processor time by role. @param server its first process */
function cpuSeconds(pid: number, server: number | undefined): Times {
  const sums: Times = new Map([['all', 0]])
  const add = (role: string, seconds: number): void => {
    for (const name of [role, 'all']) sums.set(name, (sums.get(name) ?? 0) + seconds)
  }
  for (const row of processTree(pid)) add(roleOf(row, pid), secondsOf(row))
  if (server !== undefined) add(SERVER, treeSeconds(server))
  return sums
}

function report(files: number, runs: readonly Run[], isServer: boolean): string {
  const of = (pick: (run: Run) => number): number => median(runs.map(pick))
  const [first] = runs
  const { chunks = 0, megabytes = 0 } = first ?? {}
  const seconds = (pick: (run: Run) => number, mark: string): (string | number)[] => [
    `${of(pick).toFixed(1)} s`,
    `${of((run) => run.megabytes / pick(run)).toFixed(2)} MB/s`,
    `${of((run) => pick(run) / run.unit).toFixed(0)}`,
    mark,
  ]
  const roles = [...(first?.untilReady.keys() ?? [])]
  const counted =
    isServer && !roles.includes(SERVER) ? ', without the server’s, which is not on this machine' : ''
  const cpu = (of_: (run: Run) => Times): string[] =>
    roles.map((role) => `${of((run) => of_(run).get(role) ?? 0).toFixed(1)}`)
  const perChunk = (pick: (relation: rows.Relation) => number): number =>
    of((run) => run.disk.reduce((sum, relation) => sum + pick(relation), 0) / run.chunks / 1000)
  const relation = (name: string): (string | number)[] => {
    const own = (run: Run) => run.disk.find((one) => one.name === name)
    const bytes = (pick: 'table' | 'indexes') => of((run) => (own(run)?.[pick] ?? 0) / run.chunks).toFixed(0)
    return [name, of((run) => own(run)?.rows ?? 0), bytes('table'), bytes('indexes')]
  }
  const megabytesOf = (role: string): string => `${Math.round(of((run) => run.memory.get(role) ?? 0) / 1024)}`
  return `## Indexing: ${files} texts, ${megabytes.toFixed(1)} MB, ${chunks} chunks (${isServer ? 'PostgreSQL' : 'embedded'}, median of ${runs.length})

One unit is SHA-256 of 400 MB in Node, ${of((run) => run.unit).toFixed(2)} s here.

${table(
  ['what', 'time', 'speed', 'units', 'mark, units'],
  [
    ['uploaded → searchable', ...seconds((run) => run.searchable, isServer ? '8' : '13')],
    ['uploaded → ready', ...seconds((run) => run.ready, isServer ? '16' : '33')],
  ],
)}

Seconds of processor time${counted}:

${table(
  ['until', ...roles],
  [
    ['searchable', ...cpu((run) => run.untilSearchable)],
    ['ready', ...cpu((run) => run.untilReady)],
  ],
)}

On disk ${(perChunk(({ table }) => table) + perChunk(({ indexes }) => indexes)).toFixed(1)} kB a chunk, of it indexes ${perChunk(({ indexes }) => indexes).toFixed(1)} kB (mark ${isServer ? 5 : 8}); bytes a chunk:

${table(
  ['table', 'rows', 'table', 'indexes'],
  (first?.disk ?? []).slice(0, 14).map(({ name }) => relation(name)),
)}

Of a chunk's row: ${(first?.columns ?? []).map(({ name }) => `${name} ${of((run) => run.columns.find((one) => one.name === name)?.bytes ?? 0).toFixed(0)}`).join(', ')}.

Resident afterwards, MB: ${[...(first?.memory.keys() ?? [])].map((role) => `${role} ${megabytesOf(role)}`).join(', ')}.`
}
