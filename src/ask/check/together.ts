// Works on the items of a list, a few at once.

// Each item takes a connection to the database and about 30 ms of a core.
const MAX_AT_ONCE = 3

/**
 * The results in the order of the list. If one item fails, no further item is begun, and `stop` is called once with the error to end
 * those that run. The error is thrown when all of them have ended, so nothing continues afterwards.
 */
export async function mapTogether<T, Result>(
  list: readonly T[],
  work: (one: T) => Promise<Result>,
  stop: (error: unknown) => void,
): Promise<Result[]> {
  const results: Result[] = []
  const remainingEntries = list.entries()
  let failure: { error: unknown } | undefined
  const runner = async (): Promise<void> => {
    for (const [at, item] of remainingEntries) {
      if (failure) return
      try {
        results[at] = await work(item)
      } catch (error) {
        if (failure) return
        failure = { error }
        stop(error)
      }
    }
  }
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, runner))
  if (failure) throw failure.error
  return results
}
