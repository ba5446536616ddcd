// Results of parsing, cached by the file's bytes and the parsers' version. A retry, a restart or a reindex starts from the
// result. A file is not parsed again for a second workspace if its user can read the first.

import { randomUUID } from 'node:crypto'
import { type DiskCache, pagesFolder } from '../../ports/cache/disk-cache.ts'
import { isNodeAway } from '../../ports/db/db-errors.ts'
import type { Deps } from '../../ports/deps.ts'
import type { Block, ParsedDocument, ScanRound } from '../../reader/reader.ts'
import { selectHolders } from './parsed.sql.ts'
import { parserVersion } from './parser-version.ts'

type Cache = Pick<DiskCache, 'get' | 'put' | 'drop'>

/** Without a cache nothing is stored. */
export type ParsedDeps = Pick<Deps, 'db'> & {
  cache?: Cache
  /** Waits until a text of this size fits into memory. */
  reserveMemory?: (bytes: number, signal?: AbortSignal) => Promise<void>
  /** `settings` are those of the pool's settings that change its results, such as the languages of recognition. */
  parser: { settings?: string }
}

export interface ParsedKey {
  workspaceId: string
  jobId: string
  contentHash: string
  kind: string
}

// While it is written, a part's JSON is in memory beside its text. For 15,000 pages, that would be 71 million characters twice.
// When such files were not cached at all, a late failure cost another three minutes of processor time.
const PART_CHARACTERS = 4_000_000
// A block is never split. The JSON of a line of 100 MB would take a quarter of the worker's heap, in vain, since the cache
// takes no entry of that size.
const MAX_OF_A_BLOCK = 16_000_000

/** An entry: the document, or the document without its blocks, which are then in separate entries. */
type Kept = ParsedDocument & { parts?: { name: string; count: number } }

/**
 * The result of an earlier parse of the same bytes. Undefined when there is none that this job may use. The result of another
 * workspace is copied to this one, because only a few holders are asked and any of them may be deleted.
 */
export async function recallParsed(
  deps: ParsedDeps,
  key: ParsedKey,
  signal?: AbortSignal,
): Promise<ParsedDocument | undefined> {
  const { cache } = deps
  if (!cache) return undefined
  const recall = (workspaceId: string) =>
    recallFrom(cache, entry(deps, workspaceId, key), (bytes) => deps.reserveMemory?.(bytes, signal))
  const own = await recall(key.workspaceId)
  if (own) return own
  for (const workspaceId of await selectHolders(deps.db, key).catch(orNobody)) {
    const document = await recall(workspaceId)
    if (document === undefined) continue
    await rememberParsed(deps, key, document)
    return document
  }
  return undefined
}

/** Other workspaces may be on a node that is down. Then the file is parsed again. */
function orNobody(error: unknown): string[] {
  if (isNodeAway(error)) return []
  throw error
}

export async function rememberParsed(
  deps: ParsedDeps,
  key: ParsedKey,
  document: ParsedDocument,
): Promise<void> {
  if (!deps.cache || document.blocks.some((block) => lengthOf(block) > MAX_OF_A_BLOCK)) return
  const place = entry(deps, key.workspaceId, key)
  const parts = [...partsOf(document.blocks)]
  if (parts.length < 2) return deps.cache.put(place, toBytes(document))
  // The name is random, so that parts of two attempts never mix.
  const name = randomUUID()
  for (const [no, blocks] of parts.entries()) await deps.cache.put(partOf(place, name, no), toBytes(blocks))
  const stored: Kept = { ...document, blocks: [], parts: { name, count: parts.length } }
  await deps.cache.put(place, toBytes(stored))
}

const toBytes = (value: object): Buffer => Buffer.from(JSON.stringify(value))

const partOf = (place: string, name: string, no: number): string => `${place}.${name}.${no}`

const lengthOf = ({ text, html }: Block): number => text.length + (html?.length ?? 0)

function* partsOf(blocks: readonly Block[]): Generator<Block[]> {
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

/** Undefined when there is none, or a part of it was evicted. */
async function recallFrom(
  cache: Cache,
  place: string,
  reserveMemory: (bytes: number) => Promise<void> | undefined,
): Promise<ParsedDocument | undefined> {
  const stored = read<Kept>(await cache.get(place))
  if (stored === undefined || !Array.isArray(stored.blocks)) return undefined
  const { parts, ...document } = stored
  if (parts === undefined) return document
  await reserveMemory(parts.count * PART_CHARACTERS)
  for (let no = 0; no < parts.count; no++) {
    const blocks = read<Block[]>(await cache.get(partOf(place, parts.name, no)))
    if (!Array.isArray(blocks)) return undefined
    for (const block of blocks) document.blocks.push(block)
  }
  return document
}

/** The cache key of a file's result. */
function entry(deps: ParsedDeps, workspaceId: string, { contentHash, kind }: ParsedKey): string {
  const version = [kind, parserVersion(), deps.parser.settings ?? ''].filter(Boolean).join('-')
  // It is stored beside the drawn pages of the same file, so that both are dropped together.
  return `${pagesFolder(workspaceId, contentHash)}/${version.replace(/[^\w+-]/g, '_')}.json`
}

/** An unreadable entry (truncated by a full disk, or edited by hand) counts as missing. */
function read<T>(bytes: Buffer | undefined): T | undefined {
  if (!bytes) return undefined
  try {
    return JSON.parse(bytes.toString('utf8')) as T
  } catch {
    return undefined
  }
}

/**
 * One round of parsing a long scan, which continues from the stored rounds. Undefined when another round must follow. Other
 * files have their turn between two rounds, and a restart loses at most one round. When nothing can be stored (no cache, a full
 * disk), all rounds are read at once.
 */
export async function parseRound(
  deps: ParsedDeps,
  key: ParsedKey,
  parse: (round: 'first' | ScanRound) => Promise<ParsedDocument>,
): Promise<ParsedDocument | undefined> {
  const place = `${entry(deps, key.workspaceId, key)}.round`
  let before = read<ScanRound>(await deps.cache?.get(place))
  for (;;) {
    const parsed = await parse(before ?? 'first')
    const { unfinished } = parsed
    if (unfinished === undefined) {
      await rememberParsed(deps, key, parsed)
      if (before) await deps.cache?.drop(place)
      return parsed
    }
    const bytes = toBytes(unfinished)
    await deps.cache?.put(place, bytes)
    if ((await deps.cache?.get(place))?.equals(bytes)) return undefined
    before = unfinished
  }
}
