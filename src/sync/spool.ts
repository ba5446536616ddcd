// What was fetched to be compared is kept until it is sent, so that a site is asked once: on disk, since it may be much.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Read = () => Promise<Uint8Array<ArrayBuffer>>

export interface Spool {
  /** Fetches at most once. */
  once(read: Read): Read
  close(): Promise<void>
}

export function openSpool(): Spool {
  let folder: Promise<string> | undefined
  let files = 0
  return {
    once: (read) => {
      let kept: string | undefined
      return async () => {
        if (kept !== undefined) return readFile(kept)
        const bytes = await read()
        folder ??= mkdtemp(join(tmpdir(), 'kenning-sync-'))
        const path = join(await folder, String(++files))
        await writeFile(path, bytes)
        kept = path
        return bytes
      }
    },
    close: async () => {
      if (folder) await rm(await folder, { recursive: true, force: true })
    },
  }
}
