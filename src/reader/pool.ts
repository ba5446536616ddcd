// The parsers of the worker: a few child processes that read one file at a time. They are started when needed and ended when
// idle. They are processes, because a thread cannot be ended during a native call.

import { rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { residentBytes } from '../processes/usage.ts'
import { type DocumentKind, type ParsedDocument, UnreadableFile } from './block.ts'
import { type Child, type Death, type FatalPage, type Outcome, openChild } from './child.ts'
import { type ParserLimits, parserLimits } from './limits.ts'
import { readResult } from './result-file.ts'
import { type Sandbox, sandboxOf } from './sandbox.ts'
import { giveFile, makeSandboxDir, readChildFile } from './sandbox-dir.ts'
import { afterFatalPage, makeScratch, removeScratch, roundRequest } from './scratch.ts'
import type { OcrSettings } from './shared/ocr/languages.ts'
import {
  type ChildTask,
  NoSuchPage,
  type PageImageRequest,
  type ParseJob,
  type ParseProgress,
  type PictureReader,
  type RecogniseImage,
} from './task.ts'
import {
  agreedOutcome,
  type Failure,
  failureError,
  isDoubtful,
  isFailure,
  isReusable,
  limitReason,
} from './verdict.ts'

export interface ParserPool {
  /** The options that change the results. They are part of the cache key of results. */
  settings: string
  /** Rejects with UnreadableFile if the file cannot be read; after any other error it may be tried again. */
  parse: (job: ParseJob) => Promise<ParsedDocument>
  /** The number of files that a new one must wait for, divided by the number of children. 0 if a child is free. */
  backlog: () => number
  /**
   * A page of a PDF or image as PNG, at most 1,600 pixels along its longer side unless a width is given. Rejects with
   * NoSuchPage if the file has no such page, and with UnreadableFile if the file cannot be read.
   */
  renderPage: (
    file: { path: string; kind: string },
    page: number,
    signal?: AbortSignal,
    options?: { width?: number },
  ) => Promise<Buffer>
  /** Finds the pictures in a file, or reads one. Rejects with UnreadableFile if the file cannot be read. */
  pictures: PictureReader
  /** Kills all children and removes the scratch folder; a second call does nothing. */
  close: () => Promise<void>
}

export interface PoolOptions {
  /** The number of children at the same time. */
  size: number
  /** A folder for scratch files; created if missing. */
  cacheDir: string
  log: { info: (data: object, message: string) => void; warn: (data: object, message: string) => void }
  limits?: Partial<ParserLimits>
  /** The languages for text recognition. */
  ocr?: OcrSettings
  /** Calls the server that recognises text in place of Tesseract (`ocr.server`). */
  recognise?: RecogniseImage
  /** Wraps each run of a child, so that it appears in the trace of the request or task. */
  observe?: (childRun: ChildRun, run: () => Promise<Outcome>) => Promise<Outcome>
  /** For tests: a program that runs in place of the parser and fails in ways that a parser should not (F-11). */
  program?: string
  /** For tests: a weaker sandbox than the system's, for programs that inspect it. */
  sandbox?: Sandbox
}

/** Describes a run before it begins. */
interface ChildRun {
  kind: string
  work: 'parse' | 'draw a page' | 'read pictures'
}

const withoutObserver: NonNullable<PoolOptions['observe']> = (_about, run) => run()

const childRunOf = (task: ChildTask): ChildRun => ({
  kind: task.kind,
  work: 'draw' in task ? 'draw a page' : 'pictures' in task ? 'read pictures' : 'parse',
})

interface Pool {
  options: PoolOptions
  limits: ParserLimits
  folder?: Promise<string>
  idle: { child: Child; timer: NodeJS.Timeout }[]
  busy: Set<Child>
  freeSlots: number
  waiting: (() => void)[]
  isClosed: boolean
  nextId: number
  nextChildNumber: number
}

// A larger page number is refused without opening the file.
const MAX_PAGE_NUMBER = 1_000_000
// A child whose memory after a file is more than this share of its limit is replaced.
const MAX_IDLE_MEMORY_SHARE = 0.3
const KINDS_WITH_FALLBACK: ReadonlySet<DocumentKind> = new Set([
  'pdf',
  'xlsx',
  'markdown',
  'email',
  'msg',
  'mbox',
])
const MAIL_KINDS: ReadonlySet<DocumentKind> = new Set(['email', 'msg', 'mbox'])

/** A pool of at most `size` children; none is started before the first file. */
export function openPool(options: PoolOptions): ParserPool {
  const pool: Pool = {
    options,
    limits: { ...parserLimits, ...options.limits },
    idle: [],
    busy: new Set(),
    freeSlots: Math.max(1, options.size),
    waiting: [],
    isClosed: false,
    nextId: 1,
    nextChildNumber: 1,
  }
  return {
    settings: [...(options.ocr?.languages ?? []), ...(options.ocr?.server ? [options.ocr.server] : [])].join(
      '+',
    ),
    parse: (job) => parseJob(pool, job),
    backlog: () => (pool.freeSlots > 0 ? 0 : (1 + pool.waiting.length) / options.size),
    renderPage: (file, page, signal, { width } = {}) =>
      renderPage(pool, file, width === undefined ? { page } : { page, width }, signal),
    pictures: (file, pictures, signal) =>
      runWithRetry(pool, { file, toTask: (task) => ({ ...task, pictures }), readResult: readJson, signal }),
    close: () => close(pool),
  }
}

async function runInSlot<T>(pool: Pool, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (signal?.aborted) throw new UnreadableFile('cancelled')
  if (pool.freeSlots > 0) pool.freeSlots--
  else await waitForSlot(pool, signal)
  try {
    return await work()
  } finally {
    const next = pool.waiting.shift()
    if (next === undefined) pool.freeSlots++
    else next()
  }
}

/** Waits for a free slot. A cancelled job leaves the queue. */
function waitForSlot(pool: Pool, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      pool.waiting = pool.waiting.filter((other) => other !== start)
      reject(new UnreadableFile('cancelled'))
    }
    const start = (): void => {
      signal?.removeEventListener('abort', cancel)
      resolve()
    }
    pool.waiting.push(start)
    signal?.addEventListener('abort', cancel, { once: true })
  })
}

/**
 * Reads a file. If the first attempt fails in a doubtful way, there is a second one (verdict.ts). If the child died, the
 * fallback parser of the kind is tried, if there is one. If it finds no text, the first failure is reported.
 */
async function parseJob(pool: Pool, job: ParseJob): Promise<ParsedDocument> {
  const outcome = await agreedOutcome((inFreshChild) =>
    attempt(pool, job, { inFreshChild, usesFallback: false }),
  )
  if (!isFailure(outcome)) return outcome
  if ('died' in outcome && outcome.died === 'slice') throw failureError(outcome)
  if ('died' in outcome && outcome.fatal) return outcome.fatal.document
  if (!('died' in outcome) || !mayUseFallback(outcome, job.kind)) throw failureError(outcome)
  const fallbackResult = await attempt(pool, job, { inFreshChild: true, usesFallback: true }).catch(
    (error: unknown) => {
      if (error instanceof UnreadableFile && error.reason === 'no_text') throw failureError(outcome)
      throw error
    },
  )
  if (!isFailure(fallbackResult)) return fallbackResult
  throw 'died' in fallbackResult && fallbackResult.died === 'killed'
    ? failureError(fallbackResult)
    : failureError(outcome)
}

/**
 * Whether the fallback may read a file whose child died. A file with too many pages has them for any parser. Only the
 * fallback for mails leaves them out, because they are those of attachments.
 */
function mayUseFallback({ died }: Death, kind: DocumentKind): boolean {
  if (died === 'killed') return false
  return died === 'pages' ? MAIL_KINDS.has(kind) : KINDS_WITH_FALLBACK.has(kind)
}

/** Makes one attempt in one child. Returns the document or a doubtful failure. Throws any other failure. */
function attempt(
  pool: Pool,
  job: ParseJob,
  { inFreshChild, usesFallback }: { inFreshChild: boolean; usesFallback: boolean },
): Promise<ParsedDocument | Failure> {
  const { filename, kind, onProgress, enter, signal } = job
  return runTask(pool, job, {
    inFreshChild,
    toTask: async (task) => {
      const round = job.round && (await roundRequest(task, pool.limits.roundMs, job.round))
      return { ...task, filename, kind, usesFallback, ...(round && { round }) }
    },
    readResult: (path) => readResult(path, (bytes) => enter?.(bytes, signal)),
    onProgress: ({ share }) => onProgress?.(Math.min(1, Math.max(0, share))),
    fatalPage: (task, death) => afterFatalPage(task, job.round, limitReason(death) ?? 'damaged'),
  })
}

async function renderPage(
  pool: Pool,
  file: { path: string; kind: string },
  draw: PageImageRequest,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  if (!Number.isSafeInteger(draw.page) || draw.page < 1 || draw.page > MAX_PAGE_NUMBER)
    throw new NoSuchPage(`there is no page ${draw.page}`)
  return runWithRetry(pool, {
    file,
    toTask: (task) => ({ ...task, draw }),
    readResult: readResultFile,
    signal,
  })
}

async function runWithRetry<T extends object>(
  pool: Pool,
  {
    file,
    toTask,
    readResult,
    signal,
  }: {
    file: { path: string; kind: string }
    toTask: (task: TaskLocation & Pick<ChildTask, 'filename' | 'kind'>) => ChildTask
    readResult: (resultPath: string) => Promise<T>
    signal: AbortSignal | undefined
  },
): Promise<T> {
  const kind = file.kind as DocumentKind
  const job = signal === undefined ? file : { ...file, signal }
  const outcome = await agreedOutcome((inFreshChild) =>
    runTask(pool, job, {
      inFreshChild,
      toTask: (task) => toTask({ ...task, filename: '', kind }),
      readResult,
    }),
  )
  if (isFailure(outcome)) throw failureError(outcome)
  return outcome
}

const readResultFile = (path: string): Promise<Buffer> => readChildFile(dirname(path), path)
const readJson = async (path: string) => JSON.parse(String(await readResultFile(path)))
type TaskLocation = Pick<ChildTask, 'id' | 'path' | 'bytes' | 'folder' | 'resultPath'>

/** The work of a child for one file. */
interface ChildWork<T> {
  /** Whether the child must not have read another file before. */
  inFreshChild: boolean
  toTask: (location: TaskLocation) => ChildTask | Promise<ChildTask>
  readResult: (resultPath: string) => Promise<T>
  onProgress?: (progress: ParseProgress) => void
  fatalPage?: (location: TaskLocation, death: Death) => Promise<FatalPage | undefined>
}

/**
 * Runs a task in a child and reads its result, or returns how it failed. The child takes the next task while its result is
 * being read. Otherwise it would be idle for a tenth of the time.
 */
async function runTask<T>(
  pool: Pool,
  job: { path: string; signal?: AbortSignal },
  work: ChildWork<T>,
): Promise<T | Failure> {
  // The path is resolved here, because the child has another working directory.
  const path = resolve(job.path)
  const { size } = await stat(path)
  const folder = await openFolder(pool)
  const id = pool.nextId++
  let child: Child | undefined
  try {
    const { task, outcome } = await runInSlot(pool, job.signal, async () => {
      child = takeChild(pool, folder, work.inFreshChild)
      return runInChild(pool, child, { file: { id, path, bytes: size }, signal: job.signal, work })
    })
    if ('done' in outcome) return await work.readResult(task.resultPath)
    if ('noPage' in outcome) throw new NoSuchPage(outcome.noPage)
    if ('failed' in outcome) throw outcome.failed
    if ('unreadable' in outcome) {
      if (isDoubtful(outcome.unreadable)) return outcome
      throw new UnreadableFile(outcome.unreadable, outcome.detail)
    }
    if (outcome.died === 'abort') throw new UnreadableFile('cancelled')
    pool.options.log.warn(
      { kind: task.kind, cause: outcome.died, detail: outcome.detail },
      'a parser child died',
    )
    const fatal = outcome.died === 'killed' ? undefined : await work.fatalPage?.(task, outcome)
    return fatal ? { ...outcome, fatal } : outcome
  } finally {
    if (child) await removeScratch(child.sandboxDir, id, child.isAlive)
  }
}

/** Where the child finds the file and writes its result. In the sandbox the file is given to the child in its own folder. */
async function locationOf(
  { options: { sandbox } }: Pool,
  { sandboxDir }: Child,
  { id, path, bytes }: Omit<TaskLocation, 'folder' | 'resultPath'>,
): Promise<TaskLocation> {
  const { folder } = sandboxDir
  const visiblePath = sandboxOf(sandbox) === 'files' ? await giveFile(sandboxDir, path, id) : path
  return { id, path: visiblePath, bytes, folder, resultPath: join(folder, `${id}.result`) }
}

async function runInChild(
  pool: Pool,
  child: Child,
  {
    file,
    signal,
    work: { toTask, onProgress = () => undefined },
  }: {
    file: Omit<TaskLocation, 'folder' | 'resultPath'>
    signal: AbortSignal | undefined
    work: Pick<ChildWork<unknown>, 'toTask' | 'onProgress'>
  },
): Promise<{ task: ChildTask; outcome: Outcome }> {
  let mayReuseChild = false
  try {
    const task = await toTask(await locationOf(pool, child, file))
    const { observe = withoutObserver } = pool.options
    const outcome = await observe(childRunOf(task), () => child.run(task, signal, onProgress))
    mayReuseChild = isReusable(outcome)
    return { task, outcome }
  } finally {
    await returnChild(pool, child, mayReuseChild)
  }
}

/** Ends an idle child, so that a fresh one can take its place. */
function endIdleChild(pool: Pool): void {
  const entry = pool.idle.pop()
  if (entry === undefined) return
  clearTimeout(entry.timer)
  entry.child.kill()
}

function takeChild(pool: Pool, folder: string, inFreshChild: boolean): Child {
  if (pool.isClosed) throw new Error('the parser pool is closed')
  if (inFreshChild) endIdleChild(pool)
  const child = (inFreshChild ? undefined : takeIdleChild(pool)) ?? startChild(pool, folder)
  pool.busy.add(child)
  return child
}

function takeIdleChild(pool: Pool): Child | undefined {
  for (let entry = pool.idle.pop(); entry !== undefined; entry = pool.idle.pop()) {
    clearTimeout(entry.timer)
    if (entry.child.isAlive) return entry.child
  }
  return undefined
}

function startChild(pool: Pool, folder: string): Child {
  const { ocr, cacheDir } = pool.options
  const sandboxDir = makeSandboxDir(folder, pool.nextChildNumber++, ocr?.folder, cacheDir)
  return openChild(sandboxDir, pool.limits, pool.options)
}

async function returnChild(pool: Pool, child: Child, mayReuse: boolean): Promise<void> {
  pool.busy.delete(child)
  if (!child.isAlive) return
  const isBloated =
    ((await residentBytes(child.pid)) ?? 0) > pool.limits.residentBytes * MAX_IDLE_MEMORY_SHARE
  if (pool.isClosed || !mayReuse || isBloated || child.files >= pool.limits.filesPerChild) {
    child.kill()
    return
  }
  const timer = setTimeout(() => {
    pool.idle = pool.idle.filter((entry) => entry.child !== child)
    child.kill()
  }, pool.limits.idleMs)
  timer.unref()
  pool.idle.push({ child, timer })
}

/** The pool's scratch folder, created with the first file. If that fails (a full disk), the next file tries again. */
function openFolder(pool: Pool): Promise<string> {
  pool.folder ??= makeScratch(pool.options.cacheDir).catch((error: unknown) => {
    delete pool.folder
    throw error
  })
  return pool.folder
}

async function close(pool: Pool): Promise<void> {
  if (pool.isClosed) return
  pool.isClosed = true
  for (const { child, timer } of pool.idle) {
    clearTimeout(timer)
    child.kill()
  }
  for (const child of pool.busy) child.kill()
  pool.idle = []
  if (pool.folder !== undefined) await rm(await pool.folder, { recursive: true, force: true })
}
