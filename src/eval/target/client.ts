// The typed client for an evaluation, which may last for hours: it waits as long as Retry-After says.

import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type KenningClient } from '../../client/client.ts'
import type { TokenSource } from '../../temporary.ts'

const ATTEMPTS = 20
const MAX_WAIT_S = 60
// A longer wait means a limit such as questions per hour. The evaluation then ends with an error.
const MAX_ACCEPTED_WAIT_S = 600
// Longer than any search and any upload of 20 files takes.
const ANSWER_MS = 300_000

/**
 * @param base `{origin}/v1`
 * @param stop ends all that the client does
 */
export const openClient = (base: string, token: TokenSource, stop?: AbortSignal): KenningClient =>
  createClient({ baseUrl: base, token, retries: 0, fetch: patientFetch(stop) })

/** Sends requests again that were refused with 429 or 503. Such a request has changed nothing, even if it is a question. */
const patientFetch =
  (stop: AbortSignal | undefined): typeof fetch =>
  async (url, init) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await send(url, init, stop)
      if ((answer.status !== 429 && answer.status !== 503) || attempt === ATTEMPTS) return answer
      const delaySeconds = Number(answer.headers.get('retry-after')) || 1
      if (delaySeconds > MAX_ACCEPTED_WAIT_S) return answer
      await answer.body?.cancel()
      await sleep(Math.min(delaySeconds, MAX_WAIT_S) * 1000, undefined, stop ? { signal: stop } : {})
    }
  }

async function send(
  url: string | URL | Request,
  init: RequestInit | undefined,
  stop: AbortSignal | undefined,
): Promise<Response> {
  const limit = AbortSignal.timeout(ANSWER_MS)
  const signals = [limit, stop, init?.signal].filter((signal) => signal instanceof AbortSignal)
  try {
    // The token must not be sent to another address.
    return await fetch(url, { ...init, signal: AbortSignal.any(signals), redirect: 'error' })
  } catch (error) {
    if (!limit.aborted) throw error
    throw new Error(`no answer within ${ANSWER_MS / 60_000} minutes`, { cause: error })
  }
}
