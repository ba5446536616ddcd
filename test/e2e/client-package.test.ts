// The package of the client alone: packed, installed by npm without network where nothing else is, compiled in strict projects, and run
// against the service.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeClient } from '../support/client.ts'
import { MISTAKES, type Seen, TOUR } from '../support/client-tour.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'

const MAX_UNPACKED_BYTES = 100_000

interface Packed {
  filename: string
  unpackedSize: number
  files: { path: string }[]
}

let folder: string
let packed: Packed
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kenning-client-package-'))
  // It is built anew, by its own `prepack`.
  const options = ['--json', '--offline', '--ignore-scripts=false', '--pack-destination', folder]
  const output = execFileSync('npm', ['pack', ...options], { cwd: 'packages/client', encoding: 'utf8' })
  const [made] = JSON.parse(output.slice(output.indexOf('['))) as [Packed]
  packed = made
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const install = ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`]
  execFileSync('npm', install, { cwd: folder, stdio: 'pipe' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const installedFile = (name: string): string =>
  readFileSync(join(folder, 'node_modules/kenning-client', name), 'utf8')

const [, documented = ''] =
  /```ts\n([^`]+)```/.exec(readFileSync('packages/client/README.md', 'utf8').replaceAll('\r', '')) ?? []
const PROCESS = 'declare const process: { env: Record<string, string | undefined> }\n'

/** Compiles programs that use the package, each with its own name for it. */
function compile(name: string, options: object): { folder: string; errors: string[] } {
  const project = join(folder, name)
  mkdirSync(project)
  const compilerOptions = {
    target: 'ES2022',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    lib: ['ES2024', 'DOM', 'DOM.AsyncIterable'],
    types: [],
    outDir: 'out',
    ...options,
  }
  const programs = { 'tour.ts': TOUR, 'mistakes.ts': MISTAKES, 'documented.ts': PROCESS + documented }
  for (const [file, text] of Object.entries(programs))
    writeFileSync(join(project, file), text.replaceAll("'kenning/client'", "'kenning-client'"))
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: Object.keys(programs) }),
  )
  const { stdout } = spawnSync(
    process.execPath,
    [resolve('node_modules/typescript/bin/tsc'), '-p', project],
    {
      encoding: 'utf8',
    },
  )
  return { folder: join(project, 'out'), errors: stdout.split('\n').filter((line) => line.includes('error')) }
}

describe('the package', () => {
  test('it is small, has no dependency and nothing but the client, and is of the version of Kenning', () => {
    expect(packed.unpackedSize).toBeGreaterThan(20_000)
    expect(packed.unpackedSize).toBeLessThanOrEqual(MAX_UNPACKED_BYTES)
    expect(packed.files.map(({ path }) => path).sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist/client.d.ts',
      'dist/client.js',
      'dist/error.d.ts',
      'dist/eventsource-parser.LICENSE',
      'dist/types.d.ts',
      'package.json',
    ])
    const manifest = JSON.parse(installedFile('package.json'))
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
      expect(manifest).not.toHaveProperty(kind)
    const { version, license } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(manifest).toMatchObject({ version, license })
    console.info(`the package of the client: ${packed.unpackedSize} bytes unpacked`)
  })

  test('it imports nothing, so that a browser can load it', () => {
    expect(installedFile('dist/client.js')).not.toMatch(
      /^import |\bimport\(|require\(|['"]node:|\bprocess\./m,
    )
    const foreign = ['client', 'error', 'types'].flatMap((name) =>
      [...installedFile(`dist/${name}.d.ts`).matchAll(/from ['"]([^'"]+)['"]/g)].map(([, from]) => from),
    )
    expect(new Set(foreign)).toEqual(new Set(['./error.js', './types.js']))
    // Nothing of this machine is in it.
    const tarball = gunzipSync(readFileSync(join(folder, packed.filename))).toString('latin1')
    expect(tarball).not.toContain(resolve('.'))
  })
})

/** Once for the tests that need it. */
let node16: ReturnType<typeof compile> | undefined
const compiledForNode = (): ReturnType<typeof compile> => {
  node16 ??= compile('node16', { module: 'Node16', moduleResolution: 'Node16' })
  return node16
}

describe('in a fresh strict project', () => {
  test('it compiles with moduleResolution node16, and mistakes do not', () => {
    expect(documented).toContain('createClient')
    expect(compiledForNode().errors).toEqual([])
  })

  test('and with moduleResolution bundler', () => {
    const options = { module: 'ESNext', moduleResolution: 'Bundler', noEmit: true }
    expect(compile('bundler', options).errors).toEqual([])
  })
})

describe('against the service', () => {
  let service: SharedService
  beforeAll(async () => {
    service = await sharedService()
  })
  afterAll(() => service?.leave())

  test('a program uploads, follows the job, searches, asks and lists, and the example of its page runs', async () => {
    const { folder: out } = compiledForNode()
    const token = await service.token()
    const { tour } = (await import(pathToFileURL(join(out, 'tour.js')).href)) as {
      tour: (base: string, token: string) => Promise<Seen>
    }
    const seen = await tour(service.base, token)
    expect(seen).toMatchObject({
      filed: ['Keys/gate.md', 'Keys/harbour.md'],
      found: expect.stringContaining('harbour'),
      answer: expect.stringMatching(/third stone.*\[1\]/s),
      titles: ['gate', 'harbour'],
      error: { status: 404, type: 'not_found' },
    })
    expect(seen.shares.at(-1)).toBe(1)
    expect(seen.steps).toBeGreaterThan(0)

    const client = makeClient(service.base, async () => token)
    const { data } = await client.get<{ data: { name: string }[] }>('/workspaces')
    const env = { ...process.env, KENNING_URL: service.base, KENNING_TOKEN: token }
    const run = spawnSync(process.execPath, [join(out, 'documented.js')], { env, encoding: 'utf8' })
    expect(run.stderr).toBe('')
    for (const { name } of data) expect(run.stdout).toContain(name)
    const refused = { ...env, KENNING_TOKEN: 'ken_mcp_unknown' }
    const failed = spawnSync(process.execPath, [join(out, 'documented.js')], {
      env: refused,
      encoding: 'utf8',
    })
    expect(failed.stderr).toContain('401 unauthorized')
  })
})
