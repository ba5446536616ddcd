// The task that imports an archive. A child process checks the archive and writes its rows to files. The rows are then inserted in
// batches, between which other tasks run. At the end the workspace becomes visible. An interrupted run continues after the last
// batch.
//
// The folder of an import on this machine is `imports/ID`. `pieces/` contains the archive. `child/` contains the files of rows,
// and is the only folder to which the child can write. `prepared.json` is the answer of the child.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry } from 'yauzl'
import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import type { WorkspaceImport } from '../contract/archives.ts'
import { MAX_FILE_BYTES } from '../contract/limits.ts'
import { newJobId } from '../ingest/job-id.ts'
import { insertFileTasks, insertJob } from '../ingest/jobs.sql.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { sync, syncTree } from '../ports/sync.ts'
import { giveFile, openChildFile } from '../reader/reader.ts'
import { refusalOfSource } from '../sources/sources.ts'
import { type Handler, TaskLost } from '../work/handler.ts'
import { endRound, finishTask, lockTask, type Task } from '../work/queue.sql.ts'
import { handlerWithTimeSlice } from '../work/time-slice.ts'
import { prepareInChild } from './child.ts'
import { KEEPING_IDS_FORBIDDEN, ORIGINALS } from './format.ts'
import {
  abandonImport,
  type ImportChange,
  type ImportRow,
  type ImportSubject,
  insertHiddenWorkspace,
  lockActiveAccount,
  mayKeepIds,
  selectImport,
  selectUnfinished,
  showWorkspace,
  updateImport,
  updateQueuedFiles,
  workspaceExists,
} from './imports.sql.ts'
import { type Batch, insertRows, type Target } from './insert-rows.ts'
import { PreparedArchive, ROW_PARTS, type RowPart, type Rows, rowsFile } from './prepare.ts'
import { batchesOf, DamagedRowsFile, type PartRows } from './read-rows.ts'
import { BadArchive, entriesOf, streamOf, withArchive } from './zip.ts'

export type ImportDeps = Pick<Deps, 'db' | 'blobs' | 'log' | 'settings'> & {
  /** Replaces the child in tests. */
  prepareArchive?: typeof prepareInChild
  /** The length of a round. Set by tests. */
  roundMs?: number
  timeSliceMs?: number
}

// After a round of this length, the task gives back its slot, so that other tasks can run.
const ROUND_MS = 20_000
const REPORT_INTERVAL_MS = 1000
const FILES_PER_TRANSACTION = 1000
// Storing an original mostly waits for the disk or the bucket, so several are stored at the same time.
const MAX_CONCURRENT_ORIGINALS = 8
// The share of the check in the progress. The rest is for rows and originals.
const CHECK_SHARE = 0.4

type Failure = NonNullable<WorkspaceImport['error']>

class ImportFailed extends Error {
  readonly type: Failure['type']
  constructor(type: Failure['type'], message: string) {
    super(message)
    this.type = type
  }
}

class ImportCancelled extends Error {}

const importsFolder = (dataDir: string): string => join(dataDir, 'imports')

interface ImportTask extends Task {
  subject: ImportSubject
}

export const importHandler: Handler<ImportDeps> = {
  ...handlerWithTimeSlice((deps: ImportDeps, task, signal) => runImport(deps, task as ImportTask, signal)),
  giveUp: {
    write: (tx, task) =>
      abandonImport(tx, (task as ImportTask).subject.import_id, {
        type: 'internal_error',
        message: 'The import failed again and again inside Kenning. Its log says why.',
      }),
  },
}

async function runImport(deps: ImportDeps, task: ImportTask, signal: AbortSignal): Promise<void> {
  const { db } = deps
  const id = task.subject.import_id
  const row = await selectImport(db, id)
  const folder = join(importsFolder(deps.settings.dataDir), id)
  const endTask = async (work: (tx: Queryable) => Promise<unknown> = async () => {}): Promise<void> => {
    await db.tx(async (tx) => {
      if (!(await finishTask(tx, task))) throw new TaskLost()
      await work(tx)
    })
    await rm(folder, { recursive: true, force: true })
  }
  if (!row) return endTask()
  try {
    const deadline = performance.now() + (deps.roundMs ?? ROUND_MS)
    if (row.state !== 'done' && !(await runRound({ deps, task, row, folder, deadline, signal })))
      return await endRound(db, task)
    await queueFiles(deps, task, row.id, signal)
    await endTask()
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ImportCancelled) return endTask((tx) => abandonImport(tx, row.id))
    if (error instanceof DamagedRowsFile) await rm(folder, { recursive: true, force: true })
    const failure = failureOf(error)
    if (!failure) throw error
    deps.log.info({ import: row.id, type: failure.type }, 'an import failed')
    await endTask((tx) => abandonImport(tx, row.id, failure))
  }
}

/** The failure to record. Undefined if the archive is not the cause: then the task is tried again. */
function failureOf(error: unknown): Failure | undefined {
  if (error instanceof ImportFailed) return { type: error.type, message: error.message }
  if (!(error instanceof BadArchive)) return undefined
  return { type: 'archive_invalid', message: `This archive cannot be imported: ${printable(error.message)}.` }
}

/** Replaces control characters: the text may quote the archive, and the database refuses NUL. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\ufffd')

interface Run {
  deps: ImportDeps
  task: Task
  row: ImportRow
  folder: string
  /** When the round ends (`performance.now`). */
  deadline: number
  signal: AbortSignal
}

/** Runs one round of the import. Returns false if the round ends before the import is complete. */
async function runRound(run: Run): Promise<boolean> {
  const { deps, row } = run
  if (row.state === 'cancelled' || row.state === 'failed') throw new ImportCancelled()
  await requireActive(deps.db, row.account_id)
  const preparedImport = await loadOrPrepareArchive(run)
  // If the workspace already exists, its id comes from the row, because the file may have changed.
  const workspaceId = row.has_workspace && row.target_id ? row.target_id : preparedImport.workspaceId
  const jobId = row.job_id ?? newJobId(workspaceId)
  const allowedSourceNumbers = row.has_workspace
    ? row.allowed_sources
    : await beginWorkspace(run, preparedImport, jobId)
  const target = { workspaceId, jobId, accountId: row.account_id, allowedSourceNumbers }
  const progress = makeProgress(preparedImport)
  for (const part of ROW_PARTS) {
    const rowCount = preparedImport.lines[part] ?? 0
    if (isComplete(part, row.part)) progress.addRows(rowCount)
    else if (!(await writePart(run, { part, rowCount }, target, progress))) return false
  }
  if (!(await storeOriginals(run, progress))) return false
  await publish(run, target)
  return true
}

/** @param currentPart the part that the import writes now */
const isComplete = (part: RowPart, currentPart: ImportRow['part']): boolean =>
  currentPart === 'originals' ||
  (currentPart !== null && ROW_PARTS.indexOf(part) < ROW_PARTS.indexOf(currentPart))

async function requireActive(db: Queryable, accountId: string): Promise<void> {
  if (await lockActiveAccount(db, accountId)) return
  const message = 'The account of whoever began this import may no longer make workspaces.'
  throw new ImportFailed('forbidden', message)
}

const requireOpen = async (isOpen: Promise<boolean>): Promise<void> => {
  if (!(await isOpen)) throw new ImportCancelled()
}

const piecesFolder = (folder: string): string => join(folder, 'pieces')
/** The folder to which the child writes the files of rows. */
const childFolderOf = (folder: string): string => join(folder, 'child')
/** The answer of the child. It is written when the files of rows are complete, to a folder to which the child cannot write. */
const preparedFile = (folder: string): string => join(folder, 'prepared.json')

/** The answer of the child in an earlier round on this machine, if there is one. */
async function readEarlierAnswer({ row, folder }: Run): Promise<PreparedArchive | undefined> {
  const text = await readFile(preparedFile(folder), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const preparedImport = PreparedArchive.parse(JSON.parse(text))
    return row.target_id === null || preparedImport.workspaceId === row.target_id ? preparedImport : undefined
  } catch {
    // The process was killed before it had written the file completely.
    return undefined
  }
}

/** Checks the archive and writes its rows to files, unless an earlier round did so on this machine. */
async function loadOrPrepareArchive(run: Run): Promise<PreparedArchive> {
  const { deps, row, folder, signal } = run
  const earlier = await readEarlierAnswer(run)
  if (earlier) return earlier
  await requireOpen(updateImport(deps.db, row.id, row.has_workspace ? {} : { state: 'checking' }))
  await rm(folder, { recursive: true, force: true })
  await mkdir(piecesFolder(folder), { recursive: true, mode: 0o700 })
  const pieces: string[] = []
  let bytes = 0
  for (const [pieceNumber, hash] of row.pieces.entries()) {
    pieces.push(await giveFile({ inputPath: piecesFolder(folder) }, await deps.blobs.open(hash), pieceNumber))
    bytes += await deps.blobs.size(hash)
  }
  const cancellation = new AbortController()
  let share = 0
  const reportingEnd = new AbortController()
  const reporting = reportUntil(reportingEnd.signal, async () => {
    if (await updateImport(deps.db, row.id, { progress: share * CHECK_SHARE })) return
    cancellation.abort(new ImportCancelled())
  })
  try {
    const prepare = deps.prepareArchive ?? prepareInChild
    const preparedImport = await prepare(
      { pieces, folder: childFolderOf(folder), copyId: row.ids === 'new' ? row.target_id : null },
      bytes,
      { signal: AbortSignal.any([signal, cancellation.signal]), onShare: (newShare) => (share = newShare) },
    )
    if (row.target_id !== null && preparedImport.workspaceId !== row.target_id)
      throw new Error('the check of an archive answered with another workspace')
    await syncFiles(folder)
    await writeFile(preparedFile(folder), JSON.stringify(preparedImport), { mode: 0o600 })
    return preparedImport
  } finally {
    reportingEnd.abort()
    await reporting
  }
}

/** Flushes the archive and the files of rows to disk, before `prepared.json` marks them as complete. */
async function syncFiles(folder: string): Promise<void> {
  await syncTree(piecesFolder(folder))
  const childFolder = resolve(childFolderOf(folder))
  for (const part of ROW_PARTS) {
    const file = await openChildFile(childFolder, rowsFile(childFolder, part))
    await file.sync().finally(() => file.close())
  }
  await sync(childFolder)
}

async function reportUntil(reportingEnd: AbortSignal, report: () => Promise<void>): Promise<void> {
  while (!reportingEnd.aborted) {
    // If the database is down, the check continues until a later report can tell whether the import was cancelled.
    await report().catch(() => undefined)
    await sleep(REPORT_INTERVAL_MS, undefined, { signal: reportingEnd }).catch(() => undefined)
  }
}

/** Inserts the hidden workspace and the job that will read its originals. @returns the numbers of the sources that are imported */
async function beginWorkspace(
  { deps: { db, settings }, row, task, folder }: Run,
  { workspaceId, workspace, lines, originals }: PreparedArchive,
  jobId: string,
): Promise<number[]> {
  const rowsOfSources = batchesOf(childFolderOf(folder), { part: 'sources', rowCount: lines.sources ?? 0 })
  const sources = await reviewSources(settings, workspaceId, rowsOfSources)
  await db
    .tx(async (tx) => {
      await requireTask(tx, task)
      // This is checked before the id is looked up, so that others do not learn whether the id is in use.
      if (row.ids === 'keep' && !(await mayKeepIds(tx, row.account_id, workspaceId)))
        throw new ImportFailed('forbidden', KEEPING_IDS_FORBIDDEN)
      if (await workspaceExists(tx, workspaceId)) throw idTaken()
      await insertHiddenWorkspace(tx, {
        id: workspaceId,
        name: row.name ?? workspace.name,
        description: workspace.description,
        createdAt: workspace.created_at,
        createdBy: row.account_id,
      })
      await insertJob(tx, { id: jobId, workspaceId, createdBy: row.account_id, kind: 'import' })
      const change = {
        target_id: workspaceId,
        has_workspace: true,
        job_id: jobId,
        counts: { lines, originals },
        ...sources,
      }
      await requireOpen(updateImport(tx, row.id, { ...change, state: 'writing' }))
    })
    .catch((error: unknown) => {
      throw isIdConflict(error) ? idTaken() : error
    })
  return sources.allowed_sources
}

const idTaken = (): ImportFailed =>
  new ImportFailed(
    'id_taken',
    'The id of this workspace is in use on this service, or was a moment ago. If the workspace is in your trash, delete it from the trash first. Or import a copy under new ids (ids=new, kenning import --new-ids).',
  )

/** Whether a workspace with the same id was inserted at the same time, by another import of the same archive. */
const isIdConflict = (error: unknown): boolean =>
  error instanceof Error &&
  (error as { code?: unknown }).code === '23505' &&
  (error as { constraint?: unknown }).constraint === 'workspace_pkey'

async function requireTask(tx: Queryable, task: Task): Promise<void> {
  if (!(await lockTask(tx, task))) throw new TaskLost()
}

/** Checks sources like those that a person adds. `notes`: the sources that are not imported, with the reasons. */
async function reviewSources(
  settings: ImportDeps['settings'],
  workspaceId: string,
  batches: AsyncIterable<{ rows: Rows['sources'][] }>,
): Promise<Pick<ImportRow, 'notes' | 'allowed_sources'>> {
  const notes: string[] = []
  const allowedNumbers: number[] = []
  for await (const { rows } of batches)
    for (const row of rows) {
      const refusal = refusalOfSource(settings, workspaceId, row)
      if (refusal && !refusal.isLocationForbidden)
        throw new BadArchive(`sources.jsonl, line ${row.number}: ${refusal.message}`)
      if (refusal) notes.push(`The source “${row.name}” was left out. ${refusal.message}.`)
      else allowedNumbers.push(row.number)
    }
  return { notes, allowed_sources: allowedNumbers }
}

/** Inserts the rows of a part. Returns false if the round ends before the part is complete. @throws DamagedRowsFile */
async function writePart(
  run: Run,
  { part, rowCount }: PartRows<RowPart>,
  target: Target,
  progress: Progress,
): Promise<boolean> {
  const { deps, row, task, folder, deadline, signal } = run
  const writtenRows = row.part === part ? row.part_rows : 0
  progress.addRows(writtenRows)
  for await (const { rows, firstRow } of batchesOf(childFolderOf(folder), { part, rowCount }, writtenRows)) {
    signal.throwIfAborted()
    const endRow = firstRow + rows.length
    progress.addRows(rows.length)
    const change: ImportChange = { part, part_rows: endRow, progress: progress.share() }
    await deps.db
      .tx(async (tx) => {
        await requireTask(tx, task)
        await requireOpen(updateImport(tx, row.id, change))
        await insertRows(tx, { part, rows, firstRow, target } as Batch)
      })
      .catch((error: unknown) => {
        // The archive is the cause, although its check did not find the problem.
        if (!isDataError(error)) throw error
        deps.log.warn({ err: error, import: row.id, part }, 'rows of an archive were refused')
        throw new BadArchive(
          `${part}.jsonl: a row of the lines ${firstRow + 1} to ${endRow} cannot be stored`,
        )
      })
    // The time is checked after a batch, so that each round writes at least one batch.
    if (performance.now() > deadline) return false
  }
  return true
}

/** Class 22 of SQLSTATE means invalid values, class 23 violated constraints. */
const isDataError = (error: unknown): boolean =>
  /^2[23]/.test(String((error as { code?: unknown }).code ?? ''))

interface Progress {
  addRows(rows: number): void
  addOriginal(bytes: number): void
  /** The progress of the whole import, from 0 to 1. */
  share(): number
}

// Writing a row takes about as long as storing this many bytes of an original.
const BYTES_PER_ROW = 10_000

function makeProgress({ lines, originals }: PreparedArchive): Progress {
  const rows = ROW_PARTS.reduce((sum, part) => sum + (lines[part] ?? 0), 0)
  const total = rows * BYTES_PER_ROW + originals.bytes
  let done = 0
  return {
    addRows: (count) => (done += count * BYTES_PER_ROW),
    addOriginal: (bytes) => (done += bytes),
    share: () => CHECK_SHARE + (1 - CHECK_SHARE) * (total > 0 ? Math.min(1, done / total) : 1),
  }
}

/**
 * Stores the originals after the rows that refer to them, because a sweep deletes files without a reference. Checks their hashes.
 * @returns false if the round ends before all originals are stored
 */
async function storeOriginals(
  { deps, row, folder, deadline, signal }: Run,
  progress: Progress,
): Promise<boolean> {
  const { blobs, db } = deps
  const pieces = row.pieces.map((_, pieceNumber) => join(piecesFolder(folder), `${pieceNumber}.file`))
  const storedCount = row.part === 'originals' ? row.part_rows : 0
  return withArchive(pieces, async (zip) => {
    const storeOriginal = async (entry: Entry): Promise<void> => {
      const stagedFile = await blobs.stage(await streamOf(zip, entry), MAX_FILE_BYTES)
      try {
        if (stagedFile.hash !== entry.fileName.slice(ORIGINALS.length))
          throw new BadArchive(`${entry.fileName} has other bytes than its name promises`)
        await blobs.keep(stagedFile)
        progress.addOriginal(stagedFile.size)
      } finally {
        await blobs.discard(stagedFile)
      }
    }
    const runningCopies = new Set<Promise<void>>()
    const failures: unknown[] = []
    let reportAt = 0
    let startedCount = 0
    let isRoundOver = false
    for await (const entry of entriesOf(zip)) {
      if (!entry.fileName.startsWith(ORIGINALS)) continue
      if (startedCount < storedCount) {
        startedCount++
        progress.addOriginal(entry.uncompressedSize)
        continue
      }
      // Each round stores at least one original.
      isRoundOver = performance.now() > deadline && startedCount > storedCount
      if (isRoundOver || failures.length > 0 || signal.aborted) break
      startedCount++
      const copy: Promise<void> = storeOriginal(entry)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => runningCopies.delete(copy))
      runningCopies.add(copy)
      if (runningCopies.size >= MAX_CONCURRENT_ORIGINALS) await Promise.race(runningCopies)
      if (performance.now() > reportAt) {
        reportAt = performance.now() + REPORT_INTERVAL_MS
        const isOpen = await updateImport(db, row.id, { progress: progress.share() }).catch(() => true)
        if (!isOpen) failures.push(new ImportCancelled())
      }
    }
    // All copies must end before the archive is closed.
    await Promise.all(runningCopies)
    signal.throwIfAborted()
    if (failures.length > 0) throw failures[0]
    if (!isRoundOver) return true
    await requireOpen(
      updateImport(db, row.id, { part: 'originals', part_rows: startedCount, progress: progress.share() }),
    )
    return false
  })
}

async function publish({ deps: { db }, row, task }: Run, { workspaceId, accountId }: Target): Promise<void> {
  await db.tx(async (tx) => {
    await requireTask(tx, task)
    await requireActive(tx, accountId)
    await requireOpen(updateImport(tx, row.id, { state: 'done', progress: 1, part_rows: 0 }))
    await showWorkspace(tx, workspaceId, accountId)
    const entry = { action: 'workspace_imported', actor: userActor(accountId), subject: workspaceId } as const
    await record(tx, { ...entry, workspaceIds: [workspaceId] })
  })
}

/** Queues a task for each file. The tasks run as soon as the workspace is visible. */
async function queueFiles({ db }: ImportDeps, task: Task, id: string, signal: AbortSignal): Promise<void> {
  const row = await selectImport(db, id)
  if (!row?.target_id || !row.job_id) return
  const files = row.counts?.lines.documents ?? 0
  for (let from = row.part_rows; from < files; from += FILES_PER_TRANSACTION) {
    signal.throwIfAborted()
    await db.tx(async (tx) => {
      await requireTask(tx, task)
      await insertFileTasks(tx, row.target_id ?? '', row.job_id ?? '', {
        from,
        to: from + FILES_PER_TRANSACTION,
      })
      await updateQueuedFiles(tx, id, from + FILES_PER_TRANSACTION)
    })
  }
}

/** Removes the folders of imports that were interrupted at their end, or that another machine has continued. */
export async function removeImportFolders({ db, settings }: Pick<Deps, 'db' | 'settings'>): Promise<void> {
  const folder = importsFolder(settings.dataDir)
  const names = await readdir(folder).catch(() => [])
  const ids = names.filter((name) => /^[0-9a-f-]{36}$/.test(name))
  const unfinishedIds = await selectUnfinished(db, ids)
  for (const id of ids)
    if (!unfinishedIds.has(id)) await rm(join(folder, id), { recursive: true, force: true })
}
