// In the cache of limited size, unused entries are removed first, and a folder can be dropped.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDiskCache } from './disk-cache.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kenning-cache-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const kept = (): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort()
const age = (key: string, seconds: number): void => {
  const at = new Date(Date.now() - seconds * 1000)
  utimesSync(join(root, key), at, at)
}

test('returns what was put, and undefined for other keys', async () => {
  const cache = openDiskCache(root, { maxBytes: 1600, maxUnusedMs: 1e9 })
  await cache.put('a/b/1', Buffer.from('one'))
  expect((await cache.get('a/b/1'))?.toString()).toBe('one')
  expect(await cache.get('a/b/2')).toBeUndefined()
  expect(await cache.get('a/b')).toBeUndefined()
  await cache.drop('a')
  await cache.drop('a')
  expect(await cache.get('a/b/1')).toBeUndefined()
})

test('a folder is dropped while entries are put into it', async () => {
  const cache = openDiskCache(root, { maxBytes: 1e6, maxUnusedMs: 1e9 })
  const entries = Array.from({ length: 20 }, (_, no) => `a/b/${no}`)
  const put = () => Promise.all(entries.map((key) => cache.put(key, Buffer.from('one'))))
  for (let round = 0; round < 50; round++) {
    await put()
    await Promise.all([cache.drop('a/b'), put(), cache.drop('a'), put()])
  }
  await cache.drop('a')
  expect(kept()).toEqual([])
})

test('what a killed process had moved aside goes with the first use', async () => {
  mkdirSync(join(root, 'dropped-1/b'), { recursive: true })
  writeFileSync(join(root, 'dropped-1/b/1'), 'one')
  await openDiskCache(root, { maxBytes: 1e6, maxUnusedMs: 1e9 }).get('a')
  expect(readdirSync(root)).toEqual([])
})

test('above its size the entries unused for longest are removed', async () => {
  const cache = openDiskCache(root, { maxBytes: 1600, maxUnusedMs: 1e9 })
  for (let no = 10; no < 26; no++) {
    await cache.put(`w/${no}`, Buffer.alloc(100))
    age(`w/${no}`, 1000 - no)
  }
  expect(kept().length).toBe(16)
  await cache.get('w/10')
  await cache.put('w/26', Buffer.alloc(100))
  // Of 1,700 bytes 1,200 remain: the oldest entries are removed, except for the one just used.
  expect(kept()).toEqual(['10', '16', '17', '18', '19', '20', '21', '22', '23', '24', '25', '26'])
})

test('entries unused for long are removed even if there is room, and very large ones are not kept', async () => {
  const cache = openDiskCache(root, { maxBytes: 1600, maxUnusedMs: 60_000 })
  await cache.put('w/old', Buffer.alloc(50))
  age('w/old', 61)
  await cache.put('w/giant', Buffer.alloc(101))
  await cache.put('w/new', Buffer.alloc(100))
  expect(kept()).toEqual(['new'])
})
