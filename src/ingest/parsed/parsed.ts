// What parsing gave, kept by the file's bytes and the parsers' version: a retry, a restart or a reindex goes on where
// parsing ended, and a file is not parsed again for a second workspace of somebody who can read the first.

import { type DiskCache, pagesFolder } from '../../ports/cache/disk-cache.ts'
import type { Deps } from '../../ports/deps.ts'
import type { ParsedDocument } from '../parse/block.ts'
import { selectHolders } from './parsed.sql.ts'
import { parserVersion } from './parser-version.ts'

/** Without a cache nothing is remembered. */
export type ParsedDeps = Pick<Deps, 'db'> & {
  cache?: Pick<DiskCache, 'get' | 'put'>
  /** `settings`: what of the pool's settings changes its results, such as the languages of recognition. */
  parser: { settings?: string }
}

export interface ParsedKey {
  workspaceId: string
  jobId: string
  contentHash: string
  kind: string
}

// Its JSON would stand in memory twice; a text of this size parses about as fast as it is read back.
const MOST_CHARACTERS = 16_000_000

/** The result of an earlier parse of the same bytes; undefined when there is none that this job may use. */
export async function recallParsed(deps: ParsedDeps, key: ParsedKey): Promise<ParsedDocument | undefined> {
  if (!deps.cache) return undefined
  const own = read(await deps.cache.get(entry(deps, key.workspaceId, key)))
  if (own) return own
  for (const workspaceId of await selectHolders(deps.db, key)) {
    const found = read(await deps.cache.get(entry(deps, workspaceId, key)))
    if (found) return found
  }
  return undefined
}

export async function rememberParsed(
  deps: ParsedDeps,
  key: ParsedKey,
  document: ParsedDocument,
): Promise<void> {
  if (!deps.cache) return
  let size = 0
  for (const { text, html } of document.blocks) size += text.length + (html?.length ?? 0)
  if (size > MOST_CHARACTERS) return
  await deps.cache.put(entry(deps, key.workspaceId, key), Buffer.from(JSON.stringify(document)))
}

function entry(deps: ParsedDeps, workspaceId: string, { contentHash, kind }: ParsedKey): string {
  const version = [kind, parserVersion(), deps.parser.settings ?? ''].filter(Boolean).join('-')
  // Beside the pages drawn of the same file, so that they go together when it does.
  return `${pagesFolder(workspaceId, contentHash)}/${version.replace(/[^\w+-]/g, '_')}.json`
}

/** An entry that cannot be read (cut short by a full disk, edited by hand) counts as none. */
function read(bytes: Buffer | undefined): ParsedDocument | undefined {
  if (!bytes) return undefined
  try {
    const document = JSON.parse(bytes.toString('utf8')) as ParsedDocument
    return Array.isArray(document.blocks) ? document : undefined
  } catch {
    return undefined
  }
}
