// Values made from what the database holds, kept in this process. Each is of a version of its source; once that is another, the
// value is made again from the one before, while its users do without it.

export interface Made<T> {
  version: string
  value: T
  bytes: number
}

export interface MemoryCache {
  /**
   * The value of exactly this version. If there is none, `make` starts in the background, one at a time for a key, and undefined
   * is returned. `size` is that of the source, in its own unit.
   */
  get<T>(
    key: string,
    wanted: { version: string; size: number },
    make: (before: T | undefined) => Promise<Made<T> | undefined>,
  ): T | undefined
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
  /** A source that keeps changing is read at most so often. */
  restMs: number
  onError: (error: unknown) => void
}

const TOO_LARGE_REST_MS = 3_600_000

interface Entry {
  asked: number
  made: Made<unknown> | undefined
  isMaking: boolean
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
    entry.isMaking = true
    try {
      entry.made = await make(entry.made?.value)
      // What does not fit would be made again and again.
      const isKept = entry.made && entry.made.bytes <= options.mostBytes
      entry.rest = Date.now() + (isKept ? options.restMs : TOO_LARGE_REST_MS)
      shrink()
    } catch (error) {
      entry.rest = Date.now() + options.restMs
      options.onError(error)
    } finally {
      entry.isMaking = false
    }
  }
  const get: MemoryCache['get'] = <T>(
    key: string,
    { version, size }: { version: string; size: number },
    make: (before: T | undefined) => Promise<Made<T> | undefined>,
  ) => {
    if (size < options.leastSize) return undefined
    const entry = entries.get(key) ?? { asked: 0, made: undefined, isMaking: false, rest: 0 }
    entries.delete(key)
    entries.set(key, entry)
    entry.asked++
    // A key stands for values of one type.
    if (entry.made?.version === version) return entry.made.value as T
    const isDue = entry.asked >= options.leastAsked && Date.now() >= entry.rest
    if (isDue && !entry.isMaking) void makeOf(entry, (before) => make(before as T | undefined))
    return undefined
  }
  return { mostBytes: options.mostBytes, bytes, get }
}
