// Creates and checks the data directory. An error names the problem and the setting.

import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const REASONS: Record<string, string> = {
  EEXIST: 'is a file, not a folder',
  ENOTDIR: 'is below a file, not a folder',
  EACCES: 'is not writable by this user',
  EPERM: 'is not writable by this user',
  EROFS: 'is on a read-only file system',
  ENOSPC: 'is on a full disk',
  ENAMETOOLONG: 'is too long a path',
  ENOENT: 'cannot be created there',
}

const ALL_RIGHTS = constants.R_OK | constants.W_OK | constants.X_OK

/** Creates the folder, readable only by its owner. @throws Error that names KENNING_DATA_DIR */
export function makeDataDir(path: string): void {
  withExplainedErrors(path, () => {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, ALL_RIGHTS)
  })
}

/** Whether the folder exists, after checking that it can be used or created. Changes nothing. @throws as makeDataDir */
export function checkDataDir(path: string): { exists: boolean } {
  const exists = existsSync(path)
  withExplainedErrors(path, () => {
    const folder = nearestFolder(path)
    if (!statSync(folder).isDirectory()) throw { code: exists ? 'EEXIST' : 'ENOTDIR' }
    accessSync(folder, ALL_RIGHTS)
  })
  return { exists }
}

/** The path itself, or the nearest one above it that exists. */
export function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path))
}

function withExplainedErrors(path: string, use: () => void): void {
  try {
    use()
  } catch (error) {
    const code = String((error as { code?: unknown }).code)
    throw new Error(
      `The data directory ${path} ${REASONS[code] ?? `cannot be used (${code})`}; choose another one with KENNING_DATA_DIR.`,
    )
  }
}
