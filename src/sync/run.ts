// One run of a sync: reads the source, asks the destination what the sync put there, and does what differs.

import { createHash } from 'node:crypto'
import { cleanText } from '../contract/fields.ts'
import { MAX_FILE_BYTES } from '../contract/limits.ts'
import { batches } from './batches.ts'
import type { Destination, SentFile } from './destination.ts'
import { isFinal, SyncFailed } from './failure.ts'
import { type Entry, makePlan, type Owned, type Plan } from './plan.ts'
import type { Fresh, Listing, Source, SourceFile } from './source.ts'
import type { Kept, State } from './state.ts'

export interface Change {
  action: 'create' | 'replace' | 'move' | 'delete' | 'refuse' | 'keep_theirs' | 'leave'
  path: string
  /** Where a moved document was. */
  from?: string
  document_id?: string
  /** Why a file was refused, or a document left alone. */
  reason?: string
}

export interface SyncOptions {
  destination: Destination
  source: Source
  state: State
  /** A folder of the workspace that everything goes into. */
  into: string
  dryRun: boolean
  /** Files that could not be read are sent again. */
  retry: boolean
  /** An empty source deletes everything, instead of being an error. */
  allowEmpty: boolean
  /** What the same person uploaded by hand, with the same name and content, is the sync's from now on. */
  adopt: boolean
  signal: AbortSignal
  onChange(change: Change): void
  onNote(note: string): void
  progress(phase: string): (done: number, of: number) => void
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

/** Whether a run would find nothing to send, by what is remembered alone: the service is not asked. */
export async function isInStep(source: Source, state: State, signal: AbortSignal): Promise<boolean> {
  if (state.intents.size > 0) return false
  const nothing = { onChange: () => {}, progress: () => () => {} }
  const entries = await readListed(await source.list(signal), { state, into: '', signal, ...nothing })
  const same = entries.filter(({ path, hash }) => state.files.get(path)?.hash === hash)
  return same.length === entries.length && entries.length === state.files.size
}

type File = Entry & { file: SourceFile; mark: string | undefined }

// Jobs that are being read while the next files are sent.
const MAX_UNDERWAY = 6
const MARKER_EVERY_MS = 20_000
const MAX_EAGER_MARKER = 500

export async function syncOnce(options: SyncOptions): Promise<Summary> {
  const { state, into } = options
  const marks = (path: string): string | undefined => state.files.get(servicePath(into, path))?.mark
  const listing = await options.source.list(options.signal, marks)
  try {
    return await syncListed(options, listing)
  } finally {
    await listing.close?.()
  }
}

async function syncListed(options: SyncOptions, listing: Listing): Promise<Summary> {
  const { source, state } = options
  for (const note of listing.notes) options.onNote(note)
  const entries = await readListed(listing, options)
  const run = {
    ...options,
    owned: new Map<string, Owned>(),
    before: copyOf(state.intents),
    markedAt: 0,
  }
  await findOwned(run)
  if (entries.length === 0 && run.owned.size > 0 && !options.allowEmpty) {
    throw new SyncFailed(
      `${source.label} is empty, but ${run.owned.size} documents came from there. Check the source: is the drive mounted?`,
      'empty',
    )
  }
  // Otherwise they are sent once more, which finds out whose they are.
  const theirs = options.adopt ? new Set<string>() : await stillTheirs(run)
  const plan = makePlan(entries, [...run.owned.values()], state.files, { theirs, retry: options.retry })
  const summary = countOf(entries, plan)
  if (options.dryRun) {
    announce(plan, options.onChange)
    return summary
  }
  await execute(run, plan, summary)
  const present = new Set(entries.map(({ path }) => path))
  for (const path of [...state.files.keys()]) if (!present.has(path)) await state.forget(path)
  await writeMarker(run, true)
  await state.settled()
  return summary
}

const copyOf = (intents: State['intents']): Run['before'] =>
  new Map([...intents].map(([path, hashes]) => [path, new Set(hashes)]))

type Run = SyncOptions & {
  /** What the sync put there, as it is now. */
  owned: Map<string, Owned>
  /** What the run before was sending when it was killed. */
  before: ReadonlyMap<string, ReadonlySet<string>>
  markedAt: number
}

/** The files of the source with their hashes; bytes are read only where the mark differs. */
async function readListed(
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
  const fileAt = new Map<string, File>()
  let done = 0
  for (const file of listing.files) {
    signal.throwIfAborted()
    const path = servicePath(into, file.path)
    const last = state.files.get(path)
    if (fileAt.has(path))
      onChange({ action: 'refuse', path, reason: 'Another file of the source has this name.' })
    else if (file.bytes > MAX_FILE_BYTES)
      onChange({ action: 'refuse', path, reason: 'It is larger than 100 MB.' })
    else if (last && file.mark !== undefined && last.mark === file.mark)
      fileAt.set(path, { path, hash: last.hash, file, mark: file.mark })
    else {
      const fresh = await readable(file, last?.mark)
      // The same, or gone since it was listed, or being written: the next run sees it. Its document stays.
      if (last && (fresh === 'unchanged' || fresh === undefined))
        fileAt.set(path, { path, hash: last.hash, file, mark: last.mark })
      else if (fresh === 'unchanged' || fresh === undefined)
        onChange({ action: 'refuse', path, reason: 'It cannot be opened.' })
      else if (fresh.bytes.length > 0)
        fileAt.set(path, { path, hash: hashOf(fresh.bytes), file: withSize(file, fresh), mark: fresh.mark })
    }
    done++
    if (listing.files.length > 1) report(done, listing.files.length)
  }
  return [...fileAt.values()]
}

/** Undefined for a file that cannot be read now. @throws SyncFailed when nothing more can be read */
async function readable(
  file: SourceFile,
  since: string | undefined,
): Promise<'unchanged' | Fresh | undefined> {
  try {
    if (file.readSince) return await file.readSince(since)
    return { bytes: await file.read(), mark: file.mark }
  } catch (error) {
    if (isFinal(error)) throw error
    return undefined
  }
}

/** Some sources do not know it before; what is sent together is told by it. */
const withSize = (file: SourceFile, { bytes }: Fresh): SourceFile => ({ ...file, bytes: bytes.length })

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The name in the spelling that the service keeps. */
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
 * What the sync put into the workspace: what the marker lists, what was remembered but not yet marked, and what was being sent
 * when the last run was killed. Not what somebody has changed since.
 */
async function findOwned(run: Run): Promise<void> {
  const { destination, state, owned } = run
  for (const document of await destination.owned()) owned.set(document.id, document)
  const expected = expectedHashes(state)
  for (const id of expected.keys()) {
    if (owned.has(id)) continue
    const document = await destination.current(id)
    if (document) owned.set(id, asOwned(document))
  }
  for (const document of await sentBefore(run)) {
    owned.set(document.id, document)
    expected.set(document.id, new Set([document.hash, ...(expected.get(document.id) ?? [])]))
  }
  for (const document of [...owned.values()]) {
    const hashes = expected.get(document.id)
    const sentHashes = run.before.get(document.path)
    if (!hashes || hashes.has(document.hash) || sentHashes?.has(document.hash)) continue
    owned.delete(document.id)
    const reason = 'Somebody has changed it in the workspace, so it is left alone.'
    run.onChange({ action: 'leave', path: document.path, document_id: document.id, reason })
  }
}

/** What each document of ours should hold, by what is remembered. */
function expectedHashes(state: State): Map<string, Set<string>> {
  const expected = new Map<string, Set<string>>()
  for (const { document_id: id, state: what, hash, held: heldHash } of state.files.values()) {
    if (id === undefined || what === 'theirs') continue
    const hashes = expected.get(id) ?? new Set()
    hashes.add(what === 'refused' ? (heldHash ?? hash) : hash)
    expected.set(id, hashes)
  }
  return expected
}

const asOwned = ({ id, path, hash }: Owned): Owned => ({ id, path, hash })

/** Documents that the run before made without learning of it: by the workspace's jobs since then. */
async function sentBefore(run: Run): Promise<Owned[]> {
  const { before, destination } = run
  if (before.size === 0) return []
  const ownedBefore: Owned[] = []
  for (const file of await filesSince(run)) {
    const { document_id: id, outcome } = file
    if (id === undefined || !isMade(outcome)) continue
    const sentPath = askedName(file)
    const current = await destination.current(id)
    if (!current?.mine || !before.get(sentPath)?.has(current.hash)) continue
    ownedBefore.push({ id, path: file.filename, hash: current.hash })
    const besideMark = outcome === 'kept_both' ? { beside: true } : {}
    await run.state.remember(sentPath, { hash: current.hash, state: 'ours', document_id: id, ...besideMark })
  }
  return ownedBefore
}

/** The name a file was sent with: one that is kept beside another is listed as "name (2).md". */
const askedName = ({ filename, outcome }: SentFile): string =>
  outcome === 'kept_both' ? filename.replace(/ \(\d+\)(?=(\.[^./]*)?$)/, '') : filename

const isMade = (outcome: SentFile['outcome']): boolean =>
  outcome === undefined || outcome === 'created' || outcome === 'replaced' || outcome === 'kept_both'

/** The files of the jobs that the killed run may have started, once they have been read. */
const filesSince = ({ destination, state, before }: Run): Promise<SentFile[]> =>
  destination.uploadsSince(state.since, (file) => before.has(file.filename) || before.has(askedName(file)))

const MAX_SINGLE = 50

/** Which documents of others still stand for files of the source. */
async function stillTheirs({ state, destination }: Run): Promise<Set<string>> {
  const remembered = [...state.files.values()].filter((one) => one.state === 'theirs' && one.document_id)
  if (remembered.length > MAX_SINGLE) return destination.documentIds()
  const stillHeld = new Set<string>()
  for (const { document_id: id = '', hash } of remembered)
    if ((await destination.current(id))?.hash === hash) stillHeld.add(id)
  return stillHeld
}

function countOf(entries: readonly File[], plan: Plan<File>): Summary {
  const { create, replace, move, remove, refused: refusals } = plan
  const changed = create.length + replace.length + move.length
  return {
    files: entries.length,
    unchanged: entries.length - changed - refusals.length,
    created: create.length,
    replaced: replace.length,
    moved: move.length,
    deleted: remove.length,
    refused: refusals.length,
  }
}

function announce(plan: Plan<File>, onChange: (change: Change) => void): void {
  for (const { entry, document } of plan.replace)
    onChange({ action: 'replace', path: entry.path, document_id: document.id })
  for (const { entry, document } of plan.move)
    onChange({ action: 'move', path: entry.path, from: document.path, document_id: document.id })
  for (const { path } of plan.create) onChange({ action: 'create', path })
  for (const { path, id } of plan.remove) onChange({ action: 'delete', path, document_id: id })
  for (const { entry, reason } of plan.refused) onChange({ action: 'refuse', path: entry.path, reason })
}

async function execute(run: Run, plan: Plan<File>, summary: Summary): Promise<void> {
  const { state } = run
  for (const { entry, documentId, beside: isBeside } of plan.settled) {
    const last = state.files.get(entry.path)
    const isOurs = documentId === undefined || run.owned.has(documentId)
    const memory: Kept = {
      hash: entry.hash,
      state: isOurs ? 'ours' : 'theirs',
      ...(documentId === undefined ? {} : { document_id: documentId }),
      ...(entry.mark === undefined ? {} : { mark: entry.mark }),
      ...(isBeside ? { beside: isBeside } : {}),
    }
    if (JSON.stringify(last) !== JSON.stringify(memory)) await state.remember(entry.path, memory)
  }
  const of = plan.replace.length + plan.move.length + plan.create.length
  const progress = run.progress('send and index')
  const counter = { done: 0, of, report: () => of > 0 && progress(counter.done, of) }
  // Before anything takes their old content elsewhere.
  await sendAll(
    run,
    plan.replace.map(({ entry, document }) => ({ ...entry, action: 'replace' as const, document })),
    summary,
    counter,
  )
  const creating = [
    ...plan.move.map(({ entry, document }) => ({ ...entry, action: 'move' as const, document })),
    ...plan.create.map((entry) => ({ ...entry, action: 'create' as const })),
  ]
  await sendAll(run, creating, summary, counter)
  for (const document of plan.remove) {
    run.signal.throwIfAborted()
    await deleteOwned(run, document)
    run.onChange({ action: 'delete', path: document.path, document_id: document.id })
  }
}

type Sending = File & { action: 'create' | 'replace' | 'move'; document?: Owned }

interface Counted {
  done: number
  of: number
  report(): unknown
}

async function sendAll(
  run: Run,
  sending: readonly Sending[],
  summary: Summary,
  counter: Counted,
): Promise<void> {
  const { destination, signal, state } = run
  const underway: { jobId: string; files: Settling[] }[] = []
  const since = sending.length > 0 ? await destination.newestJob() : null
  const settle = async (most: number): Promise<void> => {
    while (underway.length > most) {
      const [first] = underway.splice(0, 1)
      if (!first) return
      const files = await destination.ended(first.jobId)
      // In the order in which they were sent: one that is kept beside another has a new name.
      for (const [no, file] of first.files.entries()) await settleOne(run, file, files[no], summary)
      counter.done += first.files.length
      counter.report()
      await writeMarker(run, false)
    }
  }
  const sized = sending.map((file) => ({ ...file, bytes: file.file.bytes, content: noContent }))
  for (const batch of batches(sized)) {
    signal.throwIfAborted()
    const ready = (await Promise.all(batch.map(readAgain))).flatMap((file) => file ?? [])
    counter.done += batch.length - ready.length
    await state.intend(
      ready.map(({ path, hash }) => ({ path, hash })),
      since,
    )
    for (const { action, document } of ready)
      if (action === 'move' && document) await deleteOwned(run, document)
    for (const replaces of [true, false]) {
      const part = ready.filter(({ action }) => (action === 'replace') === replaces)
      const onConflict = replaces ? ('replace' as const) : ('keep_both' as const)
      for await (const outcome of destination.send(part, onConflict)) {
        if ('job' in outcome) underway.push({ jobId: outcome.job.id, files: outcome.files.map(withoutBytes) })
        else {
          await refuse(run, outcome.refused, outcome.reason, summary)
          counter.done++
        }
      }
    }
    await settle(MAX_UNDERWAY)
  }
  await settle(0)
}

const noContent = async (): Promise<Blob> => new Blob([])

type Settling = Sending & { entryPath: string }
type Ready = Settling & { bytes: number; content: () => Promise<Blob> }

/** Jobs under way would hold hundreds of megabytes. */
const withoutBytes = ({ content: _, ...file }: Ready): Settling => file

/** The bytes that are sent, with their own hash: the file may have changed since it was compared. */
async function readAgain(sending: Sending): Promise<Ready | undefined> {
  const bytes = await sending.file.read().catch((error: unknown) => {
    if (isFinal(error)) throw error
    return undefined
  })
  if (!bytes || bytes.length === 0) return undefined
  const hash = hashOf(bytes)
  // One that changed meanwhile is compared again next time.
  const mark = hash === sending.hash ? sending.mark : undefined
  const blob = new Blob([bytes])
  // A document beside a namesake is addressed by the name it has there.
  const path = sending.action === 'replace' && sending.document ? sending.document.path : sending.path
  return {
    ...sending,
    entryPath: sending.path,
    path,
    hash,
    mark,
    bytes: bytes.length,
    content: async () => blob,
  }
}

async function settleOne(
  run: Run,
  file: Settling,
  progress: SentFile | undefined,
  summary: Summary,
): Promise<void> {
  const { document_id: id, outcome, status, error } = progress ?? {}
  if (status !== 'done' || id === undefined)
    return refuse(run, file, error ?? 'The service does not say what became of it.', summary)
  const mark = file.mark === undefined ? {} : { mark: file.mark }
  const isOurs =
    isMade(outcome) ||
    run.owned.has(id) ||
    (outcome === 'unchanged' && ((await wasSentBefore(run, file, id)) || (await isAdopted(run, file, id))))
  if (!isOurs) {
    summary[COUNTED[file.action]]--
    summary.unchanged++
    await run.state.remember(file.entryPath, { hash: file.hash, state: 'theirs', document_id: id, ...mark })
    run.onChange({ action: 'keep_theirs', path: file.entryPath, document_id: id })
    return
  }
  const isBeside = outcome === 'kept_both' || (file.action === 'replace' && file.path !== file.entryPath)
  const besides = isBeside ? { beside: isBeside } : {}
  await run.state.remember(file.entryPath, {
    hash: file.hash,
    state: 'ours',
    document_id: id,
    ...mark,
    ...besides,
  })
  run.owned.set(id, { id, path: progress?.filename ?? file.path, hash: file.hash })
  const from = file.action === 'move' && file.document ? { from: file.document.path } : {}
  run.onChange({ action: file.action, path: file.entryPath, document_id: id, ...from })
}

const COUNTED = { create: 'created', replace: 'replaced', move: 'moved' } as const

/** Uploaded by hand by whoever syncs, under the same name, and unchanged since. */
async function isAdopted(
  { adopt, destination }: Run,
  { path, hash }: Settling,
  id: string,
): Promise<boolean> {
  if (!adopt) return false
  const current = await destination.current(id)
  return current?.mine === true && current.path === path && current.hash === hash
}

/** Sent by the run before, whose job was not there yet when this one began. */
async function wasSentBefore(run: Run, { path, hash }: Settling, id: string): Promise<boolean> {
  if (!run.before.get(path)?.has(hash)) return false
  return (await filesSince(run)).some((file) => file.document_id === id && isMade(file.outcome))
}

async function refuse(run: Run, file: Settling, reason: string, summary: Summary): Promise<void> {
  const before = file.action === 'replace' ? file.document : undefined
  const last = run.state.files.get(file.entryPath)
  await run.state.remember(file.entryPath, {
    hash: file.hash,
    state: 'refused',
    reason,
    ...(file.mark === undefined ? {} : { mark: file.mark }),
    ...(before ? { document_id: before.id, held: before.hash } : {}),
    ...(before && last?.beside ? { beside: true } : {}),
  })
  summary.refused++
  summary[COUNTED[file.action]]--
  run.onChange({ action: 'refuse', path: file.entryPath, reason })
}

async function deleteOwned({ destination, owned }: Run, document: Owned): Promise<void> {
  await destination.remove(document)
  owned.delete(document.id)
}

/** While few it is written with each batch; many are written now and then. */
async function writeMarker(run: Run, isLast: boolean): Promise<void> {
  const eager = run.owned.size <= MAX_EAGER_MARKER
  if (!isLast && !eager && Date.now() - run.markedAt < MARKER_EVERY_MS) return
  run.markedAt = Date.now()
  if (run.owned.size > 0 || isLast) await run.destination.own([...run.owned.keys()])
}
