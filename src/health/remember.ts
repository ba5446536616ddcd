// Caches the last good result of a check. The console repeats checks while it is open, and a server may charge for each request.

const MAX_AGE_MS = 15 * 60_000

const cachedResults = new WeakMap<object, { at: number; result: unknown }>()

/**
 * The result of `check` from the last quarter of an hour, if its status was ok; otherwise a new result.
 * @param server the key of the cache. When its settings change, it is a new object, so it is checked again at once
 */
export async function cachedCheck<T extends { status: string }>(
  server: object,
  check: () => Promise<T>,
): Promise<T> {
  const last = cachedResults.get(server)
  if (last && Date.now() - last.at < MAX_AGE_MS) return last.result as T
  const result = await check()
  if (result.status === 'ok') cachedResults.set(server, { at: Date.now(), result })
  else cachedResults.delete(server)
  return result
}
