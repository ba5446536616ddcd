// A PDF where liteparse can open it: it tells kinds by extension, and what is stored has none.

import { readFile, symlink, writeFile } from 'node:fs/promises'
import { withoutLoopingOutline } from './outline-loops.ts'

/** Puts the file of `from` at `path`, without what takes the process down, and begins to read its bytes as they are. */
export async function openPdf<T>(
  from: string,
  path: string,
  read: (bytes: Buffer) => Promise<T>,
): Promise<{ reading: Promise<T> }> {
  const bytes = await readFile(from)
  const mended = withoutLoopingOutline(bytes)
  await (mended === undefined ? symlink(from, path) : writeFile(path, mended, { mode: 0o600 }))
  return { reading: read(bytes) }
}
