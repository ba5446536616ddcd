import { expect, test } from 'vitest'
import { type CachedValue, openMemoryCache } from './memory-cache.ts'

const OPTIONS = { maxBytes: 100, minSize: 10, minRequests: 2, restMs: 0, waitMs: 0, onError: () => {} }

/** A source whose values are made when the test says so. */
function maker() {
  const waiting: {
    before: unknown
    resolve: (made: CachedValue<string> | undefined) => void
    reject: (error: Error) => void
  }[] = []
  const make = (before: string | undefined): Promise<CachedValue<string> | undefined> =>
    new Promise((resolve, reject) => waiting.push({ before, resolve, reject }))
  return { make, waiting }
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a value is made once it was asked for often enough, one at a time, from the one before', async () => {
  const cache = openMemoryCache(OPTIONS)
  const { make, waiting } = maker()
  const get = (version: number): Promise<string | undefined> => cache.get('a', { version, size: 10 }, make)
  expect([await get(1), waiting.length]).toEqual([undefined, 0])
  expect([await get(1), await get(1), waiting.length]).toEqual([undefined, undefined, 1])
  waiting.shift()?.resolve({ version: 1, value: 'one', bytes: 40 })
  await settled()
  expect([await get(1), cache.bytes(), waiting.length]).toEqual(['one', 40, 0])
  expect([await get(2), waiting[0]?.before]).toEqual([undefined, 'one'])
  // It was made from an older version, so it is not served and is made again.
  waiting.shift()?.resolve({ version: 2, value: 'two', bytes: 50 })
  await settled()
  expect([await get(3), await get(2), waiting.length]).toEqual([undefined, 'two', 1])
})

test('a newer value is waited for while it is made, and a later one will do', async () => {
  const cache = openMemoryCache({ ...OPTIONS, minRequests: 1, waitMs: 60_000 })
  const { make, waiting } = maker()
  const get = (version: number): Promise<string | undefined> => cache.get('a', { version, size: 10 }, make)
  // There is no older value from which it would soon be made, so nobody waits.
  expect(await get(1)).toBeUndefined()
  waiting.shift()?.resolve({ version: 1, value: 'one', bytes: 40 })
  await settled()
  const [second, third, fourth] = [get(2), get(3), get(4)]
  waiting.shift()?.resolve({ version: 3, value: 'three', bytes: 40 })
  expect([await second, await third, await fourth]).toEqual(['three', 'three', undefined])
  // A version that goes back, as when a database is restored, is another state.
  expect([await get(3), waiting.length]).toEqual(['three', 0])
  const back = get(2)
  waiting.shift()?.resolve({ version: 2, value: 'two again', bytes: 40 })
  expect(await back).toBe('two again')
  const fifth = get(5)
  waiting.shift()?.reject(new Error('away'))
  expect(await fifth).toBeUndefined()
})

test('what is small, too large or failed is not kept', async () => {
  const errors: unknown[] = []
  const cache = openMemoryCache({ ...OPTIONS, minRequests: 1, onError: (error) => errors.push(error) })
  const { make, waiting } = maker()
  expect([await cache.get('small', { version: 1, size: 9 }, make), waiting.length]).toEqual([undefined, 0])
  const get = (): Promise<string | undefined> => cache.get('a', { version: 1, size: 10 }, make)
  await get()
  waiting.shift()?.reject(new Error('away'))
  await settled()
  expect([await get(), errors.length]).toEqual([undefined, 1])
  waiting.shift()?.resolve({ version: 1, value: 'large', bytes: 101 })
  await settled()
  expect([await get(), cache.bytes(), waiting.length]).toEqual([undefined, 0, 0])
})

test('the values that were unused for longest make room', async () => {
  const cache = openMemoryCache({ ...OPTIONS, minRequests: 1 })
  const get = (key: string): Promise<string | undefined> =>
    cache.get(key, { version: 1, size: 10 }, async () => ({ version: 1, value: key, bytes: 40 }))
  for (const key of ['a', 'b', 'a', 'c']) {
    await get(key)
    await settled()
  }
  expect(cache.bytes()).toBe(80)
  expect([await get('a'), await get('c'), await get('b')]).toEqual(['a', 'c', undefined])
})
