// Keeps fetched bytes on disk between comparing and sending, so that a site is requested only once.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SyncFailed } from './failure.ts'

const DEFAULT_OPTIONS: SpoolOptions = { folder: tmpdir(), maxBytes: Number.POSITIVE_INFINITY }

type Read = () => Promise<Uint8Array<ArrayBuffer>>

interface Spool {
  /** Returns a function that fetches the bytes at most once. */
  readOnce(read: Read): Read
  close(): Promise<void>
}

export interface SpoolOptions {
  /** The folder for the files. By default the system's folder for temporary files. */
  folder: string
  /** More bytes are an error, because a site may send any amount. */
  maxBytes: number
}

export function openSpool({ folder: parentFolder, maxBytes }: SpoolOptions = DEFAULT_OPTIONS): Spool {
  let folder: Promise<string> | undefined
  let spooledBytes = 0
  let fileCount = 0
  return {
    readOnce: (read) => {
      let spoolPath: string | undefined
      return async () => {
        if (spoolPath !== undefined) return readFile(spoolPath)
        const bytes = await read()
        spooledBytes += bytes.length
        if (spooledBytes > maxBytes)
          throw new SyncFailed(
            `The source sent more than ${Math.floor(maxBytes / 2 ** 30)} GB. Take a part of it.`,
            'too_large',
          )
        folder ??= mkdtemp(join(parentFolder, 'kenning-sync-'))
        const path = join(await folder, String(++fileCount))
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
