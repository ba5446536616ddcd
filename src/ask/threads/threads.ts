// Conversations (permissions.md D-14): a thread belongs to one principal and one workspace; anyone else's is a 404.
// A thread exists from its first answer on: a failed question leaves nothing behind.

import { randomUUID } from 'node:crypto'
import type { Answer } from '../../contract/resources.ts'
import { notFound } from '../../errors.ts'
import type { Deps } from '../../ports/deps.ts'
import { insertThread, insertTurn, selectTurns, threadExists, touchThread } from './threads.sql.ts'

const REMEMBERED_TURNS = 6

export interface Thread {
  id: string
  workspaceId: string
  principal: string
  isNew: boolean
  /** Earlier questions, oldest first. */
  questions: string[]
}

/** The thread to continue, or a new one that `storeTurn` will write. @throws ApiError 404 */
export async function openThread(
  deps: Pick<Deps, 'db'>,
  workspaceId: string,
  principal: string,
  threadId: string | null | undefined,
): Promise<Thread> {
  if (!threadId) return { id: randomUUID(), workspaceId, principal, isNew: true, questions: [] }
  if (!(await threadExists(deps.db, workspaceId, threadId, principal))) throw notFound()
  const turns = await selectTurns(deps.db, workspaceId, threadId, REMEMBERED_TURNS)
  return { id: threadId, workspaceId, principal, isNew: false, questions: turns.map((turn) => turn.question) }
}

/** Keeps the question with its answer. @throws ApiError 404 when the thread was deleted meanwhile. */
export const storeTurn = (
  deps: Pick<Deps, 'db'>,
  thread: Thread,
  question: string,
  answer: Omit<Answer, 'thread_id'>,
): Promise<void> =>
  deps.db.tx(async (tx) => {
    const { workspaceId, id, principal } = thread
    if (thread.isNew) await insertThread(tx, workspaceId, id, principal)
    else if (!(await touchThread(tx, workspaceId, id, principal))) throw notFound()
    await insertTurn(tx, workspaceId, id, { question, ...answer })
  })
