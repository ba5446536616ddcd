// Which parsers a kept result comes from: a digest of their code and of the libraries' versions, so that nobody has to
// remember to raise a number.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../parse', import.meta.url))
let known: string | undefined

/** 16 hexadecimal digits; computed once (some 100 small files, 5 ms). */
export function parserVersion(): string {
  known ??= digest()
  return known
}

function digest(): string {
  const hash = createHash('sha256')
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(isCode).sort()
  for (const name of names) hash.update(name).update(readFileSync(join(FOLDER, name)))
  const manifest = manifestAbove(FOLDER)
  if (manifest) hash.update(readFileSync(manifest))
  return hash.digest('hex').slice(0, 16)
}

const isCode = (name: string): boolean => /\.[jt]s$/.test(name) && !/\.test\.[jt]s$/.test(name)

/** The package.json whose dependencies these parsers use: they are pinned exactly. */
function manifestAbove(folder: string): string | undefined {
  const candidate = join(folder, 'package.json')
  if (existsSync(candidate)) return candidate
  return dirname(folder) === folder ? undefined : manifestAbove(dirname(folder))
}
