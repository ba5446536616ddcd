// Commands of the command line, as installed, run as a person runs them: a process with a home of its own.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { installedMain } from './installed.ts'

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  env?: Record<string, string>
  /** Standard input; without it there is none. */
  input?: string
  cwd?: string
  /** Called with what was written to standard error so far, at each piece. */
  onStderr?: (text: string, child: { kill(signal: NodeJS.Signals): void; write(text: string): void }) => void
}

export interface Home {
  folder: string
  /** The process runs to its end; after `killAfterMs` it is killed. */
  kenning(args: readonly string[], options?: RunOptions & { killAfterMs?: number }): Promise<Ended>
  remove(): void
}

/** @param env of every command, such as KENNING_SERVER */
export function makeHome(env: () => Record<string, string> = () => ({}), main = installedMain()): Home {
  const folder = mkdtempSync(join(tmpdir(), 'kenning-home-'))
  return {
    folder,
    kenning: (args, options = {}) => {
      const child = spawn(process.execPath, [resolve(main), ...args], {
        env: { PATH: process.env.PATH, HOME: folder, ...env(), ...options.env },
        cwd: options.cwd ?? process.cwd(),
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
      // A command that ends without reading its input is no error of the test.
      child.stdin.on('error', () => undefined)
      if (options.input !== undefined) Readable.from([options.input]).pipe(child.stdin)
      else if (!options.onStderr) child.stdin.end()
      const timer =
        options.killAfterMs === undefined
          ? undefined
          : setTimeout(() => child.kill('SIGKILL'), options.killAfterMs)
      let stdout = ''
      let stderr = ''
      child.stdout.setEncoding('utf8').on('data', (piece) => {
        stdout += piece
      })
      child.stderr.setEncoding('utf8').on('data', (piece) => {
        stderr += piece
        options.onStderr?.(stderr, {
          kill: (signal) => void child.kill(signal),
          write: (text) => void child.stdin.write(text),
        })
      })
      const closed = new Promise((resolve) => child.once('close', resolve))
      return Promise.all([ended, closed]).then(([code]) => {
        clearTimeout(timer)
        return { code, stdout, stderr }
      })
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
