// The documents stay short enough to be read, and their links lead somewhere.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const MAX_README_BYTES = 12_000

/** Folders of the documents; node_modules and the data of benches are not among them. */
const FOLDERS = ['.', 'bench', 'deploy', 'docs', 'docs/decisions', 'examples']
const papers = FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name))).filter(
  (path) => path.endsWith('.md'),
)
const read = (path: string): string => readFileSync(path, 'utf8')
const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]+`/g, '')

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
const anchorsOf = (path: string): string[] =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

test('the README can be read in five minutes', () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(MAX_README_BYTES)
})

test.each(papers)('links of %s lead somewhere', (path) => {
  const targets = [...withoutCode(read(path)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  const broken = targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#')
      const other = file ? join(dirname(path), file) : path
      if (!existsSync(other)) return true
      return anchor !== undefined && !anchorsOf(other).includes(anchor)
    })
  expect(broken).toEqual([])
})
