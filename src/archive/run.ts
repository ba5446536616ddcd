// The task that imports an archive: it is checked in a child, its rows are written in batches that give way to others, and then the
// workspace is shown at once. Until then nobody sees anything of it. A run that is cut off goes on behind the last batch.
//
// Its folder on this machine, `imports/ID`: `pieces/`, the archive; `child/`, all that the child can write to, with the files of rows;
// `prepared.json`, what the child has answered.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry } from 'yauzl'
import { questionId } from '../ask/evaluation.ts'
import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import type { WorkspaceImport } from '../contract/archives.ts'
import { MAX_FILE_BYTES } from '../contract/limits.ts'
import { titleKey } from '../documents/documents.ts'
import { entityId } from '../graph/names.ts'
import { uuid5 } from '../identity.ts'
import { newJobId } from '../ingest/job-id.ts'
import { insertFileTasks, insertJob } from '../ingest/jobs.sql.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { sync, syncTree } from '../ports/sync.ts'
import { give, openOwn } from '../reader/reader.ts'
import { refusalOfSource } from '../sources/sources.ts'
import { type Handler, type Slot, TaskLost } from '../work/handler.ts'
import { endRound, finishTask, lockTask, type Task } from '../work/queue.sql.ts'
import { prepareInChild } from './child.ts'
import { IDS_ARE_NOT_KEPT, ORIGINALS } from './format.ts'
import {
  abandonImport,
  type ImportChange,
  type ImportRow,
  type ImportSubject,
  insertHiddenWorkspace,
  isTaken,
  lockActiveAccount,
  mayKeepIds,
  selectImport,
  selectUnfinished,
  showWorkspace,
  updateImport,
  updateQueuedFiles,
} from './imports.sql.ts'
import {
  insertCorrections,
  insertDocuments,
  insertJobFiles,
  insertQuestions,
  insertScopes,
  insertSourceFiles,
  insertSources,
  insertThreads,
  insertTurns,
  insertVersions,
} from './insert.sql.ts'
import { Prepared, type Rows, rowsFile, WRITTEN_PARTS, type WrittenPart } from './prepare.ts'
import { BadArchive, entriesOf, linesOf, streamOf, withArchive } from './zip.ts'

export type ImportDeps = Pick<Deps, 'db' | 'blobs' | 'log' | 'settings'> & {
  /** Checks an archive and writes its rows; in a child, unless a test needs no child. */
  prepareArchive?: typeof prepareInChild
  /** For tests. */
  roundMs?: number
  turnMs?: number
}

// Then it is given back, and other tasks that wait for a slot have their turn.
const ROUND_MS = 20_000
const ROWS_AT_ONCE = 500
const BYTES_AT_ONCE = 512 * 1024
const REPORT_EVERY_MS = 1000
const FILES_AT_ONCE = 1000
// Most of the time of each is waiting for the disk or the bucket.
const ORIGINALS_AT_ONCE = 8
// Shares of the progress: the check, then the rows with the originals.
const CHECKED = 0.4

type Failure = NonNullable<WorkspaceImport['error']>

class ImportFailed extends Error {
  readonly type: Failure['type']
  constructor(type: Failure['type'], message: string) {
    super(message)
    this.type = type
  }
}

/** It was cancelled. */
class ImportCancelled extends Error {}

/** A file of rows has not the rows that were counted. The files are made anew: a power failure may have taken a part of one. */
class RowsDamaged extends Error {
  constructor(part: WrittenPart) {
    super(`the file of the rows of ${part} is damaged`)
  }
}

export const importsFolder = (dataDir: string): string => join(dataDir, 'imports')

interface ImportTask extends Task {
  subject: ImportSubject
}

export const importHandler: Handler<ImportDeps> = {
  mayTakeHours: true,
  run: runInTurn,
  verdict: (error) => (error instanceof TurnOver ? 'long' : undefined),
  giveUp: {
    write: (tx, task) =>
      abandonImport(tx, (task as ImportTask).subject.import_id, {
        type: 'internal_error',
        message: 'The import failed again and again inside Kenning. Its log says why.',
      }),
  },
}

/** The slot gives way to the task of another account; the check is begun again where there is more time. */
class TurnOver extends Error {}

// What a slot that gives way has time for: the check of most archives. Everything else is done in rounds.
const TURN_MS = 600_000

async function runInTurn(
  deps: ImportDeps,
  task: Task,
  signal: AbortSignal,
  { mustBeShort }: Pick<Slot, 'mustBeShort'>,
): Promise<void> {
  if (!mustBeShort) return runImport(deps, task as ImportTask, signal)
  const turn = AbortSignal.timeout(deps.turnMs ?? TURN_MS)
  await runImport(deps, task as ImportTask, AbortSignal.any([signal, turn])).catch((error: unknown) => {
    throw turn.aborted && !signal.aborted ? new TurnOver() : error
  })
}

async function runImport(deps: ImportDeps, task: ImportTask, signal: AbortSignal): Promise<void> {
  const { db } = deps
  const id = task.subject.import_id
  const row = await selectImport(db, id)
  const folder = join(importsFolder(deps.settings.dataDir), id)
  const end = async (work: (tx: Queryable) => Promise<unknown> = async () => {}): Promise<void> => {
    await db.tx(async (tx) => {
      if (!(await finishTask(tx, task))) throw new TaskLost()
      await work(tx)
    })
    await rm(folder, { recursive: true, force: true })
  }
  if (!row) return end()
  try {
    const until = performance.now() + (deps.roundMs ?? ROUND_MS)
    if (row.state !== 'done' && !(await makeWorkspace({ deps, task, row, folder, until, signal })))
      return await endRound(db, task)
    await queueFiles(deps, task, row.id, signal)
    await end()
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ImportCancelled) return end((tx) => abandonImport(tx, row.id))
    if (error instanceof RowsDamaged) await rm(folder, { recursive: true, force: true })
    const failure = failureOf(error)
    if (!failure) throw error
    deps.log.info({ import: row.id, type: failure.type }, 'an import failed')
    await end((tx) => abandonImport(tx, row.id, failure))
  }
}

/** Undefined for what is not the archive's fault: the task is tried again. */
function failureOf(error: unknown): Failure | undefined {
  if (error instanceof ImportFailed) return { type: error.type, message: error.message }
  if (!(error instanceof BadArchive)) return undefined
  return { type: 'archive_invalid', message: `This archive cannot be imported: ${printable(error.message)}.` }
}

/** It may quote the archive, and no database takes a NUL. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\ufffd')

interface Run {
  deps: ImportDeps
  task: Task
  row: ImportRow
  folder: string
  /** When the round ends (`performance.now`). */
  until: number
  signal: AbortSignal
}

/** False when the round is over before the workspace is shown. */
async function makeWorkspace(run: Run): Promise<boolean> {
  const { deps, row } = run
  if (row.state === 'cancelled' || row.state === 'failed') throw new ImportCancelled()
  await requireActive(deps.db, row.account_id)
  const prepared = await preparedArchive(run)
  // Once there is a workspace, no file says which.
  const workspaceId = row.has_workspace && row.target_id ? row.target_id : prepared.workspaceId
  const jobId = row.job_id ?? newJobId(workspaceId)
  const allowedSources = row.has_workspace ? row.allowed_sources : await beginWorkspace(run, prepared, jobId)
  const target = { workspaceId, jobId, accountId: row.account_id, allowedSources }
  const progress = progressOf(prepared)
  for (const part of WRITTEN_PARTS) {
    const partRows = prepared.lines[part] ?? 0
    if (isBefore(part, row.part)) progress.addRows(partRows)
    else if (!(await writePart(run, { part, partRows }, target, progress))) return false
  }
  if (!(await keepOriginals(run, progress))) return false
  await publish(run, target)
  return true
}

const isBefore = (part: WrittenPart, next: ImportRow['part']): boolean =>
  next === 'originals' || (next !== null && WRITTEN_PARTS.indexOf(part) < WRITTEN_PARTS.indexOf(next))

async function requireActive(db: Queryable, accountId: string): Promise<void> {
  if (await lockActiveAccount(db, accountId)) return
  const message = 'The account of whoever began this import may no longer make workspaces.'
  throw new ImportFailed('forbidden', message)
}

const requireOpen = async (isOpen: boolean | Promise<boolean>): Promise<void> => {
  if (!(await isOpen)) throw new ImportCancelled()
}

const piecesIn = (folder: string): string => join(folder, 'pieces')
/** Of the child, which writes the files of rows. */
const childIn = (folder: string): string => join(folder, 'child')
/** Written once the rows are whole, out of the child's reach. */
const preparedIn = (folder: string): string => join(folder, 'prepared.json')

/** What the child answered in an earlier round on this machine. */
async function earlierAnswer({ row, folder }: Run): Promise<Prepared | undefined> {
  const text = await readFile(preparedIn(folder), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const prepared = Prepared.parse(JSON.parse(text))
    return row.target_id === null || prepared.workspaceId === row.target_id ? prepared : undefined
  } catch {
    // The process was killed while it wrote the file.
    return undefined
  }
}

/** The archive checked, and its rows in files: those of an earlier round, if they are still there. */
async function preparedArchive(run: Run): Promise<Prepared> {
  const { deps, row, folder, signal } = run
  const before = await earlierAnswer(run)
  if (before) return before
  await requireOpen(updateImport(deps.db, row.id, row.has_workspace ? {} : { state: 'checking' }))
  await rm(folder, { recursive: true, force: true })
  await mkdir(piecesIn(folder), { recursive: true, mode: 0o700 })
  const pieces: string[] = []
  let bytes = 0
  for (const [no, hash] of row.pieces.entries()) {
    pieces.push(await give({ inputPath: piecesIn(folder) }, await deps.blobs.open(hash), no))
    bytes += await deps.blobs.size(hash)
  }
  const stopping = new AbortController()
  let share = 0
  const over = new AbortController()
  const reporting = reportUntil(over.signal, async () => {
    if (await updateImport(deps.db, row.id, { progress: share * CHECKED })) return
    stopping.abort(new ImportCancelled())
  })
  try {
    const prepare = deps.prepareArchive ?? prepareInChild
    const prepared = await prepare(
      { pieces, folder: childIn(folder), copyId: row.ids === 'new' ? row.target_id : null },
      bytes,
      { signal: AbortSignal.any([signal, stopping.signal]), onShare: (now) => (share = now) },
    )
    if (row.target_id !== null && prepared.workspaceId !== row.target_id)
      throw new Error('the check of an archive answered with another workspace')
    await syncFiles(folder)
    await writeFile(preparedIn(folder), JSON.stringify(prepared), { mode: 0o600 })
    return prepared
  } finally {
    over.abort()
    await reporting
  }
}

/** Before anything says that they are whole: the archive, and the rows that the child has written. */
async function syncFiles(folder: string): Promise<void> {
  await syncTree(piecesIn(folder))
  const own = resolve(childIn(folder))
  for (const part of WRITTEN_PARTS) {
    const file = await openOwn(own, rowsFile(own, part))
    await file.sync().finally(() => file.close())
  }
  await sync(own)
}

async function reportUntil(over: AbortSignal, report: () => Promise<void>): Promise<void> {
  while (!over.aborted) {
    // A database that is away is no reason to stop: the next report tells.
    await report().catch(() => undefined)
    await sleep(REPORT_EVERY_MS, undefined, { signal: over }).catch(() => undefined)
  }
}

/** The empty workspace, which nobody sees, and the job that will read its originals. @returns the sources that it will have */
async function beginWorkspace(
  { deps: { db, settings }, row, task, folder }: Run,
  { workspaceId, workspace, lines, originals }: Prepared,
  jobId: string,
): Promise<number[]> {
  const rowsOfSources = batchesOf(childIn(folder), { part: 'sources', partRows: lines.sources ?? 0 })
  const sources = await reviewSources(settings, workspaceId, rowsOfSources)
  await db
    .tx(async (tx) => {
      await requireTask(tx, task)
      // First, so that nobody else learns whether the id is taken.
      if (row.ids === 'keep' && !(await mayKeepIds(tx, row.account_id, workspaceId)))
        throw new ImportFailed('forbidden', IDS_ARE_NOT_KEPT)
      if (await isTaken(tx, workspaceId)) throw idTaken()
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
      throw isWorkspaceKey(error) ? idTaken() : error
    })
  return sources.allowed_sources
}

const idTaken = (): ImportFailed =>
  new ImportFailed(
    'id_taken',
    'The id of this workspace is in use on this service, or was a moment ago. Import a copy under new ids (ids=new, kenning import --new-ids).',
  )

/** Of two imports of the same archive at the same moment one is first. */
const isWorkspaceKey = (error: unknown): boolean =>
  error instanceof Error &&
  (error as { code?: unknown }).code === '23505' &&
  (error as { constraint?: unknown }).constraint === 'workspace_pkey'

async function requireTask(tx: Queryable, task: Task): Promise<void> {
  if (!(await lockTask(tx, task))) throw new TaskLost()
}

/** Checks sources as if somebody added them by hand. `notes`: which are left out, and why. */
async function reviewSources(
  settings: ImportDeps['settings'],
  workspaceId: string,
  batches: AsyncIterable<{ rows: Rows['sources'][] }>,
): Promise<Pick<ImportRow, 'notes' | 'allowed_sources'>> {
  const notes: string[] = []
  const numbers: number[] = []
  for await (const { rows } of batches)
    for (const row of rows) {
      const refusal = refusalOfSource(settings, workspaceId, row)
      if (refusal && !refusal.isOfPlace)
        throw new BadArchive(`sources.jsonl, line ${row.number}: ${refusal.message}`)
      if (refusal) notes.push(`The source “${row.name}” was left out. ${refusal.message}.`)
      else numbers.push(row.number)
    }
  return { notes, allowed_sources: numbers }
}

interface Target {
  workspaceId: string
  jobId: string
  accountId: string
  /** By their numbers in the archive. */
  allowedSources: readonly number[]
}

interface RowsOf<P extends WrittenPart> {
  part: P
  /** How many there are. */
  partRows: number
}

/** False when the round is over before the part is. @throws RowsDamaged */
async function writePart(
  run: Run,
  { part, partRows }: RowsOf<WrittenPart>,
  target: Target,
  progress: Progress,
): Promise<boolean> {
  const { deps, row, task, folder, until, signal } = run
  const writtenRows = row.part === part ? row.part_rows : 0
  progress.addRows(writtenRows)
  for await (const { rows, first } of batchesOf(childIn(folder), { part, partRows }, writtenRows)) {
    signal.throwIfAborted()
    const endRow = first + rows.length
    progress.addRows(rows.length)
    const change: ImportChange = { part, part_rows: endRow, progress: progress.share() }
    await deps.db
      .tx(async (tx) => {
        await requireTask(tx, task)
        await requireOpen(updateImport(tx, row.id, change))
        await insertRows(tx, { part, rows, first, target } as Batch)
      })
      .catch((error: unknown) => {
        // Nothing that the check lets pass should be refused here; whatever is, is the archive's.
        if (!isDataError(error)) throw error
        deps.log.warn({ err: error, import: row.id, part }, 'rows of an archive were refused')
        throw new BadArchive(`${part}.jsonl: a row of the lines ${first + 1} to ${endRow} cannot be stored`)
      })
    // Behind a batch, so that each round comes further.
    if (performance.now() > until) return false
  }
  return true
}

/** Classes 22 and 23 of SQLSTATE: values, and rows that contradict others. */
const isDataError = (error: unknown): boolean =>
  /^2[23]/.test(String((error as { code?: unknown }).code ?? ''))

/** Of its own: an id of another workspace's source would stand in the way of that source. */
const sourceId = (workspaceId: string, number: number): string => uuid5(workspaceId, `source ${number}`)

type Batch = {
  [P in WrittenPart]: { part: P; rows: Rows[P][]; first: number; target: Target }
}[WrittenPart]

async function insertRows(tx: Queryable, batch: Batch): Promise<unknown> {
  const { target, first } = batch
  const { workspaceId, accountId, jobId, allowedSources } = target
  const owner = `user:${accountId}`
  switch (batch.part) {
    case 'documents':
      await insertDocuments(
        tx,
        workspaceId,
        batch.rows.map((row) => ({ ...row, title_key: titleKey(row.title) })),
      )
      return insertJobFiles(tx, workspaceId, { jobId, first, rows: batch.rows })
    case 'versions':
      return insertVersions(tx, workspaceId, batch.rows, accountId)
    case 'scopes':
      return insertScopes(tx, workspaceId, batch.rows)
    case 'graph-corrections':
      return insertCorrections(
        tx,
        workspaceId,
        batch.rows.map(({ from, into, root, decision, reason }) => ({
          from_id: entityId(workspaceId, from),
          from_key: from,
          into_id: entityId(workspaceId, into),
          into_key: into,
          root_id: entityId(workspaceId, root),
          root_key: root,
          state: decision === 'same' ? ('manual' as const) : ('undone' as const),
          reason,
        })),
      )
    case 'threads':
      return insertThreads(tx, workspaceId, batch.rows, owner)
    case 'turns':
      return insertTurns(tx, workspaceId, batch.rows)
    case 'evaluation-questions':
      return insertQuestions(
        tx,
        workspaceId,
        batch.rows.map((row) => {
          const { query, document_id: documentId, chunk_id: chunkId } = row
          return { ...row, id: questionId(workspaceId, { principal: owner, query, documentId, chunkId }) }
        }),
        owner,
      )
    case 'sources':
      return insertSources(
        tx,
        workspaceId,
        batch.rows
          .filter(({ number }) => allowedSources.includes(number))
          .map((row) => ({ ...row, id: sourceId(workspaceId, row.number) })),
        accountId,
      )
    case 'source-files':
      return insertSourceFiles(
        tx,
        workspaceId,
        batch.rows
          .filter(({ source }) => allowedSources.includes(source))
          .map(({ source, ...row }) => ({ ...row, source_id: sourceId(workspaceId, source) })),
      )
  }
}

/**
 * The rows of a part in batches, without the first `skip`; `first`: how many rows are before those of the batch.
 * @throws RowsDamaged
 */
async function* batchesOf<P extends WrittenPart>(
  folder: string,
  { part, partRows }: RowsOf<P>,
  skip = 0,
): AsyncGenerator<{ rows: Rows[P][]; first: number }> {
  const own = resolve(folder)
  const file = await openOwn(own, rowsFile(own, part))
  let rows: Rows[P][] = []
  let bytes = 0
  let no = 0
  // Closes the file at its end.
  for await (const lines of linesOf(file.createReadStream(), Number.POSITIVE_INFINITY))
    for (const line of lines) {
      if (++no > partRows) throw new RowsDamaged(part)
      if (no <= skip) continue
      rows.push(rowOf(part, line))
      bytes += line.length
      if (rows.length < ROWS_AT_ONCE && bytes < BYTES_AT_ONCE) continue
      yield { rows, first: no - rows.length }
      rows = []
      bytes = 0
    }
  if (no !== partRows) throw new RowsDamaged(part)
  if (rows.length > 0) yield { rows, first: no - rows.length }
}

function rowOf<P extends WrittenPart>(part: P, line: string): Rows[P] {
  try {
    return JSON.parse(line) as Rows[P]
  } catch {
    throw new RowsDamaged(part)
  }
}

interface Progress {
  addRows(rows: number): void
  addOriginal(bytes: number): void
  /** 0 to 1, of the whole import. */
  share(): number
}

// Writing a row takes as long as keeping so many bytes of an original, about.
const BYTES_A_ROW = 10_000

function progressOf({ lines, originals }: Prepared): Progress {
  const rows = WRITTEN_PARTS.reduce((sum, part) => sum + (lines[part] ?? 0), 0)
  const total = rows * BYTES_A_ROW + originals.bytes
  let done = 0
  return {
    addRows: (count) => (done += count * BYTES_A_ROW),
    addOriginal: (bytes) => (done += bytes),
    share: () => CHECKED + (1 - CHECKED) * (total > 0 ? Math.min(1, done / total) : 1),
  }
}

/**
 * After the rows that name them: what no row names is swept. Their bytes are those that their names promise. False when the round is
 * over before all are kept.
 */
async function keepOriginals(
  { deps, row, folder, until, signal }: Run,
  progress: Progress,
): Promise<boolean> {
  const { blobs, db } = deps
  const pieces = row.pieces.map((_, no) => join(piecesIn(folder), `${no}.file`))
  const before = row.part === 'originals' ? row.part_rows : 0
  return withArchive(pieces, async (zip) => {
    const keepOne = async (entry: Entry): Promise<void> => {
      const staged = await blobs.stage(await streamOf(zip, entry), MAX_FILE_BYTES)
      try {
        if (staged.hash !== entry.fileName.slice(ORIGINALS.length))
          throw new BadArchive(`${entry.fileName} has other bytes than its name promises`)
        await blobs.keep(staged)
        progress.addOriginal(staged.size)
      } finally {
        await blobs.discard(staged)
      }
    }
    const underway = new Set<Promise<void>>()
    const failures: unknown[] = []
    let reportAt = 0
    let begun = 0
    let isOver = false
    for await (const entry of entriesOf(zip)) {
      if (!entry.fileName.startsWith(ORIGINALS)) continue
      if (begun < before) {
        begun++
        progress.addOriginal(entry.uncompressedSize)
        continue
      }
      // One at least in each round.
      isOver = performance.now() > until && begun > before
      if (isOver || failures.length > 0 || signal.aborted) break
      begun++
      const one: Promise<void> = keepOne(entry)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underway.delete(one))
      underway.add(one)
      if (underway.size >= ORIGINALS_AT_ONCE) await Promise.race(underway)
      if (performance.now() > reportAt) {
        reportAt = performance.now() + REPORT_EVERY_MS
        const isOpen = await updateImport(db, row.id, { progress: progress.share() }).catch(() => true)
        if (!isOpen) failures.push(new ImportCancelled())
      }
    }
    // Nothing may still read the archive when it is closed.
    await Promise.all(underway)
    signal.throwIfAborted()
    if (failures.length > 0) throw failures[0]
    if (!isOver) return true
    await requireOpen(
      updateImport(db, row.id, { part: 'originals', part_rows: begun, progress: progress.share() }),
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
    const act = { action: 'workspace_imported', actor: userActor(accountId), subject: workspaceId } as const
    await record(tx, { ...act, workspaceIds: [workspaceId] })
  })
}

/** A task for each file, some at once: they may run from the moment that the workspace is shown. */
async function queueFiles({ db }: ImportDeps, task: Task, id: string, signal: AbortSignal): Promise<void> {
  const row = await selectImport(db, id)
  if (!row?.target_id || !row.job_id) return
  const files = row.counts?.lines.documents ?? 0
  for (let from = row.part_rows; from < files; from += FILES_AT_ONCE) {
    signal.throwIfAborted()
    await db.tx(async (tx) => {
      await requireTask(tx, task)
      await insertFileTasks(tx, row.target_id ?? '', row.job_id ?? '', { from, to: from + FILES_AT_ONCE })
      await updateQueuedFiles(tx, id, from + FILES_AT_ONCE)
    })
  }
}

/** What runs on a machine that is gone, or was cut off at its end, left behind here. */
export async function removeImportFolders({ db, settings }: Pick<Deps, 'db' | 'settings'>): Promise<void> {
  const below = importsFolder(settings.dataDir)
  const names = await readdir(below).catch(() => [])
  const ids = names.filter((name) => /^[0-9a-f-]{36}$/.test(name))
  const unfinished = await selectUnfinished(db, ids)
  for (const id of ids) if (!unfinished.has(id)) await rm(join(below, id), { recursive: true, force: true })
}
