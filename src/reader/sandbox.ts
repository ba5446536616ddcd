// Isolates a child process from the network and from most files. It sees only the system's programs and libraries, Node, this
// program with its packages, its input and its own folder. It uses util-linux and coreutils, so it works on Linux only
// (docs/decisions/0008).

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

/**
 * What is isolated. `files`: files and network. `network`: only the network. `none`: the system isolates nothing, and only
 * our JavaScript refuses connections.
 */
export type Sandbox = 'files' | 'network' | 'none'

/** What one child may see: its own folders, and exceptions in both directions. */
export interface SandboxDir {
  /** The folder that the child may write to. */
  folder: string
  /** The folder inside `folder` with the files that the child reads. It is read-only for the child. */
  inputPath: string
  /**
   * An empty folder, on which the child's view of the file system is mounted. Children may share it, because each mounts in its own
   * namespace.
   */
  root: string
  /** Other folders that the child may read, such as data for text recognition. */
  readable: readonly string[]
  /** Folders that stay hidden even if they are inside a visible folder. */
  hidden: readonly string[]
}

const source = fileURLToPath(import.meta.url)
const isSource = source.endsWith('.ts')
/** The folder that contains `src/reader`: `dist`, or the project when running from sources. */
const programRoot = resolve(dirname(source), '../..')
// When the program runs from sources, only the code is visible, because a folder data/ or a file .env may be beside it.
const programPaths = isSource
  ? ['src', 'test', 'package.json', 'tsconfig.json'].map((name) => join(programRoot, name))
  : [programRoot]

// /etc contains secrets, so only the list of libraries is visible, which programs need.
const SYSTEM_PATHS = [
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
// From another user namespace, /proc shows about other processes only what `ps` shows.
const KERNEL_PATHS = ['/proc', '/dev/null', '/dev/urandom']

/**
 * The `node_modules` folders from the program's folder upwards, and the targets of packages that are links (pnpm, npm link).
 */
function packagePaths(): string[] {
  const paths: string[] = []
  for (let folder = programRoot; ; folder = dirname(folder)) {
    const packagesFolder = join(folder, 'node_modules')
    if (existsSync(packagesFolder))
      paths.push(packagesFolder, realpathSync(packagesFolder), ...packageStoresOfLinksIn(packagesFolder))
    if (folder === dirname(folder)) return paths
  }
}

function packageStoresOfLinksIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(folder, name))
  const scopes = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith('@'))
  return [
    ...links.filter((path) => existsSync(path)).map((path) => packageStoreOf(realpathSync(path))),
    ...scopes.flatMap(({ name }) => packageStoresOfLinksIn(join(folder, name))),
  ]
}

/**
 * The outermost `node_modules` folder above a package, because it contains the packages that this package needs: `/a/node_modules`
 * for `/a/node_modules/b/node_modules/c`. Without such a folder, the package itself.
 */
const packageStoreOf = (path: string): string => /^.*?\/node_modules(?=\/)/.exec(path)?.[0] ?? path

/** The real path of one file of each package that parsers may need. */
function packageManifests(): string[] {
  const folders = packagePaths()
  return Object.keys(manifest.dependencies).flatMap((name) => {
    const file = folders.map((folder) => join(folder, name, 'package.json')).find((path) => existsSync(path))
    return file === undefined ? [] : [realpathSync(file)]
  })
}

/** The folder of Node, which may be outside the system's folders: nvm, /opt. */
const nodeFolder = (): string => dirname(dirname(realpathSync(process.execPath)))

/** The visible paths of the system and the program, which are the same for every child. */
interface VisiblePaths {
  /** The system's paths that are links. On most systems /lib is a link to usr/lib. */
  links: string[]
  readable: string[]
}

let cachedPaths: VisiblePaths | undefined

function findVisiblePaths(): VisiblePaths {
  const isLink = (path: string): boolean => lstatSync(path).isSymbolicLink()
  const system = SYSTEM_PATHS.filter((path) => existsSync(path))
  const candidates = [
    ...new Set([...system.filter((path) => !isLink(path)), nodeFolder(), ...programPaths, ...packagePaths()]),
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
 * The shell script that runs in the new namespaces. It binds the visible paths into an empty root and changes into it with chroot.
 * In a chroot a process cannot create a user namespace, so it cannot get capabilities back, and without them it cannot leave the
 * chroot. Each command starts a process, and these starts are what the sandbox costs.
 */
function scriptOf({ folder, inputPath, root, readable, hidden }: SandboxDir, program: string): string {
  cachedPaths ??= findVisiblePaths()
  const programFolders = programPaths.some((path) => isWithin(program, path)) ? [] : [dirname(program)]
  const readablePaths = [...cachedPaths.readable, ...programFolders]
  const insideRoot = (path: string): string => shellQuoted(root + path)
  const mountEmpty = (path: string): string => `mount -t tmpfs -o size=1m,mode=755 none ${path}`
  // Flags such as nosuid, nodev and noexec must be repeated if they are already set. Otherwise mount of util-linux before
  // 2.39 would remove them, which is not permitted here. A service of systemd has nosuid everywhere, and /tmp often more.
  const mountReadOnly = (path: string, extraFlags = ''): string =>
    `mount --rbind -o ro,nosuid,nodev${extraFlags} ${shellQuoted(path)} ${insideRoot(path)}`
  const mountAsIs = (path: string): string => `mount --rbind ${shellQuoted(path)} ${insideRoot(path)}`
  const isFolder = (path: string): boolean => statSync(path).isDirectory()
  const mountedPaths = [...readablePaths, ...KERNEL_PATHS]
  const existingReadable = readable.filter((path) => existsSync(path))
  return [
    'set -e',
    'PATH=$PATH:/usr/sbin:/sbin',
    mountEmpty(shellQuoted(root)),
    `mkdir -p ${mountedPaths.map((path) => insideRoot(isFolder(path) ? path : dirname(path))).join(' ')}`,
    `touch ${mountedPaths
      .filter((path) => !isFolder(path))
      .map(insideRoot)
      .join(' ')}`,
    ...(cachedPaths.links.length
      ? [`cp -P ${cachedPaths.links.map(shellQuoted).join(' ')} ${shellQuoted(root)}`]
      : []),
    ...readablePaths.map((path) => mountReadOnly(path)),
    ...KERNEL_PATHS.map(mountAsIs),
    ...hidden
      .filter(
        (path) => existsSync(path) && readablePaths.some((readablePath) => isWithin(path, readablePath)),
      )
      .map((path) => mountEmpty(insideRoot(path))),
    `mkdir -p ${[folder, ...existingReadable].map(insideRoot).join(' ')}`,
    ...existingReadable.map((path) => mountReadOnly(path, ',noexec')),
    mountAsIs(folder),
    mountReadOnly(inputPath, ',noexec'),
    `mount -o remount,bind,ro ${shellQuoted(root)}`,
    `exec chroot ${shellQuoted(root)} setpriv --no-new-privs --inh-caps=-all --bounding-set=-all -- ` +
      `sh -c 'cd "$0" && unset PWD OLDPWD && exec "$@"' ${shellQuoted(folder)} "$@"`,
  ].join('\n')
}

const UNSHARE_COMMANDS: readonly (readonly string[])[] = [
  ['unshare', '--user', '--map-root-user', '--net', '--mount'],
  // For root that is not permitted to create user namespaces.
  ['unshare', '--net', '--mount'],
]

// Checks that a folder outside ($1) is invisible, that Node ($2) runs, and that all other arguments, which are files of the program
// and its packages, can be read. If packages are stored in an unknown way, the sandbox of files is not used.
const TEST_SCRIPT = `
test ! -e "$1" && "$2" --version && shift 2 || exit 1
for file; do test -r "$file" || exit 1; done
`

const UNSHARE_NETWORK_COMMANDS: readonly (readonly string[])[] = [
  ['unshare', '--user', '--map-current-user', '--net'],
  ['unshare', '--net'],
]

interface AvailableSandbox {
  sandbox: Sandbox
  command: readonly string[]
}

let systemSandbox: AvailableSandbox | undefined

/** The weaker of the allowed sandbox and that of this system. The first call checks the system, which takes 0.1 s. */
export function sandboxOf(allowed: Sandbox = 'files'): Sandbox {
  const levels: readonly Sandbox[] = ['none', 'network', 'files']
  return levels[Math.min(levels.indexOf(allowed), levels.indexOf(available().sandbox))] ?? 'none'
}

/**
 * The command that runs another one in the sandbox. Empty if there is no sandbox. @param allowed the strongest sandbox that
 * is to be used
 */
export function confine(sandboxDir: SandboxDir, program: string, allowed: Sandbox = 'files'): string[] {
  const { sandbox, command } = available()
  const usedSandbox = sandboxOf(allowed)
  if (usedSandbox === 'files') return [...command, ...enterCommand(sandboxDir, program)]
  if (usedSandbox === 'none') return []
  return [...(sandbox === 'files' ? (findNetworkCommand() ?? []) : command)]
}

const enterCommand = (sandboxDir: SandboxDir, program: string): string[] => [
  'sh',
  '-c',
  scriptOf(sandboxDir, program),
  'kenning-parser',
]

const findNetworkCommand = (): readonly string[] | undefined =>
  UNSHARE_NETWORK_COMMANDS.find((command) => canRun(command, ['test', '-r', source]))

function available(): AvailableSandbox {
  systemSandbox ??= detectSandbox()
  return systemSandbox
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
    // In a user namespace, root cannot read the files of other users, so the test also reads the program's own files.
    const checkCommand = [
      'sh',
      '-c',
      TEST_SCRIPT,
      'test',
      sandboxDir.root,
      process.execPath,
      source,
      ...packageManifests(),
    ]
    const testCommand = [
      ...enterCommand({ ...sandboxDir, readable: [], hidden: [] }, source),
      ...checkCommand,
    ]
    const command = UNSHARE_COMMANDS.find((prefix) => canRun(prefix, testCommand))
    if (command) return { sandbox: 'files', command }
    const networkOnly = findNetworkCommand()
    return networkOnly ? { sandbox: 'network', command: networkOnly } : { sandbox: 'none', command: [] }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function canRun([command = '', ...args]: readonly string[], testCommand: readonly string[]): boolean {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' }
  return spawnSync(command, [...args, ...testCommand], { stdio: 'ignore', timeout: 10_000, env }).status === 0
}
