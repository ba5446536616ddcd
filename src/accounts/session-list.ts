// The sessions of a user: where they are signed in, and ending one of them.

import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import { hashOf } from '../auth/secret.ts'
import type { Session } from '../contract/account.ts'
import { notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { deleteSessionById, selectSessions } from './session-list.sql.ts'
import type { SessionUser } from './sessions.sql.ts'

/** The most recently used first. @param secret that of the session of the request, which is marked in the list */
export const listSessions = async (
  deps: Pick<Deps, 'db'>,
  user: SessionUser,
  secret: string,
): Promise<{ data: Session[] }> => ({ data: await selectSessions(deps.db, user.id, hashOf(secret)) })

/** Ends a session of the user with its access tokens. @throws ApiError 404 */
export async function endSession(deps: Pick<Deps, 'db'>, user: SessionUser, id: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    if (!(await deleteSessionById(tx, user.id, id))) throw notFound()
    await record(tx, { action: 'session_ended', actor: userActor(user.id), subject: user.id })
  })
}
