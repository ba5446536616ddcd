// Reads one item ahead: liteparse works in a thread of its own, so the next pages come while the last are laid out.

/** The items of `source` in order; the one behind the current is asked for already. At most two are held. */
export async function* ahead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let next = iterator.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = iterator.next()
      // It is thrown where it is awaited; until then nobody misses it.
      next.catch(() => undefined)
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}
