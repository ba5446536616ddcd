// The pool's view of a parser child. The child reads one file at a time and is killed as soon as it exceeds a limit.

import type { ChildProcess } from 'node:child_process'
import { lstat } from 'node:fs/promises'
import { onMessage } from '../processes/messages.ts'
import { isIdle, processorMs, residentBytes } from '../processes/usage.ts'
import type { DocumentKind, ParsedDocument, UnreadableReason } from './block.ts'
import { childMessage } from './child-message.ts'
import { launchChild } from './launch.ts'
import {
  deadlineMs,
  type ParserLimits,
  reachedTimeLimit,
  type TimeAllowance,
  type UsedTime,
} from './limits.ts'
import type { Sandbox, SandboxDir } from './sandbox.ts'
import { readChildFile, removeSandboxDir } from './sandbox-dir.ts'
import type { OcrSettings } from './shared/ocr/languages.ts'
import type { Line } from './shared/ocr/recognised.ts'
import type { ChildMessage, ChildTask, OcrAnswer, ParseProgress, RecogniseImage } from './task.ts'

/** How a child ended before its file was done. */
export interface Death {
  /** The kind of the file. */
  kind: DocumentKind
  /**
   * What ended it: a limit (`deadline`, `slice`, `memory`, `output`, `pages`), a cancelled job (`abort`), a signal from
   * outside (`killed`), or itself (`crashed`).
   */
  died: 'deadline' | 'slice' | 'memory' | 'output' | 'pages' | 'abort' | 'killed' | 'crashed'
  detail: string
  /** Whether the child had begun to read the file. */
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
  readonly isAlive: boolean
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
  allowance?: TimeAllowance
  usedTime: UsedTime
  lastMeasurementMs: number
  /** Why the pool killed the child. */
  cause?: Death['died']
  /** The highest resident memory that was measured. */
  maxResidentBytes: number
  lastProgress?: ParseProgress
  isFinished: boolean
  /** Aborted when the run has ended. */
  endController: AbortController
  onProgress: (progress: ParseProgress) => void
  finish: (outcome: Outcome) => void
}

// V8 prints that its heap is full before a stack trace of 1,950 characters or more. The tail must contain both.
const ERROR_TAIL_CHARACTERS = 20_000
// V8 also reports a full heap if the machine refuses memory. So the file is blamed only if at least this share of the heap's
// limit was measured. It is low, because memory is measured only ten times a second.
const MIN_FULL_HEAP_SHARE = 0.5
// The limit of processor time until the child begins to read the file. A start takes 0.1 s.
const MAX_START_MS = 30_000
// If more time has passed since the previous measurement, only this much of it is counted.
const MAX_COUNTED_INTERVAL_MS = 2000

/** Starts a child. It can read its first file after 60 to 110 ms. */
export function openChild(
  sandboxDir: SandboxDir,
  limits: ParserLimits,
  { recognise, ...options }: ChildOptions,
): Child {
  const childProcess = launchChild(sandboxDir, limits.heapMegabytes, options)
  const state: { run?: Run; files: number; alive: boolean; errors: string } = {
    files: 0,
    alive: true,
    errors: '',
  }
  childProcess.stderr?.setEncoding('utf8').on('data', (text: string) => {
    state.errors = (state.errors + text).slice(-ERROR_TAIL_CHARACTERS)
  })
  onMessage(
    childProcess,
    childMessage,
    (message) => {
      if (state.run === undefined) return
      if (message.type === 'recognise') void askServer(state.run, childProcess, message, recognise)
      else receive(state.run, childProcess, message, limits)
    },
    () => {
      if (state.run) state.run.cause ??= 'crashed'
      childProcess.kill('SIGKILL')
    },
  )
  const onExit = (signal: string | null, code: number | null): void => {
    state.alive = false
    state.run?.finish(deathOf(state.run, limits, { signal, code, errors: state.errors }))
  }
  childProcess.on('exit', () => {
    state.alive = false
    void removeSandboxDir(sandboxDir)
  })
  // Unlike `exit`, `close` comes after all output has been read.
  childProcess.on('close', (code, signal) => onExit(signal, code))
  childProcess.on('error', () => onExit(null, null))
  return {
    pid: childProcess.pid ?? 0,
    sandboxDir,
    get files() {
      return state.files
    },
    get isAlive() {
      return state.alive
    },
    run: (task, signal, onProgress) => {
      state.files++
      return new Promise<Outcome>((resolve) => {
        const stopFunctions: (() => void)[] = []
        const finish = (outcome: Outcome): void => {
          for (const stop of stopFunctions) stop()
          run.isFinished = true
          run.endController.abort()
          delete state.run
          resolve(outcome)
        }
        const run = newRun(task, onProgress, finish)
        state.run = run
        stopFunctions.push(startWatch(run, childProcess, limits), onAbort(run, childProcess, signal))
        if (!state.alive) {
          onExit(null, null)
          return
        }
        childProcess.send(task, (error) => {
          if (error !== null && state.alive) childProcess.kill('SIGKILL')
        })
      })
    },
    kill: () => void childProcess.kill('SIGKILL'),
  }
}

function newRun(task: ChildTask, onProgress: Run['onProgress'], finish: Run['finish']): Run {
  return {
    task,
    started: false,
    isFinished: false,
    endController: new AbortController(),
    maxResidentBytes: 0,
    usedTime: { processorMs: 0, idleMs: 0 },
    lastMeasurementMs: performance.now(),
    onProgress,
    finish,
  }
}

/**
 * Sends a page of the child to the server for text recognition, and the server's lines to the child. If the run ends, the
 * request is aborted.
 */
async function askServer(
  run: Run,
  childProcess: ChildProcess,
  { id, requestNumber, path, language }: PageRequest,
  recognise: RecogniseImage | undefined,
): Promise<void> {
  const answer = (reply: { lines: Line[] } | { error: string }): void => {
    if (!run.isFinished && childProcess.connected)
      childProcess.send({ requestNumber: requestNumber, ...reply } satisfies OcrAnswer, () => undefined)
  }
  if (id !== run.task.id) return
  try {
    if (!recognise) throw new Error('no server for text recognition is set up')
    const lines = await recognise(
      await readChildFile(run.task.folder, path),
      language,
      run.endController.signal,
    )
    // The wait for the server does not count as idle time, because the server has its own time limit.
    if (run.allowance) run.allowance.idleAtProgressMs = run.usedTime.idleMs
    answer({ lines })
  } catch (error) {
    answer({ error: error instanceof Error ? error.message : String(error) })
  }
}

function receive(
  run: Run,
  childProcess: ChildProcess,
  message: Exclude<ChildMessage, PageRequest>,
  limits: ParserLimits,
): void {
  if (message.type === 'ready' || message.id !== run.task.id) return
  if (message.type === 'started') {
    run.started = true
    if (run.allowance) run.allowance = newAllowance(run.usedTime, deadlineMs(limits, run.task.bytes))
  } else if (message.type === 'progress') {
    const { pages = 0, ocrPages } = message.progress
    if (pages > limits.maxPages) killFor(run, childProcess, 'pages')
    const { allowance, usedTime } = run
    // A parser that repeats the same report may be stuck.
    const hasNewProgress = hasProgressed(run.lastProgress, message.progress)
    run.lastProgress = message.progress
    if (allowance) {
      const limitForSizeMs = allowance.start.processorMs + deadlineMs(limits, run.task.bytes, pages, ocrPages)
      allowance.processorLimitMs = Math.max(
        allowance.processorLimitMs,
        limitForSizeMs,
        hasNewProgress ? usedTime.processorMs + limits.baseMs : 0,
      )
      if (hasNewProgress) allowance.idleAtProgressMs = usedTime.idleMs
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

/** Checks the limits every `pollMs`. Returns a function that stops the checks. */
function startWatch(run: Run, childProcess: ChildProcess, limits: ParserLimits): () => void {
  const timer = setInterval(() => {
    checkLimits(run, childProcess, limits).catch(() => undefined)
  }, limits.pollMs)
  return () => clearInterval(timer)
}

async function checkLimits(run: Run, childProcess: ChildProcess, limits: ParserLimits): Promise<void> {
  const pid = childProcess.pid ?? 0
  const [bytes, processorTimeMs, resultStats] = await Promise.all([
    residentBytes(pid),
    processorMs(pid),
    lstat(run.task.resultPath).catch(() => undefined),
  ])
  await addUsedTime(run, pid, processorTimeMs)
  run.allowance ??= newAllowance(
    run.usedTime,
    run.started ? deadlineMs(limits, run.task.bytes) : MAX_START_MS,
  )
  // The limits of a file do not count the start of the child.
  const limitsNow = run.started ? limits : { ...limits, capMs: MAX_START_MS }
  const reachedLimit = reachedTimeLimit(run.allowance, run.usedTime, limitsNow)
  if (reachedLimit && (reachedLimit !== 'slice' || run.started)) killFor(run, childProcess, reachedLimit)
  run.maxResidentBytes = Math.max(run.maxResidentBytes, bytes ?? 0)
  if (bytes !== undefined && bytes > limits.residentBytes) killFor(run, childProcess, 'memory')
  if (resultStats !== undefined && resultStats.size > limits.resultBytes) killFor(run, childProcess, 'output')
}

async function addUsedTime(run: Run, pid: number, processorTimeMs: number | undefined): Promise<void> {
  const now = performance.now()
  const passedMs = Math.min(now - run.lastMeasurementMs, MAX_COUNTED_INTERVAL_MS)
  run.lastMeasurementMs = now
  const { usedTime } = run
  if (processorTimeMs === undefined) usedTime.processorMs += passedMs
  else {
    const isAtRest = processorTimeMs === usedTime.processorMs && (await isIdle(pid))
    if (isAtRest) usedTime.idleMs += passedMs
    usedTime.processorMs = processorTimeMs
  }
}

function onAbort(run: Run, childProcess: ChildProcess, signal: AbortSignal | undefined): () => void {
  const abort = (): void => killFor(run, childProcess, 'abort')
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  return () => signal?.removeEventListener('abort', abort)
}

function killFor(run: Run, childProcess: ChildProcess, cause: Death['died']): void {
  // The check may complete after the file is done and the child has begun the next one.
  if (run.isFinished) return
  run.cause ??= cause
  childProcess.kill('SIGKILL')
}

/** Describes the end of a child from its exit and from what it printed. V8 aborts when its heap is full. */
function deathOf(
  run: Run,
  limits: ParserLimits,
  { signal, code, errors }: { signal: string | null; code: number | null; errors: string },
): Death {
  const detail = `signal ${signal ?? 'none'}, code ${code ?? 'none'}`
  const outOfHeap = /heap out of memory|Reached heap limit|allocation failed/i.test(errors)
  const wasKilled = signal === 'SIGKILL' || signal === 'SIGTERM' || signal === 'SIGINT' || signal === 'SIGHUP'
  const cause = run.cause ?? (outOfHeap ? 'memory' : wasKilled ? 'killed' : 'crashed')
  const isHeapFull = outOfHeap && run.maxResidentBytes >= limits.heapMegabytes * 2 ** 20 * MIN_FULL_HEAP_SHARE
  const wasStoppedByPool = run.cause !== undefined && run.cause !== 'crashed'
  const hasReachedLimit = run.started && (wasStoppedByPool || isHeapFull)
  return { kind: run.task.kind, died: cause, detail, started: run.started, hasReachedLimit }
}

/**
 * The error for a failure that the child reported. It has the system's error code, so that a full disk is not taken for a
 * fault of the file.
 */
function failureOf(detail: string): Error {
  // Matches `Error: ENOSPC: no space left on device`.
  const code = /^Error: (E[A-Z]+):/.exec(detail)?.[1]
  return Object.assign(new Error(`the parser failed: ${detail}`), code && { code })
}
