// The folders of one child, which must not see the files of another. An attacker who controls a child may write anything
// into its folder. So no link there is followed, and no file is overwritten.

import { constants, mkdirSync } from 'node:fs'
import { copyFile, type FileHandle, link, open, realpath, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { SandboxDir } from './sandbox.ts'

const ROOT = 'root'

/** Makes the folders of a new child inside the pool's folder. */
export function makeSandboxDir(
  poolFolder: string,
  childNumber: number,
  ocrFolder: string | undefined,
  cacheDir: string,
): SandboxDir {
  const folder = join(poolFolder, String(childNumber))
  const inputPath = join(folder, 'given')
  const root = join(poolFolder, ROOT)
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

/** Puts a file where the child can read it and returns the path. The file is linked if possible, and copied otherwise. */
export async function giveFile(
  { inputPath }: Pick<SandboxDir, 'inputPath'>,
  path: string,
  id: number,
): Promise<string> {
  const pathForChild = join(inputPath, `${id}.file`)
  const realFile = await realpath(path)
  // A link fails if the file is on another file system or belongs to another user.
  await link(realFile, pathForChild).catch(() => copyFile(realFile, pathForChild, constants.COPYFILE_FICLONE))
  return pathForChild
}

/** Opens a file that a child wrote; a link or a pipe in its place is an error. */
export async function openChildFile(folder: string, path: string): Promise<FileHandle> {
  if (dirname(path) !== folder) throw new Error('the file is not in the folder of the child')
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new Error('the child wrote no file')
}

export async function readChildFile(folder: string, path: string): Promise<Buffer> {
  const file = await openChildFile(folder, path)
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Removes the folders of a child that has ended. Folders with a result that is still being read are left. */
export async function removeSandboxDir({
  folder,
  inputPath,
}: Pick<SandboxDir, 'folder' | 'inputPath'>): Promise<void> {
  for (const path of [inputPath, folder]) await rmdir(path).catch(() => undefined)
}
