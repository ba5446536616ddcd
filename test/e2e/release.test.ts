// `scripts/release` in a repository of its own, made of the files as they are here: what it makes, what it says, what it refuses, and
// what it would run to publish. Its addresses are its own, and the programs that push only write down what they are called with, so
// that it publishes nothing whatever publication.json and the sign-ins of this machine are.

import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allReferences, withDigests } from '../../scripts/publish/images.ts'
import type { Publication } from '../../scripts/publish/publication.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const addressesAt = (host: string): Publication => ({
  repository: `https://git.${host}/k/k`,
  bugs: `https://git.${host}/k/k/issues`,
  homepage: `https://git.${host}/k/k#readme`,
  page: `https://git.${host}/k/k/blob/{tag}/{path}`,
  file: `https://git.${host}/k/k/raw/{tag}/{path}`,
  image: `registry.${host}/k/k`,
  charts: `oci://registry.${host}/k/charts`,
})
const publication = addressesAt('example.org')
let folder: string
/** Holds `docker`, `npm`, `gh` and `helm`, and what they were called with. */
let programs: string
const callsFile = (): string => join(programs, 'calls')

function writePrograms(): void {
  const program = (name: string, script: string): void =>
    writeFileSync(
      join(programs, name),
      `#!/bin/sh\ncall() { echo "${name} $*" >>'${callsFile()}'; [ ! -e '${programs}/refuse-${name}' ]; }\n${script}\n`,
      { mode: 0o755 },
    )
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()
  program('npm', `case $1 in publish) call "$@" ;; *) exec '${npm}' "$@" ;; esac`)
  program('docker', 'case $1 in info) ;; save) echo image >"$3" ;; *) call "$@" ;; esac')
  program('podman', 'exit 1')
  program('gh', 'call "$@"')
  // Its chart is empty; that of a real Helm is looked at where there is one.
  program('helm', `case $1 in package) echo chart >"$4/kenning-${version}.tgz" ;; *) call "$@" ;; esac`)
}

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
  })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kenning-release-'))
  programs = mkdtempSync(join(tmpdir(), 'kenning-release-programs-'))
  writePrograms()
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  for (const path of listed.split('\0').filter((one) => one !== '' && existsSync(one))) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    cpSync(path, join(folder, path))
  }
  cpSync('dist', join(folder, 'dist'), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  // A package beside that of the root, as packages/ has them.
  mkdirSync(join(folder, 'packages/words'), { recursive: true })
  writeFileSync(
    join(folder, 'packages/words/package.json'),
    JSON.stringify({ name: '@kenning/words', version, files: ['words.txt'], license: 'Apache-2.0' }),
  )
  writeFileSync(join(folder, 'packages/words/words.txt'), 'ferry\n')
  writeFileSync(join(folder, 'packages/words/README.md'), '# Words\n[All of it](../../README.md)\n')
  writeFileSync(join(folder, 'publication.json'), JSON.stringify(publication))
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'As it is')
})
afterAll(() => {
  for (const one of [folder, programs]) rmSync(one, { recursive: true, force: true })
})

/** No program that pushes, and no token, is reachable for it. */
const environment = (helm: string) => ({
  ...process.env,
  PATH: `${programs}:${process.env.PATH}`,
  KENNING_HELM: helm,
  NPM_CONFIG_USERCONFIG: '/dev/null',
  NPM_TOKEN: '',
  GH_TOKEN: '',
})

function release(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  // The repository of the test has no Helm, and fetches none.
  const helm = process.env.KENNING_HELM ?? (existsSync('.helm/.complete') ? resolve('.helm/helm') : 'none')
  return spawnSync('scripts/release', args, {
    cwd: folder,
    encoding: 'utf8',
    env: environment(helm),
  })
}

const unpacked = (archive: string, path: string): string =>
  execFileSync('tar', ['-xzOf', join(folder, 'release', archive), path], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })

test('a dry run makes packages, SBOM and notes, and says what it would push where', () => {
  const { status, stdout, stderr } = release('--dry-run', '--built')
  expect(stderr).not.toContain('Nothing was made')
  expect(status).toBe(0)

  const npm = `npm/kenning-${version}.tgz`
  const manifest = JSON.parse(unpacked(npm, 'package/package.json'))
  expect(manifest).toMatchObject({ version, homepage: publication.homepage })
  const day = /^## \S+ - (\d{4}-\d\d-\d\d)$/m.exec(unpacked(npm, 'package/CHANGELOG.md'))?.[1]
  expect(day).toBeDefined()
  expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toContain(`## ${version} - unreleased`)
  const words = `npm/kenning-words-${version}.tgz`
  expect(JSON.parse(unpacked(words, 'package/package.json')).repository.directory).toBe('packages/words')
  const readmeAddress = publication.page.replace('{tag}', `v${version}`).replace('{path}', 'README.md')
  expect(unpacked(words, 'package/README.md')).toContain(`(${readmeAddress})`)

  const bom = JSON.parse(readFileSync(join(folder, `release/kenning-${version}.cdx.json`), 'utf8'))
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'kenning', version } } })
  const components: { name: string; version: string }[] = bom.components
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  expect(components.find(({ name }) => name === 'fastify')?.version).toBe(
    packages['node_modules/fastify'].version,
  )
  // Of development only.
  expect(components.filter(({ name }) => name === 'vitest')).toEqual([])

  const notes = readFileSync(join(folder, 'release/notes.md'), 'utf8')
  expect(notes).toContain('### Before you upgrade')
  expect(notes).not.toMatch(/\]\((?![a-z]+:|#)/)
  for (const line of readFileSync(join(folder, 'release/SHA256SUMS'), 'utf8').trim().split('\n')) {
    const [sum, name = ''] = line.split('  ')
    expect(
      createHash('sha256')
        .update(readFileSync(join(folder, 'release', name.endsWith('.tgz') ? 'npm' : '', name)))
        .digest('hex'),
    ).toBe(sum)
  }

  expect(stdout).toContain(`npm publish ./release/${npm}`)
  expect(stdout).toContain(`npm publish ./release/${words}`)
  expect(stdout).toContain(`gh release create v${version} --title 'Kenning ${version}' `)
  // Made, or not made with a reason that says what to do.
  const chart = `chart/kenning-${version}.tgz`
  if (existsSync(join(folder, 'release', chart))) {
    expect(unpacked(chart, 'kenning/Chart.yaml')).toContain(`home: ${publication.homepage}`)
    expect(unpacked(chart, 'kenning/values.yaml')).toContain(`repository: ${publication.image}`)
    expect(stdout).toContain(`push ./release/${chart} ${publication.charts}`)
  } else expect(stdout).toMatch(/^not made: the chart: scripts\/helm: NO HELM HERE/m)
  expect(readFileSync(join(folder, `release/image/kenning-${version}.tar`), 'utf8')).toBe('image\n')
  expect(readFileSync(callsFile(), 'utf8')).toMatch(
    new RegExp(`^docker build --build-arg VERSION=${version} .*--tag ${publication.image}:${version} \\.\n$`),
  )
  expect(stdout).toContain('would refuse to publish')
  // The run leaves the tree as it was.
  expect(git('status', '--porcelain')).toBe('')
})

test('it refuses a dirty tree, a released version, a tag that exists, and to publish without one', () => {
  const refusal = (...args: string[]): string => {
    const { status, stderr, stdout } = release(...args)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain('Nothing was made.')
    return stderr
  }
  expect(refusal('--publish', '--built')).toContain(`There is no tag v${version}`)
  const changelog = join(folder, 'CHANGELOG.md')
  const text = readFileSync(changelog, 'utf8')
  writeFileSync(changelog, text.replace(`## ${version} - unreleased`, `## ${version} - 2026-12-05`))
  const both = refusal('--dry-run', '--built')
  expect(both).toContain('not as the commit has them: CHANGELOG.md')
  expect(both).toContain(`${version} was released on 2026-12-05`)
  writeFileSync(changelog, text)
  git('tag', `v${version}`)
  expect(refusal('--dry-run', '--built')).toContain(`There is a tag v${version} already`)
  expect(refusal('--publish', '--built')).toContain('publication.json has placeholders')
})

test('it publishes the tag: npm, which takes nothing back, after image and chart, and nothing after a refusal', () => {
  writeFileSync(join(folder, 'publication.json'), JSON.stringify(addressesAt('kenning.test')))
  const references = allReferences()
  const digests = new Map(
    references.map((one) => [one.split('@')[0] ?? '', `sha256:${'0123456789abcdef'.repeat(4)}`]),
  )
  for (const path of ['Dockerfile', 'deploy/compose/compose.yaml', 'deploy/compose/compose.nginx.yaml']) {
    const text = readFileSync(join(folder, path), 'utf8')
    writeFileSync(join(folder, path), withDigests(text, references, digests))
  }
  git('commit', '--all', '--quiet', '--message', 'Addresses and digests')
  git('tag', '--force', `v${version}`)
  const callsOf = (command: string, ...args: string[]) => {
    rmSync(callsFile(), { force: true })
    const env = environment(join(programs, 'helm'))
    const { status, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env })
    const calls = readFileSync(callsFile(), 'utf8').trim().split('\n')
    return { status, stderr, calls: calls.map((call) => call.split(' ').slice(0, 2).join(' ')) }
  }
  const made = callsOf('scripts/release', '--make', '--built')
  expect([made.status, made.calls], made.stderr).toEqual([0, ['docker build']])
  const pushes = ['docker load', 'docker push', 'helm push']
  writeFileSync(join(programs, 'refuse-helm'), '')
  const refusal = callsOf('scripts/push-release')
  rmSync(join(programs, 'refuse-helm'))
  expect([refusal.status, refusal.calls]).toEqual([1, pushes])
  expect(refusal.stderr).toContain('What stands above it is pushed, the rest is not')
  const { status, calls, stderr } = callsOf('scripts/release', '--publish', '--built')
  const isPackage = (call: string): boolean => call === 'npm publish'
  expect(status, stderr).toBe(0)
  expect(calls.filter((call) => !isPackage(call))).toEqual(['docker build', ...pushes, 'gh release'])
  expect(calls.slice(1 + pushes.length, -1).every(isPackage)).toBe(true)
})

test('a folder that holds something else is left alone', () => {
  const own = join(folder, '..', `${folder.split('/').at(-1)}-own`)
  mkdirSync(own)
  writeFileSync(join(own, 'letter.txt'), 'Dear Anna\n')
  git('tag', '--delete', `v${version}`)
  try {
    const { status, stderr } = release('--dry-run', '--built', '--to', own)
    expect([status, stderr]).toEqual([1, expect.stringContaining('holds something else than a release')])
    expect(existsSync(join(own, 'letter.txt'))).toBe(true)
  } finally {
    rmSync(own, { recursive: true })
  }
})

test('without saying which, it explains itself', () => {
  for (const args of [[], ['--dry-run', '--publish'], ['--unknown']]) {
    const { status, stderr } = release(...args)
    expect([status, stderr]).toEqual([2, expect.stringContaining('scripts/release --dry-run')])
  }
})
