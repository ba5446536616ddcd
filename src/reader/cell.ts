// The folders of one child, which must not see the files of another. Whoever took over a child may write anything into its
// own: no link there is followed, and no file is overwritten.

import { constants, mkdirSync } from 'node:fs'
import { copyFile, type FileHandle, link, open, realpath, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Cell } from './sandbox.ts'

const ROOT = 'root'

/** The folders of a new child in the pool's. */
export function makeCell(pool: string, no: number, ocrFolder: string | undefined, cacheDir: string): Cell {
  const folder = join(pool, String(no))
  const inputPath = join(folder, 'given')
  const root = join(pool, ROOT)
  mkdirSync(inputPath, { recursive: true, mode: 0o700 })
  mkdirSync(root, { recursive: true, mode: 0o700 })
  return {
    folder,
    inputPath,
    root,
    readable: ocrFolder === undefined ? [] : [ocrFolder],
    hidden: [resolve(cacheDir)],
  }
}

/** Puts a file where the child can read it, and returns where: no copy, where a second name of the file will do. */
export async function give(
  { inputPath }: Pick<Cell, 'inputPath'>,
  path: string,
  id: number,
): Promise<string> {
  const here = join(inputPath, `${id}.file`)
  const file = await realpath(path)
  // Of another file system, or of another user.
  await link(file, here).catch(() => copyFile(file, here, constants.COPYFILE_FICLONE))
  return here
}

/** Opens a file that a child wrote; a link or a pipe in its place is an error. */
export async function openOwn(folder: string, path: string): Promise<FileHandle> {
  if (dirname(path) !== folder) throw new Error('the file is not in the folder of the child')
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new Error('the child wrote no file')
}

export async function readOwn(folder: string, path: string): Promise<Buffer> {
  const file = await openOwn(folder, path)
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Removes the folders of a child that has ended, unless a result in them is still being read. */
export async function leaveCell({ folder, inputPath }: Pick<Cell, 'folder' | 'inputPath'>): Promise<void> {
  for (const place of [inputPath, folder]) await rmdir(place).catch(() => undefined)
}
