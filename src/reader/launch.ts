// Starts one parser child: from dist/*.js in production, from the .ts sources under tsx and Vitest. The child gets no
// secrets: of the environment only what a program needs to run. Where the system
// allows it, it gets a network namespace of its own with nothing in it, so that native code cannot call out either.

import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { OcrSettings } from './picture/ocr/languages.ts'

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const entry = fileURLToPath(new URL(`./child/entry.${extension}`, import.meta.url))

/** A fresh child with its heap bounded, its scratch folder as home; its standard error is readable. */
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

/** Any program under a child's conditions. */
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
 * The command that runs another one without network, empty where there is none: not Linux, no util-linux, or a container
 * whose seccomp profile forbids user namespaces. Asked once; it costs 4 ms, and so does each child.
 */
export function networkJail(): readonly string[] {
  found ??= jails.find(([command, ...args]) => works(command ?? '', args)) ?? []
  return found
}

const jails: readonly (readonly string[])[] = [
  ['unshare', '--user', '--map-current-user', '--net'],
  ['unshare', '--net'],
]

/** A user namespace takes root's right to read what others own: the program itself must still be readable. */
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
