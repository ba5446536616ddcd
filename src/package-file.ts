// The path of a file of the package, whose folder differs between the sources, the build and an installation.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The path of a file in the nearest folder above this module.
 * @param path relative to the root of the package
 * @throws Error if there is none
 */
export function packageFile(path: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, path)
    if (existsSync(candidate)) return candidate
    if (folder === dirname(folder)) throw new Error(`the package has no ${path}`)
  }
}
