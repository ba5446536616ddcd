// The hourly question limit (spec "Limits"): at most N questions in any 60 minutes for each user or key. It is exact
// across processes, because the count is kept in the database behind a row lock.

import { randomUUID } from 'node:crypto'
import { ApiError } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { deleteAsked, insertAsked, lockAsker, secondsUntilFree, sweepAsked } from './rate-limit.sql.ts'

const HOUR_SECONDS = 3600

/** A question that was counted; `uncountQuestion` takes it back when we fail to answer it. */
export interface CountedQuestion {
  id: string
}

/**
 * Counts one question of the principal; `writeMore` writes more in the same transaction.
 * @throws ApiError 429 with `retryAfter` in whole seconds, at least 1, after which the next question is accepted.
 */
export async function countQuestion(
  deps: Pick<Deps, 'db' | 'settings'>,
  principal: string,
  writeMore?: (tx: Queryable) => Promise<void>,
): Promise<CountedQuestion> {
  const limit = deps.settings.askPerHour
  const id = randomUUID()
  const waitSeconds = await deps.db.tx(async (tx) => {
    if (limit < 1) return HOUR_SECONDS
    await lockAsker(tx, principal)
    const seconds = await secondsUntilFree(tx, principal, limit)
    if (seconds === undefined) {
      await insertAsked(tx, principal, id)
      await writeMore?.(tx)
    }
    return seconds
  })
  if (waitSeconds !== undefined) throw limitReached(limit, Math.max(1, waitSeconds))
  await sweepAsked(deps.db)
  return { id }
}

/** Removes a question from the count that failed through no fault of the caller. */
export const uncountQuestion = (deps: Pick<Deps, 'db'>, { id }: CountedQuestion): Promise<void> =>
  deleteAsked(deps.db, id)

function limitReached(limit: number, seconds: number): ApiError {
  const waitSeconds =
    seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} second${seconds === 1 ? '' : 's'}`
  return new ApiError(
    429,
    'rate_limited',
    `You have reached the limit of ${limit} question${limit === 1 ? '' : 's'} an hour. Ask again in ${waitSeconds}.`,
    { retryAfter: seconds },
  )
}
