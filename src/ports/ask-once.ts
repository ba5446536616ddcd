// Shares one request among many callers, for checks and metrics of a database that may hang.

interface AskLimits {
  /** How long each caller waits for the answer. */
  waitMs: number
  /** A request without an answer is given up after this time, and the next caller starts a new one. */
  forgetMs?: number
}

// On a connection that was lost silently, a request fails only when TCP gives up, after a quarter of an hour. Until then a
// database that works again would still be reported as down.
const FORGET_MS = 60_000

/** Runs one request at a time for all callers. Resolves to undefined if the request fails or takes too long. */
export function askOnce<T>(
  ask: () => Promise<T>,
  { waitMs, forgetMs = FORGET_MS }: AskLimits,
): () => Promise<T | undefined> {
  let request: { answer: Promise<T>; startedAt: number } | undefined
  return () => {
    const now = performance.now()
    if (request === undefined || now - request.startedAt >= forgetMs) {
      const newRequest = { answer: ask(), startedAt: now }
      const onSettled = (): void => {
        if (request === newRequest) request = undefined
      }
      newRequest.answer.then(onSettled, onSettled)
      request = newRequest
    }
    return answerWithin(waitMs, request.answer)
  }
}

async function answerWithin<T>(ms: number, answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeLimit = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined).unref()
  })
  return await Promise.race([answer, timeLimit])
    .catch(() => undefined)
    .finally(() => clearTimeout(timer))
}
