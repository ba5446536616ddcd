// The parsers behind the worker: a few killable children, one file each, made when needed and ended when idle
// (a thread dies only when its native call ends).

import { readFile, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type DocumentKind, type ParsedDocument, UnreadableFile } from './block.ts'
import { type Child, type Death, type FatalPage, type Outcome, openChild } from './child.ts'
import { type ParserLimits, parserLimits } from './limits.ts'
import type { OcrSettings } from './picture/ocr/languages.ts'
import { residentBytes } from './resident.ts'
import { readResult } from './result-file.ts'
import { behindFatalPage, makeScratch, removeScratch, roundWanted } from './scratch.ts'
import {
  type ChildTask,
  NoSuchPage,
  type PageWanted,
  type ParseJob,
  type ParseProgress,
  type PictureReader,
} from './task.ts'
import { agreed, type End, endReason, isDoubtful, isEnd, isSound, limitReason } from './verdict.ts'

export interface ParserPool {
  /** What of its options changes the results: part of the key under which they are kept. */
  settings: string
  /** Rejects with UnreadableFile for what is the file's fault; any other error is worth another try later. */
  parse: (job: ParseJob) => Promise<ParsedDocument>
  /** How many files each child has before it could begin another: 0 where one is free. */
  backlog: () => number
  /**
   * A page of a PDF or image as PNG, at most 1,600 pixels along its longer side unless a width is given. Rejects with
   * NoSuchPage beyond the last page and for kinds without pages, UnreadableFile for what is the file's fault.
   */
  renderPage: (
    file: { path: string; kind: string },
    page: number,
    signal?: AbortSignal,
    options?: { width?: number },
  ) => Promise<Buffer>
  /** Looks for the pictures of a file that has some, or reads one. Rejects with UnreadableFile for what is its fault. */
  pictures: PictureReader
  /** Kills what runs and removes the scratch folder; a second call does nothing. */
  close: () => Promise<void>
}

export interface PoolOptions {
  /** Children at the same time. */
  size: number
  /** A folder for scratch files; made when missing. */
  cacheDir: string
  log: { info: (data: object, message: string) => void; warn: (data: object, message: string) => void }
  limits?: Partial<ParserLimits>
  /** Languages of scans and pictures; English, German, French and Spanish without it. */
  ocr?: OcrSettings
  /** Another program in place of the parsers: one that fails in ways theirs should not (F-11). */
  program?: string
}

interface Pool {
  options: PoolOptions
  limits: ParserLimits
  folder?: Promise<string>
  idle: { child: Child; timer: NodeJS.Timeout }[]
  busy: Set<Child>
  slots: number
  waiting: (() => void)[]
  closed: boolean
  nextId: number
}

const MOST_PAGES = 1_000_000
// A child that holds more than this share of its ceiling after a file would owe it to the next one.
const KEEP_SHARE = 0.3
const withSecondParser: ReadonlySet<DocumentKind> = new Set(['pdf', 'xlsx', 'markdown', 'email', 'msg'])
const mails: ReadonlySet<DocumentKind> = new Set(['email', 'msg'])

/** A pool of at most `size` children; nothing runs before the first file. */
export function openPool(options: PoolOptions): ParserPool {
  const pool: Pool = {
    options,
    limits: { ...parserLimits, ...options.limits },
    idle: [],
    busy: new Set(),
    slots: Math.max(1, options.size),
    waiting: [],
    closed: false,
    nextId: 1,
  }
  return {
    settings: options.ocr?.languages.join('+') ?? '',
    parse: (job) => parseJob(pool, job),
    backlog: () => (pool.slots > 0 ? 0 : (1 + pool.waiting.length) / options.size),
    renderPage: (file, page, signal, { width } = {}) =>
      renderPage(pool, file, width === undefined ? { page } : { page, width }, signal),
    pictures: (file, pictures, signal) =>
      runTwice(pool, file, (task) => ({ ...task, pictures }), readJson, signal),
    close: () => close(pool),
  }
}

async function inSlot<T>(pool: Pool, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (signal?.aborted) throw new UnreadableFile('cancelled')
  if (pool.slots > 0) pool.slots--
  else await turnIn(pool, signal)
  try {
    return await work()
  } finally {
    const next = pool.waiting.shift()
    if (next === undefined) pool.slots++
    else next()
  }
}

/** Waits in line; who leaves it before holds nobody up. */
function turnIn(pool: Pool, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      pool.waiting = pool.waiting.filter((other) => other !== start)
      reject(new UnreadableFile('cancelled'))
    }
    const start = (): void => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }
    pool.waiting.push(start)
    signal?.addEventListener('abort', leave, { once: true })
  })
}

/**
 * Two looks where the first found nothing to be sure of (verdict.ts). What took the first parser down for good goes to the
 * simpler one where there is one, and counts for more than what that one then does not find.
 */
async function parseJob(pool: Pool, job: ParseJob): Promise<ParsedDocument> {
  const end = await agreed((isRecentSession) => look(pool, job, { isRecentSession, fallback: false }))
  if (!isEnd(end)) return end
  if ('died' in end && end.died === 'turn') throw endReason(end)
  const hasSecond =
    'died' in end && withSecondParser.has(job.kind) && (end.died !== 'pages' || mails.has(job.kind))
  if ('died' in end && end.fatal) return end.fatal.document
  if (!hasSecond || end.died === 'killed') throw endReason(end)
  const found = await look(pool, job, { isRecentSession: true, fallback: true }).catch((error: unknown) => {
    if (error instanceof UnreadableFile && error.reason === 'no_text') throw endReason(end)
    throw error
  })
  if (!isEnd(found)) return found
  throw 'died' in found && found.died === 'killed' ? endReason(found) : endReason(end)
}

/** One child, one try: the document, or how it ended without; throws what the parser is sure of. */
function look(
  pool: Pool,
  job: ParseJob,
  { isRecentSession, fallback }: { isRecentSession: boolean; fallback: boolean },
): Promise<ParsedDocument | End> {
  const { filename, kind, onProgress, enter, signal } = job
  return runTask(pool, job, {
    isRecentSession,
    toTask: async (task) => {
      const round = job.round && (await roundWanted(task, pool.limits.roundMs, job.round))
      return { ...task, filename, kind, fallback, ...(round && { round }) }
    },
    read: (path) => readResult(path, (bytes) => enter?.(bytes, signal)),
    onProgress: ({ share }) => onProgress?.(Math.min(1, Math.max(0, share))),
    fatalPage: (task, death) => behindFatalPage(task, job.round, limitReason(death) ?? 'damaged'),
  })
}

async function renderPage(
  pool: Pool,
  file: { path: string; kind: string },
  draw: PageWanted,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  if (!Number.isSafeInteger(draw.page) || draw.page < 1 || draw.page > MOST_PAGES)
    throw new NoSuchPage(`there is no page ${draw.page}`)
  const read = (path: string): Promise<Buffer> => readFile(path)
  return runTwice(pool, file, (task) => ({ ...task, draw }), read, signal)
}

async function runTwice<T extends object>(
  pool: Pool,
  file: { path: string; kind: string },
  toTask: (task: TaskPlace & Pick<ChildTask, 'filename' | 'kind'>) => ChildTask,
  read: (resultPath: string) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const kind = file.kind as DocumentKind
  const job = signal === undefined ? file : { ...file, signal }
  const end = await agreed((isRecentSession) =>
    runTask(pool, job, { isRecentSession, toTask: (task) => toTask({ ...task, filename: '', kind }), read }),
  )
  if (isEnd(end)) throw endReason(end)
  return end
}

const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8'))
type TaskPlace = Pick<ChildTask, 'id' | 'path' | 'bytes' | 'folder' | 'resultPath'>

/** What a child is to do. */
interface Work<T> {
  /** In a child that has read no other file. */
  isRecentSession: boolean
  toTask: (place: TaskPlace) => ChildTask | Promise<ChildTask>
  read: (resultPath: string) => Promise<T>
  onProgress?: (progress: ParseProgress) => void
  fatalPage?: (place: TaskPlace, death: Death) => Promise<FatalPage | undefined>
}

/**
 * Runs one task in one child and reads what it wrote; how the child ended where it did not. The child goes on to the next
 * task while its result is read: it stood still for a tenth of its time when the reader was busy with other files.
 */
async function runTask<T>(
  pool: Pool,
  job: { path: string; signal?: AbortSignal },
  work: Work<T>,
): Promise<T | End> {
  // The child works in a folder of its own.
  const path = resolve(job.path)
  const { size } = await stat(path)
  const folder = await openFolder(pool)
  const id = pool.nextId++
  try {
    const task = await work.toTask({
      id,
      path,
      bytes: size,
      folder,
      resultPath: join(folder, `${id}.result`),
    })
    const outcome = await inSlot(pool, job.signal, () => runInChild(pool, task, job.signal, work))
    if ('done' in outcome) return await work.read(task.resultPath)
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
    await removeScratch(folder, id)
  }
}

async function runInChild(
  pool: Pool,
  task: ChildTask,
  signal: AbortSignal | undefined,
  { isRecentSession, onProgress = () => undefined }: Pick<Work<unknown>, 'isRecentSession' | 'onProgress'>,
): Promise<Outcome> {
  if (isRecentSession) endIdle(pool)
  const child = takeChild(pool, task.folder, isRecentSession)
  let mayReadOn = false
  try {
    const outcome = await child.run(task, signal, onProgress)
    mayReadOn = isSound(outcome)
    return outcome
  } finally {
    await giveBack(pool, child, mayReadOn)
  }
}

/** Makes room for a fresh child. */
function endIdle(pool: Pool): void {
  const entry = pool.idle.pop()
  if (entry === undefined) return
  clearTimeout(entry.timer)
  entry.child.kill()
}

function takeChild(pool: Pool, folder: string, isRecentSession: boolean): Child {
  if (pool.closed) throw new Error('the parser pool is closed')
  for (
    let entry = isRecentSession ? undefined : pool.idle.pop();
    entry !== undefined;
    entry = pool.idle.pop()
  ) {
    clearTimeout(entry.timer)
    if (!entry.child.alive) continue
    pool.busy.add(entry.child)
    return entry.child
  }
  const child = openChild(folder, pool.limits, pool.options.ocr, pool.options.program)
  pool.busy.add(child)
  return child
}

async function giveBack(pool: Pool, child: Child, mayReadOn: boolean): Promise<void> {
  pool.busy.delete(child)
  if (!child.alive) return
  const swollen = ((await residentBytes(child.pid)) ?? 0) > pool.limits.residentBytes * KEEP_SHARE
  if (pool.closed || !mayReadOn || swollen || child.files >= pool.limits.filesPerChild) {
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

/** This pool's own scratch folder, made with the first file; where that failed (the disk was full) with the next. */
function openFolder(pool: Pool): Promise<string> {
  pool.folder ??= makeScratch(pool.options.cacheDir).catch((error: unknown) => {
    delete pool.folder
    throw error
  })
  return pool.folder
}

async function close(pool: Pool): Promise<void> {
  if (pool.closed) return
  pool.closed = true
  for (const { child, timer } of pool.idle) {
    clearTimeout(timer)
    child.kill()
  }
  for (const child of pool.busy) child.kill()
  pool.idle = []
  if (pool.folder !== undefined) await rm(await pool.folder, { recursive: true, force: true })
}
