// `scripts/release`: makes the npm packages, the image, the chart, the SBOM and the notes of the version in package.json into a folder,
// and says what it would push where; with --publish it pushes that (scripts/push-release).

import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseDocument } from 'yaml'
import { sectionsOf, type VersionSection } from './changelog.ts'
import { allReferences, isPinned } from './images.ts'
import { pack } from './pack.ts'
import { addressOf, type Publication, placeholdersOf, readPublication, tagOf } from './publication.ts'
import { type RepositoryState, refusalsOf } from './state.ts'

const USAGE = `scripts/release --dry-run [--to FOLDER] [--built]   makes everything, and says what it would push where
scripts/release --make [--to FOLDER] [--built]      makes everything from the tag of the version, for scripts/push-release
scripts/release --publish [--to FOLDER] [--built]   makes everything from the tag of the version, and pushes it
  --to FOLDER   instead of release/, which is emptied first
  --built       takes dist/ as it is`
const CHART = 'deploy/helm/kenning'
/** What a release before this one left in its folder. */
const OF_A_RELEASE = /^(npm|chart|image|notes\.md|SHA256SUMS|kenning-.+\.cdx\.json)$/

interface Release {
  version: string
  commit: string
  day: string
  section: VersionSection
  publication: Publication
  /** Where everything is written. */
  to: string
}

/** What was made. */
interface Product {
  what: string
  files: string[]
}

/** What could not be made here, and why. */
interface Missing {
  what: string
  why: string
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()
const json = (path: string): { name: string; version: string; private?: boolean } =>
  JSON.parse(readFileSync(path, 'utf8'))

/** Folders of packages beside that of the root that are published. */
const otherPackages = (): string[] =>
  existsSync('packages')
    ? readdirSync('packages')
        .map((name) => join('packages', name))
        .filter(
          (folder) => existsSync(join(folder, 'package.json')) && !json(join(folder, 'package.json')).private,
        )
    : []

function readState(version: string): RepositoryState {
  const tag = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${tagOf(version)}^{commit}`], {
    encoding: 'utf8',
  })
  const chart = parseDocument(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')).toJS() as Record<
    string,
    unknown
  >
  const packages = otherPackages().map((folder) => join(folder, 'package.json'))
  return {
    version,
    changes: git('status', '--porcelain', '-z')
      .split('\0')
      .filter(Boolean)
      .map((entry) => entry.replace(/^..? /, '')),
    taggedCommit: tag.status === 0 ? tag.stdout.trim() : undefined,
    commit: git('rev-parse', 'HEAD'),
    sections: sectionsOf(readFileSync('CHANGELOG.md', 'utf8')),
    versions: {
      [`${CHART}/Chart.yaml (version)`]: String(chart.version),
      [`${CHART}/Chart.yaml (appVersion)`]: String(chart.appVersion),
      ...Object.fromEntries(packages.map((path) => [path, json(path).version])),
    },
  }
}

/** What keeps a release from being published, though it can be made. */
function obstaclesOf(publication: Publication): string[] {
  const placeholders = placeholdersOf(publication)
  const unpinned = allReferences().filter((reference) => !isPinned(reference))
  return [
    ...(placeholders.length > 0 ? [`publication.json has placeholders: ${placeholders.join(', ')}`] : []),
    ...(unpinned.length > 0 ? [`no digest pins ${unpinned.join(', ')}: run scripts/pin-images`] : []),
  ]
}

function makePackage(folder: string, { to, day }: Release): Product {
  const place = join(to, 'npm')
  mkdirSync(place, { recursive: true })
  const { file, name } = pack(folder, place, day)
  return { what: `the npm package ${name}`, files: [file] }
}

/** The bill of materials of the packages that production needs, by npm from the lock file. */
function makeSbom({ to, version }: Release): string {
  const file = join(to, `kenning-${version}.cdx.json`)
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only']
  const bom = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 2 ** 26 }))
  // npm names it after the folder.
  bom.metadata.component.name = 'kenning'
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`)
  return file
}

/** The chart with the addresses of publication.json, packed by Helm. */
function makeChart({ to, version, publication }: Release): Product | Missing {
  const what = 'the chart'
  const work = mkdtempSync(join(tmpdir(), 'kenning-chart-'))
  try {
    const chart = join(work, 'kenning')
    cpSync(CHART, chart, { recursive: true })
    edit(join(chart, 'Chart.yaml'), { home: publication.homepage, sources: [publication.repository] })
    edit(join(chart, 'values.yaml'), { 'image.repository': publication.image })
    const place = join(to, 'chart')
    mkdirSync(place, { recursive: true })
    const command = ['exec', 'package', chart, '--destination', place]
    const { status, stderr } = spawnSync('scripts/helm', command, { encoding: 'utf8' })
    if (status === 3) return { what, why: stderr.trim().split('\n').at(-1) ?? 'Helm is not here' }
    if (status !== 0) throw new Error(`helm package: ${stderr}`)
    return { what, files: [join(place, `kenning-${version}.tgz`)] }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Sets values of a YAML file, by their paths with dots, and leaves its comments. */
function edit(path: string, values: Record<string, unknown>): void {
  const document = parseDocument(readFileSync(path, 'utf8'))
  for (const [key, value] of Object.entries(values)) document.setIn(key.split('.'), value)
  writeFileSync(path, document.toString({ lineWidth: 0 }))
}

/** The first of the programs that can build an image here. */
const imageBuilder = (): string | undefined =>
  ['docker', 'podman'].find(
    (program) => spawnSync(program, ['info'], { stdio: 'ignore', timeout: 30_000 }).status === 0,
  )

function makeImage({ to, version, commit, publication }: Release): Product | Missing {
  const what = 'the image'
  const builder = imageBuilder()
  if (!builder)
    return {
      what,
      why: 'neither Docker nor Podman answers here; scripts/image builds and tries it without either, as root',
    }
  const name = `${publication.image}:${version}`
  const values = {
    VERSION: version,
    REVISION: commit,
    CREATED: new Date().toISOString(),
    SOURCE: publication.repository,
    DOCUMENTATION: addressOf(publication.page, tagOf(version), 'README.md'),
  }
  const args = Object.entries(values).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`])
  execFileSync(builder, ['build', ...args, '--tag', name, '.'], { stdio: 'inherit' })
  const file = join(to, 'image', `kenning-${version}.tar`)
  mkdirSync(join(to, 'image'), { recursive: true })
  execFileSync(builder, ['save', '--output', file, name], { stdio: 'inherit' })
  return { what, files: [file] }
}

/** Notes of the release, and the sums of the files that are attached to it, by which whoever downloads one checks it. */
function makeNotes({ to, version, publication, section }: Release, attached: readonly string[]): string[] {
  const notes = join(to, 'notes.md')
  const install = `\`npm install --global kenning@${version}\`, image \`${publication.image}:${version}\`, chart \`${publication.charts}/kenning\` ${version}.`
  writeFileSync(
    notes,
    `${install}\n\n${section.text.replace(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_, path: string) => `](${addressOf(publication.page, tagOf(version), path)})`)}\n`,
  )
  const sums = join(to, 'SHA256SUMS')
  const lines = attached.map(
    (file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}`,
  )
  writeFileSync(sums, `${lines.join('\n')}\n`)
  return [notes, sums]
}

interface Options {
  make: boolean
  publish: boolean
  built: boolean
  to: string
}

/** Undefined if they cannot be understood. */
function readOptions(args: string[]): Options | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: {
        'dry-run': { type: 'boolean', default: false },
        make: { type: 'boolean', default: false },
        publish: { type: 'boolean', default: false },
        built: { type: 'boolean', default: false },
        to: { type: 'string', default: 'release' },
      },
    })
    const { 'dry-run': dryRun, make, publish } = values
    return [dryRun, make, publish].filter(Boolean).length === 1 ? values : undefined
  } catch {
    return undefined
  }
}

function main(args: string[]): number {
  const options = readOptions(args)
  if (!options) {
    process.stderr.write(`${USAGE}\n`)
    return 2
  }
  const { version } = json('package.json')
  const state = readState(version)
  const publication = readPublication()
  const obstacles = obstaclesOf(publication)
  const isReal = options.make || options.publish
  const refusals = [...refusalsOf(state, isReal), ...(isReal ? obstacles : [])]
  const section = state.sections.find((one) => one.version === version)
  if (refusals.length > 0 || !section) {
    for (const refusal of refusals) process.stderr.write(`${refusal}.\n`)
    process.stderr.write('Nothing was made.\n')
    return 1
  }
  const to = options.to
  if (existsSync(to) && readdirSync(to).some((name) => !OF_A_RELEASE.test(name))) {
    process.stderr.write(`${to} holds something else than a release. Nothing was made.\n`)
    return 1
  }
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  const day = new Date().toISOString().slice(0, 10)
  const release: Release = { version, commit: state.commit, day, section, publication, to }
  say(`Kenning ${version}, of commit ${state.commit}`)
  if (!options.built) execFileSync('npm', ['run', '-s', 'build'], { stdio: 'inherit' })

  const products: Product[] = []
  const missing: Missing[] = []
  const add = (one: Product | Missing): void => void ('files' in one ? products.push(one) : missing.push(one))
  for (const folder of ['', ...otherPackages()]) add(makePackage(folder, release))
  add(makeChart(release))
  add(makeImage(release))
  const sbom = makeSbom(release)
  // The chart has the digest of its registry, and the name of a package.
  const packages = products.flatMap(({ files }) => files).filter((file) => file.startsWith(join(to, 'npm')))
  const [notes = '', sums = ''] = makeNotes(release, [...packages, sbom])
  products.push({ what: 'the release with its notes, the SBOM and the sums', files: [notes, sums, sbom] })

  for (const file of products.flatMap(({ files }) => files))
    say(`made: ${file} (${Math.ceil(statSync(file).size / 1000).toLocaleString('en')} kB)`)
  for (const { what, why } of missing) say(`not made: ${what}: ${why}`)
  if (!isReal) return tell(to, missing, obstacles)
  if (missing.length > 0) {
    process.stderr.write('Nothing was pushed, since not everything could be made.\n')
    return 1
  }
  return options.publish ? push(to) : 0
}

function tell(to: string, missing: readonly Missing[], obstacles: readonly string[]): number {
  say('would push:')
  const status = push('--dry-run', to)
  for (const { what } of missing) say(`would refuse to publish: without ${what}`)
  for (const obstacle of obstacles) say(`would refuse to publish: ${obstacle}`)
  return status
}

const push = (...args: string[]): number =>
  spawnSync('scripts/push-release', args, { stdio: 'inherit' }).status ?? 1

process.exitCode = main(process.argv.slice(2))
