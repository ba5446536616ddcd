// A temporary service with chunks for the speed bench: small ones through the service's own pipeline, large ones in bulk.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openClient } from '../../src/eval/target/client.ts'
import { untilReady, uploadSet } from '../../src/eval/target/upload.ts'
import type { DbConnection } from '../../src/ports/db/connection.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { siblingModule } from '../../src/processes/module.ts'
import { startTemporary, type TemporaryService } from '../../src/temporary.ts'
import * as bare from './bare.sql.ts'
import { bulkFill, PATIENT, type Portion } from './bulk.ts'
import { type KnownItem, type MakeDoc, openCorpus, PARAGRAPH_WORDS } from './corpus.ts'

/** Shares of all chunks that the workspaces hold: the filter of a search. */
export const SHARES = [0.6, 0.2, 0.14, 0.05, 0.01]
export const MEASURED_SHARES = [0.6, 0.2, 0.01]
const CHUNKS_A_DOC = 50
// From here on rows are written in bulk: 13 to 40 chunks a second go through the pipeline on a busy machine.
const BULK_FROM = 5000
// And chunks of half the length, for the sake of time and disk.
const SHORT_FROM = 500_000
const SHORT_WORDS = 110
const QUERIES = 100
export const WARM_UP = 20

export interface Filled {
  service: TemporaryService
  workspaces: { id: string; share: number; chunks: number; items: KnownItem[] }[]
  loadSeconds: number
  /** Its rows were written by speed/bulk.ts, not by uploads. */
  isBulk: boolean
  /** Of a paragraph, which is a chunk. */
  words: number
  chunks: number
  /** Those that came after it was filled: of a folder that stays, what runs before have written, uploads of `load` too. */
  laterChunks: number
}

export interface FillOptions {
  data: string | undefined
  /** A database of the service's own; undefined: the embedded engine. */
  databaseUrl: string | undefined
  /** Folder of a service that stays, and is taken as it is once it was filled. */
  folder: string | undefined
  settings?: Record<string, string>
}

/** What a service that stays was filled with. */
interface Content {
  shared: (Portion & { share: number })[]
  loadSeconds: number
  /** Folders of before 2026-11-27 do not say. */
  chunks?: number
}

/** A service with about `chunks` chunks in five workspaces. */
export async function fill(
  chunks: number,
  { data, databaseUrl, folder, settings = {} }: FillOptions,
): Promise<Filled> {
  const words = chunks < SHORT_FROM ? PARAGRAPH_WORDS : SHORT_WORDS
  const corpus = { data, words }
  const makeDoc = await openCorpus(corpus)
  const main = siblingModule('../../src/main', import.meta.url)
  const service = await startTemporary(main, {
    folder,
    ...PATIENT,
    settings,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
  })
  try {
    const isBulk = chunks >= BULK_FROM
    const countOf = (id: string): Promise<number> => bare.countChunks(service.deps.db, id)
    const {
      shared,
      loadSeconds,
      chunks: atFirst,
    } = await onceIn(folder, async () => {
      const started = performance.now()
      const shared = await portions(service, Math.max(20, Math.round(chunks / CHUNKS_A_DOC)))
      const options = { corpus, isServer: databaseUrl !== undefined, vectors: true, say }
      if (isBulk) await bulkFill(service.deps, shared, options)
      else await uploadAll(service, shared, makeDoc)
      await bare.analyse(service.deps.db)
      const loadSeconds = (performance.now() - started) / 1000
      const counts = await Promise.all(shared.map(({ workspaceId }) => countOf(workspaceId)))
      return { shared, loadSeconds, chunks: sum(counts) }
    })
    const workspaces: Filled['workspaces'] = []
    for (const { workspaceId: id, share, first, count } of shared) {
      const items = Array.from({ length: Math.min(count, QUERIES) }, (_, i) =>
        makeDoc(first + Math.floor((i * count) / Math.min(count, QUERIES))),
      ).flatMap((doc) => doc.items)
      workspaces.push({
        id,
        share,
        items: spread(items, QUERIES + WARM_UP),
        chunks: await countOf(id),
      })
    }
    const held = sum(workspaces.map(({ chunks }) => chunks))
    const laterChunks = held - (atFirst ?? held)
    return { service, workspaces, loadSeconds, isBulk, words, chunks: held, laterChunks }
  } catch (error) {
    await service.stop()
    throw error
  }
}

/** Where `--resume` keeps a service of that size. On a server it holds the password of the account, the database all else. */
export const keptFolder = (
  resume: string | undefined,
  size: number,
  databaseUrl: string | undefined,
): string | undefined =>
  resume && resolve(join(resume, `speed-${size}-${databaseUrl === undefined ? 'embedded' : 'server'}`))

const filledFile = (folder: string): string => join(folder, 'filled.json')

/** Does it, unless the folder says that it was done. */
async function onceIn(folder: string | undefined, fillIt: () => Promise<Content>): Promise<Content> {
  if (folder === undefined) return await fillIt()
  const path = filledFile(folder)
  const before = await readFile(path, 'utf8').catch(() => undefined)
  if (before !== undefined) return JSON.parse(before)
  const content = await fillIt()
  await writeFile(path, JSON.stringify(content))
  return content
}

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0)

const say = (text: string): boolean => process.stderr.write(`${text}\n`)

/** A workspace for each share of the documents. */
async function portions(service: TemporaryService, docs: number): Promise<(Portion & { share: number })[]> {
  const client = openClient(service.base, service.token)
  const made: (Portion & { share: number })[] = []
  let first = 0
  for (const share of SHARES) {
    const { id } = await client.createWorkspace({ name: `share ${share}` })
    const count = Math.max(1, Math.round(docs * share))
    made.push({ workspaceId: id, share, first, count })
    first += count
  }
  return made
}

/** Through the whole pipeline, until the workspaces are ready. */
async function uploadAll(
  service: TemporaryService,
  portions: readonly Portion[],
  makeDoc: MakeDoc,
): Promise<void> {
  const client = openClient(service.base, service.token)
  const silence = { onProgress: () => () => {}, signal: new AbortController().signal }
  const tidy = setInterval(() => void bare.dropGraphTasks(service.deps.db).catch(() => undefined), 200)
  try {
    for (const { workspaceId, first, count } of portions) {
      const documents = Array.from({ length: count }, (_, i) => makeDoc(first + i))
      await uploadSet(client, workspaceId, { documents, ...silence })
    }
    for (const { workspaceId } of portions) await untilReady(client, workspaceId, silence)
  } finally {
    clearInterval(tidy)
  }
}

/** `count` of the items, evenly over all; repeated when there are fewer. */
const spread = (items: KnownItem[], count: number): KnownItem[] =>
  Array.from(
    { length: count },
    (_, i) => items[Math.floor((i * items.length) / count) % items.length],
  ).flatMap((item) => item ?? [])

/**
 * A database of its own on the server for the time of `work`, or for as long as the folder that it belongs to; `work` gets
 * undefined where there is no server. What a run left half filled is filled anew.
 */
export async function withDatabase<T>(
  serverUrl: string | undefined,
  work: (url: string | undefined) => Promise<T>,
  folder?: string,
): Promise<T> {
  const isFilled = folder !== undefined && existsSync(filledFile(folder))
  if (folder !== undefined && !isFilled) await rm(folder, { recursive: true, force: true })
  if (serverUrl === undefined) return await work(undefined)
  const connection: DbConnection = { url: serverUrl }
  const server = openDb(connection, { max: 1 })
  const own = folder ?? `${process.pid} ${Date.now()}`
  const name = `kenning_bench_${createHash('sha256').update(own).digest('hex').slice(0, 16)}`
  if (!isFilled) {
    await bare.dropDatabase(server, name)
    await bare.createDatabase(server, name)
  }
  try {
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    return await work(url.href)
  } finally {
    if (folder === undefined) await bare.dropDatabase(server, name)
    await server.close()
  }
}
