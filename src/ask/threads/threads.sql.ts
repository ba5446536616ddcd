// The SQL of threads and their turns. All times are those of the database.

import sql, { empty, join } from 'sql-template-tag'
import type { ChunkType } from '../../contract/resources.ts'
import { inAnyCase } from '../../language/letter-case.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { StoredCitation } from '../citations/verify.ts'

export async function threadExists(
  db: Queryable,
  workspaceId: string,
  threadId: string,
  principal: string,
): Promise<boolean> {
  const rows = await db.rows(sql`
    SELECT 1 FROM thread
    WHERE workspace_id = ${workspaceId} AND id = ${threadId} AND principal = ${principal}`)
  return rows.length > 0
}

export interface TurnRow {
  number: number
  question: string
  answer: string
  citations: StoredCitation[]
  created_at: Date
}

/** A turn with the feedback of the person who asked. */
export interface JudgedTurnRow extends TurnRow {
  verdict: 'helped' | 'wrong' | null
  note: string | null
  judged_at: Date | null
}

/** The last `count` turns, oldest first. */
export const selectLastTurns = (
  db: Queryable,
  workspaceId: string,
  threadId: string,
  count: number,
): Promise<TurnRow[]> =>
  db.rows<TurnRow>(sql`
    SELECT number, question, answer, citations, created_at FROM (
      SELECT turn_no AS number, question, answer, citations, created_at FROM turn
      WHERE workspace_id = ${workspaceId} AND thread_id = ${threadId}
      ORDER BY turn_no DESC LIMIT ${count}) last
    ORDER BY number`)

/** The turns after the number `after`, in order. With `onlyShared`, only those that existed when the thread was last shared. */
export const selectTurns = (
  db: Queryable,
  workspaceId: string,
  threadId: string,
  page: { after: number; limit: number; onlyShared?: boolean },
): Promise<JudgedTurnRow[]> =>
  db.rows<JudgedTurnRow>(sql`
    SELECT t.turn_no AS number, t.question, t.answer, t.citations, t.created_at, f.verdict, f.note,
      f.updated_at AS judged_at
    FROM turn t
    LEFT JOIN feedback f ON f.workspace_id = t.workspace_id AND f.thread_id = t.thread_id AND f.turn_no = t.turn_no
    WHERE t.workspace_id = ${workspaceId} AND t.thread_id = ${threadId} AND t.turn_no > ${page.after}
      ${page.onlyShared ? sql`AND t.created_at <= (SELECT shared_at FROM thread WHERE workspace_id = ${workspaceId} AND id = ${threadId})` : empty}
    ORDER BY t.turn_no LIMIT ${page.limit}`)

export interface ThreadPosition {
  at: string
  id: string
}

export interface ThreadRow {
  id: string
  /** The title that its owner chose. */
  title: string | null
  question: string
  turn_count: number
  created_at: Date
  updated_at: Date
  /** `updated_at` in full precision. */
  position: string
  shared_at: Date | null
}

interface ThreadOwner {
  workspaceId: string
  principal: string
}

interface ThreadFilter {
  before: ThreadPosition | undefined
  limit: number
  threadId?: string
  /** Limits the turns as in `selectTurns`. */
  onlyShared?: boolean
  /** Words that the title has, or the first question of a thread without a title. */
  titleWords?: readonly string[]
}

const titleHas = (word: string) => sql`AND coalesce(t.title, first.question) ~ ${inAnyCase(word)}`

/** The caller's threads, the most recently used first. `question` is the first question. */
export const selectThreads = (
  db: Queryable,
  { workspaceId, principal }: ThreadOwner,
  page: ThreadFilter,
): Promise<ThreadRow[]> =>
  db.rows<ThreadRow>(sql`
    SELECT t.id, t.title, first.question, t.created_at, t.updated_at, t.updated_at::text AS position,
      t.shared_at,
      (SELECT coalesce(max(n.turn_no), 0) FROM turn n WHERE n.workspace_id = ${workspaceId} AND n.thread_id = t.id
        ${page.onlyShared ? sql`AND n.created_at <= t.shared_at` : empty}) AS turn_count
    FROM thread t
    JOIN turn first ON first.workspace_id = t.workspace_id AND first.thread_id = t.id AND first.turn_no = 1
    WHERE t.workspace_id = ${workspaceId} AND t.principal = ${principal}
      ${page.threadId ? sql`AND t.id = ${page.threadId}` : empty}
      ${join([empty, ...(page.titleWords ?? []).map(titleHas)], ' ')}
      ${page.before ? sql`AND (t.updated_at, t.id) < (${page.before.at}::timestamptz, ${page.before.id}::uuid)` : empty}
    ORDER BY t.updated_at DESC, t.id DESC LIMIT ${page.limit}`)

/** Gives a thread a title. Returns false if the caller has no thread of this id. */
export async function renameThread(
  db: Queryable,
  { workspaceId, principal }: ThreadOwner,
  threadId: string,
  title: string,
): Promise<boolean> {
  const rows = await db.rows(sql`
    UPDATE thread SET title = ${title}
    WHERE workspace_id = ${workspaceId} AND id = ${threadId} AND principal = ${principal} RETURNING id`)
  return rows.length > 0
}

/** Shares the present turns of a thread with all members, or ends the sharing. Returns false if the caller has no thread of this id. */
export async function shareThread(
  db: Queryable,
  { workspaceId, principal }: ThreadOwner,
  threadId: string,
  isShared: boolean,
): Promise<boolean> {
  const rows = await db.rows(sql`
    UPDATE thread SET shared_at = ${isShared ? sql`greatest(shared_at, now())` : sql`NULL`}
    WHERE workspace_id = ${workspaceId} AND id = ${threadId} AND principal = ${principal} RETURNING id`)
  return rows.length > 0
}

/** Ends the sharing of any member's thread. Returns false if no thread of this id is shared. */
export async function withdrawShare(db: Queryable, workspaceId: string, threadId: string): Promise<boolean> {
  const rows = await db.rows(sql`
    UPDATE thread SET shared_at = NULL
    WHERE workspace_id = ${workspaceId} AND id = ${threadId} AND shared_at IS NOT NULL RETURNING id`)
  return rows.length > 0
}

/** The owner of a thread that is shared with the members of the workspace. */
export async function selectSharer(
  db: Queryable,
  workspaceId: string,
  threadId: string,
): Promise<string | undefined> {
  const [row] = await db.rows<{ principal: string }>(sql`
    SELECT principal FROM thread
    WHERE workspace_id = ${workspaceId} AND id = ${threadId} AND shared_at IS NOT NULL`)
  return row?.principal
}

/** Deletes a thread with its turns. Returns false if the caller has no thread of this id. */
export async function removeThread(
  db: Queryable,
  { workspaceId, principal }: ThreadOwner,
  threadId: string,
): Promise<boolean> {
  const rows = await db.rows(sql`
    DELETE FROM thread
    WHERE workspace_id = ${workspaceId} AND id = ${threadId} AND principal = ${principal} RETURNING id`)
  return rows.length > 0
}

/** A cited document that still exists, with the cited chunk if its live version contains it. */
interface CitedPassageRow {
  document_id: string
  document_title: string
  chunk_id: string | null
  type: ChunkType | null
  text: string | null
  page: number | null
  boxes: { page: number; bbox: number[] }[] | null
}

/** The cited documents and chunks that still exist. There is no row for a deleted document. */
export const selectCitedPassages = (
  db: Queryable,
  workspaceId: string,
  citations: readonly StoredCitation[],
): Promise<CitedPassageRow[]> =>
  db.rows<CitedPassageRow>(sql`
    SELECT d.id AS document_id, d.title AS document_title, c.id AS chunk_id, c.type, c.text, c.page, c.boxes
    FROM document d
    LEFT JOIN chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id
      AND c.id = ANY (${citations.map((citation) => citation.chunk_id)}::uuid[])
    WHERE d.workspace_id = ${workspaceId} AND d.id = ANY (${citations.map((citation) => citation.document_id)}::uuid[])`)

export async function insertThread(
  tx: Queryable,
  workspaceId: string,
  threadId: string,
  principal: string,
): Promise<void> {
  await tx.rows(sql`
    INSERT INTO thread (workspace_id, id, principal) VALUES (${workspaceId}, ${threadId}, ${principal})`)
}

/** Locks the thread for a new turn. Returns false if it was deleted or belongs to another principal. */
export async function touchThread(
  tx: Queryable,
  workspaceId: string,
  threadId: string,
  principal: string,
): Promise<boolean> {
  const rows = await tx.rows(sql`
    UPDATE thread SET updated_at = greatest(updated_at, now())
    WHERE workspace_id = ${workspaceId} AND id = ${threadId} AND principal = ${principal} RETURNING id`)
  return rows.length > 0
}

/**
 * Stores the ids of the cited passages and not their text, so that the text disappears with its document.
 */
export async function insertTurn(
  tx: Queryable,
  workspaceId: string,
  threadId: string,
  turn: { question: string; answer: string; citations: StoredCitation[] },
): Promise<void> {
  // The row of the thread is locked, so no other turn gets the same number.
  const [lastTurn] = await tx.rows<{ turns: number }>(sql`
    SELECT coalesce(max(turn_no), 0) AS turns FROM turn WHERE workspace_id = ${workspaceId} AND thread_id = ${threadId}`)
  await tx.rows(sql`
    INSERT INTO turn (workspace_id, thread_id, turn_no, question, answer, citations)
    VALUES (${workspaceId}, ${threadId}, ${(lastTurn?.turns ?? 0) + 1}, ${turn.question}, ${turn.answer},
      ${JSON.stringify(turn.citations)}::jsonb)`)
}
