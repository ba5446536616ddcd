// Caches the last good result for a server that may cost money for each request: the console checks it again and again while it is open.

const MAX_AGE_MS = 15 * 60_000

const lastResults = new WeakMap<object, { at: number; result: unknown }>()

/**
 * What `check` returned within the last quarter of an hour, if its status was ok; otherwise what it returns now.
 * @param server the key of the cache: a setting that is changed makes a new object, which is checked at once
 */
export async function remembered<T extends { status: string }>(
  server: object,
  check: () => Promise<T>,
): Promise<T> {
  const last = lastResults.get(server)
  if (last && Date.now() - last.at < MAX_AGE_MS) return last.result as T
  const result = await check()
  if (result.status === 'ok') lastResults.set(server, { at: Date.now(), result })
  else lastResults.delete(server)
  return result
}
