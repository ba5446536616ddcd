// Checks an archive and writes its rows in a child process of its own, confined as a parser is: an archive is a stranger's bytes.

import type { ChildProcess } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onMessage } from '../processes/messages.ts'
import { processorMs, residentBytes } from '../processes/usage.ts'
import { type Cell, give, launchProgram } from '../reader/reader.ts'
import { ChildAnswer } from './child/answer.ts'
import type { Preparation, Prepared } from './prepare.ts'
import { BadArchive } from './zip.ts'

export interface ChildLimits {
  /** The check has the ids of all rows in memory. */
  heapMegabytes: number
  residentBytes: number
  /** Processor time, and for each gigabyte of the archive so much more. */
  baseMs: number
  gigabyteMs: number
}

const LIMITS: ChildLimits = {
  heapMegabytes: 1024,
  residentBytes: 1.5 * 2 ** 30,
  baseMs: 600_000,
  gigabyteMs: 60_000,
}

const WATCH_MS = 250
const ERROR_TAIL_CHARACTERS = 20_000

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const entry = fileURLToPath(new URL(`./child/entry.${extension}`, import.meta.url))

export interface Supervision {
  signal: AbortSignal
  /** Called with the share that is done, 0 to 1. */
  onShare: (share: number) => void
  limits?: Partial<ChildLimits>
  /** For tests: another program in place of the check. */
  program?: string
}

/**
 * @param preparation its folder is emptied first, and is the only one that the child can write to: of what is in it afterwards
 *   nothing may be believed but the rows, and these only for the workspace that is made
 * @throws BadArchive also for one whose check takes too much time or memory; the signal's reason
 */
export async function prepareInChild(
  { pieces, folder, copyId }: Preparation,
  archiveBytes: number,
  { signal, onShare, limits, program = entry }: Supervision,
): Promise<Prepared> {
  const bounds = { ...LIMITS, ...limits }
  const own = resolve(folder)
  await rm(own, { recursive: true, force: true })
  const given = join(own, 'given')
  const below = dirname(own)
  const cell: Cell = {
    folder: own,
    inputPath: given,
    root: join(below, 'root'),
    readable: [],
    hidden: [dirname(below)],
  }
  await mkdir(given, { recursive: true, mode: 0o700 })
  await mkdir(cell.root, { recursive: true, mode: 0o700 })
  const givenPieces: string[] = []
  for (const [no, path] of pieces.entries()) givenPieces.push(await give(cell, path, no))
  signal.throwIfAborted()
  const nodeArgs = [`--max-old-space-size=${bounds.heapMegabytes}`, ...loader(program)]
  const child = launchProgram(program, [String(process.pid)], nodeArgs, cell)
  const stop = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  const end = watch(child, bounds, archiveBytes)
  try {
    const answer = await run(child, { pieces: givenPieces, folder: own, copyId }, onShare)
    signal.throwIfAborted()
    if ('prepared' in answer) return believed(answer.prepared, copyId)
    if ('bad' in answer) throw new BadArchive(answer.bad)
    if (end.exceeded()) throw new BadArchive(`its check takes more ${end.exceeded()} than an import may take`)
    throw new Error(`the check of an archive failed: ${'failed' in answer ? answer.failed : 'no answer'}`)
  } finally {
    end.stop()
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** Who has taken over the child says whatever it likes, but not that a copy is another workspace than the one that was asked for. */
function believed(prepared: Prepared, copyId: string | null): Prepared {
  if (copyId !== null && prepared.workspaceId !== copyId)
    throw new Error('the check of an archive answered with another workspace')
  return prepared
}

/** From the sources there is a loader. */
const loader = (program: string): string[] =>
  program.endsWith('.ts') ? ['--import', import.meta.resolve('tsx/esm')] : []

/** Resolves with its last answer; `share` when it gave none. */
function run(
  child: ChildProcess,
  preparation: Preparation,
  onShare: (share: number) => void,
): Promise<ChildAnswer> {
  let last: ChildAnswer = { share: 0 }
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-ERROR_TAIL_CHARACTERS)
  })
  onMessage(
    child,
    ChildAnswer,
    (message) => {
      last = message
      if ('share' in message) onShare(message.share)
    },
    () => {
      last = { bad: 'its check gave an answer that is none' }
      child.kill('SIGKILL')
    },
  )
  return new Promise((settle) => {
    const gone = (): void => {
      const isHeapFull = /heap out of memory|Reached heap limit|allocation failed/i.test(errors)
      if ('share' in last && isHeapFull)
        settle({ bad: 'its check takes more memory than an import may take' })
      else settle('share' in last ? { failed: errors.slice(-500) || 'it has ended' } : last)
    }
    child.once('close', gone)
    child.once('error', gone)
    child.send(preparation, (error) => {
      if (error) child.kill('SIGKILL')
    })
  })
}

function watch(
  child: ChildProcess,
  { residentBytes: maxBytes, baseMs, gigabyteMs }: ChildLimits,
  archiveBytes: number,
): { stop: () => void; exceeded: () => string | undefined } {
  let exceeded: string | undefined
  const maxMs = baseMs + (archiveBytes / 2 ** 30) * gigabyteMs
  const look = async (): Promise<void> => {
    const pid = child.pid ?? 0
    const [bytes = 0, ms = 0] = await Promise.all([residentBytes(pid), processorMs(pid)])
    if (bytes > maxBytes) exceeded = 'memory'
    else if (ms > maxMs) exceeded = 'time'
    if (exceeded) child.kill('SIGKILL')
  }
  const timer = setInterval(() => void look().catch(() => undefined), WATCH_MS)
  return { stop: () => clearInterval(timer), exceeded: () => exceeded }
}
