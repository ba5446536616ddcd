// The laboratory is beside the product: nothing of the product imports it, and what it imports of the product is listed here.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** What any client, evaluation or test of the product uses. */
const OPEN = [
  'client',
  'contract',
  'eval',
  'identity',
  'package-file',
  'processes',
  'progress-bar',
  'temporary',
]
/** Benches of a part alone call it as the product does, from which it cannot be told apart over HTTP. Keep it short. */
const INSIDES: Record<string, string> = {
  accounts: 'token: the check of a credential',
  archive: 'import: writes a large archive',
  ask: 'ranker: asks with weights that are being fitted',
  auth: 'search within row-level security, as a request has it',
  documents: 'speed: scopes, and rows in bulk',
  embed: 'vectors in bulk, and search by meaning alone',
  graph: 'graph: the entities and relations of one text',
  http: 'token: the order of checks without a network',
  index: 'speed: term weights, for rows in bulk and for bare statements',
  ingest: 'chunks of a text, as an upload has them',
  language: 'words and sentences, as search sees them',
  ports: 'the database under bare statements; tokeniser and model files of the sentence model',
  reader: 'one file or page, without the service',
  search: 'quality: each part of search turned off; speed: searches without HTTP',
  themes: 'graph: the names that the entry page of the graph shows',
  workspaces: 'token: the statement of an access check',
}

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'))

/** Paths of the modules of ours that a file imports. */
const importsOf = (path: string): string[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(
    ([, target = '']) => relative(root, resolve(root, dirname(path), target)),
  )

test('nothing of the product imports the laboratory', () => {
  const files = ['src', 'test', 'scripts', 'web'].flatMap(filesIn)
  expect(files.length).toBeGreaterThan(1000)
  expect(files.filter((path) => importsOf(path).some((target) => target.startsWith('lab/')))).toEqual([])
})

test('of the product it imports what is open, and these insides', () => {
  const rooms = filesIn('lab')
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap(importsOf)
    .filter((target) => target.startsWith('src/'))
    .map((target) => (target.split('/')[1] ?? '').replace(/\.ts$/, ''))
  const insides = [...new Set(rooms)].filter((room) => !OPEN.includes(room))
  expect(insides.sort()).toEqual(Object.keys(INSIDES))
})
