// Runs a program of this machine, such as git or rclone, and takes what it prints.

import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { SyncFailed } from './failure.ts'

const MAX_SAID = 500
const MAX_KEPT = 10_000
// More than the largest file that the service takes.
const MAX_PRINTED_BYTES = 2 ** 27
// Far more than a path of any system.
const MAX_RECORD = 2 ** 16
const MAX_MS = 3_600_000

export interface ProgramOptions {
  signal: AbortSignal
  /** Left out of error messages. */
  secret?: string
  /** Instead of this process's own. */
  env?: Readonly<Record<string, string>> | undefined
  /** Called whenever it prints something. */
  onMoved?: (() => void) | undefined
}

/** The end of what it says, which may be without end. */
async function lastOf(stream: Readable): Promise<string> {
  let tail = ''
  for await (const piece of stream.setEncoding('utf8')) tail = (tail + String(piece)).slice(-MAX_KEPT)
  return tail
}

/** What it prints, whole. @throws SyncFailed with the last that it said, or that it is not installed */
export async function runProgram(
  program: string,
  args: readonly string[],
  { mostBytes = MAX_PRINTED_BYTES, ...options }: ProgramOptions & { mostBytes?: number },
): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = []
  let size = 0
  await followProgram(program, args, options, (piece) => {
    size += piece.length
    if (size > mostBytes) throw new SyncFailed(`${program} sent more than is taken.`)
    pieces.push(piece)
  })
  return Buffer.concat(pieces)
}

/**
 * What it prints, record by record, as it comes; a record ends with `end`, which is not part of it.
 * @throws SyncFailed as `runProgram`, or for a record that is too long; what `read` throws, after which the program is ended
 */
export async function followRecords(
  program: string,
  args: readonly string[],
  options: ProgramOptions & { end: string },
  read: (record: string) => void,
): Promise<void> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  await followProgram(program, args, options, (piece) => {
    const records = (rest + decoder.write(piece)).split(options.end)
    rest = records.pop() ?? ''
    if (rest.length > MAX_RECORD) throw new SyncFailed(`${program} lists a name that is too long.`)
    for (const record of records) read(record)
  })
  rest += decoder.end()
  if (rest !== '') read(rest)
}

async function followProgram(
  program: string,
  args: readonly string[],
  { signal, secret = '', env, onMoved }: ProgramOptions,
  read: (piece: Buffer) => void,
): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)])
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: limit,
    ...(env ? { env: { ...env } } : {}),
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  let refusal: { error: unknown } | undefined
  child.stdout.on('data', (piece: Buffer) => {
    onMoved?.()
    if (refusal) return
    try {
      read(piece)
    } catch (error) {
      refusal = { error }
      child.kill('SIGKILL')
    }
  })
  const [stderrTail, code] = await Promise.all([lastOf(child.stderr), ended]).catch(
    (error: NodeJS.ErrnoException) => {
      signal.throwIfAborted()
      if (limit.aborted) throw new SyncFailed(`${program} has not ended within an hour.`)
      if (error.code === 'ENOENT') throw new SyncFailed(`${program} is not installed, or not in PATH.`)
      throw error
    },
  )
  if (refusal) throw refusal.error
  if (code === 0) return
  const redacted = secret ? stderrTail.replaceAll(secret, '…') : stderrTail
  throw new SyncFailed(
    `${program} failed: ${
      redacted
        .replace(/\/\/[^/@\s]+@/g, '//')
        .trim()
        .slice(-MAX_SAID) || code
    }`,
  )
}
