// For the build: the messages of pages that few people open (`seldomPage` of router.tsx), which are a part of each catalogue of
// their own. A module that another page imports as well, at once or later, belongs to the first part with all its messages.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const SOURCE = join(import.meta.dirname, '..')
/** What the build begins with: the page, and the scripts beside it (vite.config.ts). */
const ENTRIES = ['main.tsx', 'early.ts', 'passkey.ts'].map((name) => join(SOURCE, name))

const SELDOM_PAGE = /seldomPage\(\s*\(\) => import\('(\.[^']+)'\)/g
const IMPORT = /(?:from|import|import\() ?'(\.[^']+\.tsx?)'/g
const CATALOGUE = /language\/(?:de|fr|es|ja)\.ts$/

const importsOf = (path: string, code: string, pattern: RegExp): string[] =>
  [...code.matchAll(pattern)].map(([, name = '']) => join(dirname(path), name))

/** The modules of the console: those that a person meets, and those that only the pages opened seldom need. */
export function modulesOfConsole(): { first: Map<string, string>; seldom: Map<string, string> } {
  const first = new Map<string, string>()
  const seldom = new Map<string, string>()
  const seldomPages: string[] = []
  const read = (path: string, into: Map<string, string>): void => {
    if (first.has(path) || into.has(path) || CATALOGUE.test(path)) return
    const code = readFileSync(path, 'utf8')
    into.set(path, code)
    seldomPages.push(...importsOf(path, code, SELDOM_PAGE))
    for (const next of importsOf(path, code.replace(SELDOM_PAGE, ''), IMPORT)) read(next, into)
  }
  for (const path of ENTRIES) read(path, first)
  for (const path of seldomPages) read(path, seldom)
  return { first, seldom }
}
