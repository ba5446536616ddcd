// The processes and threads that tests start run from a build, as in production: by tsx a parser child cost 1.5 s of
// processor time to start and an engine 2.8 s, from a build 0.6 s and 2.0 s, and a suite starts hundreds. The build is
// made once per state of the sources, unchecked (2 s: `npm run check` checks), beside the template of the database.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { VitestPluginContext } from 'vitest/node'

const root = fileURLToPath(new URL('../../', import.meta.url))
const cache = join(root, 'node_modules/.cache/kenning')
const UNUSED_MS = 3_600_000
const CONFIGS = ['test/support/tsconfig.build.json', 'tsconfig.build.json', 'tsconfig.json'] as const

/** The modules that find a process or thread of ours beside themselves, by `import.meta.url`. */
const STARTERS = [
  'src/processes/engine.ts',
  'src/reader/launch.ts',
  'src/sources/source-process.ts',
  'src/archive/child.ts',
  'src/work/leases.ts',
  'src/ports/embedder/onnx/onnx.ts',
  'test/support/program.ts',
].map((path) => join(root, path))

/** A Vite plugin: those modules look for what they start in the build instead of the sources. */
export function childrenFromBuild() {
  const buildFolder = build()
  return {
    name: 'children-from-build',
    enforce: 'pre' as const,
    // Vitest keeps transformed modules: those are other ones with another build.
    configureVitest({ experimental_defineCacheKeyGenerator }: VitestPluginContext) {
      experimental_defineCacheKeyGenerator(({ id }) => (STARTERS.includes(id) ? buildFolder : undefined))
    },
    transform(code: string, id: string) {
      const path = id.split('?')[0] ?? id
      if (!STARTERS.includes(path)) return null
      if (!code.includes('import.meta.url')) throw new Error(`${path} starts nothing beside itself any more`)
      const builtPath = join(buildFolder, path.slice(root.length).replace(/\.ts$/, '.js'))
      return {
        code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(builtPath).href)),
        map: null,
      }
    },
  }
}

/** The folder of the build of the sources as they are now, made unless it is there. */
function build(): string {
  const folder = join(cache, `build-${digest()}`)
  if (existsSync(folder)) {
    const now = new Date()
    utimesSync(folder, now, now)
    return folder
  }
  mkdirSync(cache, { recursive: true })
  removeUnused()
  const draft = `${folder}.draft-${process.pid}`
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const args = ['-p', join(root, CONFIGS[0]), '--noCheck', '--outDir', draft]
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the children of tests could not be built:\n${stdout}`)
  try {
    renameSync(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error // else another run has made the same at the same time
    rmSync(draft, { recursive: true, force: true })
  }
  return folder
}

function digest(): string {
  const hash = createHash('sha256')
  const within = (folder: string): string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  const sources = ['src', 'test/support'].flatMap(within).filter((path) => /(?<!\.test)\.ts$/.test(path))
  for (const path of [...sources.sort(), ...CONFIGS])
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}

/** Of earlier states: not those that a run beside this one may be at. */
function removeUnused(): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    // Another run may take the same away.
    const modifiedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (name.startsWith('build-') && Date.now() - modifiedMs > UNUSED_MS)
      rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  }
}
