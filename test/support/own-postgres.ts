// A PostgreSQL of a test alone, beside the one of `scripts/postgres run`: for tests that restart it, or need an empty one.

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { endWithUs } from './leftovers.ts'
import { processTree } from './service.ts'

const POSTGRES = process.env.KENNING_POSTGRES_CACHE ?? '.postgres'

/** Whether `scripts/postgres` has installed one. */
export const POSTGRES_IS_HERE = existsSync(join(POSTGRES, 'root-forky/.complete'))

export interface OwnPostgres {
  url: string
  restart(mode: string): Promise<void>
  /** Its first process, and those of its sessions and of what it does by itself. */
  processes(): [first: number, ...others: number[]]
}

/** Empty; it goes with its data when the test ends. @param name of this test's alone */
export async function ownPostgres(name: string): Promise<OwnPostgres> {
  const env = { ...process.env, KENNING_POSTGRES_NAME: name }
  const run = (...args: string[]) => promisify(execFile)('scripts/postgres', args, { env })
  const postmaster = (): number | undefined => {
    const file = join(POSTGRES, 'root-forky/srv', name, 'data/postmaster.pid')
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined
  }
  await run('start')
  const forget = endWithUs({ pid: postmaster, folders: [] })
  onTestFinished(async () => {
    await run('stop')
    forget()
  })
  return {
    url: (await run('url')).stdout.trim(),
    restart: async (mode) => void (await run('restart', mode)),
    processes: () => {
      const first = postmaster()
      if (first === undefined) throw new Error('the server does not run')
      return [first, ...processTree(first).flatMap(({ pid }) => (pid === first ? [] : [pid]))]
    },
  }
}
