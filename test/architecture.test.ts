// The architecture as data, checked: who may import whom, where SQL, the environment and exits may stand, how long files and
// functions may grow (design: ARCHITECTURE.md). It fails when it sees too few files: it cannot pass on nothing.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** Which rooms a room may import besides itself. `contract`, `errors` and `identity` are open to every server room. */
const base = ['contract', 'errors', 'identity', 'package-file', 'parent']
const low = [...base, 'language', 'ports']
const mayImport: Record<string, string[]> = {
  contract: ['messages'],
  client: ['contract'],
  errors: ['contract'],
  identity: [],
  'package-file': [],
  parent: [],
  reader: ['language', 'parent', 'processes'],
  config: [],
  language: ['package-file'],
  ports: base,
  audit: low,
  auth: low,
  accounts: [...low, 'audit', 'auth', 'messages'],
  oauth: [...low, 'audit', 'auth', 'accounts'],
  idempotency: [...low, 'auth'],
  work: [...base, 'ports', 'processes'],
  index: [...low],
  workspaces: [...low, 'audit', 'auth', 'accounts', 'idempotency', 'work'],
  models: [...low, 'audit', 'accounts', 'embed', 'spending'],
  spending: [...low, 'audit', 'accounts'],
  documents: [...low, 'audit', 'auth'],
  graph: [...low, 'audit', 'auth', 'documents', 'spending', 'work'],
  embed: [...low, 'work'],
  search: [...low, 'auth', 'documents', 'index', 'graph', 'embed'],
  themes: [...low, 'auth', 'graph', 'index'],
  ingest: [
    ...low,
    'audit',
    'auth',
    'idempotency',
    'documents',
    'index',
    'work',
    'graph',
    'embed',
    'reader',
    'webhooks',
  ],
  webhooks: [...low, 'audit', 'auth', 'work'],
  sources: [...low, 'audit', 'auth', 'ingest', 'processes', 'sync', 'work'],
  backup: [...low, 'audit', 'accounts', 'work'],
  health: [...low, 'audit', 'accounts', 'backup', 'embed', 'ingest', 'models', 'work'],
  ask: [...low, 'audit', 'auth', 'search', 'spending', 'graph', 'documents', 'embed', 'work'],
  archive: [
    ...low,
    'audit',
    'auth',
    'idempotency',
    'workspaces',
    'documents',
    'graph',
    'ingest',
    'ask',
    'processes',
    'reader',
    'sources',
    'work',
  ],
  mcp: [...low, 'auth', 'workspaces', 'documents', 'search', 'graph', 'themes', 'ingest', 'ask'],
  http: [
    ...low,
    'archive',
    'auth',
    'accounts',
    'oauth',
    'workspaces',
    'documents',
    'search',
    'graph',
    'themes',
    'ingest',
    'ask',
    'sources',
    'webhooks',
    'models',
    'spending',
    'backup',
    'health',
    'mcp',
    'messages',
  ],
  processes: ['parent', 'ports'],
  app: [
    ...low,
    'answering',
    'archive',
    'ask',
    'config',
    'auth',
    'accounts',
    'oauth',
    'idempotency',
    'workspaces',
    'work',
    'documents',
    'graph',
    'embed',
    'ingest',
    'sources',
    'webhooks',
    'models',
    'spending',
    'backup',
    'health',
    'http',
    'processes',
    'reader',
  ],
  answering: ['config', 'auth', 'ports', 'processes'],
  messages: [],
  transcript: ['client'],
  'progress-bar': [],
  eval: [...low, 'client', 'config', 'auth', 'search', 'processes', 'app', 'progress-bar', 'temporary'],
  temporary: [...low, 'config', 'auth', 'processes', 'app', 'answering'],
  sync: [...base, 'ports'],
  cli: [...base, 'client', 'config', 'progress-bar', 'ask', 'ports', 'sync', 'temporary', 'transcript'],
  operator: [...low, 'config', 'accounts', 'backup', 'health', 'processes', 'reader', 'work'],
  main: ['config', 'app', 'operator', 'processes', 'eval', 'reader', 'cli'],
}

/** What a room may import of another that is not at that room's top level. Keep it short. */
const INSIDES: { from?: string; path: RegExp; why: string }[] = [
  { path: /^src\/ports\/[\w-]+\/[^/]+$/, why: 'each port is a folder, and its files are its top level' },
  { path: /^src\/ports\/db\/embedded\//, why: 'the supervisor and the operator handle the engine process' },
  {
    from: 'src/main.ts',
    path: /^src\/reader\/.+\/languages\.ts$/,
    why: 'the supervisor stays small: the reader with its parsers would cost it 21 MB',
  },
  {
    from: 'src/archive/child/entry.ts',
    path: /^src\/reader\/child\/isolation\.ts$/,
    why: 'a child that reads archives keeps itself apart as one that reads files does, without the parsers',
  },
]

const MANY_FILE_LINES = 500
const MANY_FUNCTION_LINES = 60
const MANY_FILES_A_FOLDER = 20

interface Source {
  path: string
  room: string
  text: string
  imports: string[]
}

function sources(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
    .map((name) => {
      const path = `${folder}/${name.replaceAll('\\', '/')}`
      const text = readFileSync(join(root, path), 'utf8')
      return { path, room: roomOf(path), text, imports: importsOf(path, text) }
    })
}

const roomOf = (path: string): string => (path.split('/')[1] ?? '').replace(/\.ts$/, '')

/** Relative imports, static, dynamic and of types, as paths from the root. */
function importsOf(path: string, text: string): string[] {
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)]
  return found.map((match) =>
    relative(root, resolve(root, dirname(path), match[1] ?? '')).replaceAll('\\', '/'),
  )
}

const all = sources('src')

test('sees the whole house', () => {
  expect(all.length).toBeGreaterThan(40)
  expect(new Set(all.map(({ room }) => room)).size).toBeGreaterThan(8)
})

test('every file has a room', () => {
  expect(all.filter(({ room }) => !(room in mayImport)).map(({ path }) => path)).toEqual([])
})

test('rooms import only what the table allows', () => {
  const wrong = all.flatMap(({ path, room, imports }) =>
    imports
      .filter((target) => target.startsWith('src/') && roomOf(target) !== room)
      .filter((target) => !mayImport[room]?.includes(roomOf(target)))
      .map((target) => `${path} -> ${target}`),
  )
  expect(wrong).toEqual([])
})

test('a room imports nothing from inside another: what others need is at its top level', () => {
  const inside = all.flatMap(({ path, room, imports }) =>
    imports
      .filter((target) => target.split('/').length > 3 && roomOf(target) !== room)
      .filter((target) => !isAllowedInside(path, target))
      .map((target) => `${path} -> ${target}`),
  )
  expect(inside).toEqual([])
})

const isAllowedInside = (path: string, target: string): boolean =>
  INSIDES.some(({ from, path: pattern }) => pattern.test(target) && (from ?? path) === path)

test('each exception to that is still needed', () => {
  const unused = INSIDES.filter(
    ({ from, path: pattern }) =>
      !all.some(
        ({ path, imports }) => (from ?? path) === path && imports.some((target) => pattern.test(target)),
      ),
  )
  expect(unused).toEqual([])
})

test('other rooms import only the entry of the reader', () => {
  const around = all.flatMap(({ path, room, imports }) =>
    imports
      .filter((target) => target.startsWith('src/reader/') && room !== 'reader')
      .filter((target) => target !== 'src/reader/reader.ts' && !isAllowedInside(path, target))
      .map((target) => `${path} -> ${target}`),
  )
  expect(around).toEqual([])
})

/** The format whose folder a file of the reader is in. */
const formatOf = (path: string): string | undefined => /^src\/reader\/formats\/([\w-]+)\//.exec(path)?.[1]

test('no format knows another, and the others know formats by their table alone', () => {
  expect(new Set(all.map(({ path }) => formatOf(path))).size).toBeGreaterThan(12)
  const arrows = all
    .filter(({ path }) => path !== 'src/reader/formats/formats.ts')
    .flatMap(({ path, imports }) =>
      imports
        .filter((target) => formatOf(target) !== undefined && formatOf(target) !== formatOf(path))
        .map((target) => `${path} -> ${target}`),
    )
  expect(arrows).toEqual([])
})

test('the worker knows no kind of task', () => {
  const table = all.find(({ path }) => path === 'src/app.ts')?.text ?? ''
  const kinds = [...(/handlers: \{(.*?)\n {2}\},/s.exec(table)?.[1] ?? '').matchAll(/^ {4}(\w+):/gm)].map(
    ([, kind]) => kind,
  )
  expect(kinds).toContain('ingest')
  const named = all
    .filter(({ room }) => room === 'work')
    .flatMap(({ path, text }) =>
      kinds.filter((kind) => text.includes(`'${kind}'`)).map((kind) => `${path}: ${kind}`),
    )
  expect(named).toEqual([])
})

/** The cycles of a graph, each as a line. */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const state = new Map<string, 'open' | 'done'>()
  const cycles: string[] = []
  const visit = (node: string, trail: string[]): void => {
    if (state.get(node) === 'done') return
    if (state.get(node) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(node)), node].join(' -> '))
      return
    }
    state.set(node, 'open')
    for (const next of graph.get(node) ?? []) if (graph.has(next)) visit(next, [...trail, node])
    state.set(node, 'done')
  }
  for (const node of graph.keys()) visit(node, [])
  return cycles
}

test.each([
  ['the service', all],
  ['the console', sources('web/src')],
])('no cycles in %s, type imports included', (_, files) => {
  expect(files.length).toBeGreaterThan(40)
  expect(cyclesOf(new Map(files.map(({ path, imports }) => [path, imports])))).toEqual([])
})

test('what formats of the reader share stands in an order: no cycles between its folders', () => {
  const folderOf = (path: string): string => /^src\/reader\/shared\/[\w-]+/.exec(path)?.[0] ?? ''
  const folders = new Map<string, string[]>()
  for (const { path, imports } of all.filter((file) => folderOf(file.path) !== '')) {
    const own = folderOf(path)
    const others = imports.map(folderOf).filter((target) => target !== own)
    folders.set(own, [...(folders.get(own) ?? []), ...others])
  }
  expect(folders.size).toBeGreaterThan(8)
  expect(cyclesOf(folders)).toEqual([])
})

const READ_ENVIRONMENT = ['src/config.ts', 'src/cli/config.ts']

test('SQL stands in *.sql.ts, the environment in config.ts, exits in main.ts', () => {
  const wrong = all.flatMap(({ path, text }) => {
    const found: string[] = []
    if (
      /from 'sql-template-tag'/.test(text) &&
      !path.endsWith('.sql.ts') &&
      !path.startsWith('src/ports/db/')
    ) {
      found.push(`${path}: SQL`)
    }
    if (/process\.env\b/.test(text) && !READ_ENVIRONMENT.includes(path)) found.push(`${path}: process.env`)
    if (/process\.exit\(/.test(text) && path !== 'src/main.ts') found.push(`${path}: process.exit`)
    return found
  })
  expect(wrong).toEqual([])
})

// About the caller alone.
const ASK_NOBODY = [
  'me',
  'createWorkspace',
  'listWorkspaces',
  'listTrashedWorkspaces',
  'importWorkspace',
  'listImports',
  'getImport',
  'cancelImport',
]
// A job is known by its id alone: which workspace to ask for is looked up first.
const LOOKS_UP_FIRST = 'selectJobWorkspace'
const MAX_HELPERS = 3

/** The code of a function of the file's top level; undefined where there is none of that name. */
const codeOf = ({ text }: Source, name: string): string | undefined => {
  const at = text.search(
    new RegExp(`^(?:export )?(?:(?:async )?function\\*? ${name}\\(|const ${name} = )`, 'm'),
  )
  return at < 0 ? undefined : text.slice(at)
}

/** Whether the first call of a function asks for access, itself or by another function that does. */
function asksFirst(name: string, from: Source, helpers = MAX_HELPERS): boolean {
  if (name === 'requireWorkspace' || name === 'requireTrashedWorkspace') return true
  const files = [from, ...all.filter(({ path }) => from.imports.includes(path))]
  const at = files.find((file) => codeOf(file, name) !== undefined)
  if (!at || helpers < 0) return false
  const code = (codeOf(at, name) ?? '').replace(/^\s*\/\/.*\n/gm, '')
  const calls = [...code.matchAll(/(?:await|return|=>)\s+(\w+)\(/g)].map(([, called = '']) => called)
  const first = calls[0] === LOOKS_UP_FIRST ? calls[1] : calls[0]
  return asksFirst(first ?? '', at, helpers - 1)
}

test('what answers an endpoint asks for access before anything else', () => {
  const handlers = all.find(({ path }) => path === 'src/http/handlers.ts')
  if (!handlers) throw new Error('there are no handlers')
  const answering = new Set(
    [...handlers.text.matchAll(/(\w+)\(deps, caller\b/g)].map(([, name = '']) => name),
  )
  expect(answering.size).toBeGreaterThan(60)
  expect([...answering].filter((name) => !asksFirst(name, handlers)).sort()).toEqual([...ASK_NOBODY].sort())
})

test('contract is safe in a browser', () => {
  const wrong = all.filter(({ room, text }) => room === 'contract' && /from '(node:|pg|fastify)/.test(text))
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test('no default export, class (but errors), enum, any or non-null assertion', () => {
  const wrong = all.flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((line, index) => ({ line, at: `${path}:${index + 1}` }))
      .filter(({ line }) => isForbidden(line))
      .map(({ at }) => at),
  )
  expect(wrong).toEqual([])
})

test.each([
  'export default main',
  'const enum Kind {',
  'class Pool {',
  'const rows: any = x',
  'const rows: any[] = []',
  'const rows = new Map<string, any>()',
  'const rows: Promise<any> = x',
  'return x as any',
  'return found!.id',
  'return found()!;',
  'use(rows[0]!)',
  'const id = found!',
  'const id = found![0]',
])('%s is noticed', (line) => {
  expect(isForbidden(line)).toBe(true)
})

test.each([
  'if (found !== other) return !found',
  'class Gone extends Error {',
  "throw new Error('not any of them!')",
  'const many = company // any of them!',
  ' * Takes any[] but not found!.id',
])('%s is fine', (line) => {
  expect(isForbidden(line)).toBe(false)
})

function isForbidden(line: string): boolean {
  const code = line
    .replace(/^\s*\*.*$|^\s*\/\*\*.*$/, '')
    .replace(/'(?:[^'\\]|\\.)*'/g, "''")
    .replace(/\/\/.*$/, '')
  const isAny = /:\s*any\b|\bas any\b|\bany\[\]|<any\b|,\s*any>/
  const isNonNull = /[\w)\]]!(?:[.;),[\]}]|\s*$)/
  const isPlainClass = /^(export )?class /.test(code) && !/extends \w*Error\b/.test(code)
  const isOther = /^export default|^\s*(export )?(const )?enum /
  return isPlainClass || [isAny, isNonNull, isOther].some((pattern) => pattern.test(code))
}

test('every file opens with its duty', () => {
  const wrong = all.filter(({ text }) => !/^(#!.*\n)?\/\//.test(text)).map(({ path }) => path)
  expect(wrong).toEqual([])
})

// A hint, not a wall: what belongs together stays together, and whoever reads this may see what does not.
test('what is large is printed', () => {
  expect(all.length).toBeGreaterThan(40)
  const files = all
    .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
    .filter(({ path, lines }) => lines > MANY_FILE_LINES && !path.includes('gazetteer'))
    .map(({ path, lines }) => `${path}: ${lines} lines`)
  const counts = new Map<string, number>()
  for (const { path } of all) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  const folders = [...counts]
    .filter(([, count]) => count > MANY_FILES_A_FOLDER)
    .map(([folder, count]) => `${folder}: ${count} files`)
  const functions = all.flatMap(({ path, text }) => longFunctions(text).map((found) => `${path}:${found}`))
  const large = [...files, ...folders, ...functions]
  if (large.length) console.info(`Large; would a part of it stand by itself?\n${large.join('\n')}`)
})

test('a long function is noticed, also inside an object', () => {
  const body = '    work()\n'.repeat(MANY_FUNCTION_LINES + 1)
  expect(longFunctions(`function top(\n  a: A,\n): B {\n${body}}\n`)).toHaveLength(1)
  expect(longFunctions(`const made = {\n  async stop() {\n${body}  },\n}\n`)).toHaveLength(1)
  expect(longFunctions(`const made = {\n  stop: () => {\n${body}  },\n}\n`)).toHaveLength(1)
  expect(longFunctions(`const rows = [\n${"  'x',\n".repeat(MANY_FUNCTION_LINES + 1)}]\n`)).toEqual([])
})

/** Functions by their indentation: from the line that opens one to the line in the same column that closes it. */
function longFunctions(text: string): string[] {
  const lines = text.split('\n')
  const found: string[] = []
  lines.forEach((line, start) => {
    if (!opensFunction(line)) return
    const indent = /^\s*/.exec(line)?.[0] ?? ''
    const end = lines.findIndex(
      (other, index) =>
        index > start && other.startsWith(indent) && closesFunction(other.slice(indent.length)),
    )
    if (end - start > MANY_FUNCTION_LINES) found.push(`${start + 1} ${end - start} lines`)
  })
  return found
}

const opensFunction = (line: string): boolean =>
  /^(export )?(async )?function\b|^(export )?const \w+ = (async )?\(/.test(line) ||
  /^\s+(async )?(function\b|const \w+ = (async )?\(|(?!(?:if|for|while|switch)\b)\w+\().*[{(]$/.test(line) ||
  /=> \{$/.test(line)

/** `}`, and not the end of a list of parameters that goes on. */
const closesFunction = (rest: string): boolean => /^[})\]]/.test(rest) && !/^\)\s*[:{=]/.test(rest)
