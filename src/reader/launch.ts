// Starts a parser child: dist/*.js in production, the .ts sources under tsx and Vitest. The child gets no secrets, only
// the environment variables that any program needs. Where the system allows it, it runs in an empty network namespace,
// so that native code has no network either.

import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { OcrSettings } from './picture/ocr/languages.ts'

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const entry = fileURLToPath(new URL(`./child/entry.${extension}`, import.meta.url))

/** A new child with a limited heap and the scratch folder as home; its standard error can be read. */
export function launchChild(
  folder: string,
  heapMegabytes: number,
  ocr?: OcrSettings,
  program = entry,
): ChildProcess {
  return launchProgram(
    program,
    [String(process.pid), ...(ocr === undefined ? [] : [JSON.stringify(ocr)])],
    [`--max-old-space-size=${heapMegabytes}`, ...loader(program)],
    folder,
  )
}

/** Starts any program under the same conditions. */
export function launchProgram(
  program: string,
  args: readonly string[],
  nodeArgs: readonly string[],
  folder: string,
): ChildProcess {
  const jail = networkJail()
  const [execPath, ...before] = [...jail, process.execPath]
  return fork(program, args, {
    cwd: folder,
    ...(execPath === undefined ? {} : { execPath }),
    execArgv: [...before, ...nodeArgs],
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: folder,
      TMPDIR: folder,
      TEMP: folder,
      LANG: 'C.UTF-8',
    },
    serialization: 'json',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

let found: readonly string[] | undefined

/**
 * The command that runs another one without network. Empty if there is none: not Linux, no util-linux, or a container
 * whose seccomp profile forbids user namespaces. The check takes 4 ms, and so does each child.
 */
export function networkJail(): readonly string[] {
  found ??= jails.find(([command, ...args]) => works(command ?? '', args)) ?? []
  return found
}

const jails: readonly (readonly string[])[] = [
  ['unshare', '--user', '--map-current-user', '--net'],
  ['unshare', '--net'],
]

/** In a user namespace root cannot read the files of other users: the program itself must still be readable. */
function works(command: string, args: readonly string[]): boolean {
  if (process.platform !== 'linux') return false
  const test = [...args, 'test', '-r', entry]
  return spawnSync(command, test, { stdio: 'ignore', timeout: 5000 }).status === 0
}

function loader(program: string): string[] {
  if (!program.endsWith('.ts')) return []
  const tsx = createRequire(import.meta.url).resolve('tsx/esm')
  return ['--import', pathToFileURL(tsx).href]
}
