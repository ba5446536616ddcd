// `npm ci` must work everywhere from the committed lock file, with the packages of every platform and no download
// addresses. And what it installs for production must not grow unnoticed.

import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Lock, missingPlatforms } from '../scripts/complete-lockfile.ts'

/** Today 236 MB on Linux x64 with glibc. */
const MAX_MEGABYTES = 240

const text = readFileSync('package-lock.json', 'utf8')
const lock = JSON.parse(text) as Lock

test('the optional packages of every platform are locked', () => {
  expect(Object.keys(lock.packages).length).toBeGreaterThan(250)
  expect([...missingPlatforms(lock).keys()]).toEqual([])
})

test('a platform left out is noticed', () => {
  const { 'node_modules/@esbuild/darwin-arm64': _gone, ...packages } = lock.packages
  expect([...missingPlatforms({ packages }).keys()]).toEqual(['node_modules/@esbuild/darwin-arm64'])
})

test('no package names a registry, every version is pinned', () => {
  expect(text).not.toMatch(/"resolved"/)
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>
  const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
})

test('the packages that production needs stay small', () => {
  const needed = Object.entries(lock.packages).filter(
    ([path, { dev }]) => path.startsWith('node_modules/') && !dev,
  )
  const installed = needed.map(([path]) => path).filter((path) => existsSync(path))
  expect(installed.length).toBeGreaterThan(150)
  const bytes = installed.reduce((sum, path) => sum + bytesIn(path), 0)
  expect(bytes / 2 ** 20).toBeLessThan(MAX_MEGABYTES)
})

/** Without the packages nested in it, which the lock file lists by themselves. */
function bytesIn(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) bytes += entry.name === 'node_modules' ? 0 : bytesIn(path)
    else bytes += lstatSync(path).size
  }
  return bytes
}
