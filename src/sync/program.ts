// Runs a program of this machine, such as git or rclone, and returns what it prints.

import { spawn } from 'node:child_process'
import { buffer, text } from 'node:stream/consumers'
import { SyncFailed } from './failure.ts'

const MOST_SAID = 500

/**
 * @param secret left out of error messages
 * @throws SyncFailed with the last that it said, or that it is not installed
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
  secret = '',
): Promise<Buffer<ArrayBuffer>> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], signal })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [printed, said, code] = await Promise.all([buffer(child.stdout), text(child.stderr), ended]).catch(
    (error: NodeJS.ErrnoException) => {
      signal.throwIfAborted()
      if (error.code === 'ENOENT') throw new SyncFailed(`${program} is not installed, or not in PATH.`)
      throw error
    },
  )
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
