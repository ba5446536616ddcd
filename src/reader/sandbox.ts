// What the system keeps from a parser child, native code included: the network, and all files but the program's own, the one
// that it reads, and its scratch folder. Linux only, by the tools of util-linux and coreutils (docs/decisions/0008).

import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }

/** `files`: files and network. `network`: the network alone. `none`: only our own JavaScript refuses connections. */
export type Sandbox = 'files' | 'network' | 'none'

/** The folders of one child. All its files are in them. */
export interface SandboxDir {
  /** Its own, to write to. */
  folder: string
  /** Read-only for the child: what it is given to read. Inside `folder`. */
  inputPath: string
  /** An empty folder over which its view of the system is laid; any number of children may have the same. */
  root: string
  /** What else it may read, such as data for text recognition. */
  readable: readonly string[]
  /** Out of its reach, should it lie in a folder that is not. */
  hidden: readonly string[]
}

const source = fileURLToPath(import.meta.url)
const isSource = source.endsWith('.ts')
/** What holds `src/reader`: `dist`, or the project for sources. */
const programRoot = resolve(dirname(source), '../..')
// Of the sources nothing but code: a folder data/ or a file .env may lie beside it.
const programPaths = isSource
  ? ['src', 'test', 'package.json', 'tsconfig.json'].map((name) => join(programRoot, name))
  : [programRoot]

// /etc holds secrets of others; programs need the list of their libraries.
const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
  '/gnu/store',
  '/etc/ld.so.cache',
]
// Other processes cannot be looked into from another user namespace: /proc tells of them what `ps` does.
const DEVICES = ['/proc', '/dev/null', '/dev/urandom']

/** Where packages are found from the program's folder upwards, and where those really are that are links (pnpm, npm link). */
function packages(): string[] {
  const paths: string[] = []
  for (let folder = programRoot; ; folder = dirname(folder)) {
    const packagesFolder = join(folder, 'node_modules')
    if (existsSync(packagesFolder))
      paths.push(packagesFolder, realpathSync(packagesFolder), ...linkedFrom(packagesFolder))
    if (folder === dirname(folder)) return paths
  }
}

function linkedFrom(folder: string): string[] {
  const names = readdirSync(folder, { withFileTypes: true })
  const links = names.filter((one) => one.isSymbolicLink()).map(({ name }) => join(folder, name))
  const scopes = names.filter((one) => one.isDirectory() && one.name.startsWith('@'))
  return [
    ...links.filter((path) => existsSync(path)).map((path) => storeOf(realpathSync(path))),
    ...scopes.flatMap(({ name }) => linkedFrom(join(folder, name))),
  ]
}

/** The outermost `node_modules` above a package, in which its own packages are found; else the package alone. */
const storeOf = (path: string): string => /^.*?\/node_modules(?=\/)/.exec(path)?.[0] ?? path

/** A file of each package that parsers may need, where it really is. */
function neededPaths(): string[] {
  const folders = packages()
  return Object.keys(manifest.dependencies).flatMap((name) => {
    const file = folders.map((folder) => join(folder, name, 'package.json')).find((path) => existsSync(path))
    return file === undefined ? [] : [realpathSync(file)]
  })
}

/** Node itself, where it is not the system's: nvm, /opt. */
const nodeFolder = (): string => dirname(dirname(realpathSync(process.execPath)))

/** Of the system and the program: the same for every child. */
interface View {
  /** Such as /lib, which is a link to usr/lib on most systems. */
  links: string[]
  readable: string[]
}

let cachedView: View | undefined

function readView(): View {
  const isLink = (path: string): boolean => lstatSync(path).isSymbolicLink()
  const system = SYSTEM.filter((path) => existsSync(path))
  const candidates = [
    ...new Set([...system.filter((path) => !isLink(path)), nodeFolder(), ...programPaths, ...packages()]),
  ]
  return {
    links: system.filter(isLink),
    readable: candidates.filter(
      (path) => existsSync(path) && !candidates.some((other) => isWithin(path, other)),
    ),
  }
}

const isWithin = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/**
 * What a shell does in the new namespaces: an empty root, into which what may be seen is bound; then into it for good. A process
 * in a chroot can make no user namespace, and so get no rights back; without rights it cannot leave the chroot. A process
 * each: together they are what a sandbox costs.
 */
function scriptOf({ folder, inputPath, root, readable, hidden }: SandboxDir, program: string): string {
  cachedView ??= readView()
  const programFolder = programPaths.some((path) => isWithin(program, path)) ? [] : [dirname(program)]
  const readablePaths = [...cachedView.readable, ...programFolder]
  const insideRoot = (path: string): string => shellQuoted(root + path)
  const mountEmpty = (path: string): string => `mount -t tmpfs -o size=1m,mode=755 none ${path}`
  // Where nosuid, nodev or noexec are set already they have to be said again, or mount of util-linux before 2.39 would take them away,
  // which is not allowed here: a service of systemd has nosuid everywhere, and /tmp often more.
  const mountReadOnly = (path: string, more = ''): string =>
    `mount --rbind -o ro,nosuid,nodev${more} ${shellQuoted(path)} ${insideRoot(path)}`
  const mountAsIs = (path: string): string => `mount --rbind ${shellQuoted(path)} ${insideRoot(path)}`
  const isFolder = (path: string): boolean => statSync(path).isDirectory()
  const boundPaths = [...readablePaths, ...DEVICES]
  const existingExtras = readable.filter((path) => existsSync(path))
  return [
    'set -e',
    'PATH=$PATH:/usr/sbin:/sbin',
    mountEmpty(shellQuoted(root)),
    `mkdir -p ${boundPaths.map((path) => insideRoot(isFolder(path) ? path : dirname(path))).join(' ')}`,
    `touch ${boundPaths
      .filter((path) => !isFolder(path))
      .map(insideRoot)
      .join(' ')}`,
    ...(cachedView.links.length
      ? [`cp -P ${cachedView.links.map(shellQuoted).join(' ')} ${shellQuoted(root)}`]
      : []),
    ...readablePaths.map((path) => mountReadOnly(path)),
    ...DEVICES.map(mountAsIs),
    ...hidden
      .filter((path) => existsSync(path) && readablePaths.some((one) => isWithin(path, one)))
      .map((path) => mountEmpty(insideRoot(path))),
    `mkdir -p ${[folder, ...existingExtras].map(insideRoot).join(' ')}`,
    ...existingExtras.map((path) => mountReadOnly(path, ',noexec')),
    mountAsIs(folder),
    mountReadOnly(inputPath, ',noexec'),
    `mount -o remount,bind,ro ${shellQuoted(root)}`,
    `exec chroot ${shellQuoted(root)} setpriv --no-new-privs --inh-caps=-all --bounding-set=-all -- ` +
      `sh -c 'cd "$0" && unset PWD OLDPWD && exec "$@"' ${shellQuoted(folder)} "$@"`,
  ].join('\n')
}

const NAMESPACES: readonly (readonly string[])[] = [
  ['unshare', '--user', '--map-root-user', '--net', '--mount'],
  // Root that may make no user namespaces.
  ['unshare', '--net', '--mount'],
]

// Node runs, and every package is in sight: where they are kept in a way that is not known here, files count for more than a view.
const TEST = `
test ! -e "$1" && "$2" --version && shift 2 || exit 1
for file; do test -r "$file" || exit 1; done
`

const NETWORK_NAMESPACES: readonly (readonly string[])[] = [
  ['unshare', '--user', '--map-current-user', '--net'],
  ['unshare', '--net'],
]

interface AvailableSandbox {
  sandbox: Sandbox
  command: readonly string[]
}

let sandbox: AvailableSandbox | undefined

/** What this system gives, or the lesser that is allowed. The check takes a tenth of a second, once. */
export function sandboxOf(allowed: Sandbox = 'files'): Sandbox {
  const levels: readonly Sandbox[] = ['none', 'network', 'files']
  return levels[Math.min(levels.indexOf(allowed), levels.indexOf(available().sandbox))] ?? 'none'
}

/** The command that runs another one in the sandbox; empty where there is none. @param allowed less than there is */
export function confine(sandboxDir: SandboxDir, program: string, allowed: Sandbox = 'files'): string[] {
  const { sandbox, command } = available()
  const sandboxKind = sandboxOf(allowed)
  if (sandboxKind === 'files') return [...command, ...enterCommand(sandboxDir, program)]
  if (sandboxKind === 'none') return []
  return [...(sandbox === 'files' ? (networkNamespace() ?? []) : command)]
}

const enterCommand = (sandboxDir: SandboxDir, program: string): string[] => [
  'sh',
  '-c',
  scriptOf(sandboxDir, program),
  'kenning-parser',
]

const networkNamespace = (): readonly string[] | undefined =>
  NETWORK_NAMESPACES.find((command) => canRun(command, ['test', '-r', source]))

function available(): AvailableSandbox {
  sandbox ??= detectSandbox()
  return sandbox
}

function detectSandbox(): AvailableSandbox {
  if (process.platform !== 'linux') return { sandbox: 'none', command: [] }
  const root = mkdtempSync(join(tmpdir(), 'kenning-sandbox-'))
  try {
    const sandboxDir = {
      folder: join(root, 'own'),
      inputPath: join(root, 'own/given'),
      root: join(root, 'root'),
    }
    mkdirSync(sandboxDir.inputPath, { recursive: true })
    mkdirSync(sandboxDir.root)
    // In a user namespace root cannot read the files of other users: the program itself must still run. What lies beside
    // the folder is out of sight.
    const test = ['sh', '-c', TEST, 'test', sandboxDir.root, process.execPath, source, ...neededPaths()]
    const testCommand = [...enterCommand({ ...sandboxDir, readable: [], hidden: [] }, source), ...test]
    const command = NAMESPACES.find((prefix) => canRun(prefix, testCommand))
    if (command) return { sandbox: 'files', command }
    const networkOnly = networkNamespace()
    return networkOnly ? { sandbox: 'network', command: networkOnly } : { sandbox: 'none', command: [] }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function canRun([command = '', ...args]: readonly string[], testCommand: readonly string[]): boolean {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' }
  return spawnSync(command, [...args, ...testCommand], { stdio: 'ignore', timeout: 10_000, env }).status === 0
}
