// A git repository as a source: the newest commit of a branch, without its history, fetched into the cache. Files are read out of
// the commit and never written out as files: nothing of it, links among them, can touch this machine. It needs git.

import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type CollectOptions, isWanted } from './collect.ts'
import { SyncFailed } from './failure.ts'
import { followRecords, runProgram } from './program.ts'
import { type Listing, requireCount, type Source } from './source.ts'

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

interface Git {
  run(...args: string[]): Promise<Buffer<ArrayBuffer>>
  /** What it prints with -z, entry by entry. */
  list(args: readonly string[], read: (entry: string) => void): Promise<void>
}

// A tree of a hundred objects can name as many paths as there are atoms: each level may hold the one below ten times.
const MAX_ENTRIES = 1_000_000

export function gitSource(address: string, { branch, cache, reach, ...collecting }: GitOptions): Source {
  const shownAddress = withoutCredentials(address)
  const identity = `git ${shownAddress} ${branch ?? ''}`
  const folder = join(cache, 'git', `${createHash('sha256').update(identity).digest('hex').slice(0, 32)}.git`)
  return {
    label: `${shownAddress.replace(/\.git$/, '')}${branch ? `@${branch}` : ''}`,
    identity,
    list: async (signal) => {
      const reached = await reach?.(signal)
      try {
        const options = { signal, secret: address, env: reached?.env, onMoved: collecting.onMoved }
        const here = (args: readonly string[]): string[] => ['--git-dir', folder, ...safely, ...args]
        const git: Git = {
          run: (...args) => runProgram('git', here(args), options),
          list: (args, read) => followRecords('git', here(args), { ...options, end: '\0' }, read),
        }
        const commit = await fetchInto(folder, git, address, branch ?? 'HEAD')
        return await listCommit(commit, collecting, git)
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
  await git.run('init', '--quiet', '--bare')
  // As one pack whatever its size: in files of their own each object costs a list of a large tree 70 times as much.
  const packed = ['-c', 'fetch.unpackLimit=1']
  await git.run(...packed, 'fetch', '--quiet', '--depth', '1', '--no-tags', '--', address, what)
  return (await git.run('rev-parse', 'FETCH_HEAD')).toString().trim()
}

async function listCommit(commit: string, collecting: CollectOptions, git: Git): Promise<Listing> {
  const verdictOf = isWanted(collecting)
  const listing: Listing = { files: [], notes: [] }
  const unreadable = { count: 0, first: '' }
  let entries = 0
  await git.list(['ls-tree', '-r', '-l', '-z', commit], (entry) => {
    if (++entries > MAX_ENTRIES)
      throw new SyncFailed(`The repository has more than ${MAX_ENTRIES.toLocaleString('en')} files.`)
    // Links and submodules have other modes.
    const [, hash = '', size = '', path = ''] =
      /^100\d{3} blob ([0-9a-f]{40,64}) +(\d+)\t(.+)$/s.exec(entry) ?? []
    if (!hash || size === '0') return
    const verdict = verdictOf(path)
    if (verdict === 'unreadable' && ++unreadable.count === 1) unreadable.first = path
    if (verdict !== 'yes') return
    // The name of a blob is the hash of its content.
    listing.files.push({
      path: path.normalize('NFC'),
      bytes: Number(size),
      mark: hash,
      // It needs no network.
      read: () => git.run('cat-file', 'blob', hash),
    })
    requireCount(listing)
  })
  if (unreadable.count > 0)
    listing.notes.push(
      `Left out: ${unreadable.count} files of kinds that are not read, such as ${unreadable.first}.`,
    )
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
