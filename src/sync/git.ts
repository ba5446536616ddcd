// A git repository as a source: the newest commit of a branch, without its history, fetched into the cache. It needs git.

import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { CollectOptions } from './collect.ts'
import { SyncFailed } from './failure.ts'
import { listFolder } from './folder.ts'
import { runProgram } from './program.ts'
import type { Source } from './source.ts'

export function gitSource(
  address: string,
  { branch, cache, ...collecting }: CollectOptions & { branch?: string; cache: string },
): Source {
  const shown = withoutCredentials(address)
  const identity = `git ${shown} ${branch ?? ''}`
  const folder = join(cache, 'git', createHash('sha256').update(identity).digest('hex').slice(0, 32))
  return {
    label: `${shown.replace(/\.git$/, '')}${branch ? `@${branch}` : ''}`,
    identity,
    list: async (signal) => {
      await fetchInto(folder, address, branch ?? 'HEAD', signal)
      // A link in what others wrote could lead to any file of this machine.
      return listFolder(folder, { ...collecting, links: false })
    },
  }
}

/** @throws SyncFailed with what git says, and no credentials */
async function fetchInto(folder: string, address: string, what: string, signal: AbortSignal): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const git = (...args: string[]): Promise<string> =>
    runProgram('git', ['-C', folder, ...safely, ...args], signal, address).then(String)
  try {
    await git('init', '--quiet')
    await git('fetch', '--quiet', '--depth', '1', '--no-tags', '--', address, what)
    // Files that are the same keep their times, so that they need not be compared.
    await git('reset', '--quiet', '--hard', 'FETCH_HEAD')
    await git('clean', '--quiet', '--force', '-d', '-x')
  } catch (error) {
    if (error instanceof SyncFailed || signal.aborted) throw error
    throw new SyncFailed(`The repository cannot be fetched: ${(error as Error).message}`)
  }
}

// Nothing of a stranger's repository is run: no hooks, no filters, no other transports, and no questions on the terminal.
const safely = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'protocol.ext.allow=never',
  '-c',
  'credential.interactive=never',
]

const withoutCredentials = (address: string): string => address.replace(/^(\w+:\/\/)[^/@]*@/, '$1')
