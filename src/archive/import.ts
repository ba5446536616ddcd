// POST /workspaces/import (extension): a new workspace from an archive. All rows come in one transaction, with a job that reads
// the originals again: before it there is nothing, afterwards everything, whatever is killed.

import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Entry } from 'yauzl'
import { questionId } from '../ask/evaluation.ts'
import { record } from '../audit/activity.sql.ts'
import { actorOf } from '../audit/activity.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { requireStillValid } from '../auth/credential.ts'
import type { WorkspaceImport } from '../contract/archives.ts'
import { titleKey } from '../documents/documents.ts'
import { ApiError, invalid } from '../errors.ts'
import { lockMerges, updateRoots } from '../graph/merges.sql.ts'
import { entityId } from '../graph/names.ts'
import { claimKey } from '../idempotency/idempotency.ts'
import { newJobId } from '../ingest/job-id.ts'
import { insertFileTasks, insertJob, insertReindexFiles } from '../ingest/jobs.sql.ts'
import { type Body, makeSlots } from '../ingest/upload-slots.ts'
import { MOST_BYTES, requireSpace } from '../ingest/uploads.ts'
import { BlobTooLarge, type Staged } from '../ports/blobs/blobs.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { insertWorkspace, selectWorkspace } from '../workspaces/workspaces.sql.ts'
import { type Checked, checkArchive } from './check.ts'
import { MOST_ARCHIVE_BYTES, ORIGINALS } from './format.ts'
import { type Ids, newIds, sameIds } from './ids.ts'
import {
  countSourceDocuments,
  insertCorrections,
  insertDocuments,
  insertQuestions,
  insertScopes,
  insertSourceFiles,
  insertSources,
  insertThreads,
  insertTurns,
  insertVersions,
  isFree,
  isTaken,
  updateFounding,
} from './insert.sql.ts'
import { BadArchive, entriesOf, streamOf, withArchive } from './zip.ts'

type Needs = Pick<Deps, 'db' | 'blobs' | 'log'>

export interface ArchiveBody {
  body: Body
  /** Read once. */
  stream: Readable
}

export interface ImportOptions {
  /** `keep`: those of the archive, if the workspace's is free; `new`: a copy under other ids. */
  ids: 'keep' | 'new'
  /** Instead of the archive's. */
  name?: string | undefined
}

const slots = makeSlots()

/** @throws ApiError 413, 422 for what is no whole archive or has a taken id, 503 */
export async function importWorkspace(
  deps: Needs,
  caller: Caller,
  archive: () => ArchiveBody,
  options: ImportOptions,
  idempotencyKey?: string,
): Promise<WorkspaceImport> {
  await requireSpace(deps)
  const { body, stream } = archive()
  const leave = slots.take(principal(caller), body)
  let staged: Staged | undefined
  try {
    staged = await deps.blobs.stage(stream, MOST_ARCHIVE_BYTES)
    const { path, size, hash } = staged
    return await withArchive(path, async (zip) => {
      const checked = await checkArchive(zip, size)
      const ids = idsFor(checked, options)
      if (idempotencyKey === undefined && !(await isFree(deps.db, ids.workspace))) throw taken()
      await keepOriginals(deps, path, checked)
      return commit(deps, caller, checked, ids, { ...options, key: idempotencyKey, hash })
    })
  } catch (error) {
    throw explained(error)
  } finally {
    leave()
    if (staged) await deps.blobs.discard(staged)
  }
}

const taken = (): ApiError =>
  invalid(
    ['body'],
    'The id of this workspace is in use on this service, or was until a moment ago. Import a copy under new ids (ids=new, kenning import --new-ids).',
    'id_taken',
  )

function explained(error: unknown): unknown {
  if (error instanceof BlobTooLarge)
    return new ApiError(
      413,
      'file_too_large',
      'The archive or a file in it is too large: see docs/export.md.',
    )
  if (error instanceof BadArchive)
    return invalid(['body'], `This archive cannot be imported: ${error.message}.`, 'archive_invalid')
  return isTaken(error) ? taken() : error
}

function idsFor({ manifest: { workspace } }: Checked, { ids }: ImportOptions): Ids {
  return ids === 'keep' ? sameIds(workspace.id) : newIds(workspace.id, randomUUID())
}

// Most of the time of each is waiting for the disk or the bucket.
const KEPT_AT_ONCE = 8

/** Their bytes are those that their names promise: nobody gets a file of others by naming it. */
const keepOriginals = ({ blobs }: Needs, path: string, { originals }: Checked): Promise<void> =>
  withArchive(path, async (zip) => {
    const keepOne = async (entry: Entry, hash: string): Promise<void> => {
      const staged = await blobs.stage(await streamOf(zip, entry), MOST_BYTES)
      try {
        if (staged.hash !== hash)
          throw new BadArchive(`${entry.fileName} has other bytes than its name promises`)
        await blobs.keep(staged)
      } finally {
        await blobs.discard(staged)
      }
    }
    const underway = new Set<Promise<void>>()
    const failures: unknown[] = []
    for await (const entry of entriesOf(zip)) {
      const hash = entry.fileName.slice(ORIGINALS.length)
      if (!entry.fileName.startsWith(ORIGINALS) || !originals.has(hash)) continue
      const one: Promise<void> = keepOne(entry, hash)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underway.delete(one))
      underway.add(one)
      if (underway.size >= KEPT_AT_ONCE) await Promise.race(underway)
      if (failures.length > 0) break
    }
    // Nothing may still read the archive when it is closed.
    await Promise.all(underway)
    if (failures.length > 0) throw failures[0]
  })

interface Commit extends ImportOptions {
  key: string | undefined
  /** Of the archive's bytes. */
  hash: string
}

async function commit(
  deps: Needs,
  caller: Caller,
  checked: Checked,
  ids: Ids,
  { key, hash, ...options }: Commit,
): Promise<WorkspaceImport> {
  const { workspace: given } = checked.manifest
  const jobId = newJobId(ids.workspace)
  const once = {
    key,
    operation: 'import workspace',
    request: { hash, ...options },
    workspaceId: ids.workspace,
  }
  const made = await deps.db.tx(async (tx) => {
    await requireStillValid(tx, caller)
    const claimed = await claimKey(tx, caller, { ...once, result: `${ids.workspace} ${jobId}` })
    if (!claimed.endsWith(jobId)) return claimed
    const { id, description } = { id: ids.workspace, description: given.description }
    await insertWorkspace(tx, { id, name: options.name ?? given.name, description, createdBy: caller.userId })
    await updateFounding(tx, id, given.created_at)
    await insertRows(tx, caller, checked, ids)
    await insertJob(tx, { id: jobId, workspaceId: id, createdBy: caller.userId, kind: 'import' })
    await insertReindexFiles(tx, id, jobId, undefined)
    await insertFileTasks(tx, id, jobId)
    const act = { action: 'workspace_imported', actor: actorOf(caller), subject: id } as const
    await record(tx, { ...act, workspaceIds: [id] })
    return claimed
  })
  const [workspaceId = '', madeJob = ''] = made.split(' ')
  const workspace = await selectWorkspace(deps.db, workspaceId)
  if (!workspace)
    throw invalid(
      ['body'],
      'The workspace imported with this Idempotency-Key no longer exists',
      'idempotency_key_reused',
    )
  const { originals, files } = checked.manifest
  const counts = Object.fromEntries(files.map(({ name, rows }) => [name.replace('.jsonl', ''), rows]))
  return {
    workspace,
    job_id: madeJob,
    documents: counts.documents ?? 0,
    originals: originals.files,
    conversations: counts.threads ?? 0,
    graph_corrections: counts['graph-corrections'] ?? 0,
    sources: counts.sources ?? 0,
  }
}

async function insertRows(tx: Queryable, caller: Caller, { lines }: Checked, ids: Ids): Promise<void> {
  const { workspace } = ids
  const who = principal(caller)
  for await (const rows of batches(lines('documents'))) {
    for (const { id, path } of rows) ids.learnDocument(id, path)
    const named = rows.map((row) => ({ ...row, id: ids.document(row.id), title_key: titleKey(row.title) }))
    await insertDocuments(tx, workspace, named)
  }
  for await (const rows of batches(lines('versions')))
    await insertVersions(
      tx,
      workspace,
      rows.map((row) => ofDocument(ids, row)),
      caller.userId,
    )
  for await (const rows of batches(lines('scopes')))
    await insertScopes(
      tx,
      workspace,
      rows.map((row) => ({ ...row, document_ids: row.document_ids.map(ids.document) })),
    )
  await insertDecisions(tx, lines, workspace)
  for await (const passage of lines('passages')) ids.learnPassage(passage)
  for await (const rows of batches(lines('threads'))) await insertThreads(tx, workspace, rows, who)
  for await (const rows of batches(lines('turns')))
    await insertTurns(
      tx,
      workspace,
      rows.map((row) => ({ ...row, citations: row.citations.map((one) => cited(ids, one)) })),
    )
  for await (const rows of batches(lines('evaluation-questions'))) {
    const named = rows.map((row) => {
      const question = cited(ids, row)
      const { query, document_id: documentId, chunk_id: chunkId } = question
      return { ...question, id: questionId(workspace, { principal: who, query, documentId, chunkId }) }
    })
    await insertQuestions(tx, workspace, named, who)
  }
  await insertAllSources(tx, lines, ids, caller.userId)
}

const ofDocument = <T extends { document_id: string }>(ids: Ids, row: T): T => ({
  ...row,
  document_id: ids.document(row.document_id),
})

const cited = <T extends { document_id: string; chunk_id: string | null }>(ids: Ids, row: T): T => ({
  ...ofDocument(ids, row),
  chunk_id: row.chunk_id === null ? null : ids.chunk(row.chunk_id),
})

async function insertDecisions(tx: Queryable, lines: Checked['lines'], workspaceId: string): Promise<void> {
  await lockMerges(tx, workspaceId)
  for await (const rows of batches(lines('graph-corrections'))) {
    const named = rows.map(({ from, into, decision, reason }) => ({
      from_id: entityId(workspaceId, from),
      from_key: from,
      into_id: entityId(workspaceId, into),
      into_key: into,
      state: decision === 'same' ? ('manual' as const) : ('undone' as const),
      reason,
    }))
    await insertCorrections(tx, workspaceId, named)
  }
  await updateRoots(tx, workspaceId)
}

/** Under ids of their own: an id of another workspace's source would stand in the way of that source. */
async function insertAllSources(
  tx: Queryable,
  lines: Checked['lines'],
  ids: Ids,
  importer: string,
): Promise<void> {
  const idOf = new Map<number, string>()
  for await (const rows of batches(lines('sources'))) {
    for (const { number } of rows) idOf.set(number, randomUUID())
    await insertSources(
      tx,
      ids.workspace,
      rows.map((row) => ({ ...row, id: idOf.get(row.number) })),
      importer,
    )
  }
  for await (const rows of batches(lines('source-files'))) {
    const named = rows.map(({ source, path, kept: { document_id, ...kept } }) => ({
      source_id: idOf.get(source),
      path,
      kept: document_id === undefined ? kept : { ...kept, document_id: ids.document(document_id) },
    }))
    await insertSourceFiles(tx, ids.workspace, named)
  }
  await countSourceDocuments(tx, ids.workspace)
}

const ROWS_AT_ONCE = 500
const CHARACTERS_AT_ONCE = 4_000_000

async function* batches<T extends object>(lines: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = []
  let size = 0
  for await (const line of lines) {
    batch.push(line)
    size += 'answer' in line ? String(line.answer).length : 300
    if (batch.length < ROWS_AT_ONCE && size < CHARACTERS_AT_ONCE) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}
