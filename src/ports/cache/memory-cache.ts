// Caches values that are derived from the database, in this process. Each value belongs to a version of its source. When the
// source has a newer version, the value is made again from the old one. Callers wait for that only a moment, and then continue
// without the value.

import { setTimeout as sleep } from 'node:timers/promises'

export interface CachedValue<T> {
  /** Increases with each change of the source. */
  version: number
  value: T
  bytes: number
}

export interface MemoryCache {
  /**
   * The value of this version, or a later one that was made since the call. If there is none, `make` starts, one at a time for a
   * key. If an older value exists, the call waits up to `waitMs` for the new one. Without an older value, or after that time, it
   * resolves to undefined. `size` is the size of the source, in any unit, which is compared with `minSize`.
   */
  get<T>(
    key: string,
    validity: { version: number; size: number },
    make: (previousValue: T | undefined) => Promise<CachedValue<T> | undefined>,
  ): Promise<T | undefined>
  /** The sum of the sizes that the makers report, and its limit. */
  bytes(): number
  readonly maxBytes: number
}

interface MemoryCacheOptions {
  /**
   * The limit for all values together. The least recently used ones are removed first. A single larger value is not kept.
   */
  maxBytes: number
  /** The smallest source whose value is worth caching. */
  minSize: number
  /** How often a value must be requested before it is worth caching. */
  minRequests: number
  /** After a value was made, it is not made again for five times as long as that took, at most `restMs`. */
  restMs: number
  /** How long a call waits for a newer value, unless the last one took longer to make. */
  waitMs: number
  onError: (error: unknown) => void
}

const TOO_LARGE_REST_MS = 3_600_000
// So a source that keeps changing is read for at most a sixth of the time, if a reading is short.
const REST_FACTOR = 5

interface Entry {
  requests: number
  latest: CachedValue<unknown> | undefined
  making: Promise<void> | undefined
  madeAt: number
  /** Milliseconds that the last making took. */
  tookMs: number
  /** The value is not made again before this moment. */
  restUntil: number
}

const NEW_ENTRY: Entry = {
  requests: 0,
  latest: undefined,
  making: undefined,
  madeAt: 0,
  tookMs: 0,
  restUntil: 0,
}

export function openMemoryCache(options: MemoryCacheOptions): MemoryCache {
  // In the order of their last use.
  const entries = new Map<string, Entry>()
  const bytes = (): number =>
    [...entries.values()].reduce((sum, entry) => sum + (entry.latest?.bytes ?? 0), 0)
  const shrink = (): void => {
    let totalBytes = bytes()
    for (const entry of entries.values()) {
      if (totalBytes <= options.maxBytes) return
      totalBytes -= entry.latest?.bytes ?? 0
      entry.latest = undefined
    }
  }
  const makeOf = async (
    entry: Entry,
    make: (previousValue: unknown) => Promise<CachedValue<unknown> | undefined>,
  ) => {
    const startedAt = performance.now()
    let restMs = options.restMs
    try {
      entry.latest = await make(entry.latest?.value)
      entry.madeAt = performance.now()
      entry.tookMs = entry.madeAt - startedAt
      // A value that does not fit would be made again and again.
      const fits = entry.latest && entry.latest.bytes <= options.maxBytes
      restMs = fits ? Math.min(options.restMs, REST_FACTOR * entry.tookMs) : TOO_LARGE_REST_MS
      shrink()
    } catch (error) {
      options.onError(error)
    } finally {
      entry.restUntil = performance.now() + restMs
      entry.making = undefined
    }
  }
  const get: MemoryCache['get'] = async <T>(
    key: string,
    { version, size }: { version: number; size: number },
    make: (previousValue: T | undefined) => Promise<CachedValue<T> | undefined>,
  ) => {
    if (size < options.minSize) return undefined
    const calledAt = performance.now()
    const entry = entries.get(key) ?? { ...NEW_ENTRY }
    entries.delete(key)
    entries.set(key, entry)
    entry.requests++
    // All values of one key have the same type.
    const freshValue = (): T | undefined => {
      const latestValue = entry.latest
      const isFresh =
        latestValue?.version === version ||
        (latestValue && latestValue.version > version && entry.madeAt >= calledAt)
      return isFresh ? (latestValue.value as T) : undefined
    }
    if (freshValue() !== undefined) return freshValue()
    const isDue = entry.requests >= options.minRequests && performance.now() >= entry.restUntil
    if (isDue) entry.making ??= makeOf(entry, (previousValue) => make(previousValue as T | undefined))
    if (entry.making && entry.latest && entry.tookMs <= options.waitMs)
      await waitAtMost(entry.making, options.waitMs)
    return freshValue()
  }
  return { maxBytes: options.maxBytes, bytes, get }
}

async function waitAtMost(work: Promise<void>, maxMs: number): Promise<void> {
  const timer = new AbortController()
  const time = sleep(maxMs, undefined, { signal: timer.signal, ref: false }).catch(() => undefined)
  await Promise.race([work, time])
  timer.abort()
}
