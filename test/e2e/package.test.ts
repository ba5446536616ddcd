// The npm package, packed and installed: what is in it, that it runs where nothing else of the project is, and its client: its
// types, its size, and what it does.

import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { relativeLinks } from '../../scripts/publish/links.ts'
import { readPublication } from '../../scripts/publish/publication.ts'
import type { SearchResults, Workspace } from '../../src/contract/resources.ts'
import { makeClient } from '../support/client.ts'
import { MISTAKES, type Seen, TOUR } from '../support/client-tour.ts'
import { thorough } from '../support/full.ts'
import { installed } from '../support/installed.ts'
import { makeHome } from '../support/kenning.ts'
import { openApiTypes } from '../support/openapi-types.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'

/** 23.7 MB today: 7.3 MB of the sentence model, 1.6 MB of the lexicon, 7.7 MB of program with the description of the API, 2.6 MB of the console in five languages with its compressed copies, 1.4 MB of the database, 1.3 MB of examples. */
const MAX_UNPACKED_BYTES = 23_800_000
/** Minified and compressed. */
const MAX_CLIENT_BYTES = 8_192

/** Of a module that is no longer among the sources; `npm run package` builds without such leftovers. */
const isLeftover = (path: string): boolean =>
  path.startsWith('dist/src/') &&
  !path.startsWith('dist/src/bundle/') &&
  !existsSync(path.replace(/^dist\/(.*?)(\.d\.ts|\.js)$/, '$1.ts'))

describe('contents', () => {
  const files = () => installed().files.filter(({ path }) => !isLeftover(path))

  test('it contains everything that is needed to run', () => {
    const paths = files().map(({ path }) => path)
    const needed = [
      'dist/src/main.js',
      'dist/src/app.js',
      'dist/src/bundle/app.js',
      'dist/src/client/client.js',
      'dist/src/client/client.d.ts',
      'dist/src/client/types.d.ts',
      'dist/src/reader/child/entry.js',
      'dist/package.json',
      'dist/web/index.html',
      'dist/cluster/cluster.json',
      'dist/cluster/cluster.br',
      'migrations/0001_extensions.sql',
      'examples/lease-ropewalk-yard.pdf',
      'docs/command-line.md',
      'docs/api.md',
      'docs/bring-a-model.md',
      'docs/evaluation.md',
      'docs/first-ten-minutes.md',
      'docs/keep-folders-in-step.md',
      'docs/measure-your-questions.md',
      'docs/release.md',
      'docs/run-for-a-team.md',
      'docs/settings.md',
      'npm-shrinkwrap.json',
      'openapi.json',
      '.env.example',
      'README.md',
      'LICENSE',
      'NOTICE',
    ]
    expect(needed.filter((path) => !paths.includes(path))).toEqual([])
  })

  test('it contains no tests, benches, sources, maps or hidden files', () => {
    const known =
      /^(dist\/src\/.+\.js|dist\/src\/ask\/extractive\/weights\.json|dist\/src\/client\/\w+\.d\.ts|dist\/web\/[\w./-]+|dist\/cluster\/cluster\.(br|json)|migrations\/\d{4}_\w+\.sql|model\/[\w-]+\.(bin|txt\.gz)|examples\/[\w.-]+|docs\/[\w-]+\.md|dist\/package\.json|package\.json|npm-shrinkwrap\.json|openapi\.json|\.env\.example|(README|CHANGELOG)\.md|LICENSE|NOTICE)$/
    const wrong = ({ path }: { path: string }) => !known.test(path) || /\.test\.js$/.test(path)
    expect(files().filter(wrong)).toEqual([])
  })

  test('links of its documents lead to what is in it, or to a file of the repository at its version', () => {
    const root = join(installed().folder, 'node_modules/kenning')
    const { page, file } = readPublication()
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    const bases = [page, file].map((template) => template.replace('{tag}/{path}', `v${version}/`))
    const wrong: string[] = []
    let outside = 0
    for (const { path } of files().filter((one) => one.path.endsWith('.md'))) {
      const text = readFileSync(join(root, path), 'utf8')
      for (const target of relativeLinks(text))
        if (!existsSync(join(root, dirname(path), target))) wrong.push(`${path}: ${target}`)
      for (const base of bases)
        for (const rest of text.split(base).slice(1)) {
          const target = /^[^)"#\s]+/.exec(rest)?.[0] ?? ''
          if (!existsSync(target)) wrong.push(`${path}: ${base}${target}`)
          outside++
        }
    }
    expect(wrong).toEqual([])
    expect(outside).toBeGreaterThan(20)
  })

  test('it says where it comes from', () => {
    const { repository, homepage, bugs } = JSON.parse(
      readFileSync(join(installed().folder, 'node_modules/kenning/package.json'), 'utf8'),
    )
    const publication = readPublication()
    expect([repository.url, homepage, bugs.url]).toEqual([
      `git+${publication.repository}.git`,
      publication.homepage,
      publication.bugs,
    ])
  })

  test('it stays small', () => {
    expect(files().reduce((sum, { size }) => sum + size, 0)).toBeLessThan(MAX_UNPACKED_BYTES)
  })

  test('it can be published, and brings the versions of its packages, of no one registry', () => {
    const read = (name: string) =>
      readFileSync(join(installed().folder, 'node_modules/kenning', name), 'utf8')
    const { private: isPrivate, bin, dependencies } = JSON.parse(read('package.json'))
    expect([isPrivate, bin]).toEqual([undefined, { kenning: 'dist/src/main.js' }])
    const text = read('npm-shrinkwrap.json')
    expect(text).not.toMatch(/"resolved"|https?:/)
    const { packages } = JSON.parse(text)
    expect(packages[''].dependencies).toEqual(dependencies)
    expect(Object.values<{ dev?: true }>(packages).filter(({ dev }) => dev)).toEqual([])
    expect(existsSync('npm-shrinkwrap.json')).toBe(false)
  })
})

describe('client', () => {
  /** A new project beside the package, strict, with nothing but it. */
  function project(name: string, files: Record<string, string>, options: object = {}): string {
    const folder = join(installed().folder, name)
    mkdirSync(folder, { recursive: true })
    const compilerOptions = {
      target: 'ES2022',
      lib: ['ES2024', 'DOM', 'DOM.AsyncIterable'],
      module: 'NodeNext',
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      types: [],
      ...options,
    }
    const all = {
      'package.json': '{"type":"module"}',
      'tsconfig.json': JSON.stringify({ compilerOptions }),
      ...files,
    }
    for (const [file, text] of Object.entries(all)) writeFileSync(join(folder, file), text)
    return folder
  }

  const compile = (folder: string, ...more: string[]): { status: number | null; stdout: string } =>
    spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder, ...more], {
      encoding: 'utf8',
    })

  test('it compiles in a strict project, without zod, and so does the example of the documentation; mistakes do not', () => {
    const [, documented = ''] =
      /```ts\n([^`]+)```/.exec(readFileSync('docs/first-ten-minutes.md', 'utf8')) ?? []
    expect(documented).toContain('createClient')
    const environment = 'declare const process: { env: Record<string, string | undefined> }\n'
    const files = { 'tour.ts': TOUR, 'mistakes.ts': MISTAKES, 'documented.ts': environment + documented }
    const folder = project('strict', files)
    const { status, stdout } = compile(folder, '--listFiles')
    expect(stdout.split('\n').filter((line) => line.includes('error TS'))).toEqual([])
    expect(status).toBe(0)
    expect(stdout).toContain('kenning/dist/src/client/types.d.ts')
    expect(stdout).not.toMatch(/zod|contract/)
  })

  test('its types are those of the sources, and those that another generator makes of openapi.json', () => {
    const { components } = JSON.parse(readFileSync('openapi.json', 'utf8'))
    const names = Object.keys(components.schemas)
    const sources = JSON.stringify(resolve('src/client/types.ts'))
    const witness = `
import type * as made from 'kenning/client'
import type * as mapped from ${sources}
import type { components, operations } from './openapi.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** The names of what differs. */
type Different<A, B> = { [Name in keyof A | keyof B]: Name extends keyof A & keyof B ? (Equal<A[Name], B[Name]> extends true ? never : Name) : Name }[keyof A | keyof B]
const none = <Names extends never>(): Names[] => []

none<Different<made.JsonOperations, mapped.JsonOperations>>()
none<Different<made.ByteOperations, mapped.ByteOperations>>()
none<Different<made.OtherOperations, mapped.OtherOperations>>()

interface Schemas { ${names.map((name) => `${name}: made.${name}`).join('; ')} }
none<Different<Schemas, components['schemas']>>()

type Flat<T> = { [Key in keyof T]: T[Key] }
type Given<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>
type Body<T> = T extends { requestBody: { content: { 'application/json': infer Content } } } ? Content : unknown
type Content<T> = T extends { content: { 'application/json': infer Content } } ? Content : undefined
type Success<T> = { [Status in keyof T & (200 | 201 | 202 | 204)]: Content<T[Status]> }[keyof T & (200 | 201 | 202 | 204)]
type Read<T extends { parameters: { path?: unknown; query?: unknown }; responses: unknown }> = {
  input: Flat<Given<T['parameters']['path']> & Given<T['parameters']['query']> & Body<T>>
  output: Success<T['responses']>
}
type OpenApi = { [Id in keyof operations]: Read<operations[Id]> }
none<Different<{ [Id in keyof made.Operations]: made.Operations[Id]['input'] }, { [Id in keyof OpenApi]: OpenApi[Id]['input'] }>>()
type Answered = made.JsonOperations & Pick<made.OtherOperations, 'uploadFiles'>
none<Different<{ [Id in keyof Answered]: Answered[Id]['output'] }, { [Id in keyof Answered]: OpenApi[Id]['output'] }>>()
`
    const files = { 'openapi.ts': openApiTypes('openapi.json'), 'witness.ts': witness }
    // What may be left out may be undefined too: OpenAPI does not tell one from the other.
    const options = {
      exactOptionalPropertyTypes: false,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
    }
    expect(compile(project('witness', files, options)).stdout).toBe('')
  })

  test('bundled it is small, and has no schema in it', async () => {
    const entry = "export { createClient, KenningError } from 'kenning/client'"
    const folder = project('bundle', { 'entry.js': entry })
    const lib = { entry: join(folder, 'entry.js'), formats: ['es' as const], fileName: 'client' }
    const options = { lib, write: false, minify: 'oxc' as const }
    const made = await build({ root: folder, configFile: false, logLevel: 'error', build: options })
    const [bundle] = Array.isArray(made) ? made : []
    const [chunk, ...others] = bundle?.output ?? []
    expect(others).toEqual([])
    const code = chunk?.type === 'chunk' ? chunk.code : ''
    expect(code).not.toMatch(/^import/m)
    expect(code).not.toContain('zod')
    const bytes = gzipSync(code, { level: 9 }).length
    expect(bytes).toBeGreaterThan(1000)
    expect(bytes).toBeLessThan(MAX_CLIENT_BYTES)
    console.info(`the client, bundled and compressed: ${bytes} bytes`)
  })
})

describe('installed', () => {
  // The service that all end-to-end tests share runs from it.
  let service: SharedService
  beforeAll(async () => {
    service = await sharedService()
  })
  afterAll(() => service?.leave())

  test('by itself it starts, reads a file and finds it; the command line is part of it', async () => {
    const client = makeClient(service.base, service.token)
    const workspace = await client.post<Workspace>('/workspaces', { name: 'Packed' })
    const name = 'lease-amendment-1.docx'
    const bytes = readFileSync(join(installed().folder, 'node_modules/kenning/examples', name))
    const job = await client.upload(workspace.id, [{ name, bytes }])
    await client.done(job.id)
    // Its meaning follows after its words, and changes the score.
    await client.ready(workspace.id)
    const found = await client.post<SearchResults>(`/workspaces/${workspace.id}/search`, { query: 'notice' })
    expect(found.data[0]?.text).toContain('notice')
    const home = makeHome(() => ({ KENNING_SERVER: service.origin }))
    const env = { KENNING_TOKEN: await service.token() }
    const searched = await home.kenning(['search', 'notice', '--json'], { env })
    expect(JSON.parse(searched.stdout)).toEqual(found)
    expect((await home.kenning(['help'])).stdout).toContain('docs/command-line.md')
    home.remove()
  })

  test('a program of another project uses the client', async () => {
    const run = `import { tour } from './tour.js'
process.stdout.write(JSON.stringify(await tour(process.argv[2], process.argv[3])))`
    const folder = join(installed().folder, 'strict')
    writeFileSync(join(folder, 'run.js'), run)
    const args = [join(folder, 'run.js'), service.base, await service.token()]
    const seen: Seen = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
    expect(seen).toMatchObject({
      me: 'session',
      filed: ['Keys/gate.md', 'Keys/harbour.md'],
      titles: ['gate', 'harbour'],
      found: expect.stringContaining('harbour'),
      answer: expect.stringContaining('third stone'),
      error: { status: 404, type: 'not_found' },
    })
    expect(seen.shares.length).toBeGreaterThan(2)
    expect(seen.shares.at(-1)).toBe(1)
    expect(seen.steps).toBeGreaterThan(0)
  })
})

thorough('npm installs it from a registry with exactly the versions of the lock file', async () => {
  const { folder, tarball } = installed()
  const own = join(folder, 'by-npm')
  mkdirSync(own)
  writeFileSync(join(own, 'package.json'), '{}')
  const registry = await registryOf(tarball)
  const version = (path: string): string =>
    JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')).version
  try {
    const args = ['install', '--no-audit', '--no-fund', '--registry', registry.url, 'kenning']
    await promisify(execFile)('npm', args, { cwd: own })
  } finally {
    registry.close()
  }
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const lock = JSON.parse(readFileSync(join(own, 'node_modules/.package-lock.json'), 'utf8'))
  const found = Object.entries<{ version: string }>(lock.packages)
    .map(([path, one]): [string, string] => [path.replace(/^node_modules\/kenning\//, ''), one.version])
    .filter(([path]) => path !== 'node_modules/kenning')
  expect(found.length).toBeGreaterThan(150)
  expect(found.filter(([path, installed]) => packages[path]?.version !== installed)).toEqual([])
  const { stdout } = spawnSync(join(own, 'node_modules/.bin/kenning'), ['--version'], { encoding: 'utf8' })
  expect(stdout).toBe(`${version('.')}\n`)
})

/** A registry that has this one package, and knows where the others are. It says of a package whether it has a shrinkwrap. */
async function registryOf(tarball: string): Promise<{ url: string; close(): void }> {
  const bytes = readFileSync(tarball)
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const others = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  let url = ''
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path === '/kenning.tgz') response.end(bytes)
    else if (path === '/kenning') {
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
      const one = { ...manifest, _hasShrinkwrap: true, dist: { tarball: `${url}kenning.tgz`, integrity } }
      const { version } = manifest
      response.end(
        JSON.stringify({ name: 'kenning', 'dist-tags': { latest: version }, versions: { [version]: one } }),
      )
    } else response.writeHead(307, { location: new URL(`.${path}`, others).href }).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, close: () => server.close() }
}
