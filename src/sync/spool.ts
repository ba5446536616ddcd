// What was fetched to be compared is kept until it is sent, so that a site is asked once: on disk, since it may be much.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SyncFailed } from './failure.ts'

const USUAL: SpoolOptions = { folder: tmpdir(), mostBytes: Number.POSITIVE_INFINITY }

type Read = () => Promise<Uint8Array<ArrayBuffer>>

export interface Spool {
  /** Fetches at most once. */
  once(read: Read): Read
  close(): Promise<void>
}

export interface SpoolOptions {
  /** Below it lies what is kept; by default the system's folder for temporary files. */
  folder: string
  /** What does not fit is an error: a site may send without end. */
  mostBytes: number
}

export function openSpool({ folder: below, mostBytes }: SpoolOptions = USUAL): Spool {
  let folder: Promise<string> | undefined
  let spooled = 0
  let files = 0
  return {
    once: (read) => {
      let spoolPath: string | undefined
      return async () => {
        if (spoolPath !== undefined) return readFile(spoolPath)
        const bytes = await read()
        spooled += bytes.length
        if (spooled > mostBytes)
          throw new SyncFailed(
            `The source sent more than ${Math.floor(mostBytes / 2 ** 30)} GB. Take a part of it.`,
            'too_large',
          )
        folder ??= mkdtemp(join(below, 'kenning-sync-'))
        const path = join(await folder, String(++files))
        await writeFile(path, bytes)
        spoolPath = path
        return bytes
      }
    },
    close: async () => {
      if (folder) await rm(await folder, { recursive: true, force: true })
    },
  }
}
