// POST /files. An upload is accepted when every file is on disk and the job is committed.

import type { Readable } from 'node:stream'
import { record } from '../audit/activity.sql.ts'
import { actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { requireStillValid } from '../auth/credential.ts'
import { cleanText } from '../contract/fields.ts'
import { MAX_FILE_BYTES, MAX_FILES } from '../contract/limits.ts'
import { type Job, OnConflict } from '../contract/resources.ts'
import { ApiError, invalid, invalidField, notFound, unavailable } from '../errors.ts'
import { claimKey } from '../idempotency/idempotency.ts'
import type { UploadBody } from '../ports/admission/upload-slots.ts'
import { BlobTooLarge, type StagedFile } from '../ports/blobs/blobs.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import type { DocumentKind } from '../reader/reader.ts'
import { sniff } from '../reader/reader.ts'
import { newJobId } from './job-id.ts'
import { insertFiles, insertFileTasks, insertJob, type NewFile } from './jobs.sql.ts'
import { queuedJob } from './jobs.ts'
import { uploadPath } from './names.ts'
import { lockWorkspace } from './publish.sql.ts'
import { documentIdsFor } from './versions/document-ids.ts'
import { claimUnchanged } from './versions/known.sql.ts'

type UploadDeps = Pick<Deps, 'db' | 'blobs' | 'log' | 'admission'>

const MIN_FREE_BYTES = 2 ** 30
const MIN_FREE_SHARE = 0.05

export interface Part {
  filename: string
  stream: Readable
}

/** The form field `on_conflict`, which may come before, between or after the files. */
interface ConflictField {
  onConflict: string
}

/** The parts of one upload, and the size and expected end of the request's body, if known. */
export interface Parts extends AsyncIterable<Part | ConflictField> {
  body?: UploadBody
}

const UNKNOWN_BODY: UploadBody = { bytes: undefined, endsInMs: () => 600_000 }

interface ReceivedFile {
  path: string
  kind: DocumentKind
  staged: StagedFile
}

/** An additional step in the transaction that creates the job. If it throws, no job is created. */
type TransactionStep = (tx: Queryable, jobId: string) => Promise<void>

interface UploadOptions {
  idempotencyKey?: string | undefined
  /** What to do with a file whose name another document has. The form may have a field `on_conflict` instead. */
  onConflict?: OnConflict | undefined
  inTransaction?: TransactionStep | undefined
}

interface Upload extends UploadOptions {
  parts: Parts
}

/**
 * Streams the files to disk and starts a job for them.
 * @throws ApiError 404, 403, 503 (no slot, disk nearly full) before the body is read; later 413 (file too large), 422 (invalid
 * field)
 */
export async function uploadFiles(
  deps: UploadDeps,
  caller: Caller,
  workspaceId: string,
  { parts, ...options }: Upload,
): Promise<Job> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  await requireSpace(deps)
  const releaseSlot = deps.admission.uploads.take(principal(caller), parts.body ?? UNKNOWN_BODY)
  const receivedFiles: ReceivedFile[] = []
  let conflictPolicy = options.onConflict
  try {
    for await (const part of parts) {
      if ('onConflict' in part) conflictPolicy = readConflict(part, conflictPolicy)
      else await receive(deps, part, receivedFiles)
    }
    // The slot is needed only while the body is received.
    releaseSlot()
    if (receivedFiles.length === 0)
      throw invalid(['body', 'files'], 'At least one file is required', 'missing')
    const jobId = await commit(deps, caller, {
      workspaceId,
      received: receivedFiles,
      options: {
        ...options,
        onConflict: conflictPolicy,
      },
    })
    return queuedJob(
      jobId,
      receivedFiles.map(({ path }) => path),
    )
  } finally {
    releaseSlot()
    for (const { staged } of receivedFiles) await deps.blobs.discard(staged)
  }
}

/** @throws ApiError 422 for an invalid value, or if it contradicts the value of the query or of an earlier field */
function readConflict({ onConflict }: ConflictField, earlierPolicy: OnConflict | undefined): OnConflict {
  const loc = ['body', 'on_conflict']
  const { success, data } = OnConflict.safeParse(onConflict)
  if (!success) throw invalid(loc, 'on_conflict must be replace, keep_both or fail', 'enum', onConflict)
  if (earlierPolicy && earlierPolicy !== data)
    throw invalid(loc, `on_conflict was already given as ${earlierPolicy}: send it once`, 'value_error', data)
  return data
}

/** @throws ApiError 503 when the disk is nearly full */
export async function requireSpace(deps: Pick<Deps, 'blobs'>): Promise<void> {
  const { free, total } = await deps.blobs.space()
  if (free >= Math.min(MIN_FREE_BYTES, total / 2) && free >= total * MIN_FREE_SHARE) return
  throw unavailable('The disk is nearly full: free some space, then upload again.', 60)
}

async function receive(deps: UploadDeps, part: Part, receivedFiles: ReceivedFile[]): Promise<void> {
  const loc = ['body', 'files', String(receivedFiles.length)]
  if (receivedFiles.length >= MAX_FILES) {
    throw invalidField({
      loc: ['body', 'files'],
      msg: `At most ${MAX_FILES} files a request`,
      type: 'too_long',
      ctx: { max_length: MAX_FILES },
    })
  }
  const path = uploadPath(part.filename)
  if (!path)
    throw invalid(loc, 'The file name must be a relative path without ..', 'value_error', part.filename)
  if (receivedFiles.some((other) => other.path === path)) {
    const reason =
      'occurs twice in this request. Put one of them in a folder ("a/name.md"), or send it in another request.'
    throw invalid(loc, `${cleanText(path).slice(0, 200)} ${reason}`, 'value_error', path)
  }
  const stagedFile = await stage(deps, part.stream, path)
  const format = await sniff(stagedFile.path, path).catch(async (error: unknown) => {
    await deps.blobs.discard(stagedFile)
    throw error
  })
  if ('unsupported' in format) {
    await deps.blobs.discard(stagedFile)
    throw invalid(loc, `${path}: ${format.unsupported}`, 'unsupported_file', path)
  }
  receivedFiles.push({ path, kind: format.kind, staged: stagedFile })
}

async function stage(deps: UploadDeps, stream: Readable, path: string): Promise<StagedFile> {
  try {
    return await deps.blobs.stage(stream, MAX_FILE_BYTES)
  } catch (error) {
    if (!(error instanceof BlobTooLarge)) throw error
    const pathForMessage = cleanText(path).slice(0, 200)
    throw new ApiError(
      413,
      'file_too_large',
      `${pathForMessage} is larger than 100 MB. No file of this upload was kept.`,
    )
  }
}

/**
 * Checks access again after the body has been received. During an upload, which may take hours, the sender may be removed or
 * suspended, the token revoked, or the workspace deleted. The check takes the locks of these changes, so that a change happens
 * either before or after this transaction.
 * @throws ApiError 401, 404, 403, as a new request would get
 */
async function requireStillAllowed(tx: Queryable, caller: Caller, workspaceId: string): Promise<void> {
  const exists = await lockWorkspace(tx, workspaceId)
  await requireStillValid(tx, caller)
  if (!exists) throw notFound()
  await requireWorkspace({ db: tx }, caller, workspaceId, 'edit')
}

/** Stores the blobs, and then the rows in one transaction. After a crash in between, a sweep removes the blobs. */
async function commit(
  deps: UploadDeps,
  caller: Caller,
  {
    workspaceId,
    received,
    options: { idempotencyKey, onConflict, inTransaction },
  }: { workspaceId: string; received: ReceivedFile[]; options: UploadOptions },
): Promise<string> {
  // Access is also checked before the blobs are stored, so that a refused upload stores no blobs.
  await deps.db.tx((tx) => requireStillAllowed(tx, caller, workspaceId))
  for (const { staged } of received) await deps.blobs.keep(staged)
  const id = newJobId(workspaceId)
  const files = received.map(({ path, staged }) => ({ path, content_hash: staged.hash }))
  const request = onConflict ? { wanted: files, onConflict } : files
  const claim = { key: idempotencyKey, operation: `upload ${workspaceId}`, request, result: id, workspaceId }
  return deps.db.tx(async (tx) => {
    await requireStillAllowed(tx, caller, workspaceId)
    const jobId = await claimKey(tx, caller, claim)
    if (jobId !== id) return jobId
    await insertJob(tx, { id, workspaceId, createdBy: caller.userId, kind: 'upload', onConflict })
    const existingIds = await claimUnchanged(tx, workspaceId, files, {
      uploadedAt: null,
      onConflict: onConflict ?? null,
    })
    const pathIds = await documentIdsFor(
      tx,
      workspaceId,
      received.map(({ path }) => path),
    )
    const rows = received.map((file, no) => newFile(file, existingIds[no], pathIds[no]?.documentId ?? ''))
    await insertFiles(tx, workspaceId, id, rows)
    await insertFileTasks(tx, workspaceId, id)
    await inTransaction?.(tx, id)
    await record(tx, {
      action: 'files_uploaded',
      actor: actorOf(caller),
      workspaceIds: [workspaceId],
      subject: id,
      detail: { files: files.length },
    })
    return id
  })
}

/** @param existingId the document that already has the bytes of the file @param pathId the document that the file would become */
const newFile = (
  { path, kind, staged }: ReceivedFile,
  existingId: string | null | undefined,
  pathId: string,
): NewFile => ({
  path,
  kind,
  size: staged.size,
  hash: staged.hash,
  documentId: existingId ?? pathId,
  isUnchanged: typeof existingId === 'string',
})
