// A thread belongs to one principal and one workspace. Others get 404. It is stored together with its first answer, so a failed
// question leaves nothing behind.

import { randomUUID } from 'node:crypto'
import { lockWorkspaceForShare } from '../../auth/access.sql.ts'
import { notFound } from '../../errors.ts'
import type { Deps } from '../../ports/deps.ts'
import type { Verified } from '../citations/verify.ts'
import { citedPassageStates, deletedNumbers, redactDeleted, withoutMarkers } from './cited-passages.ts'
import { insertThread, insertTurn, selectLastTurns, threadExists, touchThread } from './threads.sql.ts'

const REMEMBERED_TURNS = 6

/** A turn for the agent that answers the next question: without citation markers and without text of deleted documents. */
export interface EarlierTurn {
  question: string
  answer: string
  /** The ids of the documents that the answer cites, in the order of the citations, without deleted ones. */
  documents?: readonly string[]
}

export interface Thread {
  id: string
  workspaceId: string
  principal: string
  isNew: boolean
  /** The last turns, oldest first. */
  turns: EarlierTurn[]
}

/** The thread to continue, or a new one that `storeTurn` will write. @throws ApiError 404 */
export async function openThread(
  deps: Pick<Deps, 'db'>,
  workspaceId: string,
  principal: string,
  threadId: string | null | undefined,
): Promise<Thread> {
  if (!threadId) return { id: randomUUID(), workspaceId, principal, isNew: true, turns: [] }
  if (!(await threadExists(deps.db, workspaceId, threadId, principal))) throw notFound()
  const rows = await selectLastTurns(deps.db, workspaceId, threadId, REMEMBERED_TURNS)
  const stateOf = await citedPassageStates(deps.db, workspaceId, rows)
  const turns = rows.map((row) => ({
    question: row.question,
    answer: withoutMarkers(redactDeleted(row.answer, deletedNumbers(row, stateOf))),
    documents: [...new Set(row.citations.flatMap((citation) => stateOf(citation).document?.id ?? []))],
  }))
  return { id: threadId, workspaceId, principal, isNew: false, turns }
}

/** Stores the question with its answer. @throws ApiError 404 if the thread or its workspace was deleted meanwhile */
export const storeTurn = (
  deps: Pick<Deps, 'db'>,
  thread: Thread,
  question: string,
  { answer, stored }: Pick<Verified, 'answer' | 'stored'>,
): Promise<void> =>
  deps.db.tx(async (tx) => {
    const { workspaceId, id, principal } = thread
    if (!(await lockWorkspaceForShare(tx, workspaceId))) throw notFound()
    if (thread.isNew) await insertThread(tx, workspaceId, id, principal)
    else if (!(await touchThread(tx, workspaceId, id, principal))) throw notFound()
    await insertTurn(tx, workspaceId, id, { question, answer, citations: stored })
  })
