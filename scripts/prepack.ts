// What the package has besides the build, made by `npm pack` before it packs: the client's types, and npm-shrinkwrap.json, by
// which `npx` installs the very versions that the tests ran with. With `clean`, afterwards, the latter goes: beside
// package-lock.json it would be in npm's way here.

import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { writeClientDeclarations } from './client-declarations.ts'
import type { Lock } from './complete-lockfile.ts'

const SHRINKWRAP = 'npm-shrinkwrap.json'

/** The lock file without what only development needs. */
export function shrinkwrap(lock: Lock): Lock {
  const packages = Object.entries(lock.packages)
    .filter(([, { dev }]) => !dev)
    .map(([path, { funding: _, ...locked }]): [string, typeof locked] => [path, locked])
  const [, root] = packages.find(([path]) => path === '') ?? []
  const { devDependencies: _, ...own } = { devDependencies: {}, ...root }
  return { ...lock, packages: { ...Object.fromEntries(packages), '': own } }
}

function main(step: string | undefined): void {
  if (step === 'clean') {
    rmSync(SHRINKWRAP, { force: true })
    return
  }
  if (!existsSync('dist/web/index.html')) throw new Error('There is no build yet. Run `npm run package`.')
  writeClientDeclarations(process.cwd(), 'dist/src/client')
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
  writeFileSync(SHRINKWRAP, `${JSON.stringify(shrinkwrap(lock), null, 2)}\n`)
}

if (import.meta.url === pathToFileURL(realpathSync(process.argv[1] ?? '')).href) main(process.argv[2])
