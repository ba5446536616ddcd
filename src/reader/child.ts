// The pool's view of a parser child. The child reads one file at a time and is killed as soon as it exceeds a limit.

import type { ChildProcess } from 'node:child_process'
import { lstat } from 'node:fs/promises'
import { onMessage } from '../processes/messages.ts'
import { isIdle, processorMs, residentBytes } from '../processes/usage.ts'
import type { DocumentKind, ParsedDocument, UnreadableReason } from './block.ts'
import { childMessage } from './child-message.ts'
import { launchChild } from './launch.ts'
import { deadlineMs, type ParserLimits, type TimeAllowance, timeIsUp, type UsedTime } from './limits.ts'
import type { Sandbox, SandboxDir } from './sandbox.ts'
import { readChildFile, removeSandboxDir } from './sandbox-dir.ts'
import type { OcrSettings } from './shared/ocr/languages.ts'
import type { Line } from './shared/ocr/recognised.ts'
import type { ChildMessage, ChildTask, OcrAnswer, ParseProgress, RecogniseImage } from './task.ts'

/** The child has ended; `started` says whether it had begun to read the file. */
export interface Death {
  /** The kind of the file. */
  kind: DocumentKind
  died: 'deadline' | 'slice' | 'memory' | 'output' | 'pages' | 'abort' | 'killed' | 'crashed'
  detail: string
  started: boolean
  /** Whether the child reached one of our limits. Otherwise the machine may have been short of memory or other resources. */
  hasReachedLimit: boolean
  /** The page of a scan that the child was reading. */
  fatal?: FatalPage
}

export interface FatalPage {
  page: number
  /** The state from which the scan continues after that page. */
  document: ParsedDocument
}

/** How a run ended. */
export type Outcome =
  | { done: true }
  | { unreadable: UnreadableReason; detail: string }
  | { noPage: string }
  | { failed: Error }
  | Death

export interface Child {
  readonly pid: number
  readonly sandboxDir: SandboxDir
  readonly files: number
  readonly alive: boolean
  run: (
    task: ChildTask,
    signal: AbortSignal | undefined,
    onProgress: (progress: ParseProgress) => void,
  ) => Promise<Outcome>
  kill: () => void
}

interface ChildOptions {
  ocr?: OcrSettings
  recognise?: RecogniseImage
  program?: string
  sandbox?: Sandbox
}

type PageRequest = Extract<ChildMessage, { type: 'recognise' }>

interface Run {
  task: ChildTask
  started: boolean
  /** The time limits of the run. Undefined before the first measurement. */
  allowed?: TimeAllowance
  usedTime: UsedTime
  lastMeasurementMs: number
  cause?: Death['died']
  /** The highest resident memory that was measured. */
  maxResidentBytes: number
  /** The last report. */
  lastProgress?: ParseProgress
  finished: boolean
  /** Aborted when the run has ended. */
  endController: AbortController
  onProgress: (progress: ParseProgress) => void
  finish: (outcome: Outcome) => void
}

// V8 reports a full heap and then prints the stack, in 1,950 characters or more. With room for only 2,000 characters, a full
// heap was reported as a damaged file.
const ERROR_TAIL_CHARACTERS = 20_000
// A child that reports a full heap must have held at least this share of its limit; its memory is measured ten times a
// second.
const MIN_FULL_HEAP_SHARE = 0.5
// The limit of processor time before the child begins to read the file. A start takes 0.1 s.
const MAX_START_MS = 30_000
// If more time has passed since the previous measurement, only this much of it is counted.
const MAX_COUNTED_INTERVAL_MS = 2000

/** Starts a child, which takes 60 to 110 ms until it reads its first file. */
export function openChild(
  sandboxDir: SandboxDir,
  limits: ParserLimits,
  { recognise, ...options }: ChildOptions,
): Child {
  const process = launchChild(sandboxDir, limits.heapMegabytes, options)
  const state: { run?: Run; files: number; alive: boolean; errors: string } = {
    files: 0,
    alive: true,
    errors: '',
  }
  process.stderr?.setEncoding('utf8').on('data', (text: string) => {
    state.errors = (state.errors + text).slice(-ERROR_TAIL_CHARACTERS)
  })
  onMessage(
    process,
    childMessage,
    (message) => {
      if (state.run === undefined) return
      if (message.type === 'recognise') void askServer(state.run, process, message, recognise)
      else receive(state.run, process, message, limits)
    },
    () => {
      if (state.run) state.run.cause ??= 'crashed'
      process.kill('SIGKILL')
    },
  )
  const onExit = (signal: string | null, code: number | null): void => {
    state.alive = false
    state.run?.finish(deathOf(state.run, limits, { signal, code, errors: state.errors }))
  }
  process.on('exit', () => {
    state.alive = false
    void removeSandboxDir(sandboxDir)
  })
  // Unlike `exit`, `close` comes after all output has been read.
  process.on('close', (code, signal) => onExit(signal, code))
  process.on('error', () => onExit(null, null))
  return {
    pid: process.pid ?? 0,
    sandboxDir,
    get files() {
      return state.files
    },
    get alive() {
      return state.alive
    },
    run: (task, signal, onProgress) => {
      state.files++
      return new Promise<Outcome>((resolve) => {
        const stopFunctions: (() => void)[] = []
        const finish = (outcome: Outcome): void => {
          for (const stop of stopFunctions) stop()
          run.finished = true
          run.endController.abort()
          delete state.run
          resolve(outcome)
        }
        const run = newRun(task, onProgress, finish)
        state.run = run
        stopFunctions.push(startWatch(run, process, limits), onAbort(run, process, signal))
        if (!state.alive) {
          onExit(null, null)
          return
        }
        process.send(task, (error) => {
          if (error !== null && state.alive) process.kill('SIGKILL')
        })
      })
    },
    kill: () => void process.kill('SIGKILL'),
  }
}

function newRun(task: ChildTask, onProgress: Run['onProgress'], finish: Run['finish']): Run {
  return {
    task,
    started: false,
    finished: false,
    endController: new AbortController(),
    maxResidentBytes: 0,
    usedTime: { processorMs: 0, idleMs: 0 },
    lastMeasurementMs: performance.now(),
    onProgress,
    finish,
  }
}

/**
 * Sends a page of the child to the server for text recognition, and its lines to the child. If the run ends, the request is
 * aborted.
 */
async function askServer(
  run: Run,
  process: ChildProcess,
  { id, no: requestNumber, path, language }: PageRequest,
  recognise: RecogniseImage | undefined,
): Promise<void> {
  const answer = (reply: { lines: Line[] } | { error: string }): void => {
    if (!run.finished && process.connected)
      process.send({ no: requestNumber, ...reply } satisfies OcrAnswer, () => undefined)
  }
  if (id !== run.task.id) return
  try {
    if (!recognise) throw new Error('no server for text recognition is set up')
    const lines = await recognise(
      await readChildFile(run.task.folder, path),
      language,
      run.endController.signal,
    )
    // The server has limits of its own.
    if (run.allowed) run.allowed.idleAtProgressMs = run.usedTime.idleMs
    answer({ lines })
  } catch (error) {
    answer({ error: error instanceof Error ? error.message : String(error) })
  }
}

function receive(
  run: Run,
  process: ChildProcess,
  message: Exclude<ChildMessage, PageRequest>,
  limits: ParserLimits,
): void {
  if (message.type === 'ready' || message.id !== run.task.id) return
  if (message.type === 'started') {
    run.started = true
    if (run.allowed) run.allowed = newAllowance(run.usedTime, deadlineMs(limits, run.task.bytes))
  } else if (message.type === 'progress') {
    const { pages = 0, ocrPages } = message.progress
    if (pages > limits.maxPages) killFor(run, process, 'pages')
    const { allowed, usedTime } = run
    // A parser that makes progress is not stuck (Markdown takes 0.8 s a megabyte). One that repeats the same report may be.
    const hasNewProgress = hasProgressed(run.lastProgress, message.progress)
    run.lastProgress = message.progress
    if (allowed) {
      const limitForSizeMs = allowed.start.processorMs + deadlineMs(limits, run.task.bytes, pages, ocrPages)
      allowed.processorLimitMs = Math.max(
        allowed.processorLimitMs,
        limitForSizeMs,
        hasNewProgress ? usedTime.processorMs + limits.baseMs : 0,
      )
      if (hasNewProgress) allowed.idleAtProgressMs = usedTime.idleMs
    }
    run.onProgress(message.progress)
  } else if (message.type === 'done') run.finish({ done: true })
  else if (message.type === 'unreadable') {
    run.finish({ unreadable: message.reason, detail: message.detail })
  } else if (message.type === 'no_page') run.finish({ noPage: message.detail })
  else run.finish({ failed: failureOf(message.detail) })
}

const hasProgressed = (previous: ParseProgress | undefined, current: ParseProgress): boolean =>
  previous?.share !== current.share ||
  previous.pages !== current.pages ||
  previous.ocrPages !== current.ocrPages

const newAllowance = (start: UsedTime, ms: number): TimeAllowance => ({
  start: { ...start },
  processorLimitMs: start.processorMs + ms,
  idleAtProgressMs: start.idleMs,
})

/** Checks processor time and memory several times a second; returns a function that stops this. */
function startWatch(run: Run, process: ChildProcess, limits: ParserLimits): () => void {
  const timer = setInterval(() => {
    checkLimits(run, process, limits).catch(() => undefined)
  }, limits.pollMs)
  return () => clearInterval(timer)
}

async function checkLimits(run: Run, process: ChildProcess, limits: ParserLimits): Promise<void> {
  const pid = process.pid ?? 0
  const [bytes, processor, writtenBytes] = await Promise.all([
    residentBytes(pid),
    processorMs(pid),
    lstat(run.task.resultPath).catch(() => undefined),
  ])
  await addUsedTime(run, pid, processor)
  run.allowed ??= newAllowance(run.usedTime, run.started ? deadlineMs(limits, run.task.bytes) : MAX_START_MS)
  const reachedLimit = timeIsUp(run.allowed, run.usedTime, limits)
  if (reachedLimit && (reachedLimit !== 'slice' || run.started)) killFor(run, process, reachedLimit)
  run.maxResidentBytes = Math.max(run.maxResidentBytes, bytes ?? 0)
  if (bytes !== undefined && bytes > limits.residentBytes) killFor(run, process, 'memory')
  if (writtenBytes !== undefined && writtenBytes.size > limits.resultBytes) killFor(run, process, 'output')
}

async function addUsedTime(run: Run, pid: number, processor: number | undefined): Promise<void> {
  const now = performance.now()
  const passedMs = Math.min(now - run.lastMeasurementMs, MAX_COUNTED_INTERVAL_MS)
  run.lastMeasurementMs = now
  const { usedTime } = run
  if (processor === undefined) usedTime.processorMs += passedMs
  else {
    const isAtRest = processor === usedTime.processorMs && (await isIdle(pid))
    if (isAtRest) usedTime.idleMs += passedMs
    usedTime.processorMs = processor
  }
}

function onAbort(run: Run, process: ChildProcess, signal: AbortSignal | undefined): () => void {
  const abort = (): void => killFor(run, process, 'abort')
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  return () => signal?.removeEventListener('abort', abort)
}

function killFor(run: Run, process: ChildProcess, cause: Death['died']): void {
  // The check may complete after the file is done and the child has begun the next one.
  if (run.finished) return
  run.cause ??= cause
  process.kill('SIGKILL')
}

/** Why a child has ended: killed by us, V8 out of heap (it aborts), killed from outside, or crashed. */
function deathOf(
  run: Run,
  limits: ParserLimits,
  { signal, code, errors }: { signal: string | null; code: number | null; errors: string },
): Death {
  const detail = `signal ${signal ?? 'none'}, code ${code ?? 'none'}`
  const outOfHeap = /heap out of memory|Reached heap limit|allocation failed/i.test(errors)
  const wasKilled = signal === 'SIGKILL' || signal === 'SIGTERM' || signal === 'SIGINT' || signal === 'SIGHUP'
  const cause = run.cause ?? (outOfHeap ? 'memory' : wasKilled ? 'killed' : 'crashed')
  // V8 reports the same when the machine refuses memory that the heap may still use.
  const isHeapFull = outOfHeap && run.maxResidentBytes >= limits.heapMegabytes * 2 ** 20 * MIN_FULL_HEAP_SHARE
  const hasReachedLimit = run.started && ((cause !== 'crashed' && run.cause !== undefined) || isHeapFull)
  return { kind: run.task.kind, died: cause, detail, started: run.started, hasReachedLimit }
}

/** A failure in the child as an error, with its system error code: a full disk is not the file's fault. */
function failureOf(detail: string): Error {
  const code = /^Error: (E[A-Z]+):/.exec(detail)?.[1]
  return Object.assign(new Error(`the parser failed: ${detail}`), code && { code })
}
