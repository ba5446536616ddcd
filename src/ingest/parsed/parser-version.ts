// The version of the parsers, for the keys of cached results: a digest of their code and of the versions of their libraries.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../reader', import.meta.url))
let version: string | undefined

/** The version as 16 hexadecimal digits. It is computed once. */
export function parserVersion(): string {
  version ??= digest()
  return version
}

function digest(): string {
  const hash = createHash('sha256')
  for (const [name, code] of parserCode()) hash.update(name).update(code)
  const manifest = manifestAbove(FOLDER)
  if (manifest) hash.update(readFileSync(manifest))
  return hash.digest('hex').slice(0, 16)
}

/**
 * The code of the parsers by file name. It includes the files that they import from other folders, because these also change
 * results.
 */
export function parserCode(): Map<string, string> {
  const files = new Map<string, string>()
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(isCode)
  const queue = names.map((name) => join(FOLDER, name))
  for (const path of queue) {
    const name = relative(FOLDER, path)
    if (files.has(name)) continue
    const code = readFileSync(path, 'utf8')
    files.set(name, code)
    for (const [, target] of code.matchAll(RELATIVE_IMPORT)) queue.push(join(dirname(path), target ?? ''))
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
}

// Matches `import { fold } from '../words.ts'`.
const RELATIVE_IMPORT = /^(?:import|export)\b[^'"]* from ['"](\.[^'"]+)['"]/gm

const isCode = (name: string): boolean => /\.[jt]s$/.test(name) && !/\.test\.[jt]s$/.test(name)

/** The package.json with the parsers' dependencies, which are pinned exactly. */
function manifestAbove(folder: string): string | undefined {
  const candidate = join(folder, 'package.json')
  if (existsSync(candidate)) return candidate
  return dirname(folder) === folder ? undefined : manifestAbove(dirname(folder))
}
