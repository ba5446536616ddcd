// Conversations: a thread belongs to one principal and one workspace; anyone else's is a 404.
// A thread exists from its first answer on: a failed question leaves nothing behind.

import { randomUUID } from 'node:crypto'
import { notFound } from '../../errors.ts'
import type { Deps } from '../../ports/deps.ts'
import type { Verified } from '../citations/verify.ts'
import { goneOf, standing, withhold, withoutMarkers } from './cited-passages.ts'
import { insertThread, insertTurn, selectLastTurns, threadExists, touchThread } from './threads.sql.ts'

const REMEMBERED_TURNS = 6

/** A turn as the next one may know it: without markers, and without what deleted documents said. */
export interface EarlierTurn {
  question: string
  answer: string
}

export interface Thread {
  id: string
  workspaceId: string
  principal: string
  isNew: boolean
  /** The last six, oldest first. */
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
  const places = await standing(deps.db, workspaceId, rows)
  const turns = rows.map((row) => ({
    question: row.question,
    answer: withoutMarkers(withhold(row.answer, goneOf(row, places))),
  }))
  return { id: threadId, workspaceId, principal, isNew: false, turns }
}

/** Keeps the question with its answer. @throws ApiError 404 when the thread was deleted meanwhile. */
export const storeTurn = (
  deps: Pick<Deps, 'db'>,
  thread: Thread,
  question: string,
  { answer, places }: Pick<Verified, 'answer' | 'places'>,
): Promise<void> =>
  deps.db.tx(async (tx) => {
    const { workspaceId, id, principal } = thread
    if (thread.isNew) await insertThread(tx, workspaceId, id, principal)
    else if (!(await touchThread(tx, workspaceId, id, principal))) throw notFound()
    await insertTurn(tx, workspaceId, id, { question, answer, citations: places })
  })
