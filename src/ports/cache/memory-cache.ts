// Values derived from the database, cached in this process. Each belongs to a version of its source. When the source has a
// newer version, the value is made again from the old one. Callers wait for that a moment, and otherwise go on without the
// value.

import { setTimeout as sleep } from 'node:timers/promises'

export interface Made<T> {
  /** Increases with each change of the source. */
  version: number
  value: T
  bytes: number
}

export interface MemoryCache {
  /**
   * The value of this version, or a later one made since the call. If there is none, `make` starts, one at a time for a key. If
   * an older value exists, the call waits up to `waitMs` for the new one. Without an older value, or after that time, it
   * resolves to undefined. `size` is the size of the source, in its own unit.
   */
  get<T>(
    key: string,
    required: { version: number; size: number },
    make: (before: T | undefined) => Promise<Made<T> | undefined>,
  ): Promise<T | undefined>
  /** The sum of the sizes that the makers report, and its limit. */
  bytes(): number
  readonly mostBytes: number
}

export interface MemoryCacheOptions {
  /**
   * The limit of the sum of all values, of which those unused for longest are removed first. A single larger value is not kept.
   */
  mostBytes: number
  /** The smallest source whose value is worth caching. */
  leastSize: number
  /** How often a value must be asked for before it is worth caching. */
  leastAsked: number
  /** A value is not made again for five times as long as the making took, at most `restMs`. */
  restMs: number
  /** How long a call waits for a newer value, unless the last one took longer to make. */
  waitMs: number
  onError: (error: unknown) => void
}

const TOO_LARGE_REST_MS = 3_600_000
// A source that keeps changing is read for at most a sixth of the time, as long as a reading is short.
const RESTS = 5

interface Entry {
  asked: number
  made: Made<unknown> | undefined
  making: Promise<void> | undefined
  madeAt: number
  /** Milliseconds that the last making took. */
  took: number
  /** The value is not made again before this moment. */
  rest: number
}

const NEW: Entry = { asked: 0, made: undefined, making: undefined, madeAt: 0, took: 0, rest: 0 }

export function openMemoryCache(options: MemoryCacheOptions): MemoryCache {
  // In the order of their last use.
  const entries = new Map<string, Entry>()
  const bytes = (): number => [...entries.values()].reduce((sum, entry) => sum + (entry.made?.bytes ?? 0), 0)
  const shrink = (): void => {
    let all = bytes()
    for (const entry of entries.values()) {
      if (all <= options.mostBytes) return
      all -= entry.made?.bytes ?? 0
      entry.made = undefined
    }
  }
  const makeOf = async (entry: Entry, make: (before: unknown) => Promise<Made<unknown> | undefined>) => {
    const began = performance.now()
    let rest = options.restMs
    try {
      entry.made = await make(entry.made?.value)
      entry.madeAt = performance.now()
      entry.took = entry.madeAt - began
      // A value that does not fit would be made again and again.
      const isKept = entry.made && entry.made.bytes <= options.mostBytes
      rest = isKept ? Math.min(options.restMs, RESTS * entry.took) : TOO_LARGE_REST_MS
      shrink()
    } catch (error) {
      options.onError(error)
    } finally {
      entry.rest = performance.now() + rest
      entry.making = undefined
    }
  }
  const get: MemoryCache['get'] = async <T>(
    key: string,
    { version, size }: { version: number; size: number },
    make: (before: T | undefined) => Promise<Made<T> | undefined>,
  ) => {
    if (size < options.leastSize) return undefined
    const called = performance.now()
    const entry = entries.get(key) ?? { ...NEW }
    entries.delete(key)
    entries.set(key, entry)
    entry.asked++
    // All values of one key have the same type.
    const freshValue = (): T | undefined => {
      const latest = entry.made
      const isOfNow =
        latest?.version === version || (latest && latest.version > version && entry.madeAt >= called)
      return isOfNow ? (latest.value as T) : undefined
    }
    if (freshValue() !== undefined) return freshValue()
    const isDue = entry.asked >= options.leastAsked && performance.now() >= entry.rest
    if (isDue) entry.making ??= makeOf(entry, (before) => make(before as T | undefined))
    if (entry.making && entry.made && entry.took <= options.waitMs)
      await settlesWithin(entry.making, options.waitMs)
    return freshValue()
  }
  return { mostBytes: options.mostBytes, bytes, get }
}

async function settlesWithin(work: Promise<void>, mostMs: number): Promise<void> {
  const timer = new AbortController()
  const time = sleep(mostMs, undefined, { signal: timer.signal, ref: false }).catch(() => undefined)
  await Promise.race([work, time])
  timer.abort()
}
