// Completes package-lock.json after `npm install`: npm 11 omits optional packages of other platforms that the registry in
// use does not have (npm/cli#9342), and `npm ci` then refuses the file. This adds them with the version that their parent
// pins, and removes download addresses. Run it with `npx tsx scripts/complete-lockfile.ts`.

import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

interface LockedPackage {
  version?: string
  resolved?: string
  dev?: boolean
  funding?: unknown
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

export interface Lock {
  packages: Record<string, LockedPackage>
}

const OS = /(darwin|win32|linux|android|freebsd|netbsd|openbsd|sunos|aix|openharmony)/
const CPU = /(arm64|x64|ia32|riscv64|ppc64|s390x|loong64|mips64el|wasm32|arm)/

/** The optional packages that the lock file lacks, by their path in it. */
export function missingPlatforms(lock: Lock): Map<string, LockedPackage> {
  const missing = new Map<string, LockedPackage>()
  for (const [path, parent] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(parent.optionalDependencies ?? {})) {
      const near = places(path, name).find((place) => lock.packages[place])
      const pinned = /^\d/.test(range)
      if (near && (!pinned || lock.packages[near]?.version === range)) continue
      const folder = near ? path.slice(0, path.lastIndexOf('/node_modules/') + 1) : ''
      missing.set(`${folder}node_modules/${name}`, entry(name, range, parent))
    }
  }
  return missing
}

/** The paths where Node looks for a package, nearest first. */
function places(path: string, name: string): string[] {
  const found = [`${path ? `${path}/` : ''}node_modules/${name}`]
  for (let at = path; at; ) {
    const up = at.lastIndexOf('/node_modules/')
    at = up < 0 ? '' : at.slice(0, up)
    found.push(`${at ? `${at}/` : ''}node_modules/${name}`)
  }
  return found
}

function entry(name: string, range: string, parent: LockedPackage): LockedPackage {
  const platform = name.slice(name.lastIndexOf('/') + 1)
  const [os, cpu] = [OS.exec(platform)?.[1], CPU.exec(platform)?.[1]]
  const libc = /musl/.test(platform) ? 'musl' : os === 'linux' && /gnu/.test(platform) ? 'glibc' : undefined
  return {
    version: range.replace(/^\D*/, ''),
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(parent.dev ? { dev: true } : {}),
    ...(libc ? { libc: [libc] } : {}),
    optional: true,
    ...(os ? { os: [os] } : {}),
  }
}

function complete(path: string): void {
  const lock = JSON.parse(readFileSync(path, 'utf8')) as Lock
  for (const locked of Object.values(lock.packages)) delete locked.resolved
  const added = missingPlatforms(lock)
  const all = Object.entries({ ...lock.packages, ...Object.fromEntries(added) })
  lock.packages = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
  process.stdout.write(`${added.size} packages of other platforms added\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) complete('package-lock.json')
