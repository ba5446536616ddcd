// For what many may ask at any time, of somebody who may hang: probes and scrapes of the database.

export interface AskLimits {
  /** How long each that asks waits for the answer. */
  waitMs: number
  /** After so long an answer that has not come is given up, and the next that asks is asked anew. */
  forgetMs?: number
}

// Over a connection that was lost without a word an answer fails only when TCP gives up, after a quarter of an hour: until then
// a database that is well again would look away.
const FORGET_MS = 60_000

/** Asks once at a time, however many want the answer. Undefined for an answer that fails or does not come in time. */
export function askOnce<T>(
  ask: () => Promise<T>,
  { waitMs, forgetMs = FORGET_MS }: AskLimits,
): () => Promise<T | undefined> {
  let asking: { answer: Promise<T>; since: number } | undefined
  return () => {
    const now = performance.now()
    if (asking === undefined || now - asking.since >= forgetMs) {
      const own = { answer: ask(), since: now }
      const onSettled = (): void => {
        if (asking === own) asking = undefined
      }
      own.answer.then(onSettled, onSettled)
      asking = own
    }
    return answerWithin(waitMs, asking.answer)
  }
}

async function answerWithin<T>(ms: number, answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined).unref()
  })
  return await Promise.race([answer, late])
    .catch(() => undefined)
    .finally(() => clearTimeout(timer))
}
