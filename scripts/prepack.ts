// What the package has besides the build, made by `npm pack` before it packs: the client's types, and npm-shrinkwrap.json, by
// which `npx` installs the very versions that the tests ran with. With `clean`, afterwards, the latter goes: beside
// package-lock.json it would be in npm's way here.

import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { clientTypes } from './client-types.ts'
import type { Lock } from './complete-lockfile.ts'

const SHRINKWRAP = 'npm-shrinkwrap.json'
const CLIENT = 'dist/src/client'

/** The lock file without what only development needs. */
export function shrinkwrap(lock: Lock): Lock {
  const packages = Object.entries(lock.packages)
    .filter(([, { dev }]) => !dev)
    .map(([path, { funding: _, ...locked }]): [string, typeof locked] => [path, locked])
  const [, root] = packages.find(([path]) => path === '') ?? []
  const { devDependencies: _, ...own } = { devDependencies: {}, ...root }
  return { ...lock, packages: { ...Object.fromEntries(packages), '': own } }
}

/** Declarations beside the modules of the client, in which nothing of zod is left. */
function writeClientTypes(): void {
  const folder = mkdtempSync(join(tmpdir(), 'kenning-client-'))
  try {
    const here = process.cwd()
    const config = {
      extends: `${here}/tsconfig.json`,
      compilerOptions: {
        declaration: true,
        emitDeclarationOnly: true,
        noEmit: false,
        noCheck: true,
        outDir: folder,
        rootDir: here,
        typeRoots: [`${here}/node_modules/@types`],
      },
      files: [`${here}/src/client/client.ts`],
      include: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const compiler = ['node_modules/typescript/bin/tsc', '-p', folder]
    const { status, stdout } = spawnSync(process.execPath, compiler, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`The types of the client could not be made:\n${stdout}`)
    const made = join(folder, 'src/client')
    for (const name of readdirSync(made).filter((file) => file !== 'types.d.ts' && file !== 'routes.d.ts')) {
      // Other compilers than ours want the name of the module that is there.
      const text = readFileSync(join(made, name), 'utf8').replace(/(from '\.\/\w+)\.ts'/g, "$1.js'")
      writeFileSync(join(CLIENT, name), text)
    }
    writeFileSync(join(CLIENT, 'types.d.ts'), clientTypes())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function main(step: string | undefined): void {
  if (step === 'clean') {
    rmSync(SHRINKWRAP, { force: true })
    return
  }
  if (!existsSync('dist/web/index.html')) throw new Error('There is no build yet. Run `npm run package`.')
  writeClientTypes()
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
  writeFileSync(SHRINKWRAP, `${JSON.stringify(shrinkwrap(lock), null, 2)}\n`)
}

if (import.meta.url === pathToFileURL(realpathSync(process.argv[1] ?? '')).href) main(process.argv[2])
