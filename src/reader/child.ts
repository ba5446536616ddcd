// One parser child as the pool sees it: runs a file at a time, watched for time and memory, killed without asking.

import type { ChildProcess } from 'node:child_process'
import { stat } from 'node:fs/promises'
import type { ParsedDocument, UnreadableReason } from './block.ts'
import { launchChild } from './launch.ts'
import { deadlineMs, fileTimeIsUp, type ParserLimits, type Stretch, timeIsUp } from './limits.ts'
import type { OcrSettings } from './picture/ocr/languages.ts'
import { processorMs, residentBytes } from './resident.ts'
import type { ChildMessage, ChildTask, ParseProgress } from './task.ts'

/** The child is gone; `started` tells whether it had begun on the file. */
export interface Death {
  died: 'deadline' | 'turn' | 'memory' | 'output' | 'pages' | 'abort' | 'killed' | 'crashed'
  detail: string
  started: boolean
  /** It took all that a file may have; else the machine may have been short of something. */
  isBound: boolean
  /** The page of a scan it was at. */
  fatal?: FatalPage
}

export interface FatalPage {
  page: number
  /** The scan as it goes on behind it. */
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
  readonly files: number
  readonly alive: boolean
  run: (
    task: ChildTask,
    signal: AbortSignal | undefined,
    onProgress: (progress: ParseProgress) => void,
  ) => Promise<Outcome>
  kill: () => void
}

interface Run extends Stretch {
  task: ChildTask
  started: boolean
  startedAt: number
  processorAtStart: number | undefined
  cause?: Death['died']
  /** The most resident memory it was seen with. */
  mostBytes: number
  /** What it told last. */
  last?: ParseProgress
  finished: boolean
  onProgress: (progress: ParseProgress) => void
  finish: (outcome: Outcome) => void
}

// V8 says that its heap is full, then its stack: 1,950 characters, and more from deeper within; at 2,000 a book of 490 MB
// was told as damaged.
const ERROR_TAIL_CHARACTERS = 20_000
// Of its bound, of what a child held that says its heap is full; its memory is looked at ten times a second.
const FULL_SHARE = 0.5
// A child is up in 0.1 s; on a machine short of everything it may take a while.
const START_MS = 30_000

/** Starts a child; it takes its first file as soon as it is up (60 to 110 ms). */
export function openChild(folder: string, limits: ParserLimits, ocr?: OcrSettings, program?: string): Child {
  const process = launchChild(folder, limits.heapMegabytes, ocr, program)
  const state: { run?: Run; files: number; alive: boolean; errors: string } = {
    files: 0,
    alive: true,
    errors: '',
  }
  process.stderr?.setEncoding('utf8').on('data', (text: string) => {
    state.errors = (state.errors + text).slice(-ERROR_TAIL_CHARACTERS)
  })
  process.on('message', (message: ChildMessage) => {
    if (state.run !== undefined) receive(state.run, process, message, limits)
  })
  const gone = (signal: string | null, code: number | null): void => {
    state.alive = false
    state.run?.finish(death(state.run, limits, { signal, code, errors: state.errors }))
  }
  process.on('exit', () => {
    state.alive = false
  })
  // Behind its last words, which a busy process may read after it hears of the end.
  process.on('close', (code, signal) => gone(signal, code))
  process.on('error', () => gone(null, null))
  return {
    pid: process.pid ?? 0,
    get files() {
      return state.files
    },
    get alive() {
      return state.alive
    },
    run: (task, signal, onProgress) => {
      state.files++
      return new Promise<Outcome>((resolve) => {
        const stop: (() => void)[] = []
        const finish = (outcome: Outcome): void => {
          for (const end of stop) end()
          run.finished = true
          delete state.run
          resolve(outcome)
        }
        const run = newRun(task, onProgress, finish)
        state.run = run
        stop.push(watch(run, process, limits), onAbort(run, process, signal))
        if (!state.alive) {
          gone(null, null)
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
  const now = Date.now()
  return {
    task,
    started: false,
    finished: false,
    mostBytes: 0,
    startedAt: now,
    since: now,
    deadline: now + START_MS,
    processorAtStart: undefined,
    processorThen: undefined,
    processorNow: undefined,
    onProgress,
    finish,
  }
}

function receive(run: Run, process: ChildProcess, message: ChildMessage, limits: ParserLimits): void {
  if (message.type === 'ready' || message.id !== run.task.id) return
  if (message.type === 'started') {
    run.started = true
    run.startedAt = Date.now()
    run.processorAtStart = run.processorNow
    giveUntil(run, run.startedAt + deadlineMs(limits, run.task.bytes))
  } else if (message.type === 'progress') {
    const { pages = 0, ocrPages } = message.progress
    if (pages > limits.mostPages) killFor(run, process, 'pages')
    const known = run.startedAt + deadlineMs(limits, run.task.bytes, pages, ocrPages)
    // Markdown takes 0.8 s a megabyte and goes on steadily: what moves is not stuck, what says the same again may be.
    const moved = hasMoved(run.last, message.progress) ? Date.now() + limits.baseMs : 0
    run.last = message.progress
    giveUntil(run, Math.max(run.deadline, known, moved))
    run.onProgress(message.progress)
  } else if (message.type === 'done') run.finish({ done: true })
  else if (message.type === 'unreadable') {
    run.finish({ unreadable: message.reason, detail: message.detail })
  } else if (message.type === 'no_page') run.finish({ noPage: message.detail })
  else run.finish({ failed: failureOf(message.detail) })
}

const hasMoved = (before: ParseProgress | undefined, now: ParseProgress): boolean =>
  before?.share !== now.share || before.pages !== now.pages || before.ocrPages !== now.ocrPages

/** A new deadline counts from now, also for the processor time the child has had. */
function giveUntil(run: Run, deadline: number): void {
  if (deadline === run.deadline) return
  run.since = Date.now()
  run.deadline = deadline
  run.processorThen = run.processorNow
}

/** Looks at clock, processor time and memory several times a second; returns how to stop looking. */
function watch(run: Run, process: ChildProcess, limits: ParserLimits): () => void {
  const timer = setInterval(() => {
    look(run, process, limits).catch(() => undefined)
  }, limits.pollMs)
  return () => clearInterval(timer)
}

async function look(run: Run, process: ChildProcess, limits: ParserLimits): Promise<void> {
  const pid = process.pid ?? 0
  const [bytes, processor, written] = await Promise.all([
    residentBytes(pid),
    processorMs(pid),
    stat(run.task.resultPath).catch(() => undefined),
  ])
  if (processor !== undefined) {
    run.processorNow = processor
    run.processorThen ??= processor
    run.processorAtStart ??= processor
  }
  const whole: Stretch = {
    since: run.startedAt,
    deadline: run.startedAt + limits.capMs,
    processorThen: run.processorAtStart,
    processorNow: run.processorNow,
  }
  const now = Date.now()
  if (timeIsUp(run, now) || fileTimeIsUp(whole, now)) killFor(run, process, 'deadline')
  const turn: Stretch = { ...whole, deadline: run.startedAt + limits.turnMs }
  if (run.started && timeIsUp(turn, now)) killFor(run, process, 'turn')
  run.mostBytes = Math.max(run.mostBytes, bytes ?? 0)
  if (bytes !== undefined && bytes > limits.residentBytes) killFor(run, process, 'memory')
  if (written !== undefined && written.size > limits.resultBytes) killFor(run, process, 'output')
}

function onAbort(run: Run, process: ChildProcess, signal: AbortSignal | undefined): () => void {
  const abort = (): void => killFor(run, process, 'abort')
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  return () => signal?.removeEventListener('abort', abort)
}

function killFor(run: Run, process: ChildProcess, cause: Death['died']): void {
  // A look at memory may come back after the file is done and the child is on the next one.
  if (run.finished) return
  run.cause ??= cause
  process.kill('SIGKILL')
}

/** Why a child is gone: our own kill, V8 out of heap (it aborts), a kill from outside, or the parser's own crash. */
function death(
  run: Run,
  limits: ParserLimits,
  { signal, code, errors }: { signal: string | null; code: number | null; errors: string },
): Death {
  const detail = `signal ${signal ?? 'none'}, code ${code ?? 'none'}`
  const outOfHeap = /heap out of memory|Reached heap limit|allocation failed/i.test(errors)
  const outside = signal === 'SIGKILL' || signal === 'SIGTERM' || signal === 'SIGINT' || signal === 'SIGHUP'
  const cause = run.cause ?? (outOfHeap ? 'memory' : outside ? 'killed' : 'crashed')
  // V8 says so, too, where the machine refuses what the heap may still have.
  const isHeapFull = outOfHeap && run.mostBytes >= limits.heapMegabytes * 2 ** 20 * FULL_SHARE
  const isBound = run.started && (run.cause !== undefined || isHeapFull)
  return { died: cause, detail, started: run.started, isBound }
}

/** What failed in the child, with the system's code where it names one: a full disk is not the file's fault. */
function failureOf(detail: string): Error {
  const code = /^Error: (E[A-Z]+):/.exec(detail)?.[1]
  return Object.assign(new Error(`the parser failed: ${detail}`), code && { code })
}
