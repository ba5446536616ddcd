// GET /workspaces/{id}/export (extension) sends a workspace as one archive. The rows are first read in one transaction and written
// to disk, because a transaction must not wait for the client. The originals are read while they are sent.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { record } from '../audit/activity.sql.ts'
import { actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { invalid, notFound } from '../errors.ts'
import { BlobTooLarge, type StagedFile } from '../ports/blobs/blobs.ts'
import type { Bytes } from '../ports/bytes.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import {
  FORMAT,
  MANIFEST,
  MAX_TOTAL_ROW_BYTES,
  type Manifest,
  ORIGINALS,
  PART_NAMES,
  type Part,
  partFile,
  VERSION,
} from './format.ts'
import { selectLines, selectWorkspaceRow } from './rows.sql.ts'
import { type FileToPack, packZip } from './zip.ts'

type ExportDeps = Pick<Deps, 'db' | 'blobs' | 'admission'>

/**
 * @throws ApiError 404, 403 unless the caller is an owner, 422 if the export is too large, 503 while too many exports run
 * @param maxTotalRowBytes replaced in tests
 */
export async function exportWorkspace(
  deps: ExportDeps,
  caller: Caller,
  workspaceId: string,
  maxTotalRowBytes = MAX_TOTAL_ROW_BYTES,
): Promise<Bytes> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  const releaseSlot = deps.admission.exports.acquire()
  const stagedFiles: StagedFile[] = []
  const release = async (): Promise<void> => {
    releaseSlot()
    for (const stagedFile of stagedFiles) await deps.blobs.discard(stagedFile)
  }
  try {
    const { manifest, originals } = await writeRows(
      deps,
      caller,
      { workspaceId, maxTotalRowBytes },
      stagedFiles,
    )
    const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
    const { size, read } = await packZip([
      { name: MANIFEST, bytes: text.length, open: async () => Readable.from([text]) },
      ...manifest.files.map(({ name, bytes }, index) => ({
        name,
        bytes,
        open: async () => createReadStream(stagedFiles[index]?.path ?? ''),
      })),
      ...originals,
    ])
    const entry = { action: 'workspace_exported', actor: actorOf(caller), subject: workspaceId } as const
    await record(deps.db, { ...entry, workspaceIds: [workspaceId] })
    return {
      size,
      mediaType: 'application/zip',
      etag: createHash('sha256').update(text).digest('hex'),
      filename: `${manifest.workspace.name.replace(/[\\/]/g, '-')}.kenning.zip`,
      read: (from, to) => {
        const stream = read()
        const body = from === 0 && to === size - 1 ? stream : rangeOf(stream, from, to)
        return body.once('close', () => void release())
      },
      close: release,
    }
  } catch (error) {
    await release()
    if (!(error instanceof BlobTooLarge)) throw error
    const reason = `Its rows are larger than ${MAX_TOTAL_ROW_BYTES / 2 ** 20} MiB: move the whole service with kenning backup`
    throw invalid(['path', 'workspace_id'], reason, 'too_large')
  }
}

/** A range of the bytes of a stream. The stream is read from its beginning, and the bytes before the range are discarded. */
function rangeOf(stream: Readable, from: number, to: number): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    let position = 0
    for await (const piece of stream as AsyncIterable<Buffer>) {
      const slice = piece.subarray(Math.max(0, from - position), Math.max(0, to + 1 - position))
      position += piece.length
      if (slice.length > 0) yield slice
      if (position > to) return
    }
  }
  return Readable.from(pieces(), { objectMode: false })
}

/** Writes each part to a file on disk, and adds the files to `stagedFiles` in the order of the parts. */
async function writeRows(
  { db, blobs }: ExportDeps,
  caller: Caller,
  { workspaceId, maxTotalRowBytes }: { workspaceId: string; maxTotalRowBytes: number },
  stagedFiles: StagedFile[],
): Promise<{ manifest: Manifest; originals: FileToPack[] }> {
  /** The sizes of the originals by their hashes. Null if no row contains the size. */
  const bytesByHash = new Map<string, number | null>()
  const rowCounts = new Map<Part, number>()
  const writeParts = async (tx: Queryable) => {
    // Discards the files of an earlier attempt of the transaction.
    for (const stagedFile of stagedFiles.splice(0)) await blobs.discard(stagedFile)
    bytesByHash.clear()
    rowCounts.clear()
    for (const part of PART_NAMES) {
      const texts = async function* (): AsyncGenerator<string> {
        for await (const line of selectLines(tx, workspaceId, {
          part,
          principal: principal(caller),
        })) {
          rowCounts.set(part, (rowCounts.get(part) ?? 0) + 1)
          collectOriginal(part, line, bytesByHash)
          yield `${line}\n`
        }
      }
      const usedBytes = stagedFiles.reduce((sum, { size }) => sum + size, 0)
      stagedFiles.push(
        await blobs.stage(Readable.from(texts(), { objectMode: false }), maxTotalRowBytes - usedBytes),
      )
    }
    return selectWorkspaceRow(tx, workspaceId)
  }
  const workspace = await db.tx(writeParts, { snapshot: true })
  if (!workspace) throw notFound()
  const files = PART_NAMES.map((name, index) => ({
    name: partFile(name),
    rows: rowCounts.get(name) ?? 0,
    bytes: stagedFiles[index]?.size ?? 0,
    sha256: stagedFiles[index]?.hash ?? '',
  }))
  const originals: FileToPack[] = []
  for (const hash of [...bytesByHash.keys()].sort()) {
    const bytes = bytesByHash.get(hash) ?? (await blobs.size(hash))
    originals.push({ name: ORIGINALS + hash, bytes, open: () => blobs.read(hash) })
  }
  const bytes = originals.reduce((sum, original) => sum + original.bytes, 0)
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

function collectOriginal(part: Part, line: string, bytesByHash: Map<string, number | null>): void {
  if (part !== 'documents' && part !== 'versions') return
  const { sha256, bytes = null } = JSON.parse(line) as { sha256: string; bytes?: number | null }
  bytesByHash.set(sha256, bytes ?? bytesByHash.get(sha256) ?? null)
}
