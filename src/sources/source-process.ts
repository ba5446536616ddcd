// Reads a source in a child process, so that a source that is too large, hangs or never ends affects nothing else. The child is
// ended when it reaches a limit, when the run is cancelled, and when the run has finished.

import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Deps } from '../ports/deps.ts'
import { networkInUse } from '../ports/outbound/network.ts'
import { onMessage } from '../processes/messages.ts'
import { forkModule, siblingModule } from '../processes/module.ts'
import { ownClock, ownMs } from '../processes/own-time.ts'
import { processorMs, residentBytesOfTree } from '../processes/usage.ts'
import { SyncFailed } from '../sync/failure.ts'
import type { FreshContent, Listing, MarkLookup, Source, SourceFile } from '../sync/source.ts'
import { pathOf } from '../sync/web.ts'
import { type Failure, FromChild, type ListedFile, type SourceSpec, type ToChild } from './child/messages.ts'

export interface SourceLimits {
  heapMegabytes: number
  /** Resident memory of the child and the programs that it starts. */
  residentBytes: number
  /**
   * The child is ended if nothing arrives for this time. The time during which the machine is too busy to run the child does not
   * count.
   */
  idleMs: number
  /**
   * The processor time that the child and its programs may use while nothing arrives. Processor time is measured only on Linux.
   */
  idleProcessorMs: number
  /** The processor time of a whole run. A page takes some 10 ms, a gigabyte over TLS some 10 s. */
  processorMs: number
  /** The duration of a whole run, by the clock. */
  runMs: number
  pollMs: number
}

export const DEFAULT_LIMITS: SourceLimits = {
  heapMegabytes: 384,
  residentBytes: 2 ** 30,
  idleMs: 600_000,
  // git needs less to unpack 4 GB after the last byte has arrived.
  idleProcessorMs: 300_000,
  processorMs: 2 * 3_600_000,
  runMs: 24 * 3_600_000,
  pollMs: 500,
}

/** @param label the name that people see */
export const sourceInChild = (
  spec: SourceSpec,
  label: string,
  options: ChildOptions,
  log: Pick<Deps['log'], 'warn'>,
): Source => ({
  label,
  identity: label,
  list: (signal, marks) => listInChild(spec, options, log, { signal, marks }),
})

interface ChildOptions {
  limits: SourceLimits
  /** For tests: a program to run instead of the one that reads sources. */
  program?: URL
}

type Answer = Extract<FromChild, { no: number }>

async function listInChild(
  spec: SourceSpec,
  { limits, program }: ChildOptions,
  log: Pick<Deps['log'], 'warn'>,
  { signal, marks: markOf }: { signal: AbortSignal; marks: MarkLookup | undefined },
): Promise<Listing> {
  signal.throwIfAborted()
  const child = startChild(spec, limits, program)
  const listedFiles: ListedFile[] = []
  const requests = makeRequests(child)
  let failure: { error: unknown } | undefined
  let onListed: (notes: string[]) => void = () => undefined
  let onFailed: (error: unknown) => void = () => undefined
  /** Ends the child, and rejects everything that waits for it with the first error. */
  const fail = (error: unknown): void => {
    failure ??= { error }
    onFailed(failure.error)
    requests.rejectAll(failure.error)
    kill(child)
  }
  let isListed = false
  // While the worker uploads files or waits for their jobs, it requests nothing from the child.
  const isBusy = (): boolean => !isListed || requests.hasPending()
  const watcher = watchLimits(child, limits, isBusy, (error) => {
    if (failure) return
    log.warn({ kind: spec.kind, reason: error.message }, 'the child of a source was ended')
    fail(error)
  })
  const abort = (): void => fail(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const exitPromise = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      fail(error)
      resolve()
    })
    child.once('exit', (code, exitSignal) => {
      fail(exitFailure(code, exitSignal, limits))
      resolve()
    })
  })
  const receive = (message: FromChild): void => {
    watcher.renew()
    if ('files' in message) listedFiles.push(...message.files)
    else if ('listed' in message) {
      isListed = true
      onListed(message.listed)
    } else if ('no' in message) requests.resolve(message)
    else if ('failed' in message) fail(errorOf(message.failed))
  }
  onMessage(child, FromChild, receive, () =>
    fail(stoppedError('The process that reads the source gave an answer that is none.')),
  )
  const close = async (): Promise<void> => {
    signal.removeEventListener('abort', abort)
    fail(new Error('the source is closed'))
    watcher.end()
    await exitPromise
  }
  const requestFile: RequestFile = async (file, since) => {
    if (failure) throw failure.error
    return requests.send(file, since)
  }
  try {
    const notes = await new Promise<string[]>((resolve, reject) => {
      onListed = resolve
      onFailed = reject
      if (signal.aborted) abort()
      sendMessage(child, { list: spec, marks: marksOf(spec, markOf), network: networkInUse() })
    })
    return { files: listedFiles.map((file, no) => toSourceFile(file, no, spec, requestFile)), notes, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Requests a file by its index in the list. @param since the file's stored mark (`ToChild`) */
type RequestFile = (file: number, since?: string | null) => Promise<Answer>

interface Requests {
  send: RequestFile
  /** Resolves the request to which the answer belongs. */
  resolve(answer: Answer): void
  /** Rejects all requests without an answer. */
  rejectAll(error: unknown): void
  hasPending(): boolean
}

/** The numbered requests to the child, until they are answered. */
function makeRequests(child: ChildProcess): Requests {
  const pendingRequests = new Map<
    number,
    { resolve: (answer: Answer) => void; reject: (error: unknown) => void }
  >()
  let lastRequestNumber = 0
  return {
    send: (file, since) =>
      new Promise((resolve, reject) => {
        const requestNumber = ++lastRequestNumber
        pendingRequests.set(requestNumber, { resolve, reject })
        sendMessage(child, { no: requestNumber, file, ...(since === undefined ? {} : { since }) })
      }),
    resolve: (answer) => {
      pendingRequests.get(answer.no)?.resolve(answer)
      pendingRequests.delete(answer.no)
    },
    rejectAll: (error) => {
      for (const { reject } of pendingRequests.values()) reject(error)
      pendingRequests.clear()
    },
    hasPending: () => pendingRequests.size > 0,
  }
}

function startChild(
  spec: SourceSpec,
  { heapMegabytes }: SourceLimits,
  program = siblingModule('./child/entry', import.meta.url),
): ChildProcess {
  const { PATH = '', HOME, TMPDIR, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, SSL_CERT_DIR } = spec.environment
  const env = { PATH, HOME, TMPDIR, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, SSL_CERT_DIR }
  return forkModule(program, {
    args: [String(process.pid)],
    nodeFlags: [`--max-old-space-size=${heapMegabytes}`],
    env: Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => !!entry[1])),
    // The child gets a process group of its own, so that the programs that it starts are ended with it.
    detached: true,
  })
}

/** Kills the child's process group, which includes the programs that the child started. */
function kill(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

function sendMessage(child: ChildProcess, message: ToChild): void {
  if (child.connected) child.send(message, () => undefined)
}

/** The stored marks of the source's own addresses. Only these addresses are fetched before the list exists. */
function marksOf(
  { kind, addresses }: SourceSpec,
  markOf: MarkLookup = () => undefined,
): Record<string, string> {
  if (kind !== 'web') return {}
  const paths = addresses.map((address) => pathOf(new URL(address)))
  return Object.fromEntries(
    paths.flatMap((path) => {
      const mark = markOf(path)
      return mark === undefined ? [] : [[path, mark]]
    }),
  )
}

function toSourceFile(
  { path, bytes, mark, asks }: ListedFile,
  file: number,
  { folder }: SourceSpec,
  requestFile: RequestFile,
): SourceFile {
  const readFile = async (since?: string | null): Promise<'unchanged' | FreshContent> => {
    const answer = await requestFile(file, since)
    if ('failed' in answer) throw errorOf(answer.failed)
    if ('unchanged' in answer) return 'unchanged'
    return { bytes: await readAndRemove(folder, answer.at), mark: answer.mark }
  }
  return {
    path,
    bytes,
    mark,
    read: async () => {
      const content = await readFile()
      if (content === 'unchanged') throw new Error('the source did not send what was asked for')
      return content.bytes
    },
    ...(asks ? { readSince: (since) => readFile(since ?? null) } : {}),
  }
}

/** Reads and removes a file that the child has written. A symbolic link is not followed. */
async function readAndRemove(folder: string, path: string): Promise<Buffer<ArrayBuffer>> {
  if (dirname(dirname(path)) !== folder) throw new Error('the file is not in the folder of the source')
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    if (!(await file.stat()).isFile()) throw new Error('the child wrote no file')
    return await file.readFile()
  } finally {
    await file.close()
    await unlink(path).catch(() => undefined)
  }
}

const errorOf = ({ message, type, code }: Failure): Error =>
  Object.assign(type === undefined ? new Error(message) : new SyncFailed(message, type), code && { code })

/** Checks memory and time until `end` is called. Call `renew` whenever something has arrived. */
function watchLimits(
  child: ChildProcess,
  limits: SourceLimits,
  isBusy: () => boolean,
  stop: (error: SyncFailed) => void,
): { renew(): void; end(): void } {
  const { residentBytes, idleMs, runMs, pollMs } = limits
  const clock = ownClock(child.pid)
  let lastActivityAt = clock.now()
  let wasActive = true
  let usedMsAtLastActivity = 0
  const checkProcessor = (usedMs: number): void => {
    if (wasActive || !isBusy()) usedMsAtLastActivity = usedMs
    wasActive = false
    if (usedMs >= limits.processorMs) stop(tooMuchWork(limits.processorMs))
    if (usedMs - usedMsAtLastActivity >= limits.idleProcessorMs)
      stop(
        stoppedError(
          `The source used ${spanOf(limits.idleProcessorMs)} of processor time without any result. Take a part of the source.`,
        ),
      )
  }
  const runTimer = setTimeout(
    () =>
      stop(
        stoppedError(
          `The run took more than ${spanOf(runMs)}. Take a part of the source, or ask the administrator to raise KENNING_SOURCE_HOURS.`,
        ),
      ),
    runMs,
  )
  const checkLimits = setInterval(async () => {
    if (!isBusy()) lastActivityAt = clock.now()
    if (ownMs(lastActivityAt, clock.now()) >= idleMs)
      stop(stoppedError(`Nothing has arrived from the source for ${spanOf(idleMs)}.`))
    if (child.pid === undefined) return
    checkProcessor((await processorMs(child.pid)) ?? 0)
    if ((await residentBytesOfTree(child.pid)) > residentBytes) stop(tooMuchMemory(residentBytes))
  }, pollMs)
  return {
    renew: () => {
      lastActivityAt = clock.now()
      wasActive = true
    },
    end: () => {
      clock.end()
      clearTimeout(runTimer)
      clearInterval(checkLimits)
    },
  }
}

const stoppedError = (message: string): SyncFailed => new SyncFailed(message, 'stopped')

const tooMuchMemory = (bytes: number): SyncFailed =>
  stoppedError(`The source needs more than ${Math.round(bytes / 2 ** 20)} MB of memory. Take a part of it.`)

const tooMuchWork = (ms: number): SyncFailed =>
  stoppedError(`The run needs more than ${spanOf(ms)} of processor time. Take a part of the source.`)

function spanOf(ms: number): string {
  const [count, unit] =
    ms >= 3_600_000
      ? [Math.round(ms / 3_600_000), 'hour']
      : ms >= 60_000
        ? [Math.round(ms / 60_000), 'minute']
        : [ms / 1000, 'second']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The error for a child that has ended. SIGABRT (134) means that the heap of V8 was full. */
const exitFailure = (
  code: number | null,
  exitSignal: string | null,
  { heapMegabytes }: SourceLimits,
): SyncFailed =>
  exitSignal === 'SIGABRT' || code === 134
    ? tooMuchMemory(heapMegabytes * 2 ** 20)
    : stoppedError(
        `The process that reads the source has ended (${exitSignal ?? `exit code ${code}`}). It is tried again.`,
      )
