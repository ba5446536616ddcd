// POST /workspaces/import and /imports (extensions). The request stores the archive. A task of the worker then imports it (run.ts).

import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { requireStillValid } from '../auth/credential.ts'
import type { WorkspaceImport } from '../contract/archives.ts'
import type { Page } from '../contract/resources.ts'
import { ApiError, forbidden, invalid, notFound, unavailable } from '../errors.ts'
import { claimKey, isKeyUsed } from '../idempotency/idempotency.ts'
import { requireSpace } from '../ingest/uploads.ts'
import type { UploadBody } from '../ports/admission/upload-slots.ts'
import type { Db } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { selectWorkspace } from '../workspaces/workspaces.sql.ts'
import { KEEPING_IDS_FORBIDDEN, MAX_ARCHIVE_BYTES, PIECE_BYTES } from './format.ts'
import {
  cancelOpenImport,
  countOpenImports,
  deleteReceivingImport,
  type ImportRow,
  insertReceivingImport,
  lockImports,
  mayKeepIds,
  queueImport,
  selectImports,
  selectOwnImport,
  touchReceiving,
} from './imports.sql.ts'

type ImportDeps = Pick<Deps, 'db' | 'blobs' | 'admission'> & {
  /** The size of the pieces in which the archive is stored. Set by tests. */
  pieceBytes?: number
}

export interface ArchiveBody {
  body: UploadBody
  /** The bytes of the archive. They can be read only once. */
  stream: Readable
}

interface ImportOptions {
  /** `keep`: the ids of the archive, if the caller may use them (`mayKeepIds`). `new`: a copy under other ids. */
  ids: 'keep' | 'new'
  /** The name of the workspace, if it differs from the archive's. */
  name?: string | undefined
}

// The limit for one person, because each open import may store 50 GiB.
const MAX_OPEN_IMPORTS = 3
// How many imports more a person may have while a repeated request is compared with the first one.
const MAX_REPEATED_IMPORTS = 1

// A process that receives an archive reports at this interval that it is still running.
const REPORT_INTERVAL_MS = 30_000

const OPERATION = 'import workspace'

/**
 * Receives an archive and starts its import. A repeated request gets the import of the first request. If the import is cancelled
 * while its archive is received, it is returned as cancelled.
 * @throws ApiError 403, 413, 422 for a used Idempotency-Key, 429, 503
 */
export async function importWorkspace(
  deps: ImportDeps,
  caller: Caller,
  archive: () => ArchiveBody,
  { idempotencyKey, ...options }: ImportOptions & { idempotencyKey?: string | undefined },
): Promise<WorkspaceImport> {
  const id = await reserve(deps.db, caller, options, idempotencyKey)
  let releaseSlot = (): void => undefined
  try {
    await requireSpace(deps)
    const { body, stream } = archive()
    releaseSlot = deps.admission.archives.take(principal(caller), body)
    const pieces = await storePieces(deps, id, stream)
    // The slot is needed only while the body is received.
    releaseSlot()
    return await withWorkspace(
      deps,
      caller,
      await commit(deps, caller, { id, pieces, options, key: idempotencyKey }),
    )
  } catch (error) {
    await deleteReceivingImport(deps.db, id).catch(() => undefined)
    throw error
  } finally {
    releaseSlot()
  }
}

/**
 * Inserts the row of an import before its archive is received. The task checks again whether the ids may be used. A repeated
 * request may exceed the limit of open imports by one, because its archive is stored until it is compared with the first one.
 * @throws ApiError 403, 429
 */
async function reserve(
  db: Pick<Db, 'rows' | 'tx'>,
  caller: Caller,
  { ids, name }: ImportOptions,
  key: string | undefined,
): Promise<string> {
  const { userId } = caller
  const isRepeated = await isKeyUsed(db, caller, { key, operation: OPERATION })
  if (ids === 'keep' && !isRepeated && !(await mayKeepIds(db, userId))) throw forbidden(KEEPING_IDS_FORBIDDEN)
  const id = randomUUID()
  await db.tx(async (tx) => {
    await lockImports(tx, userId)
    if ((await countOpenImports(tx, userId)) >= MAX_OPEN_IMPORTS + (isRepeated ? MAX_REPEATED_IMPORTS : 0)) {
      const message = `You have ${MAX_OPEN_IMPORTS} imports under way. Wait until one of them has ended, or cancel it.`
      throw new ApiError(429, 'rate_limited', message, { retryAfter: 30 })
    }
    await insertReceivingImport(tx, { id, account_id: userId, ids, name: name ?? null })
  })
  return id
}

/**
 * Stores the archive as blobs, to which the row of the import refers. Without the row they are removed. Ends early if the import is
 * cancelled.
 * @throws ApiError 413
 */
async function storePieces(
  { db, blobs, pieceBytes = PIECE_BYTES }: ImportDeps,
  importId: string,
  stream: Readable,
): Promise<string[]> {
  const pieces: string[] = []
  let bytes = 0
  const reporting = setInterval(
    () => void touchReceiving(db, importId).catch(() => undefined),
    REPORT_INTERVAL_MS,
  )
  try {
    for await (const piece of splitStream(stream, pieceBytes)) {
      const stagedPiece = await blobs.stage(piece, pieceBytes)
      try {
        bytes += stagedPiece.size
        if (bytes > MAX_ARCHIVE_BYTES)
          throw new ApiError(413, 'file_too_large', 'The archive is too large: see docs/export.md.')
        await blobs.keep(stagedPiece)
        pieces.push(stagedPiece.hash)
      } finally {
        await blobs.discard(stagedPiece)
      }
      if (!(await touchReceiving(db, importId, pieces))) break
    }
  } finally {
    clearInterval(reporting)
  }
  return pieces
}

/** Splits a stream into streams of one piece each, which must be read one after the other. The last stream may be empty. */
async function* splitStream(stream: Readable, pieceBytes: number): AsyncGenerator<Readable> {
  const chunks = stream[Symbol.asyncIterator]()
  let unread: Buffer = Buffer.alloc(0)
  let hasEnded = false
  async function* piece(): AsyncGenerator<Buffer> {
    for (let bytes = 0; bytes < pieceBytes; ) {
      if (unread.length === 0) {
        const { done, value } = await chunks.next()
        if (done) {
          hasEnded = true
          return
        }
        unread = value as Buffer
      }
      const part = unread.subarray(0, pieceBytes - bytes)
      unread = unread.subarray(part.length)
      bytes += part.length
      yield part
    }
  }
  while (!hasEnded) yield Readable.from(piece(), { objectMode: false })
}

async function commit(
  { db }: ImportDeps,
  caller: Caller,
  {
    id,
    pieces,
    options: { ids, name },
    key,
  }: { id: string; pieces: string[]; options: ImportOptions; key: string | undefined },
): Promise<ImportRow> {
  const hash = createHash('sha256').update(pieces.join()).digest('hex')
  const request = { hash, ids, ...(name === undefined ? {} : { name }) }
  const claim = { key, operation: OPERATION, request, result: id, workspaceId: id }
  const importId = await db.tx(async (tx) => {
    await requireStillValid(tx, caller)
    // The Idempotency-Key of a cancelled import is not stored, so that its archive, which may be incomplete, can be sent again.
    if (!(await touchReceiving(tx, id))) return id
    const claimedId = await claimKey(tx, caller, claim)
    const targetId = ids === 'new' ? randomUUID() : null
    if (claimedId === id)
      await queueImport(tx, { id, account_id: caller.userId, pieces, target_id: targetId })
    else await deleteReceivingImport(tx, id)
    return claimedId
  })
  const row = await selectOwnImport(db, importId, caller.userId)
  if (row) return row
  if (importId === id) throw unavailable('The archive took too long to arrive: send it again.')
  throw invalid(['body'], 'The import with this Idempotency-Key no longer exists', 'idempotency_key_reused')
}

/** @throws ApiError 404, also for an import of another person */
export async function getImport(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  importId: string,
): Promise<WorkspaceImport> {
  const row = await requireImport(deps, caller, importId)
  return withWorkspace(deps, caller, row)
}

/** The imports of the caller, newest first. */
export async function listImports(deps: Pick<Deps, 'db'>, caller: Caller): Promise<Page<WorkspaceImport>> {
  const rows = caller.auth === 'api_key' ? [] : await selectImports(deps.db, caller.userId)
  const data: WorkspaceImport[] = []
  for (const row of rows) data.push(await withWorkspace(deps, caller, row))
  return { data, has_more: false, next_cursor: null }
}

/** Cancels an import, whose rows are then deleted. An import that has ended does not change. @throws ApiError 404 */
export async function cancelImport(deps: Pick<Deps, 'db'>, caller: Caller, importId: string): Promise<void> {
  const { id } = await requireImport(deps, caller, importId)
  await cancelOpenImport(deps.db, id, caller.userId)
}

/** @throws ApiError 404 if the import does not belong to the caller. An API key has no imports */
async function requireImport({ db }: Pick<Deps, 'db'>, caller: Caller, importId: string): Promise<ImportRow> {
  const row = caller.auth === 'api_key' ? undefined : await selectOwnImport(db, importId, caller.userId)
  if (!row) throw notFound()
  return row
}

/** The import with its workspace. The workspace is null if it was deleted, or if the caller is no longer a member. */
async function withWorkspace(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  row: ImportRow,
): Promise<WorkspaceImport> {
  const id = row.state === 'done' ? row.target_id : null
  const isVisible =
    id !== null &&
    (await requireWorkspace(deps, caller, id, 'read').then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return false
        throw error
      },
    ))
  return toImport(row, isVisible ? ((await selectWorkspace(deps.db, id)) ?? null) : null)
}

const toImport = (row: ImportRow, workspace: WorkspaceImport['workspace']): WorkspaceImport => ({
  id: row.id,
  status: row.state,
  progress: row.progress,
  error: row.error_type === null ? null : { type: row.error_type, message: row.error ?? '' },
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
  workspace,
  job_id: row.state === 'done' ? row.job_id : null,
  documents: row.counts?.lines.documents ?? 0,
  originals: row.counts?.originals.files ?? 0,
  conversations: row.counts?.lines.threads ?? 0,
  graph_corrections: row.counts?.lines['graph-corrections'] ?? 0,
  sources: row.counts?.lines.sources ?? 0,
  notes: row.notes,
})
