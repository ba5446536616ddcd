// `npm ci` must work everywhere from the committed lock file: every platform's packages in it, no download address.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Lock, missingPlatforms } from '../scripts/complete-lockfile.ts'

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
