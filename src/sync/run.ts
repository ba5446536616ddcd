// One run of a sync: it lists the source, finds the documents that belong to the sync, and applies the differences.

import { createHash } from 'node:crypto'
import { cleanText } from '../contract/fields.ts'
import { MAX_FILE_BYTES } from '../contract/limits.ts'
import { batches } from './batches.ts'
import type { Destination, SentFile } from './destination.ts'
import { isFinal, SyncFailed } from './failure.ts'
import { type Entry, makePlan, type OwnedDocument, type Plan } from './plan.ts'
import type { FreshContent, Listing, Source, SourceFile } from './source.ts'
import type { State, StoredFileResult } from './state.ts'

export interface Change {
  action: 'create' | 'replace' | 'move' | 'delete' | 'refuse' | 'keep_theirs' | 'leave'
  path: string
  /** Where a moved document was. */
  from?: string
  document_id?: string
  /** Why a file was refused, or why a document was not touched. */
  reason?: string
}

interface SyncOptions {
  destination: Destination
  source: Source
  state: State
  /** The folder of the workspace that gets all files. */
  into: string
  dryRun: boolean
  /** Whether files that could not be read are sent again. */
  retry: boolean
  /** Whether an empty source deletes all documents. Otherwise it is an error. */
  allowEmpty: boolean
  /** Whether documents that the same account uploaded by hand, with the same name and content, belong to the sync from now on. */
  adopt: boolean
  signal: AbortSignal
  onChange(change: Change): void
  onNote(note: string): void
  progress(phase: string): (done: number, total: number) => void
}

export interface Summary {
  files: number
  unchanged: number
  created: number
  replaced: number
  moved: number
  deleted: number
  refused: number
}

/** Whether a run would have nothing to send, by the sync's state alone, without a request to the service. */
export async function hasNothingToSend(source: Source, state: State, signal: AbortSignal): Promise<boolean> {
  if (state.intents.size > 0) return false
  const noReports = { onChange: () => {}, progress: () => () => {} }
  const entries = await hashFiles(await source.list(signal), { state, into: '', signal, ...noReports })
  const unchanged = entries.filter(({ path, hash }) => state.files.get(path)?.hash === hash)
  return unchanged.length === entries.length && entries.length === state.files.size
}

type File = Entry & { file: SourceFile; mark: string | undefined }

// While this many jobs are running, no further files are sent.
const MAX_RUNNING_JOBS = 6
// A sync with more documents writes the list of them only at intervals (`writeOwnedList`).
const MAX_OWNED_FOR_EAGER_LIST = 500
const OWNED_LIST_INTERVAL_MS = 20_000

export async function syncOnce(options: SyncOptions): Promise<Summary> {
  const { state, into } = options
  const markOf = (path: string): string | undefined => state.files.get(servicePath(into, path))?.mark
  const listing = await options.source.list(options.signal, markOf)
  try {
    return await syncListing(options, listing)
  } finally {
    await listing.close?.()
  }
}

async function syncListing(options: SyncOptions, listing: Listing): Promise<Summary> {
  const { source, state } = options
  for (const note of listing.notes) options.onNote(note)
  const entries = await hashFiles(listing, options)
  const run = {
    ...options,
    owned: new Map<string, OwnedDocument>(),
    intentsBefore: copyIntents(state.intents),
    listWrittenAt: 0,
  }
  await findOwned(run)
  if (entries.length === 0 && run.owned.size > 0 && !options.allowEmpty) {
    throw new SyncFailed(
      `${source.label} is empty, but ${run.owned.size} documents came from there. Check the source: is the drive mounted?`,
      'empty',
    )
  }
  // With `adopt` these files are sent again, because the answer says to whom the documents belong.
  const foreignDocumentIds = options.adopt ? new Set<string>() : await existingForeignDocuments(run)
  const plan = makePlan(entries, [...run.owned.values()], state.files, {
    theirDocumentIds: foreignDocumentIds,
    retry: options.retry,
  })
  const summary = countOf(entries, plan)
  if (options.dryRun) {
    announce(plan, options.onChange)
    return summary
  }
  await executePlan(run, plan, summary)
  // The list comes first: a document that is left alone and still listed would be deleted once its path is forgotten.
  await writeOwnedList(run, true)
  const present = new Set(entries.map(({ path }) => path))
  for (const path of [...state.files.keys()]) if (!present.has(path)) await state.forget(path)
  await state.clearSending()
  return summary
}

const copyIntents = (intents: State['intents']): Run['intentsBefore'] =>
  new Map([...intents].map(([path, hashes]) => [path, new Set(hashes)]))

type Run = SyncOptions & {
  /** The documents that belong to the sync, as they are now. */
  owned: Map<string, OwnedDocument>
  /** The hashes that the previous run was sending when it was killed, by path. */
  intentsBefore: ReadonlyMap<string, ReadonlySet<string>>
  listWrittenAt: number
}

/** The files of the source with their hashes. The bytes of a file are read only if its mark has changed. */
async function hashFiles(
  listing: Listing,
  {
    state,
    into,
    signal,
    onChange,
    progress,
  }: Pick<SyncOptions, 'state' | 'into' | 'signal' | 'onChange' | 'progress'>,
): Promise<File[]> {
  const report = progress('compare')
  const fileByPath = new Map<string, File>()
  let done = 0
  for (const file of listing.files) {
    signal.throwIfAborted()
    const path = servicePath(into, file.path)
    const lastMemory = state.files.get(path)
    if (fileByPath.has(path))
      onChange({ action: 'refuse', path, reason: 'Another file of the source has this name.' })
    else if (file.bytes > MAX_FILE_BYTES)
      onChange({ action: 'refuse', path, reason: 'It is larger than 100 MB.' })
    else if (lastMemory && file.mark !== undefined && lastMemory.mark === file.mark)
      fileByPath.set(path, { path, hash: lastMemory.hash, file, mark: file.mark })
    else {
      const content = await readIfPossible(file, lastMemory?.mark)
      // The file is unchanged, or it cannot be read now (deleted since it was listed, or being written). Its document is kept, and
      // the next run tries again.
      if (lastMemory && (content === 'unchanged' || content === undefined))
        fileByPath.set(path, { path, hash: lastMemory.hash, file, mark: lastMemory.mark })
      else if (content === 'unchanged' || content === undefined)
        onChange({ action: 'refuse', path, reason: 'It cannot be opened.' })
      else if (content.bytes.length > 0)
        fileByPath.set(path, {
          path,
          hash: hashOf(content.bytes),
          file: withSize(file, content),
          mark: content.mark,
        })
    }
    done++
    if (listing.files.length > 1) report(done, listing.files.length)
  }
  return [...fileByPath.values()]
}

/** Reads a file. Undefined if it cannot be read now. @throws SyncFailed when nothing more can be read from the source */
async function readIfPossible(
  file: SourceFile,
  lastMark: string | undefined,
): Promise<'unchanged' | FreshContent | undefined> {
  try {
    if (file.readSince) return await file.readSince(lastMark)
    return { bytes: await file.read(), mark: file.mark }
  } catch (error) {
    if (isFinal(error)) throw error
    return undefined
  }
}

/** Sets the size of a file that has been read. Some sources do not know it before, and batches are made by size. */
const withSize = (file: SourceFile, { bytes }: FreshContent): SourceFile => ({ ...file, bytes: bytes.length })

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The path in the spelling that the service uses. */
const servicePath = (into: string, path: string): string =>
  cleanText(into ? `${into}/${path}` : path)
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/[\t\n\r]/g, ' ')
    .split('/')
    .filter((step) => step !== '' && step !== '.')
    .join('/')
    .trim()

/**
 * Finds the documents that belong to the sync: those that the workspace lists, those in the sync's state that are not listed yet,
 * and those that were being sent when the last run was killed. Documents that a user has changed since then do not belong to it any
 * more.
 */
async function findOwned(run: Run): Promise<void> {
  const { destination, state, owned } = run
  for (const document of await destination.listOwned()) owned.set(document.id, document)
  const hashesById = expectedHashes(state)
  for (const id of hashesById.keys()) {
    if (owned.has(id)) continue
    const document = await destination.getDocument(id)
    if (document) owned.set(id, asOwned(document))
  }
  for (const document of await documentsSentBefore(run)) {
    owned.set(document.id, document)
    hashesById.set(document.id, new Set([document.hash, ...(hashesById.get(document.id) ?? [])]))
  }
  for (const document of [...owned.values()]) {
    const hashes = hashesById.get(document.id)
    const sentHashes = run.intentsBefore.get(document.path)
    if (!hashes || hashes.has(document.hash) || sentHashes?.has(document.hash)) continue
    owned.delete(document.id)
    const reason = 'Somebody has changed it in the workspace, so it is left alone.'
    run.onChange({ action: 'leave', path: document.path, document_id: document.id, reason })
  }
}

/** The hashes that each document of the sync should have, by the sync's state. */
function expectedHashes(state: State): Map<string, Set<string>> {
  const hashesById = new Map<string, Set<string>>()
  for (const { document_id: id, state: pathState, hash, held: documentHash } of state.files.values()) {
    if (id === undefined || pathState === 'theirs') continue
    const hashes = hashesById.get(id) ?? new Set()
    hashes.add(pathState === 'refused' ? (documentHash ?? hash) : hash)
    hashesById.set(id, hashes)
  }
  return hashesById
}

const asOwned = ({ id, path, hash }: OwnedDocument): OwnedDocument => ({ id, path, hash })

/** Documents that the killed run created but did not record in the state. They are found in the workspace's later jobs. */
async function documentsSentBefore(run: Run): Promise<OwnedDocument[]> {
  const { intentsBefore, destination } = run
  if (intentsBefore.size === 0) return []
  const ownedBefore: OwnedDocument[] = []
  for (const file of await filesSince(run)) {
    const { document_id: id, outcome } = file
    if (id === undefined || !wasStored(outcome)) continue
    const sentPath = sentNameOf(file)
    const current = await destination.getDocument(id)
    if (!current?.isMine || !intentsBefore.get(sentPath)?.has(current.hash)) continue
    const document = { id, path: run.owned.get(id)?.path ?? current.path, hash: current.hash }
    ownedBefore.push(document)
    const entryPath = entryPathOf(run.state, sentPath, id)
    const formerDocument = formerDocumentAt(run, entryPath, document)
    if (formerDocument) {
      // A dry run stores nothing, so the next run finds the same.
      if (run.dryRun) {
        run.owned.delete(formerDocument.id)
        continue
      }
      await leaveToPeople(run, formerDocument, document)
    }
    const besideField = outcome === 'kept_both' || entryPath !== sentPath ? { beside: true } : {}
    await run.state.remember(entryPath, {
      hash: current.hash,
      state: 'ours',
      document_id: id,
      ...besideField,
      ...placeField(entryPath, file.filename),
    })
  }
  return ownedBefore
}

/** The path whose document was sent with another name, because the document is elsewhere. Otherwise the name itself. */
function entryPathOf({ files }: State, sentPath: string, id: string): string {
  if (files.get(sentPath)?.document_id === id) return sentPath
  const paths = [...files].filter(([, memory]) => memory.document_id === id && memory.state !== 'theirs')
  return (paths.find(([, { beside: isBeside }]) => isBeside) ?? paths[0])?.[0] ?? sentPath
}

/** The document that the path had, if another one was stored in its place because somebody has moved it. */
function formerDocumentAt(
  run: Run,
  path: string,
  { id, path: place }: OwnedDocument,
): OwnedDocument | undefined {
  const memory = run.state.files.get(path)
  const formerDocument = memory?.state === 'theirs' ? undefined : run.owned.get(memory?.document_id ?? '')
  if (!formerDocument || formerDocument.id === id || formerDocument.path === place) return undefined
  return isNamedElsewhere(run.state, path, formerDocument.id) ? undefined : formerDocument
}

const isNamedElsewhere = ({ files }: State, path: string, id: string): boolean =>
  [...files].some(([otherPath, { document_id }]) => otherPath !== path && document_id === id)

/**
 * Leaves a document that somebody moved while its file was sent, so that the file has become a new document. The list says so before
 * the state does (as in `executePlan`).
 */
async function leaveToPeople(run: Run, document: OwnedDocument, newDocument: OwnedDocument): Promise<void> {
  run.owned.set(newDocument.id, newDocument)
  leave(run, document)
  await writeOwnedList(run, true)
}

const MOVED_REASON = 'Somebody has moved it in the workspace, so it is left alone.'

/** The name with which a file was sent. If it was stored beside another document, it is listed as "name (2).md". */
const sentNameOf = ({ filename, outcome }: SentFile): string =>
  outcome === 'kept_both' ? filename.replace(/ \(\d+\)(?=(\.[^./]*)?$)/, '') : filename

/** The field `at` of what is stored for a path. */
const placeField = (path: string, documentPath: string | undefined): { at?: string } =>
  documentPath === undefined || documentPath === path ? {} : { at: documentPath }

/** Whether the file itself was stored. Otherwise the workspace already had a document with its bytes. */
const wasStored = (outcome: SentFile['outcome']): boolean =>
  outcome === undefined || outcome === 'created' || outcome === 'replaced' || outcome === 'kept_both'

/** The files of the jobs that the killed run may have started, once they have been read. */
const filesSince = ({ destination, state, intentsBefore }: Run): Promise<SentFile[]> =>
  destination.uploadsSince(
    state.since,
    (file) => intentsBefore.has(file.filename) || intentsBefore.has(sentNameOf(file)),
  )

const MAX_SINGLE_LOOKUPS = 50

/** The ids of other people's documents that still have the content of files of the source. */
async function existingForeignDocuments({ state, destination }: Run): Promise<Set<string>> {
  const foreignFiles = [...state.files.values()].filter(
    (memory) => memory.state === 'theirs' && memory.document_id,
  )
  if (foreignFiles.length > MAX_SINGLE_LOOKUPS) return destination.listDocumentIds()
  const unchangedIds = new Set<string>()
  for (const { document_id: id = '', hash } of foreignFiles)
    if ((await destination.getDocument(id))?.hash === hash) unchangedIds.add(id)
  return unchangedIds
}

function countOf(entries: readonly File[], plan: Plan<File>): Summary {
  const { create, replace, move, remove, refused } = plan
  const changeCount = create.length + replace.length + move.length
  return {
    files: entries.length,
    unchanged: entries.length - changeCount - refused.length,
    created: create.length,
    replaced: replace.length,
    moved: move.length,
    deleted: remove.length,
    refused: refused.length,
  }
}

function announce(plan: Plan<File>, onChange: (change: Change) => void): void {
  for (const { entry, document } of plan.replace)
    onChange({ action: 'replace', path: entry.path, document_id: document.id })
  for (const { entry, document } of plan.move)
    onChange({ action: 'move', path: entry.path, from: document.path, document_id: document.id })
  for (const { path } of plan.create) onChange({ action: 'create', path })
  for (const { path, id } of plan.remove) onChange({ action: 'delete', path, document_id: id })
  for (const { path, id } of plan.leave)
    onChange({ action: 'leave', path, document_id: id, reason: MOVED_REASON })
  for (const { entry, reason } of plan.refused) onChange({ action: 'refuse', path: entry.path, reason })
}

async function executePlan(run: Run, plan: Plan<File>, summary: Summary): Promise<void> {
  const { state } = run
  // Before their paths get other documents: the next run would delete a document that is listed and that no path names.
  for (const document of plan.leave) leave(run, document)
  if (plan.leave.length > 0) await writeOwnedList(run, true)
  for (const { entry, documentId, isBeside } of plan.settled) {
    const lastMemory = state.files.get(entry.path)
    const isOurs = documentId === undefined || run.owned.has(documentId)
    const memory: StoredFileResult = {
      hash: entry.hash,
      state: isOurs ? 'ours' : 'theirs',
      ...(documentId === undefined ? {} : { document_id: documentId }),
      ...(entry.mark === undefined ? {} : { mark: entry.mark }),
      ...(isBeside ? { beside: isBeside } : {}),
      ...placeField(entry.path, run.owned.get(documentId ?? '')?.path),
    }
    if (JSON.stringify(lastMemory) !== JSON.stringify(memory)) await state.remember(entry.path, memory)
  }
  const total = plan.replace.length + plan.move.length + plan.create.length
  const progress = run.progress('send and index')
  const counter = { done: 0, total, report: () => total > 0 && progress(counter.done, total) }
  // Replacements first: afterwards their old content can be sent to another path.
  await sendAll(
    run,
    plan.replace.map(({ entry, document }) => ({ ...entry, action: 'replace' as const, document })),
    summary,
    counter,
  )
  const filesToCreate = [
    ...plan.move.map(({ entry, document }) => ({ ...entry, action: 'move' as const, document })),
    ...plan.create.map((entry) => ({ ...entry, action: 'create' as const })),
  ]
  await sendAll(run, filesToCreate, summary, counter)
  for (const document of plan.remove) {
    run.signal.throwIfAborted()
    if (await deleteOwned(run, document))
      run.onChange({ action: 'delete', path: document.path, document_id: document.id })
    else {
      summary.deleted--
      leave(run, document)
    }
  }
}

/** From now on the document does not belong to the sync any more. */
function leave(run: Run, { id, path }: OwnedDocument): void {
  run.owned.delete(id)
  run.onChange({ action: 'leave', path, document_id: id, reason: MOVED_REASON })
}

type FileToSend = File & { action: 'create' | 'replace' | 'move'; document?: OwnedDocument }

interface ProgressCounter {
  done: number
  total: number
  report(): unknown
}

async function sendAll(
  run: Run,
  filesToSend: readonly FileToSend[],
  summary: Summary,
  counter: ProgressCounter,
): Promise<void> {
  const { destination, signal, state } = run
  const runningJobs: { jobId: string; files: SentFileEntry[] }[] = []
  const lastJob = filesToSend.length > 0 ? await destination.newestJob() : null
  const waitForJobs = async (maxRemaining: number): Promise<void> => {
    while (runningJobs.length > maxRemaining) {
      const [oldestJob] = runningJobs.splice(0, 1)
      if (!oldestJob) return
      const files = await destination.waitForEnd(oldestJob.jobId)
      // The files are matched by their order, because a file that was stored beside another document has a new name.
      for (const [fileIndex, file] of oldestJob.files.entries())
        await recordResult(run, file, files[fileIndex], summary)
      counter.done += oldestJob.files.length
      counter.report()
      await writeOwnedList(run, false)
    }
  }
  const withoutContent = filesToSend.map((file) => ({ ...file, bytes: file.file.bytes, content: emptyBlob }))
  for (const batch of batches(withoutContent)) {
    signal.throwIfAborted()
    const readableFiles = (await Promise.all(batch.map(readAgain))).flatMap((file) => file ?? [])
    counter.done += batch.length - readableFiles.length
    await state.rememberSending(
      readableFiles.map(({ path, hash }) => ({ path, hash })),
      lastJob,
    )
    for (const { action, document } of readableFiles)
      if (action === 'move' && document) await deleteOwned(run, document)
    for (const replaces of [true, false]) {
      const filesToPost = readableFiles.filter(({ action }) => (action === 'replace') === replaces)
      const onConflict = replaces ? ('replace' as const) : ('keep_both' as const)
      for await (const outcome of destination.send(filesToPost, onConflict)) {
        if ('job' in outcome)
          runningJobs.push({ jobId: outcome.job.id, files: outcome.files.map(withoutBytes) })
        else {
          await refuse(run, outcome.refused, outcome.reason, summary)
          counter.done++
        }
      }
    }
    await waitForJobs(MAX_RUNNING_JOBS)
  }
  await waitForJobs(0)
}

const emptyBlob = async (): Promise<Blob> => new Blob([])

type SentFileEntry = FileToSend & { entryPath: string }
type ReadFile = SentFileEntry & { bytes: number; content: () => Promise<Blob> }

/** The file without its bytes, because running jobs would otherwise keep hundreds of megabytes in memory. */
const withoutBytes = ({ content: _, ...file }: ReadFile): SentFileEntry => file

/** Reads the bytes to send and computes their hash again, because the file may have changed since it was compared. */
async function readAgain(fileToSend: FileToSend): Promise<ReadFile | undefined> {
  const bytes = await fileToSend.file.read().catch((error: unknown) => {
    if (isFinal(error)) throw error
    return undefined
  })
  if (!bytes || bytes.length === 0) return undefined
  const hash = hashOf(bytes)
  // If the file changed while it was sent, no mark is stored, so that the next run compares its bytes.
  const mark = hash === fileToSend.hash ? fileToSend.mark : undefined
  const blob = new Blob([bytes])
  // A document that is stored beside a namesake is replaced under the name that it has there.
  const path =
    fileToSend.action === 'replace' && fileToSend.document ? fileToSend.document.path : fileToSend.path
  return {
    ...fileToSend,
    entryPath: fileToSend.path,
    path,
    hash,
    mark,
    bytes: bytes.length,
    content: async () => blob,
  }
}

async function recordResult(
  run: Run,
  file: SentFileEntry,
  progress: SentFile | undefined,
  summary: Summary,
): Promise<void> {
  const { document_id: id, outcome, status, error } = progress ?? {}
  if (status !== 'done' || id === undefined)
    return refuse(run, file, error ?? 'The service does not say what became of it.', summary)
  const markField = file.mark === undefined ? {} : { mark: file.mark }
  if (!(await belongsToSync(run, file, id, outcome))) {
    summary[SUMMARY_FIELDS[file.action]]--
    summary.unchanged++
    await run.state.remember(file.entryPath, {
      hash: file.hash,
      state: 'theirs',
      document_id: id,
      ...markField,
    })
    run.onChange({ action: 'keep_theirs', path: file.entryPath, document_id: id })
    return
  }
  const storedPath = progress?.filename ?? file.path
  const documentPath = wasStored(outcome) ? storedPath : (run.owned.get(id)?.path ?? storedPath)
  const isElsewhere =
    file.action === 'replace'
      ? file.path !== file.entryPath
      : file.action === 'move' && file.document?.id === id
  const isBeside = outcome === 'kept_both' || (isElsewhere && documentPath !== file.entryPath)
  const besideField = isBeside ? { beside: isBeside } : {}
  const document = { id, path: documentPath, hash: file.hash }
  const formerDocument = file.action === 'replace' ? file.document : undefined
  if (
    formerDocument &&
    formerDocument.id !== id &&
    !isNamedElsewhere(run.state, file.entryPath, formerDocument.id)
  )
    await leaveToPeople(run, formerDocument, document)
  await run.state.remember(file.entryPath, {
    hash: file.hash,
    state: 'ours',
    document_id: id,
    ...markField,
    ...besideField,
    ...placeField(file.entryPath, documentPath),
  })
  run.owned.set(id, document)
  const from = file.action === 'move' && file.document ? { from: file.document.path } : {}
  run.onChange({ action: file.action, path: file.entryPath, document_id: id, ...from })
}

/** Whether the document that a sent file has become, or whose bytes it has, belongs to the sync. */
async function belongsToSync(
  run: Run,
  file: SentFileEntry,
  id: string,
  outcome: SentFile['outcome'],
): Promise<boolean> {
  if (wasStored(outcome) || run.owned.has(id)) return true
  if (outcome !== 'unchanged') return false
  return (await wasSentBefore(run, file, id)) || (await isAdopted(run, file, id))
}

const SUMMARY_FIELDS = { create: 'created', replace: 'replaced', move: 'moved' } as const

/** Whether the document was uploaded by hand by the same account, under the same name, and has not changed since. */
async function isAdopted(
  { adopt, destination }: Run,
  { path, hash }: SentFileEntry,
  id: string,
): Promise<boolean> {
  if (!adopt) return false
  const current = await destination.getDocument(id)
  return current?.isMine === true && current.path === path && current.hash === hash
}

/** Whether the killed run has sent the file, in a job that did not exist yet when this run began. */
async function wasSentBefore(run: Run, { path, hash }: SentFileEntry, id: string): Promise<boolean> {
  if (!run.intentsBefore.get(path)?.has(hash)) return false
  return (await filesSince(run)).some((file) => file.document_id === id && wasStored(file.outcome))
}

async function refuse(run: Run, file: SentFileEntry, reason: string, summary: Summary): Promise<void> {
  const replacedDocument = file.action === 'replace' ? file.document : undefined
  const lastMemory = run.state.files.get(file.entryPath)
  await run.state.remember(file.entryPath, {
    hash: file.hash,
    state: 'refused',
    reason,
    ...(file.mark === undefined ? {} : { mark: file.mark }),
    ...(replacedDocument ? { document_id: replacedDocument.id, held: replacedDocument.hash } : {}),
    ...(replacedDocument && lastMemory?.beside ? { beside: true } : {}),
    ...(replacedDocument ? placeField(file.entryPath, replacedDocument.path) : {}),
  })
  summary.refused++
  summary[SUMMARY_FIELDS[file.action]]--
  run.onChange({ action: 'refuse', path: file.entryPath, reason })
}

/** Deletes a document, unless somebody has moved it since it was listed. Returns whether it was deleted. */
async function deleteOwned({ destination, owned }: Run, document: OwnedDocument): Promise<boolean> {
  const current = await destination.getDocument(document.id)
  if (current && current.path !== document.path) {
    owned.set(document.id, asOwned(current))
    return false
  }
  await destination.remove(document)
  owned.delete(document.id)
  return true
}

/** Makes the workspace list the sync's documents: after each batch if there are few, otherwise at intervals and at the end. */
async function writeOwnedList(run: Run, isLast: boolean): Promise<void> {
  const mayWait = !isLast && run.owned.size > MAX_OWNED_FOR_EAGER_LIST
  if (mayWait && Date.now() - run.listWrittenAt < OWNED_LIST_INTERVAL_MS) return
  run.listWrittenAt = Date.now()
  if (run.owned.size > 0 || isLast) await run.destination.setOwned([...run.owned.keys()])
}
