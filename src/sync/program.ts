// Runs a program of this machine, such as git or rclone, and returns what it prints.

import { spawn } from 'node:child_process'
import { buffer, text } from 'node:stream/consumers'
import { SyncFailed } from './failure.ts'

const MOST_SAID = 500
const MOST_MS = 3_600_000

export interface ProgramOptions {
  signal: AbortSignal
  /** Left out of error messages. */
  secret?: string
  /** Instead of this process's own. */
  env?: Readonly<Record<string, string>> | undefined
  /** What prints more is stopped. */
  mostBytes?: number
}

/** @throws SyncFailed with the last that it said, or that it is not installed */
export async function runProgram(
  program: string,
  args: readonly string[],
  { signal, secret = '', env, mostBytes = Number.POSITIVE_INFINITY }: ProgramOptions,
): Promise<Buffer<ArrayBuffer>> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)])
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: limit,
    ...(env ? { env: { ...env } } : {}),
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  let printedBytes = 0
  child.stdout.on('data', (piece: Buffer) => {
    printedBytes += piece.length
    if (printedBytes > mostBytes) child.kill('SIGKILL')
  })
  const [printed, said, code] = await Promise.all([buffer(child.stdout), text(child.stderr), ended]).catch(
    (error: NodeJS.ErrnoException) => {
      signal.throwIfAborted()
      if (limit.aborted) throw new SyncFailed(`${program} has not ended within an hour.`)
      if (error.code === 'ENOENT') throw new SyncFailed(`${program} is not installed, or not in PATH.`)
      throw error
    },
  )
  if (printedBytes > mostBytes) throw new SyncFailed(`${program} sent more than is taken.`)
  if (code === 0) return printed as Buffer<ArrayBuffer>
  const shown = secret ? said.replaceAll(secret, '…') : said
  throw new SyncFailed(
    `${program} failed: ${
      shown
        .replace(/\/\/[^/@\s]+@/g, '//')
        .trim()
        .slice(-MOST_SAID) || code
    }`,
  )
}
