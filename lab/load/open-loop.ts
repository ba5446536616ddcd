// Load as people make it: requests arrive when they arrive, whether or not those before were answered (an open loop). Latency is
// counted from the moment at which a request was to start, so that the wait behind a service that stands still is not left out, as
// it is where each client sends its next request only after the last answer (coordinated omission).

import { seededRandom } from '../../src/eval/measure/random.ts'

/** Moments in milliseconds from the beginning, by a Poisson process: the same for the same seed. */
export function arrivalsOf(seed: number, perSecond: number, seconds: number): number[] {
  const random = seededRandom(seed)
  const moments: number[] = []
  for (let at = 0; ; ) {
    at += (-Math.log(1 - random()) / perSecond) * 1000
    if (at >= seconds * 1000) return moments
    moments.push(at)
  }
}

export interface Clock {
  /** Milliseconds. */
  now(): number
  /** Resolves at that moment, or at once if it is over. */
  until(moment: number): Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  until: (moment) => {
    const wait = moment - performance.now()
    return wait <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, wait))
  },
}

export interface Answer {
  kind: 'ok' | 'refused' | 'failed'
  /** Of a refusal: whether it says when to come again. */
  saysWhen?: boolean
  /** Of a stream: when its first event came. */
  firstAt?: number
}

export interface Outcome extends Answer {
  /** When it was to start, in milliseconds from the beginning. */
  intended: number
  /** How much later the driver sent it: its own delay, which counts too. */
  late: number
  /** From the intended start to the end of the answer. */
  latency: number
  /** From the intended start to the first of a stream. */
  first?: number
}

/** Sends each request at its moment and resolves when all are answered. `send` has to end by itself. */
export async function openLoop(
  arrivals: readonly number[],
  send: (no: number) => Promise<Answer>,
  clock: Clock = systemClock,
): Promise<Outcome[]> {
  const began = clock.now()
  const one = async (no: number, intended: number): Promise<Outcome> => {
    const late = clock.now() - began - intended
    const answer = await send(no)
    const latency = clock.now() - began - intended
    return {
      ...answer,
      intended,
      late,
      latency,
      ...(answer.firstAt !== undefined && { first: answer.firstAt - began - intended }),
    }
  }
  const running: Promise<Outcome>[] = []
  for (const [no, intended] of arrivals.entries()) {
    await clock.until(began + intended)
    running.push(one(no, intended))
  }
  return await Promise.all(running)
}
