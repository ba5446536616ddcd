// Kenning under measure: a filled service asked through the room function.

import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withRowSecurity } from '../../src/auth/row-security.ts'
import { openClient } from '../../src/eval/target/client.ts'
import { uploadSet } from '../../src/eval/target/upload.ts'
import type { Filter } from '../../src/search/candidates/filter.sql.ts'
import type { SearchPart } from '../../src/search/passage-query.ts'
import { findPassages, search } from '../../src/search/search.ts'
import type { TemporaryService } from '../../src/temporary.ts'
import { processTree } from '../../test/support/service.ts'
import { quantile } from '../report.ts'
import * as bare from './bare.sql.ts'
import { type KnownItem, openCorpus } from './corpus.ts'
import { type Filled, MEASURED_SHARES, WARM_UP } from './fill.ts'

const CLIENTS = 8
const EXACT_QUERIES = 30

export interface Latency {
  /** What the workspace holds of all chunks. */
  share: number
  chunks: number
  p50: number
  p99: number
  /** Two bare statements by words alone, each query beside the same search; and two with what its order needs. */
  wordsP50: number
  wordsP99: number
  bareP50: number
  bareP99: number
  /** Eight clients at once. */
  p50At8: number
  p99At8: number
  searchesPerSecond: number
  /** Megabytes of this process in which the workspace is kept, and seconds until it was; undefined: the database ranks. */
  kept: { megabytes: number; seconds: number } | undefined
  /** Statements that one search sends. */
  statements: number
  /** Share of queries whose paragraph was among the ten, and among the ten by words alone. */
  hits: number
  hitsByWords: number
  /** The ten best by words that search finds, beside those of a scan of all. */
  overlap: number
}

export async function measure({ service, workspaces, chunks }: Filled, share: number): Promise<Latency> {
  const workspace = workspaces.find((one) => one.share === share)
  if (!workspace) throw new Error(`no workspace was filled with ${share} of the chunks`)
  // As a request asks, behind the policies of a server, the bare statements too.
  const deps = withRowSecurity(service.deps, service.caller, workspace.id)
  const ask = (query: string) => search(deps, service.caller, workspace.id, { query, limit: 10 })
  const [ms, wordsMs, bareMs]: [number[], number[], number[]] = [[], [], []]
  let shown: readonly { text: string }[] = []
  const askers = [
    async (query: string): Promise<void> => {
      const started = performance.now()
      shown = (await ask(query)).data
      ms.push(performance.now() - started)
    },
    async (query: string): Promise<void> =>
      void wordsMs.push(await bare.bareWords(deps.db, workspace, query)),
    async (query: string): Promise<void> =>
      void bareMs.push(await bare.bareRanked(deps.db, workspace, query)),
  ]
  // In turns: whoever asks first reads the rows from disk, and the others find them in memory.
  const askInTurns = async (query: string, i: number): Promise<void> => {
    for (let turn = 0; turn < askers.length; turn++) await askers[(i + turn) % askers.length]?.(query)
  }
  for (const [i, { query }] of workspace.items.slice(0, WARM_UP).entries()) await askInTurns(query, i)
  const kept = await untilKept(service, workspace)
  for (const measured of [ms, wordsMs, bareMs]) measured.length = 0
  const items = workspace.items.slice(WARM_UP)
  let [hits, hitsByWords] = [0, 0]
  for (const [i, { query, gold }] of items.entries()) {
    await askInTurns(query, i)
    const isAmong = (shown: readonly { text: string }[]): boolean =>
      shown.some(({ text }) => text.replace(/\s+/g, ' ').includes(gold))
    if (isAmong(shown)) hits++
    const byWords = { query, limit: 10, without: BESIDE_WORDS }
    if (isAmong(await findPassages(deps, service.caller, workspace.id, byWords))) hitsByWords++
  }
  const many = await atOnce(items, ask)
  return {
    share: workspace.chunks / chunks,
    chunks: workspace.chunks,
    p50: quantile(ms, 0.5),
    p99: quantile(ms, 0.99),
    wordsP50: quantile(wordsMs, 0.5),
    wordsP99: quantile(wordsMs, 0.99),
    bareP50: quantile(bareMs, 0.5),
    bareP99: quantile(bareMs, 0.99),
    p50At8: quantile(many.ms, 0.5),
    p99At8: quantile(many.ms, 0.99),
    searchesPerSecond: many.ms.length / many.seconds,
    kept,
    statements: await statementsOf(service, workspace.id, items),
    hits: hits / items.length,
    hitsByWords: hitsByWords / items.length,
    overlap: await overlapWithScan(service, workspace, { items }),
  }
}

// A process that has just started: a minute of searches is enough for 100,000 chunks.
const MAX_WAITED_MS = 180_000

/** Searches until the workspace is kept in memory, as it is in a process that was started a minute ago. */
async function untilKept(
  { deps, caller }: TemporaryService,
  { id, chunks, items }: Filled['workspaces'][number],
): Promise<Latency['kept']> {
  const before = deps.memory.bytes()
  const started = performance.now()
  for (let i = 0; performance.now() - started < MAX_WAITED_MS; i++) {
    await search(deps, caller, id, { query: items[i % items.length]?.query ?? '', limit: 10 })
    const megabytes = (deps.memory.bytes() - before) / 2 ** 20
    if (megabytes > 0) return { megabytes, seconds: (performance.now() - started) / 1000 }
    // Small ones are not kept.
    if (chunks < 3000) return undefined
    await sleep(100)
  }
  return undefined
}

async function atOnce(
  items: KnownItem[],
  ask: (query: string) => Promise<unknown>,
): Promise<{ ms: number[]; seconds: number }> {
  const ms: number[] = []
  const queue = [...items, ...items]
  const client = async (): Promise<void> => {
    for (let item = queue.pop(); item; item = queue.pop()) {
      const started = performance.now()
      await ask(item.query)
      ms.push(performance.now() - started)
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return { ms, seconds: (performance.now() - started) / 1000 }
}

async function statementsOf(
  { deps, caller }: TemporaryService,
  workspaceId: string,
  items: KnownItem[],
): Promise<number> {
  let sent = 0
  const rows: typeof deps.db.rows = (statement) => {
    sent++
    return deps.db.rows(statement)
  }
  const counting = { ...deps, db: { ...deps.db, rows } }
  const asked = items.slice(0, EXACT_QUERIES)
  for (const { query } of asked) await search(counting, caller, workspaceId, { query, limit: 10 })
  return sent / asked.length
}

// By words alone: what else search does builds on their order.
const BESIDE_WORDS: readonly SearchPart[] = ['documents', 'meaning', 'second hop', 'correction', 'reranker']

export async function overlapWithScan(
  { deps, caller }: TemporaryService,
  { id }: { id: string },
  { items, filter = {} }: { items: KnownItem[]; filter?: Filter },
): Promise<number> {
  let shared = 0
  let all = 0
  const idsOf = async (query: string, without: readonly SearchPart[]): Promise<string[]> =>
    (await findPassages(deps, caller, id, { query, limit: 10, without, ...filter })).map(
      ({ chunk_id }) => chunk_id,
    )
  for (const { query } of items.slice(0, EXACT_QUERIES)) {
    const exact = await idsOf(query, [...BESIDE_WORDS, 'candidates'])
    const found = new Set(await idsOf(query, BESIDE_WORDS))
    shared += exact.filter((chunk) => found.has(chunk)).length
    all += exact.length
  }
  return all ? shared / all : 1
}

export interface WhileIngesting {
  p50: number
  p99: number
  chunksPerSecond: number
}

/**
 * Searches of the largest workspace, one each 50 ms, while documents go into another one. It is none of those measured,
 * whose share would grow with every run on what was filled before.
 */
export async function measureWhileIngesting(
  { service, workspaces, words }: Filled,
  data: string | undefined,
): Promise<WhileIngesting> {
  const makeDoc = await openCorpus({ data, words })
  const [large] = workspaces
  const other = workspaces.find(({ share }) => !MEASURED_SHARES.includes(share))
  if (!large || !other) throw new Error('two workspaces are needed')
  const before = await bare.countChunks(service.deps.db, other.id)
  const folder = await mkdtemp(join(tmpdir(), 'kenning-more-'))
  // Other texts under other names than a run before has left there: what is there already would not be written again.
  const documents = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      const { title, text } = makeDoc(10_000_000 + before + i)
      const [id, path] = [`more-${before + i}.md`, join(folder, `${i}.md`)]
      await writeFile(path, `# More ${title}\n\n${text}\n`)
      return { id, path }
    }),
  )
  const tidy = setInterval(() => void bare.dropGraphTasks(service.deps.db).catch(() => undefined), 200)
  const started = performance.now()
  let done = false
  const writing = uploadSet(openClient(service.base, service.token), other.id, {
    documents,
    onProgress: () => () => {},
    signal: new AbortController().signal,
  }).finally(() => {
    done = true
  })
  const ms: number[] = []
  for (let i = 0; !done; i++) {
    const query = large.items[i % large.items.length]?.query ?? ''
    const from = performance.now()
    await search(service.deps, service.caller, large.id, { query, limit: 10 })
    ms.push(performance.now() - from)
    await sleep(50)
  }
  await writing
  await rm(folder, { recursive: true })
  const seconds = (performance.now() - started) / 1000
  clearInterval(tidy)
  const written = (await bare.countChunks(service.deps.db, other.id)) - before
  return { p50: quantile(ms, 0.5), p99: quantile(ms, 0.99), chunksPerSecond: written / seconds }
}

/** Resident memory of the database, megabytes: the engine's process, or all processes of the server (shared once). */
export function databaseMemory(service: TemporaryService): number {
  const engine = service.enginePid()
  if (engine !== undefined) return Math.round((processTree(engine)[0]?.rss ?? 0) / 1024)
  let kilobytes = 0
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      if (!/^postgres/.test(readFileSync(`/proc/${name}/comm`, 'utf8'))) continue
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
    } catch {
      // It ended meanwhile.
    }
  }
  return Math.round(kilobytes / 1024)
}
