// Runs a program of this machine, such as git or rclone, and reads its output.

import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { SyncFailed } from './failure.ts'

const MAX_MESSAGE_CHARACTERS = 500
const MAX_TAIL_CHARACTERS = 10_000
// More than the largest file that the service takes.
const MAX_PRINTED_BYTES = 2 ** 27
// Longer than a path of any system.
const MAX_RECORD_CHARACTERS = 2 ** 16
const MAX_MS = 3_600_000

interface ProgramOptions {
  signal: AbortSignal
  /** A text that is replaced in error messages. */
  secret?: string
  /** The environment of the program. By default that of this process. */
  env?: Readonly<Record<string, string>> | undefined
  /** Is called whenever the program prints something. */
  onProgress?: (() => void) | undefined
}

/** The last characters of a stream's text. Only these are kept, because a program may print any amount. */
async function tailOf(stream: Readable): Promise<string> {
  let tail = ''
  for await (const piece of stream.setEncoding('utf8'))
    tail = (tail + String(piece)).slice(-MAX_TAIL_CHARACTERS)
  return tail
}

/** The whole output of a program. @throws SyncFailed with the end of its error output, or saying that it is not installed */
export async function runProgram(
  program: string,
  args: readonly string[],
  { maxBytes = MAX_PRINTED_BYTES, ...options }: ProgramOptions & { maxBytes?: number },
): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = []
  let size = 0
  await followProgram(program, args, options, (piece) => {
    size += piece.length
    if (size > maxBytes) throw new SyncFailed(`${program} sent more than is taken.`)
    pieces.push(piece)
  })
  return Buffer.concat(pieces)
}

/**
 * Calls `read` with each record of a program's output as it arrives. A record ends with `recordEnd`, which is not part of it.
 * @throws SyncFailed as `runProgram`, or for a record that is too long; what `read` throws, after which the program is ended
 */
export async function followRecords(
  program: string,
  args: readonly string[],
  options: ProgramOptions & { recordEnd: string },
  read: (record: string) => void,
): Promise<void> {
  const decoder = new StringDecoder('utf8')
  let unfinishedRecord = ''
  await followProgram(program, args, options, (piece) => {
    const records = (unfinishedRecord + decoder.write(piece)).split(options.recordEnd)
    unfinishedRecord = records.pop() ?? ''
    if (unfinishedRecord.length > MAX_RECORD_CHARACTERS)
      throw new SyncFailed(`${program} lists a name that is too long.`)
    for (const record of records) read(record)
  })
  unfinishedRecord += decoder.end()
  if (unfinishedRecord !== '') read(unfinishedRecord)
}

async function followProgram(
  program: string,
  args: readonly string[],
  { signal, secret = '', env, onProgress }: ProgramOptions,
  read: (piece: Buffer) => void,
): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)])
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: limit,
    ...(env ? { env: { ...env } } : {}),
  })
  const exitCode = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  let refusal: { error: unknown } | undefined
  child.stdout.on('data', (piece: Buffer) => {
    onProgress?.()
    if (refusal) return
    try {
      read(piece)
    } catch (error) {
      refusal = { error }
      child.kill('SIGKILL')
    }
  })
  const [stderrTail, code] = await Promise.all([tailOf(child.stderr), exitCode]).catch(
    (error: NodeJS.ErrnoException) => {
      signal.throwIfAborted()
      if (limit.aborted) throw new SyncFailed(`${program} has not ended within an hour.`)
      if (error.code === 'ENOENT') throw new SyncFailed(`${program} is not installed, or not in PATH.`)
      throw error
    },
  )
  if (refusal) throw refusal.error
  if (code === 0) return
  const redactedStderr = secret ? stderrTail.replaceAll(secret, '…') : stderrTail
  throw new SyncFailed(
    `${program} failed: ${
      redactedStderr
        .replace(/\/\/[^/@\s]+@/g, '//')
        .trim()
        .slice(-MAX_MESSAGE_CHARACTERS) || code
    }`,
  )
}
