// Whatever rclone reaches (Google Drive, OneDrive, SFTP, S3 …) as a source. It needs rclone with the remote set up.

import { MAX_FILE_BYTES } from '../contract/limits.ts'
import { type CollectOptions, isWanted } from './collect.ts'
import { followRecords, runProgram } from './program.ts'
import { type Listing, requireCount, type Source, type SourceFile } from './source.ts'
import { openSpool, type SpoolOptions } from './spool.ts'

interface Item {
  Path: string
  Size: number
  ModTime: string
  IsDir: boolean
  Hashes?: Record<string, string>
}

export interface RcloneOptions extends CollectOptions {
  /** Instead of this process's own environment. */
  env?: Readonly<Record<string, string>>
  spool?: SpoolOptions
}

const MAX_NOTES = 1000

/** @param remote as rclone names it: `remote:path` */
export function rcloneSource(remote: string, { env, spool, ...options }: RcloneOptions): Source {
  // What begins with a dash would be an option of rclone.
  const root = remote.startsWith('-') ? `./${remote}` : remote
  const label = remote.replace(/^:(\w+)[^:]*:/, '$1:')
  return {
    label,
    identity: `rclone ${label}`,
    list: async (signal) => {
      const read = (path: string): Promise<Buffer<ArrayBuffer>> =>
        runProgram('rclone', ['cat', `${root}${join(root)}${path}`], {
          signal,
          env,
          mostBytes: MAX_FILE_BYTES + 1,
          onMoved: options.onMoved,
        })
      const spooled = openSpool(spool)
      const add = listingOf(options, (path) => spooled.once(() => read(path)))
      // An item a line, between two lines with a bracket (rclone.org/commands/rclone_lsjson).
      const listing = ['lsjson', '--recursive', '--files-only', '--hash', root]
      await followRecords('rclone', listing, { signal, env, end: '\n', onMoved: options.onMoved }, (line) => {
        const item = line.replace(/,?\s*$/, '')
        if (item.startsWith('{')) add.item(JSON.parse(item) as Item)
      })
      return { ...add.listing, close: spooled.close }
    },
  }
}

function listingOf(options: CollectOptions, readerOf: (path: string) => SourceFile['read']) {
  const verdictOf = isWanted(options)
  const listing: Listing = { files: [], notes: [] }
  const item = ({ Path, Size, ModTime, Hashes, IsDir }: Item): void => {
    if (IsDir || Size === 0) return
    const verdict = verdictOf(Path)
    if (verdict === 'unreadable' && listing.notes.length < MAX_NOTES)
      listing.notes.push(`Left out: ${Path} is of a kind that is not read.`)
    if (verdict !== 'yes') return
    listing.files.push({
      path: Path,
      // Documents of online editors have no size until they are exported.
      bytes: Math.max(0, Size),
      mark: markOf(Size, ModTime, Hashes),
      read: readerOf(Path),
    })
    requireCount(listing)
  }
  return { listing, item }
}

const join = (root: string): string => (/[:/]$/.test(root) ? '' : '/')

// Many servers keep whole seconds: what was written just now may be written again without a trace.
const TICK_MS = 10_000
// What rclone says of a file whose server keeps no time.
const NO_TIME = '2000-01-01T00:00:00'

function markOf(size: number, time: string, hashes: Record<string, string> = {}): string | undefined {
  const sortedHashes = Object.entries(hashes).sort()
  const isSettled = !time.startsWith(NO_TIME) && Date.parse(time) < Date.now() - TICK_MS
  return sortedHashes.length > 0 || isSettled ? `${size} ${time} ${sortedHashes.join(' ')}` : undefined
}
