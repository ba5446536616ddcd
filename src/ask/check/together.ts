// A few pieces of work at once, over a list.

// Each takes a connection and some 30 ms of a core.
const AT_ONCE = 3

/**
 * The results in the order of the list. When one fails, no other is begun, `stop` is called once with the error to end those that
 * run, and the error is thrown when all of these have ended: nothing runs on behind it.
 */
export async function mapTogether<T, Result>(
  list: readonly T[],
  work: (one: T) => Promise<Result>,
  stop: (error: unknown) => void,
): Promise<Result[]> {
  const results: Result[] = []
  const rest = list.entries()
  let failure: { error: unknown } | undefined
  const runner = async (): Promise<void> => {
    for (const [at, one] of rest) {
      if (failure) return
      try {
        results[at] = await work(one)
      } catch (error) {
        if (failure) return
        failure = { error }
        stop(error)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runner))
  if (failure) throw failure.error
  return results
}
