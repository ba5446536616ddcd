// The cache of parsing results, by workspace, hash of the file, and version of the parsers. It is used by retries, after a restart,
// for reindexing, and for the same file in another workspace, if the account that uploads it can also read the first one.

import { randomUUID } from 'node:crypto'
import { type DiskCache, pagesFolder } from '../../ports/cache/disk-cache.ts'
import { isNodeAway } from '../../ports/db/db-errors.ts'
import type { Deps } from '../../ports/deps.ts'
import type { Block, ParsedDocument, ScanRound } from '../../reader/reader.ts'
import { selectWorkspacesWithFile } from './parsed.sql.ts'
import { parserVersion } from './parser-version.ts'

type Cache = Pick<DiskCache, 'get' | 'put' | 'drop'>

/** Without a cache nothing is stored. */
export type ParsedDeps = Pick<Deps, 'db'> & {
  cache?: Cache
  /** Waits until a text of this size fits into the worker's memory. */
  reserveMemory?: (bytes: number, signal?: AbortSignal) => Promise<void>
  /** The settings of the parsers that change their results, such as the languages of recognition. */
  parser: { settings?: string }
}

interface ParsedKey {
  workspaceId: string
  jobId: string
  contentHash: string
  kind: string
}

// A long document is stored in parts of this size, so that only the JSON of one part is in memory beside the text.
const PART_CHARACTERS = 4_000_000
// A document with a longer block is not cached, because a block is never split: the JSON of a line of 100 MB would take a quarter
// of the worker's heap.
const MAX_BLOCK_CHARACTERS = 16_000_000

/** An entry of the cache: a document, or a document whose blocks are in further entries. */
type CacheEntry = ParsedDocument & { parts?: { name: string; count: number } }

/**
 * The result of an earlier parse of the same bytes. Undefined if there is no result that this job may use. The result of another
 * workspace is copied to this one, because that workspace may be deleted.
 */
export async function recallParsed(
  deps: ParsedDeps,
  key: ParsedKey,
  signal?: AbortSignal,
): Promise<ParsedDocument | undefined> {
  const { cache } = deps
  if (!cache) return undefined
  const recallFromWorkspace = (workspaceId: string) =>
    recallFrom(cache, entryKey(deps, workspaceId, key), (bytes) => deps.reserveMemory?.(bytes, signal))
  const ownResult = await recallFromWorkspace(key.workspaceId)
  if (ownResult) return ownResult
  for (const workspaceId of await selectWorkspacesWithFile(deps.db, key).catch(noWorkspaceIfNodeAway)) {
    const document = await recallFromWorkspace(workspaceId)
    if (document === undefined) continue
    await rememberParsed(deps, key, document)
    return document
  }
  return undefined
}

/** Returns no workspaces if they are on a node that is down. The file is then parsed again. */
function noWorkspaceIfNodeAway(error: unknown): string[] {
  if (isNodeAway(error)) return []
  throw error
}

export async function rememberParsed(
  deps: ParsedDeps,
  key: ParsedKey,
  document: ParsedDocument,
): Promise<void> {
  if (!deps.cache || document.blocks.some((block) => lengthOf(block) > MAX_BLOCK_CHARACTERS)) return
  const cacheKey = entryKey(deps, key.workspaceId, key)
  const parts = [...splitBlocks(document.blocks)]
  if (parts.length < 2) return deps.cache.put(cacheKey, toBytes(document))
  // The name of the parts is random, so that parts of two attempts are never mixed.
  const name = randomUUID()
  for (const [index, blocks] of parts.entries())
    await deps.cache.put(partKey(cacheKey, name, index), toBytes(blocks))
  const entry: CacheEntry = { ...document, blocks: [], parts: { name, count: parts.length } }
  await deps.cache.put(cacheKey, toBytes(entry))
}

const toBytes = (value: object): Buffer => Buffer.from(JSON.stringify(value))

const partKey = (cacheKey: string, name: string, index: number): string => `${cacheKey}.${name}.${index}`

const lengthOf = ({ text, html }: Block): number => text.length + (html?.length ?? 0)

function* splitBlocks(blocks: readonly Block[]): Generator<Block[]> {
  let part: Block[] = []
  let characters = 0
  for (const block of blocks) {
    characters += lengthOf(block)
    if (characters > PART_CHARACTERS && part.length > 0) {
      yield part
      part = []
      characters = lengthOf(block)
    }
    part.push(block)
  }
  yield part
}

/** The document of an entry. Undefined if there is no entry, or if a part of it was evicted. */
async function recallFrom(
  cache: Cache,
  cacheKey: string,
  reserveMemory: (bytes: number) => Promise<void> | undefined,
): Promise<ParsedDocument | undefined> {
  const entry = parseJson<CacheEntry>(await cache.get(cacheKey))
  if (entry === undefined || !Array.isArray(entry.blocks)) return undefined
  const { parts, ...document } = entry
  if (parts === undefined) return document
  await reserveMemory(parts.count * PART_CHARACTERS)
  for (let index = 0; index < parts.count; index++) {
    const blocks = parseJson<Block[]>(await cache.get(partKey(cacheKey, parts.name, index)))
    if (!Array.isArray(blocks)) return undefined
    for (const block of blocks) document.blocks.push(block)
  }
  return document
}

/** The cache key of the result for a file. */
function entryKey(deps: ParsedDeps, workspaceId: string, { contentHash, kind }: ParsedKey): string {
  const version = [kind, parserVersion(), deps.parser.settings ?? ''].filter(Boolean).join('-')
  // The result is stored beside the page images of the same file, so that both are dropped together.
  return `${pagesFolder(workspaceId, contentHash)}/${version.replace(/[^\w+-]/g, '_')}.json`
}

/** Parses an entry. Undefined if the entry is missing or is no JSON, for example because the disk was full. */
function parseJson<T>(bytes: Buffer | undefined): T | undefined {
  if (!bytes) return undefined
  try {
    return JSON.parse(bytes.toString('utf8')) as T
  } catch {
    return undefined
  }
}

/**
 * Parses a file. A long scan is read in rounds: this call continues after the stored round, and returns undefined if another round
 * must follow. Between two rounds other files are read, and a restart loses at most one round. If the cache cannot store a round,
 * all rounds are read in this call.
 */
export async function parseRound(
  deps: ParsedDeps,
  key: ParsedKey,
  parse: (round: 'first' | ScanRound) => Promise<ParsedDocument>,
): Promise<ParsedDocument | undefined> {
  const cacheKey = `${entryKey(deps, key.workspaceId, key)}.round`
  let lastRound = parseJson<ScanRound>(await deps.cache?.get(cacheKey))
  for (;;) {
    const result = await parse(lastRound ?? 'first')
    const { unfinished } = result
    if (unfinished === undefined) {
      await rememberParsed(deps, key, result)
      if (lastRound) await deps.cache?.drop(cacheKey)
      return result
    }
    const bytes = toBytes(unfinished)
    await deps.cache?.put(cacheKey, bytes)
    if ((await deps.cache?.get(cacheKey))?.equals(bytes)) return undefined
    lastRound = unfinished
  }
}
