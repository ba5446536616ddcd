// Reads and writes Kenning's own files in the folders of the user. A file is written completely or not at all.

import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Undefined if the file does not exist. @throws SyntaxError */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : JSON.parse(text)
}

/** The mode of a file that only its owner can read and write. */
export const PRIVATE_MODE = 0o600

/** Writes a file that only its owner can read. */
export const writePrivateFile = (path: string, text: string): Promise<void> =>
  replaceFile(path, text, PRIVATE_MODE)

/** Replaces a file as a whole. After a crash it has either the old content or the new. */
export async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true, ...(mode === PRIVATE_MODE ? { mode: 0o700 } : {}) })
  const temporaryPath = `${path}.${randomBytes(4).toString('hex')}`
  try {
    const file = await open(temporaryPath, 'wx', mode)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporaryPath, path)
  } catch (error) {
    await rm(temporaryPath, { force: true })
    throw error
  }
}
