// GET /workspaces/{id}/export (extension): a workspace as one archive. Its rows are of one moment and are written to disk first,
// since a transaction must not wait for whoever downloads; the originals are read as they are sent.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { record } from '../audit/activity.sql.ts'
import { actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { invalid, notFound, unavailable } from '../errors.ts'
import { BlobTooLarge, type Staged } from '../ports/blobs/blobs.ts'
import type { Bytes } from '../ports/bytes.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import {
  FORMAT,
  MANIFEST,
  MAX_ROW_BYTES,
  type Manifest,
  ORIGINALS,
  PART_NAMES,
  type Part,
  partFile,
  VERSION,
} from './format.ts'
import { selectFounding, selectLines } from './rows.sql.ts'
import { type Packed, pack } from './zip.ts'

type ExportDeps = Pick<Deps, 'db' | 'blobs' | 'log'>

// Each keeps files on disk while it is sent.
const MAX_AT_ONCE = 4
let underway = 0

/**
 * @throws ApiError 404, 403 unless the caller is an owner, 422 for one that is too large, 503 when others export already
 * @param mostRowBytes replaced in tests
 */
export async function exportWorkspace(
  deps: ExportDeps,
  caller: Caller,
  workspaceId: string,
  mostRowBytes = MAX_ROW_BYTES,
): Promise<Bytes> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  if (underway >= MAX_AT_ONCE) throw unavailable('Too many exports are under way; try again in a moment.', 10)
  underway++
  const staged: Staged[] = []
  const end = async (): Promise<void> => {
    underway--
    for (const one of staged) await deps.blobs.discard(one)
  }
  try {
    const { manifest, originals } = await writeRows(deps, caller, { workspaceId, mostRowBytes }, staged)
    const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
    const { size, read } = await pack([
      { name: MANIFEST, bytes: text.length, open: async () => Readable.from([text]) },
      ...manifest.files.map(({ name, bytes }, no) => ({
        name,
        bytes,
        open: async () => createReadStream(staged[no]?.path ?? ''),
      })),
      ...originals,
    ])
    const act = { action: 'workspace_exported', actor: actorOf(caller), subject: workspaceId } as const
    await record(deps.db, { ...act, workspaceIds: [workspaceId] })
    return {
      size,
      mediaType: 'application/zip',
      etag: createHash('sha256').update(text).digest('hex'),
      filename: `${manifest.workspace.name.replace(/[\\/]/g, '-')}.kenning.zip`,
      read: (from, to) => {
        const whole = read()
        const body = from === 0 && to === size - 1 ? whole : part(whole, from, to)
        return body.once('close', () => void end())
      },
      close: end,
    }
  } catch (error) {
    await end()
    if (!(error instanceof BlobTooLarge)) throw error
    const why = `Its rows are larger than ${MAX_ROW_BYTES / 2 ** 20} MiB: move the whole service with kenning backup`
    throw invalid(['path', 'workspace_id'], why, 'too_large')
  }
}

/** Some bytes of a stream that can only be read from its beginning. */
function part(whole: Readable, from: number, to: number): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    let at = 0
    for await (const piece of whole as AsyncIterable<Buffer>) {
      const slice = piece.subarray(Math.max(0, from - at), Math.max(0, to + 1 - at))
      at += piece.length
      if (slice.length > 0) yield slice
      if (at > to) return
    }
  }
  return Readable.from(pieces(), { objectMode: false })
}

/** Each part as a file on disk, in the order of the parts. */
async function writeRows(
  { db, blobs }: ExportDeps,
  caller: Caller,
  { workspaceId, mostRowBytes }: { workspaceId: string; mostRowBytes: number },
  staged: Staged[],
): Promise<{ manifest: Manifest; originals: Packed[] }> {
  const bytesOf = new Map<string, number | null>()
  const rows = new Map<Part, number>()
  const writing = async (tx: Queryable) => {
    // A transaction may be tried again.
    for (const one of staged.splice(0)) await blobs.discard(one)
    bytesOf.clear()
    rows.clear()
    for (const part of PART_NAMES) {
      const texts = async function* (): AsyncGenerator<string> {
        for await (const line of selectLines(tx, workspaceId, { part, principal: principal(caller) })) {
          rows.set(part, (rows.get(part) ?? 0) + 1)
          noteOriginal(part, line, bytesOf)
          yield `${line}\n`
        }
      }
      const used = staged.reduce((sum, { size }) => sum + size, 0)
      staged.push(await blobs.stage(Readable.from(texts(), { objectMode: false }), mostRowBytes - used))
    }
    return selectFounding(tx, workspaceId)
  }
  const workspace = await db.tx(writing, { snapshot: true })
  if (!workspace) throw notFound()
  const files = PART_NAMES.map((name, no) => ({
    name: partFile(name),
    rows: rows.get(name) ?? 0,
    bytes: staged[no]?.size ?? 0,
    sha256: staged[no]?.hash ?? '',
  }))
  const originals: Packed[] = []
  for (const hash of [...bytesOf.keys()].sort()) {
    const bytes = bytesOf.get(hash) ?? (await blobs.size(hash))
    originals.push({ name: ORIGINALS + hash, bytes, open: () => blobs.read(hash) })
  }
  const bytes = originals.reduce((sum, one) => sum + one.bytes, 0)
  return {
    manifest: {
      format: FORMAT,
      version: VERSION,
      workspace,
      files,
      originals: { files: originals.length, bytes },
    },
    originals,
  }
}

function noteOriginal(part: Part, line: string, bytesOf: Map<string, number | null>): void {
  if (part !== 'documents' && part !== 'versions') return
  const { sha256, bytes = null } = JSON.parse(line) as { sha256: string; bytes?: number | null }
  bytesOf.set(sha256, bytes ?? bytesOf.get(sha256) ?? null)
}
