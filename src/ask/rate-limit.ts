// The hourly question limit (spec "Limits"): at most N accepted in any 60 minutes for each
// user or key, exact over any number of processes, since the count lives in the database behind a row lock.

import { randomUUID } from 'node:crypto'
import { ApiError } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { deleteAsked, insertAsked, lockAsker, secondsUntilFree, sweepAsked } from './rate-limit.sql.ts'

const HOUR_SECONDS = 3600

/** Proof that a question was counted, to hand back when we fail it. */
export interface Seat {
  id: string
}

/**
 * Counts one question of the principal; `counted` is what else is written with it.
 * @throws ApiError 429 with `retryAfter` in whole seconds, at least 1, after which the next one is accepted.
 */
export async function takeSeat(
  deps: Pick<Deps, 'db' | 'settings'>,
  principal: string,
  counted?: (tx: Queryable) => Promise<void>,
): Promise<Seat> {
  const limit = deps.settings.askPerHour
  const id = randomUUID()
  const wait = await deps.db.tx(async (tx) => {
    if (limit < 1) return HOUR_SECONDS
    await lockAsker(tx, principal)
    const seconds = await secondsUntilFree(tx, principal, limit)
    if (seconds === undefined) {
      await insertAsked(tx, principal, id)
      await counted?.(tx)
    }
    return seconds
  })
  if (wait !== undefined) throw limitReached(limit, Math.max(1, wait))
  await sweepAsked(deps.db)
  return { id }
}

/** Takes the question off the count: it failed through no fault of the caller. */
export const giveBack = (deps: Pick<Deps, 'db'>, seat: Seat): Promise<void> => deleteAsked(deps.db, seat.id)

function limitReached(limit: number, seconds: number): ApiError {
  const wait =
    seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} second${seconds === 1 ? '' : 's'}`
  return new ApiError(
    429,
    'rate_limited',
    `You have asked ${limit} question${limit === 1 ? '' : 's'} within an hour, which is the limit. Ask again in ${wait}.`,
    { retryAfter: seconds },
  )
}
