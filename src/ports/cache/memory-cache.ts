// Values made from what the database holds, kept in this process. Each is of a version of its source; once that is another, the
// value is made again from the one before. Whoever asks waits for that for a moment, and else does without it.

import { setTimeout as sleep } from 'node:timers/promises'

export interface Made<T> {
  version: string
  value: T
  bytes: number
}

export interface MemoryCache {
  /**
   * The value of this version, or of a later one that was read since the call. If there is none, `make` starts, one at a time
   * for a key; what becomes of a value of another version within `waitMs` is waited for. Else undefined. `size` is that of the
   * source, in its own unit.
   */
  get<T>(
    key: string,
    wanted: { version: string; size: number },
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
  /** For how long nothing is made again after it was made; no longer than five times what that took. */
  restMs: number
  /** How long a value of another version is waited for while it is made again. */
  waitMs: number
  onError: (error: unknown) => void
}

const TOO_LARGE_REST_MS = 3_600_000
// So a source that keeps changing is read for a sixth of the time at most.
const RESTS = 5

interface Entry {
  asked: number
  made: Made<unknown> | undefined
  making: Promise<void> | undefined
  /** Not before this moment is it made again. */
  rest: number
}

export function openMemoryCache(options: MemoryCacheOptions): MemoryCache {
  // In the order of their last use.
  const entries = new Map<string, Entry>()
  const bytes = (): number => [...entries.values()].reduce((sum, { made }) => sum + (made?.bytes ?? 0), 0)
  const shrink = (): void => {
    let all = bytes()
    for (const entry of entries.values()) {
      if (all <= options.mostBytes) return
      all -= entry.made?.bytes ?? 0
      entry.made = undefined
    }
  }
  const makeOf = async (entry: Entry, make: (before: unknown) => Promise<Made<unknown> | undefined>) => {
    const began = Date.now()
    try {
      entry.made = await make(entry.made?.value)
      // What does not fit would be made again and again.
      const isKept = entry.made && entry.made.bytes <= options.mostBytes
      const rest = Math.min(options.restMs, RESTS * (Date.now() - began))
      entry.rest = Date.now() + (isKept ? rest : TOO_LARGE_REST_MS)
      shrink()
    } catch (error) {
      entry.rest = Date.now() + options.restMs
      options.onError(error)
    } finally {
      entry.making = undefined
    }
  }
  const get: MemoryCache['get'] = async <T>(
    key: string,
    { version, size }: { version: string; size: number },
    make: (before: T | undefined) => Promise<Made<T> | undefined>,
  ) => {
    if (size < options.leastSize) return undefined
    const entry = entries.get(key) ?? { asked: 0, made: undefined, making: undefined, rest: 0 }
    entries.delete(key)
    entries.set(key, entry)
    entry.asked++
    // A key stands for values of one type.
    const made = (): T | undefined => entry.made?.value as T | undefined
    if (entry.made?.version === version) return made()
    const isNow = !entry.making && entry.asked >= options.leastAsked && Date.now() >= entry.rest
    if (isNow) entry.making = makeOf(entry, (before) => make(before as T | undefined))
    const before = entry.made
    if (!before || !entry.making) return undefined
    await Promise.race([entry.making, sleep(options.waitMs, undefined, { ref: false })])
    const isLater = isNow && entry.made !== before
    return isLater || entry.made?.version === version ? made() : undefined
  }
  return { mostBytes: options.mostBytes, bytes, get }
}
