// Values made from what the database holds, kept in this process. Each is of a version of its source; once that is another, the
// value is made again from the one before. Whoever asks waits for that for a moment, and else does without it.

import { setTimeout as sleep } from 'node:timers/promises'

export interface Made<T> {
  /** Counts up with each change of the source. */
  version: number
  value: T
  bytes: number
}

export interface MemoryCache {
  /**
   * The value of this version, or a later one made since the call. If there is none, `make` starts, one at a time for a key. Where an older value is
   * there, what is made of it is waited for, for up to `waitMs`; else, and where it is not there by then, undefined. `size` is
   * that of the source, in its own unit.
   */
  get<T>(
    key: string,
    required: { version: number; size: number },
    make: (before: T | undefined) => Promise<Made<T> | undefined>,
  ): Promise<T | undefined>
  /** Of all values, as their makers tell; and the most that they may have. */
  bytes(): number
  readonly mostBytes: number
}

export interface MemoryCacheOptions {
  /** Of all values: those unused for longest go first. One that is larger alone is not kept. */
  mostBytes: number
  /** Values of smaller sources are not worth it. */
  leastSize: number
  /** Nor are those that are asked for less often than so many times. */
  leastAsked: number
  /** Nothing is made again for five times as long as it took to make, and for `restMs` at most. */
  restMs: number
  /** How long a newer value is waited for, unless the last one took longer to make. */
  waitMs: number
  onError: (error: unknown) => void
}

const TOO_LARGE_REST_MS = 3_600_000
// A source that keeps changing is read for a sixth of the time, if that is quick.
const RESTS = 5

interface Entry {
  asked: number
  made: Made<unknown> | undefined
  making: Promise<void> | undefined
  madeAt: number
  /** Milliseconds that the last making took. */
  took: number
  /** Not before this moment is it made again. */
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
      // What does not fit would be made again and again.
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
    // A key stands for values of one type.
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
