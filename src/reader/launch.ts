// Starts a parser child: dist/*.js in production, the .ts sources under tsx and Vitest. The child gets no secrets, only the
// environment variables that any program needs. It runs in a sandbox (sandbox.ts).

import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { confine, type Sandbox, type SandboxDir } from './sandbox.ts'
import type { OcrSettings } from './shared/ocr/languages.ts'

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const entry = fileURLToPath(new URL(`./child/entry.${extension}`, import.meta.url))

/** A new child with a limited heap and its own folder as home; its standard error can be read. */
export function launchChild(
  sandboxDir: SandboxDir,
  heapMegabytes: number,
  { ocr, program = entry, sandbox }: { ocr?: OcrSettings; program?: string; sandbox?: Sandbox },
): ChildProcess {
  return launchProgram({
    program,
    args: [String(process.pid), ...(ocr === undefined ? [] : [JSON.stringify(ocr)])],
    nodeArgs: [`--max-old-space-size=${heapMegabytes}`, ...loaderArgs(program)],
    sandboxDir,
    allowed: sandbox,
  })
}

/** Starts any program with the same sandbox and environment. @param allowed the strongest sandbox that is to be used */
export function launchProgram({
  program,
  args,
  nodeArgs,
  sandboxDir,
  allowed,
}: {
  program: string
  args: readonly string[]
  nodeArgs: readonly string[]
  sandboxDir: SandboxDir
  allowed?: Sandbox | undefined
}): ChildProcess {
  // In a sandbox the first program is `unshare`, and Node is one of its arguments.
  const [execPath, ...prefixArguments] = [...confine(sandboxDir, program, allowed), process.execPath]
  const { folder } = sandboxDir
  return fork(program, args, {
    cwd: folder,
    ...(execPath === undefined ? {} : { execPath }),
    execArgv: [...prefixArguments, ...nodeArgs],
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

function loaderArgs(program: string): string[] {
  if (!program.endsWith('.ts')) return []
  const tsx = createRequire(import.meta.url).resolve('tsx/esm')
  return ['--import', pathToFileURL(tsx).href]
}
