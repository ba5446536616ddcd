// The contents of the npm package: everything needed to run, nothing else. The packed service works where it is unpacked, without
// other files of the project.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchResults, Workspace } from '../../src/contract/resources.ts'
import { makeClient } from '../support/client.ts'
import { makeHome } from '../support/kenning.ts'
import { startService } from '../support/service.ts'

/** 6.4 MB today: 1.3 MB of examples, 1.6 MB of the console with its compressed copies. */
const MOST_UNPACKED_BYTES = 7_000_000

interface Packed {
  filename: string
  files: { path: string; size: number }[]
}

const npm = (...args: string[]): Packed => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--offline', ...args], { encoding: 'utf8' }),
  )
  return packed
}

/** Of a module that is no longer among the sources; `npm run package` builds without such leftovers. */
const isLeftover = (path: string): boolean =>
  path.startsWith('dist/src/') && !existsSync(path.replace(/^dist\/(.*)\.js$/, '$1.ts'))

let folder: string
let files: Packed['files']
let paths: string[]
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kenning-package-'))
  files = npm('--dry-run').files.filter(({ path }) => !isLeftover(path))
  paths = files.map(({ path }) => path)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('it contains everything that is needed to run', () => {
  const needed = [
    'dist/src/main.js',
    'dist/src/app.js',
    'dist/src/reader/child/entry.js',
    'dist/package.json',
    'migrations/0001_extensions.sql',
    'examples/lease-ropewalk-yard.pdf',
    'docs/command-line.md',
    'docs/evaluation.md',
    'docs/keep-folders-in-step.md',
    'openapi.json',
    '.env.example',
    'README.md',
    'LICENSE',
    'NOTICE',
    'dist/web/index.html',
  ]
  expect(needed.filter((path) => !paths.includes(path))).toEqual([])
})

test('it contains no tests, benches, sources, maps, hidden files or lock file', () => {
  const known =
    /^(dist\/src\/.+\.js|dist\/web\/[\w./-]+|migrations\/\d{4}_\w+\.sql|examples\/[\w.-]+|docs\/(command-line|evaluation|keep-folders-in-step)\.md|dist\/package\.json|package\.json|openapi\.json|\.env\.example|(README|CHANGELOG)\.md|LICENSE|NOTICE)$/
  expect(paths.filter((path) => !known.test(path) || /\.test\.js$/.test(path))).toEqual([])
})

test('it stays small', () => {
  expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(MOST_UNPACKED_BYTES)
})

test('unpacked by itself it starts, reads a file and finds it', async () => {
  const { filename } = npm('--pack-destination', folder)
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder])
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const service = await startService({ main: join(folder, 'package/dist/src/main.js') })
  try {
    const client = makeClient(service.base, service.token)
    const workspace = await client.post<Workspace>('/workspaces', { name: 'Packed' })
    const name = 'lease-amendment-1.docx'
    const bytes = readFileSync(join(folder, 'package/examples', name))
    const job = await client.upload(workspace.id, [{ name, bytes }])
    await client.done(job.id)
    const found = await client.post<SearchResults>(`/workspaces/${workspace.id}/search`, { query: 'notice' })
    expect(found.data[0]?.text).toContain('notice')
    const home = makeHome(
      () => ({ KENNING_SERVER: service.origin }),
      join(folder, 'package/dist/src/main.js'),
    )
    const env = { KENNING_TOKEN: await service.token() }
    const searched = await home.kenning(['search', 'notice', '--json'], { env })
    expect(JSON.parse(searched.stdout)).toEqual(found)
    const source = join(home.folder, 'notes')
    mkdirSync(source)
    writeFileSync(join(source, 'gate.md'), 'The key of the north gate lies under the third stone.')
    expect((await home.kenning(['sync', source], { env })).stdout).toBe('+ gate.md\n')
    expect((await home.kenning(['help'])).stdout).toContain('docs/command-line.md')
    home.remove()
  } finally {
    await service.remove()
  }
})
