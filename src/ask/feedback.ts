// Feedback (extension): the asker's judgement of an answer. It belongs to the turn and is deleted with it.

import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import type { Feedback, FeedbackUpdate } from '../contract/conversations.ts'
import { notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { removeFeedback, type TurnKey, upsertFeedback } from './threads/feedback.sql.ts'

interface TurnIds {
  workspaceId: string
  threadId: string
  number: number
}

/**
 * Stores the caller's feedback on an answer, in place of earlier feedback.
 * @throws ApiError 404 unless the answer is the caller's own
 */
export async function putFeedback(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  turn: TurnIds,
  { verdict, note }: FeedbackUpdate,
): Promise<Feedback> {
  await requireWorkspace(deps, caller, turn.workspaceId, 'read')
  const row = await upsertFeedback(deps.db, keyOf(caller, turn), { verdict, note })
  if (!row) throw notFound()
  return { verdict, note, updated_at: row.updated_at.toISOString() }
}

/** @throws ApiError 404 if there is no feedback, or if the answer is not the caller's own */
export async function deleteFeedback(deps: Pick<Deps, 'db'>, caller: Caller, turn: TurnIds): Promise<void> {
  await requireWorkspace(deps, caller, turn.workspaceId, 'read')
  if (!(await removeFeedback(deps.db, keyOf(caller, turn)))) throw notFound()
}

const keyOf = (caller: Caller, turn: TurnIds): TurnKey => ({ ...turn, principal: principal(caller) })
