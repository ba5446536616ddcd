// Packs the build as it is published and installs it once for all end-to-end tests: unpacked, with the packages of its shrinkwrap
// beside it as links. What the lock file keeps for development is not there, so that nothing of it is missed later.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Lock } from '../../scripts/complete-lockfile.ts'
import { pack } from '../../scripts/publish/pack.ts'

export interface Installed {
  /** A project that has Kenning among its packages. */
  folder: string
  tarball: string
  /** What `kenning` runs. */
  main: string
  files: { path: string; size: number }[]
}

declare module 'vitest' {
  export interface ProvidedContext {
    installed: Installed
  }
}

let folder: string

export function setup({ provide }: TestProject): void {
  folder = mkdtempSync(join(tmpdir(), 'kenning-installed-'))
  const { file: tarball, files } = pack('', folder)
  const packages = join(folder, 'node_modules')
  const kenning = join(packages, 'kenning')
  mkdirSync(kenning, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', kenning, '--strip-components=1'])
  const { packages: locked } = JSON.parse(readFileSync(join(kenning, 'npm-shrinkwrap.json'), 'utf8')) as Lock
  for (const path of Object.keys(locked).filter((one) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(one))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(resolve(path), join(folder, path))
  }
  provide('installed', { folder, tarball, main: join(kenning, 'dist/src/main.js'), files })
}

export const teardown = (): void => rmSync(folder, { recursive: true, force: true })
