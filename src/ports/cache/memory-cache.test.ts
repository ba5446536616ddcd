import { expect, test } from 'vitest'
import { type Made, openMemoryCache } from './memory-cache.ts'

const OPTIONS = { mostBytes: 100, leastSize: 10, leastAsked: 2, restMs: 0, onError: () => {} }

/** Values that are made when the test says so. */
function maker() {
  const waiting: {
    before: unknown
    resolve: (made: Made<string> | undefined) => void
    reject: (error: Error) => void
  }[] = []
  const make = (before: string | undefined): Promise<Made<string> | undefined> =>
    new Promise((resolve, reject) => waiting.push({ before, resolve, reject }))
  return { make, waiting }
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a value is made once it was asked for often enough, one at a time, from the one before', async () => {
  const cache = openMemoryCache(OPTIONS)
  const { make, waiting } = maker()
  const get = (version: string): string | undefined => cache.get('a', { version, size: 10 }, make)
  expect([get('1'), waiting.length]).toEqual([undefined, 0])
  expect([get('1'), get('1'), waiting.length]).toEqual([undefined, undefined, 1])
  waiting.shift()?.resolve({ version: '1', value: 'one', bytes: 40 })
  await settled()
  expect([get('1'), cache.bytes(), waiting.length]).toEqual(['one', 40, 0])
  expect([get('2'), waiting[0]?.before]).toEqual([undefined, 'one'])
  // Made of a version before: it is not served, and made again.
  waiting.shift()?.resolve({ version: '2', value: 'two', bytes: 50 })
  await settled()
  expect([get('3'), get('2'), waiting.length]).toEqual([undefined, 'two', 1])
})

test('what is small, too large or failed is not kept', async () => {
  const errors: unknown[] = []
  const cache = openMemoryCache({ ...OPTIONS, leastAsked: 1, onError: (error) => errors.push(error) })
  const { make, waiting } = maker()
  expect([cache.get('small', { version: '1', size: 9 }, make), waiting.length]).toEqual([undefined, 0])
  const get = (): string | undefined => cache.get('a', { version: '1', size: 10 }, make)
  get()
  waiting.shift()?.reject(new Error('away'))
  await settled()
  expect([get(), errors.length]).toEqual([undefined, 1])
  waiting.shift()?.resolve({ version: '1', value: 'large', bytes: 101 })
  await settled()
  expect([get(), cache.bytes(), waiting.length]).toEqual([undefined, 0, 0])
})

test('the values that were unused for longest make room', async () => {
  const cache = openMemoryCache({ ...OPTIONS, leastAsked: 1 })
  const get = (key: string): string | undefined =>
    cache.get(key, { version: '1', size: 10 }, async () => ({ version: '1', value: key, bytes: 40 }))
  for (const key of ['a', 'b', 'a', 'c']) {
    get(key)
    await settled()
  }
  expect(cache.bytes()).toBe(80)
  expect([get('a'), get('c'), get('b')]).toEqual(['a', 'c', undefined])
})
