// A git repository as a source: the newest commit of a branch, without its history, is fetched into the cache. Files are read from
// the commit and never checked out, so that nothing in it, such as links, can affect this machine. git must be installed.

import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type CollectOptions, selector } from './collect.ts'
import { SyncFailed } from './failure.ts'
import { followRecords, runProgram } from './program.ts'
import { type Listing, requireFileCount, type Source } from './source.ts'

interface GitOptions extends CollectOptions {
  branch?: string
  cache: string
  /** How git reaches the repository. By default with the environment of this process. */
  openAccess?: (signal: AbortSignal) => Promise<GitAccess>
}

export interface GitAccess {
  env: Readonly<Record<string, string>>
  /** Why the repository was not reached, if git cannot know the reason. */
  failure?(): string | undefined
  close(): Promise<void>
}

interface Git {
  run(...args: string[]): Promise<Buffer<ArrayBuffer>>
  /** Calls `read` with each entry that git prints with -z. */
  list(args: readonly string[], read: (entry: string) => void): Promise<void>
}

// A limit is needed, because a tree of a hundred objects can have an enormous number of paths: each level may contain the one below
// ten times.
const MAX_ENTRIES = 1_000_000

export function gitSource(
  address: string,
  { branch, cache, openAccess, ...collectOptions }: GitOptions,
): Source {
  const publicAddress = withoutCredentials(address)
  const identity = `git ${publicAddress} ${branch ?? ''}`
  const folder = join(cache, 'git', `${createHash('sha256').update(identity).digest('hex').slice(0, 32)}.git`)
  return {
    label: `${publicAddress.replace(/\.git$/, '')}${branch ? `@${branch}` : ''}`,
    identity,
    list: async (signal) => {
      const access = await openAccess?.(signal)
      try {
        const options = { signal, secret: address, env: access?.env, onProgress: collectOptions.onProgress }
        const withFolder = (args: readonly string[]): string[] => [
          '--git-dir',
          folder,
          ...SAFE_OPTIONS,
          ...args,
        ]
        const git: Git = {
          run: (...args) => runProgram('git', withFolder(args), options),
          list: (args, read) => followRecords('git', withFolder(args), { ...options, recordEnd: '\0' }, read),
        }
        const commit = await fetchInto(folder, git, address, branch ?? 'HEAD')
        return await listCommit(commit, collectOptions, git)
      } catch (error) {
        signal.throwIfAborted()
        const failure = access?.failure?.()
        throw failure === undefined ? error : new SyncFailed(failure)
      } finally {
        await access?.close()
      }
    },
  }
}

/** @returns the id of the commit. @throws SyncFailed with what git says, and no credentials */
async function fetchInto(folder: string, git: Git, address: string, reference: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await git.run('init', '--quiet', '--bare')
  // Git then stores one pack, whatever its size. Listing a large tree takes 70 times as long if each object is a file of its own.
  const asOnePack = ['-c', 'fetch.unpackLimit=1']
  await git.run(...asOnePack, 'fetch', '--quiet', '--depth', '1', '--no-tags', '--', address, reference)
  return (await git.run('rev-parse', 'FETCH_HEAD')).toString().trim()
}

async function listCommit(commit: string, collectOptions: CollectOptions, git: Git): Promise<Listing> {
  const verdictOf = selector(collectOptions)
  const listing: Listing = { files: [], notes: [] }
  const unreadableFiles = { count: 0, first: '' }
  let entries = 0
  await git.list(['ls-tree', '-r', '-l', '-z', commit], (entry) => {
    if (++entries > MAX_ENTRIES)
      throw new SyncFailed(`The repository has more than ${MAX_ENTRIES.toLocaleString('en')} files.`)
    // Matches `100644 blob 3b18e512dba79e4c8300dd08aeb37f8e728b8dad      12<tab>docs/a.md`. Links and submodules have other modes.
    const [, hash = '', size = '', path = ''] =
      /^100\d{3} blob ([0-9a-f]{40,64}) +(\d+)\t(.+)$/s.exec(entry) ?? []
    if (!hash || size === '0') return
    const verdict = verdictOf(path)
    if (verdict === 'unreadable' && ++unreadableFiles.count === 1) unreadableFiles.first = path
    if (verdict !== 'yes') return
    // The name of a blob is the hash of its content.
    listing.files.push({
      path: path.normalize('NFC'),
      bytes: Number(size),
      mark: hash,
      // Reading needs no network.
      read: () => git.run('cat-file', 'blob', hash),
    })
    requireFileCount(listing)
  })
  if (unreadableFiles.count > 0)
    listing.notes.push(
      `Left out: ${unreadableFiles.count} files of kinds that are not read, such as ${unreadableFiles.first}.`,
    )
  return listing
}

// Nothing from a stranger's repository is executed: no hooks, no other transports, and no questions on the terminal.
const SAFE_OPTIONS = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'protocol.ext.allow=never',
  '-c',
  'credential.interactive=never',
]

const withoutCredentials = (address: string): string => address.replace(/^(\w+:\/\/)[^/@]*@/, '$1')
