// A git repository as a source: the newest commit of a branch, without its history, fetched into the cache. Files are read out of
// the commit and never written out as files: nothing of it, links among them, can touch this machine. It needs git.

import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type CollectOptions, isWanted } from './collect.ts'
import { SyncFailed } from './failure.ts'
import { runProgram } from './program.ts'
import type { Listing, Source } from './source.ts'

export interface GitOptions extends CollectOptions {
  branch?: string
  cache: string
  /** What git is given to reach the repository; by default what this process has. */
  reach?: (signal: AbortSignal) => Promise<Reach>
}

export interface Reach {
  env: Readonly<Record<string, string>>
  /** Why it was not reached, where git cannot know. */
  refusal?(): string | undefined
  close(): Promise<void>
}

type Git = (...args: string[]) => Promise<Buffer<ArrayBuffer>>

export function gitSource(address: string, { branch, cache, reach, ...collecting }: GitOptions): Source {
  const shown = withoutCredentials(address)
  const identity = `git ${shown} ${branch ?? ''}`
  const folder = join(cache, 'git', `${createHash('sha256').update(identity).digest('hex').slice(0, 32)}.git`)
  return {
    label: `${shown.replace(/\.git$/, '')}${branch ? `@${branch}` : ''}`,
    identity,
    list: async (signal) => {
      const reached = await reach?.(signal)
      try {
        const git: Git = (...args) =>
          runProgram('git', ['--git-dir', folder, ...safely, ...args], {
            signal,
            secret: address,
            env: reached?.env,
          })
        const commit = await fetchInto(folder, git, address, branch ?? 'HEAD')
        // Reading needs no network.
        return await listCommit(
          commit,
          collecting,
          (hash) =>
            runProgram('git', ['--git-dir', folder, ...safely, 'cat-file', 'blob', hash], {
              signal,
              env: reached?.env,
            }),
          git,
        )
      } catch (error) {
        signal.throwIfAborted()
        const refusal = reached?.refusal?.()
        throw refusal === undefined ? error : new SyncFailed(refusal)
      } finally {
        await reached?.close()
      }
    },
  }
}

/** @returns the id of the commit. @throws SyncFailed with what git says, and no credentials */
async function fetchInto(folder: string, git: Git, address: string, what: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await git('init', '--quiet', '--bare')
  await git('fetch', '--quiet', '--depth', '1', '--no-tags', '--', address, what)
  return (await git('rev-parse', 'FETCH_HEAD')).toString().trim()
}

async function listCommit(
  commit: string,
  collecting: CollectOptions,
  read: (hash: string) => Promise<Buffer<ArrayBuffer>>,
  git: Git,
): Promise<Listing> {
  const wanted = isWanted(collecting)
  const listing: Listing = { files: [], notes: [] }
  const unreadable: string[] = []
  for (const line of (await git('ls-tree', '-r', '-l', '-z', commit)).toString().split('\0')) {
    // Links and submodules have other modes.
    const [, hash = '', size = '', path = ''] =
      /^100\d{3} blob ([0-9a-f]{40,64}) +(\d+)\t(.+)$/s.exec(line) ?? []
    if (!hash || size === '0') continue
    const verdict = wanted(path)
    if (verdict === 'unreadable') unreadable.push(path)
    if (verdict !== 'yes') continue
    // The name of a blob is the hash of its content.
    listing.files.push({
      path: path.normalize('NFC'),
      bytes: Number(size),
      mark: hash,
      read: () => read(hash),
    })
  }
  const [first] = unreadable
  if (first !== undefined)
    listing.notes.push(`Left out: ${unreadable.length} files of kinds that are not read, such as ${first}.`)
  return listing
}

// Nothing of a stranger's repository is run: no hooks, no other transports, and no questions on the terminal.
const safely = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'protocol.ext.allow=never',
  '-c',
  'credential.interactive=never',
]

const withoutCredentials = (address: string): string => address.replace(/^(\w+:\/\/)[^/@]*@/, '$1')
