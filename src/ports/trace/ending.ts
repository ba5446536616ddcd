// Calls back when work has ended: a plain function, a function that returns a promise, or a generator.

export interface Ending {
  /** Called before `end` if an error was thrown. */
  fail(error: unknown): void
  /** Called once, at the end. */
  end(): void
}

export function untilEnd<T>(work: () => T, { fail, end }: Ending): T {
  const endWithError = (error: unknown): never => {
    fail(error)
    end()
    throw error
  }
  let result: T
  try {
    result = work()
  } catch (error) {
    return endWithError(error)
  }
  if (!isPromise(result)) {
    end()
    return result
  }
  const endingResult = result.then((value) => {
    end()
    return value
  }, endWithError)
  return endingResult as typeof result
}

/** Ends after the last step, or when the reader stops early. @param inside runs each step */
export async function* stepsUntilEnd<T, R>(
  steps: AsyncGenerator<T, R>,
  { fail, end }: Ending,
  inside: <S>(step: () => S) => S = (step) => step(),
): AsyncGenerator<T, R> {
  try {
    for (;;) {
      const next = await inside(() => steps.next())
      if (next.done) return next.value
      yield next.value
    }
  } catch (error) {
    fail(error)
    throw error
  } finally {
    await inside(() => steps.return(undefined as never))
    end()
  }
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as { then?: unknown } | undefined)?.then === 'function'
