// The data directory: made when missing, and what is wrong with it said with the name of its setting.

import { accessSync, constants, mkdirSync } from 'node:fs'

const reasons: Record<string, string> = {
  EEXIST: 'is a file, not a folder',
  ENOTDIR: 'lies below a file, not a folder',
  EACCES: 'may not be written by this user',
  EPERM: 'may not be written by this user',
  EROFS: 'is on a read-only file system',
  ENOSPC: 'has no room left',
  ENAMETOOLONG: 'is too long a path',
  ENOENT: 'cannot be made there',
}

/** Makes the folder, readable by its owner alone. @throws Error with a sentence that names KENNING_DATA_DIR */
export function makeDataDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = String((error as { code?: unknown }).code)
    throw new Error(
      `The data directory ${path} ${reasons[code] ?? `cannot be used (${code})`}; choose another one with KENNING_DATA_DIR.`,
    )
  }
}
