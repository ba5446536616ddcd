// The documents stay short enough to be read, and their links lead somewhere.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const MAX_README_BYTES = 12_000
const MAX_DECISION_WORDS = 600
const MAX_WORDS_OF_ALL_DECISIONS = 25_000

/** Folders of the documents; node_modules is not among them. */
const FOLDERS = ['.', 'deploy', 'docs', 'docs/decisions', 'examples', 'lab', 'test']
const papers = FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name))).filter(
  (path) => path.endsWith('.md'),
)
const read = (path: string): string => readFileSync(path, 'utf8')
const wordsOf = (text: string): number =>
  text.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part)).length
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

test('a decision is a page, and all of them can be read in two hours', () => {
  const pages = papers.filter((path) => path.startsWith('docs/decisions/'))
  const words = pages.map((path) => ({ path, words: wordsOf(read(path)) }))
  expect(words.filter((page) => page.words > MAX_DECISION_WORDS)).toEqual([])
  expect(words.reduce((sum, page) => sum + page.words, 0)).toBeLessThanOrEqual(MAX_WORDS_OF_ALL_DECISIONS)
})

test('the list of decisions has each page', () => {
  const index = read('docs/decisions/README.md')
  const names = readdirSync('docs/decisions').filter((name) => name !== 'README.md')
  expect(names.filter((name) => !index.includes(`(${name})`))).toEqual([])
})
