// Feedback (extension): what the asker says about an answer. It belongs to the turn and is deleted with it.

import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import type { Feedback, FeedbackUpdate } from '../contract/conversations.ts'
import { notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { removeFeedback, type TurnKey, upsertFeedback } from './threads/feedback.sql.ts'

interface Place {
  workspaceId: string
  threadId: string
  number: number
}

/**
 * Stores what the caller says about an answer, and replaces what they said before. @throws ApiError 404 unless it is their
 * own
 */
export async function putFeedback(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  turn: Place,
  { verdict, note }: FeedbackUpdate,
): Promise<Feedback> {
  await requireWorkspace(deps, caller, turn.workspaceId, 'read')
  const row = await upsertFeedback(deps.db, keyOf(caller, turn), { verdict, note })
  if (!row) throw notFound()
  return { verdict, note, updated_at: row.updated_at.toISOString() }
}

/** @throws ApiError 404 when there is none, or the answer is somebody else's */
export async function deleteFeedback(deps: Pick<Deps, 'db'>, caller: Caller, turn: Place): Promise<void> {
  await requireWorkspace(deps, caller, turn.workspaceId, 'read')
  if (!(await removeFeedback(deps.db, keyOf(caller, turn)))) throw notFound()
}

const keyOf = (caller: Caller, turn: Place): TurnKey => ({ ...turn, principal: principal(caller) })
