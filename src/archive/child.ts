// Checks an archive and writes its rows in a child process, because the archive may be hostile. The child runs in the same sandbox
// as parsers.

import type { ChildProcess } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onMessage } from '../processes/messages.ts'
import { processorMs, residentBytes } from '../processes/usage.ts'
import { giveFile, launchProgram, type SandboxDir } from '../reader/reader.ts'
import { ChildAnswer } from './child/answer.ts'
import type { Preparation, PreparedArchive } from './prepare.ts'
import { BadArchive } from './zip.ts'

interface ChildLimits {
  /** The limit of the heap, which contains the ids of all rows. */
  heapMegabytes: number
  residentBytes: number
  /** The limit of processor time, to which `gigabyteMs` is added for each gigabyte of the archive. */
  baseMs: number
  gigabyteMs: number
}

const LIMITS: ChildLimits = {
  heapMegabytes: 1024,
  residentBytes: 1.5 * 2 ** 30,
  baseMs: 600_000,
  gigabyteMs: 60_000,
}

const CHECK_INTERVAL_MS = 250
const ERROR_TAIL_CHARACTERS = 20_000

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const entry = fileURLToPath(new URL(`./child/entry.${extension}`, import.meta.url))

interface Supervision {
  signal: AbortSignal
  /** Called with the share that is done, 0 to 1. */
  onShare: (share: number) => void
  limits?: Partial<ChildLimits>
  /** The program that runs in the child. Tests replace it. */
  program?: string
}

/**
 * @param preparation its folder is emptied first, and is the only folder to which the child can write. The archive may take over
 * the child, so only the files of rows in the folder may be used, and only for the new workspace.
 * @throws BadArchive also if the check takes too much time or memory; the reason of the signal
 */
export async function prepareInChild(
  { pieces, folder, copyId }: Preparation,
  archiveBytes: number,
  { signal, onShare, limits, program = entry }: Supervision,
): Promise<PreparedArchive> {
  const effectiveLimits = { ...LIMITS, ...limits }
  const childFolder = resolve(folder)
  await rm(childFolder, { recursive: true, force: true })
  const inputFolder = join(childFolder, 'given')
  const parentFolder = dirname(childFolder)
  const sandbox: SandboxDir = {
    folder: childFolder,
    inputPath: inputFolder,
    root: join(parentFolder, 'root'),
    readable: [],
    hidden: [dirname(parentFolder)],
  }
  await mkdir(inputFolder, { recursive: true, mode: 0o700 })
  await mkdir(sandbox.root, { recursive: true, mode: 0o700 })
  const inputPieces: string[] = []
  for (const [pieceNumber, path] of pieces.entries())
    inputPieces.push(await giveFile(sandbox, path, pieceNumber))
  signal.throwIfAborted()
  const nodeArgs = [`--max-old-space-size=${effectiveLimits.heapMegabytes}`, ...loaderArgs(program)]
  const child = launchProgram({ program, args: [String(process.pid)], nodeArgs, sandboxDir: sandbox })
  const stop = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  const watcher = watchLimits(child, effectiveLimits, archiveBytes)
  try {
    const answer = await runCheck(child, { pieces: inputPieces, folder: childFolder, copyId }, onShare)
    signal.throwIfAborted()
    if ('prepared' in answer) return requireSameWorkspace(answer.prepared, copyId)
    if ('bad' in answer) throw new BadArchive(answer.bad)
    if (watcher.exceeded())
      throw new BadArchive(`its check takes more ${watcher.exceeded()} than an import may take`)
    throw new Error(`the check of an archive failed: ${'failed' in answer ? answer.failed : 'no answer'}`)
  } finally {
    watcher.stop()
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** The answer may come from an archive that has taken over the child. @throws Error if it names another workspace */
function requireSameWorkspace(preparedArchive: PreparedArchive, copyId: string | null): PreparedArchive {
  if (copyId !== null && preparedArchive.workspaceId !== copyId)
    throw new Error('the check of an archive answered with another workspace')
  return preparedArchive
}

/** The arguments of Node that load TypeScript, if the program is a source file. */
const loaderArgs = (program: string): string[] =>
  program.endsWith('.ts') ? ['--import', import.meta.resolve('tsx/esm')] : []

/** Starts the check and resolves with the child's last answer. */
function runCheck(
  child: ChildProcess,
  preparation: Preparation,
  onShare: (share: number) => void,
): Promise<ChildAnswer> {
  let lastMessage: ChildAnswer = { share: 0 }
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-ERROR_TAIL_CHARACTERS)
  })
  onMessage(
    child,
    ChildAnswer,
    (message) => {
      lastMessage = message
      if ('share' in message) onShare(message.share)
    },
    () => {
      lastMessage = { bad: 'its check gave an answer that is none' }
      child.kill('SIGKILL')
    },
  )
  return new Promise((resolveWith) => {
    const onEnd = (): void => {
      const isHeapFull = /heap out of memory|Reached heap limit|allocation failed/i.test(errors)
      if ('share' in lastMessage && isHeapFull)
        resolveWith({ bad: 'its check takes more memory than an import may take' })
      else
        resolveWith('share' in lastMessage ? { failed: errors.slice(-500) || 'it has ended' } : lastMessage)
    }
    child.once('close', onEnd)
    child.once('error', onEnd)
    child.send(preparation, (error) => {
      if (error) child.kill('SIGKILL')
    })
  })
}

function watchLimits(
  child: ChildProcess,
  { residentBytes: maxBytes, baseMs, gigabyteMs }: ChildLimits,
  archiveBytes: number,
): { stop: () => void; exceeded: () => string | undefined } {
  let exceededLimit: string | undefined
  const maxMs = baseMs + (archiveBytes / 2 ** 30) * gigabyteMs
  const checkLimits = async (): Promise<void> => {
    const pid = child.pid ?? 0
    const [bytes = 0, ms = 0] = await Promise.all([residentBytes(pid), processorMs(pid)])
    if (bytes > maxBytes) exceededLimit = 'memory'
    else if (ms > maxMs) exceededLimit = 'time'
    if (exceededLimit) child.kill('SIGKILL')
  }
  const check = (): void => void checkLimits().catch(() => undefined)
  check()
  const timer = setInterval(check, CHECK_INTERVAL_MS)
  return { stop: () => clearInterval(timer), exceeded: () => exceededLimit }
}
