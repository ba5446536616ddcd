// The hourly question limit (spec "Limits"): at most N questions in any 60 minutes for each user or key. It is exact
// across processes, because the count is kept in the database behind a row lock.

import { randomUUID } from 'node:crypto'
import { ApiError } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { deleteAsked, insertAsked, lockAsker, secondsUntilFree, sweepAsked } from './rate-limit.sql.ts'

const HOUR_SECONDS = 3600

/** The counted rows of a question. `uncountQuestion` deletes them if Kenning fails to answer it. */
export interface CountedQuestion {
  ids: string[]
}

/**
 * Counts one question of the principal, or several for a request that takes as much work as several. `writeMore` writes in the same
 * transaction.
 * @throws ApiError 429 with `retryAfter`: the whole seconds, at least 1, until the next question is accepted.
 */
export async function countQuestion(
  deps: Pick<Deps, 'db' | 'settings'>,
  principal: string,
  writeMore?: (tx: Queryable) => Promise<void>,
  questions = 1,
): Promise<CountedQuestion> {
  const limit = deps.settings.askPerHour
  // At most the limit, because a request that counts more would never be accepted.
  const ids = Array.from({ length: Math.min(questions, Math.max(1, limit)) }, () => randomUUID())
  const waitSeconds = await deps.db.tx(async (tx) => {
    if (limit < 1) return HOUR_SECONDS
    await lockAsker(tx, principal)
    const seconds = await secondsUntilFree(tx, principal, limit - ids.length + 1)
    if (seconds === undefined) {
      await insertAsked(tx, principal, ids)
      await writeMore?.(tx)
    }
    return seconds
  })
  if (waitSeconds !== undefined) throw limitReached(limit, Math.max(1, waitSeconds))
  await sweepAsked(deps.db)
  return { ids }
}

/** Removes a question from the count, if it failed through no fault of the caller. */
export const uncountQuestion = (deps: Pick<Deps, 'db'>, { ids }: CountedQuestion): Promise<void> =>
  deleteAsked(deps.db, ids)

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
