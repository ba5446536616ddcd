// Whatever rclone reaches (Google Drive, OneDrive, SFTP, S3 …) as a source. It needs rclone with the remote set up.

import { type CollectOptions, isWanted } from './collect.ts'
import { SyncFailed } from './failure.ts'
import { runProgram } from './program.ts'
import type { Listing, Source, SourceFile } from './source.ts'
import { openSpool, type Spool, type SpoolOptions } from './spool.ts'

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

const MOST_BYTES = 104_857_600

/** @param remote as rclone names it: `remote:path` */
export function rcloneSource(remote: string, { env, spool, ...options }: RcloneOptions): Source {
  // What begins with a dash would be an option of rclone.
  const root = remote.startsWith('-') ? `./${remote}` : remote
  const label = remote.replace(/^:(\w+)[^:]*:/, '$1:')
  return {
    label,
    identity: `rclone ${label}`,
    list: async (signal) => {
      const printed = await runProgram('rclone', ['lsjson', '--recursive', '--files-only', '--hash', root], {
        signal,
        env,
      })
      const read = (path: string): Promise<Buffer<ArrayBuffer>> =>
        runProgram('rclone', ['cat', `${root}${join(root)}${path}`], {
          signal,
          env,
          mostBytes: MOST_BYTES + 1,
        })
      return listed(JSON.parse(printed.toString()) as Item[], options, read, openSpool(spool))
    },
  }
}

function listed(
  items: readonly Item[],
  options: CollectOptions,
  read: (path: string) => Promise<Buffer<ArrayBuffer>>,
  spool: Spool,
): Listing {
  const wanted = isWanted(options)
  const files: SourceFile[] = []
  const notes: string[] = []
  for (const { Path, Size, ModTime, Hashes, IsDir } of items) {
    if (IsDir || Size === 0) continue
    const verdict = wanted(Path)
    if (verdict === 'unreadable') notes.push(`Left out: ${Path} is of a kind that is not read.`)
    if (verdict !== 'yes') continue
    files.push({
      path: Path,
      // Documents of online editors have no size until they are exported.
      bytes: Math.max(0, Size),
      mark: markOf(Size, ModTime, Hashes),
      read: spool.once(() => read(Path)),
    })
  }
  if (files.length > 100_000)
    throw new SyncFailed('The source has more than 100,000 files. Sync a part of it.')
  return { files, notes, close: spool.close }
}

const join = (root: string): string => (/[:/]$/.test(root) ? '' : '/')

// Many servers keep whole seconds: what was written just now may be written again without a trace.
const TICK_MS = 10_000
// What rclone says of a file whose server keeps no time.
const NO_TIME = '2000-01-01T00:00:00'

function markOf(size: number, time: string, hashes: Record<string, string> = {}): string | undefined {
  const known = Object.entries(hashes).sort()
  const isSettled = !time.startsWith(NO_TIME) && Date.parse(time) < Date.now() - TICK_MS
  return known.length > 0 || isSettled ? `${size} ${time} ${known.join(' ')}` : undefined
}
