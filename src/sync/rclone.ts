// A remote of rclone (Google Drive, OneDrive, SFTP, S3 …) as a source. rclone must be installed, and the remote configured in it.

import { MAX_FILE_BYTES } from '../contract/limits.ts'
import { type CollectOptions, selector } from './collect.ts'
import { followRecords, runProgram } from './program.ts'
import { type Listing, requireFileCount, type Source, type SourceFile } from './source.ts'
import { openSpool, type SpoolOptions } from './spool.ts'

interface Item {
  Path: string
  Size: number
  ModTime: string
  IsDir: boolean
  Hashes?: Record<string, string>
}

interface RcloneOptions extends CollectOptions {
  /** The environment of rclone. By default that of this process. */
  env?: Readonly<Record<string, string>>
  spool?: SpoolOptions
}

const MAX_NOTES = 1000

/** @param remote in rclone's form: `remote:path` */
export function rcloneSource(remote: string, { env, spool, ...options }: RcloneOptions): Source {
  // Rclone would read a name that begins with a dash as an option.
  const root = remote.startsWith('-') ? `./${remote}` : remote
  const label = remote.replace(/^:(\w+)[^:]*:/, '$1:')
  return {
    label,
    identity: `rclone ${label}`,
    list: async (signal) => {
      const readFile = (path: string): Promise<Buffer<ArrayBuffer>> =>
        runProgram('rclone', ['cat', `${root}${separatorAfter(root)}${path}`], {
          signal,
          env,
          maxBytes: MAX_FILE_BYTES + 1,
          onProgress: options.onProgress,
        })
      const openedSpool = openSpool(spool)
      const listingBuilder = makeListingBuilder(options, (path) => openedSpool.readOnce(() => readFile(path)))
      // Rclone prints one item per line, between two lines with a bracket (rclone.org/commands/rclone_lsjson).
      const listing = ['lsjson', '--recursive', '--files-only', '--hash', root]
      await followRecords(
        'rclone',
        listing,
        { signal, env, recordEnd: '\n', onProgress: options.onProgress },
        (line) => {
          const item = line.replace(/,?\s*$/, '')
          if (item.startsWith('{')) listingBuilder.add(JSON.parse(item) as Item)
        },
      )
      return { ...listingBuilder.listing, close: openedSpool.close }
    },
  }
}

function makeListingBuilder(options: CollectOptions, readerOf: (path: string) => SourceFile['read']) {
  const verdictOf = selector(options)
  const listing: Listing = { files: [], notes: [] }
  const add = ({ Path, Size, ModTime, Hashes, IsDir }: Item): void => {
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
    requireFileCount(listing)
  }
  return { listing, add }
}

const separatorAfter = (root: string): string => (/[:/]$/.test(root) ? '' : '/')

// Many servers store times in whole seconds, so two writes within this time may have the same timestamp.
const SERVER_TICK_MS = 10_000
// The time that rclone gives if the server stores none.
const NO_TIME = '2000-01-01T00:00:00'

function markOf(size: number, time: string, hashes: Record<string, string> = {}): string | undefined {
  const sortedHashes = Object.entries(hashes).sort()
  const isOldEnough = !time.startsWith(NO_TIME) && Date.parse(time) < Date.now() - SERVER_TICK_MS
  return sortedHashes.length > 0 || isOldEnough ? `${size} ${time} ${sortedHashes.join(' ')}` : undefined
}
