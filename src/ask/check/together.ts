// Runs an asynchronous function for the items of a list, a few at the same time.

// Each item takes a database connection and about 30 ms of processor time.
const MAX_AT_ONCE = 3

/**
 * The results in the order of the list. If one item fails, no further item is started, and `stop` is called once with the error, to
 * stop the items that are running. The error is thrown after all of them have ended.
 */
export async function mapTogether<T, Result>(
  list: readonly T[],
  work: (item: T) => Promise<Result>,
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
