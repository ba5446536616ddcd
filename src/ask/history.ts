// A caller's earlier conversations (extension). A turn stores the positions of its cited passages, and their text is read from the
// documents as they are now.

import { canRead, requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type { CitedPassage, Thread, ThreadContent, Turn, TurnCitation } from '../contract/conversations.ts'
import type { Page } from '../contract/resources.ts'
import { type LinkDeps, passageUrl } from '../documents/passage-url.ts'
import { notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import type { Span } from './citations/markers.ts'
import type { StoredCitation } from './citations/verify.ts'
import { windowAround, windowForSpans } from './citations/window.ts'
import {
  type CitedPassageState,
  citedPassageStates,
  deletedNumbers,
  redactDeleted,
  statedValueOf,
} from './threads/cited-passages.ts'
import {
  type JudgedTurnRow,
  removeThread,
  renameThread,
  selectSharer,
  selectThreads,
  selectTurns,
  shareThread,
  type ThreadPosition,
  type ThreadRow,
  withdrawShare,
} from './threads/threads.sql.ts'

type Needs = Pick<Deps, 'db' | 'cursorKey'>

const TITLE_CHARACTERS = 80

/** The caller's conversations in the workspace, the most recently used first. */
export async function listThreads(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  query: PageQuery & { q?: string | null | undefined },
): Promise<Page<Thread>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const owner = { workspaceId, principal: principal(caller) }
  const titleWords = (query.q ?? '').split(/\s+/).filter(Boolean)
  const binding = ['threads', workspaceId, owner.principal, titleWords.join(' ')]
  const { rows, ...next } = await readPage(deps, {
    binding,
    page: query,
    select: (before: ThreadPosition | undefined, limit) =>
      selectThreads(deps.db, owner, { before, limit, titleWords }),
    positionOf: (row) => ({ at: row.position, id: row.id }),
  })
  return { data: rows.map(asThread), ...next }
}

interface ThreadIds {
  workspaceId: string
  threadId: string
}

/** A conversation with a page of its turns, oldest first. @throws ApiError 404 unless it is the caller's own */
export async function getThread(
  deps: Needs & LinkDeps,
  caller: Caller,
  { workspaceId, threadId }: ThreadIds,
  query: PageQuery,
): Promise<ThreadContent> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const binding = ['thread', workspaceId, principal(caller), threadId]
  const thread = await threadOf(deps, workspaceId, principal(caller), threadId)
  return contentOf(deps, workspaceId, thread, { binding, query, onlyShared: false })
}

async function contentOf(
  deps: Needs & LinkDeps,
  workspaceId: string,
  thread: ThreadRow,
  { binding, query, onlyShared }: { binding: string[]; query: PageQuery; onlyShared: boolean },
): Promise<ThreadContent> {
  const { rows, ...next } = await readPage(deps, {
    binding,
    page: query,
    select: (after: number | undefined, limit) =>
      selectTurns(deps.db, workspaceId, thread.id, { after: after ?? 0, limit, onlyShared }),
    positionOf: (row) => row.number,
  })
  const stateOf = await citedPassageStates(deps.db, workspaceId, rows)
  return {
    ...asThread(thread),
    turns: rows.map((row) => asTurn(row, stateOf, (passage) => passageUrl(deps, workspaceId, passage))),
    ...next,
  }
}

/**
 * Lets the members of the workspace read the turns that a conversation has now. @throws ApiError 404 unless it is the caller's own
 */
export async function putShare(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  threadId: string,
): Promise<Thread> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const owner = { workspaceId, principal: principal(caller) }
  if (!(await shareThread(deps.db, owner, threadId, true))) throw notFound()
  return asThread(await threadOf(deps, workspaceId, owner.principal, threadId))
}

/**
 * Ends the sharing of a conversation. An owner of the workspace may end it for the conversations of all members.
 * @throws ApiError 404 if the caller may not, or if the conversation is not shared
 */
export async function deleteShare(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  threadId: string,
): Promise<void> {
  const role = await requireWorkspace(deps, caller, workspaceId, 'read')
  const owner = { workspaceId, principal: principal(caller) }
  const isWithdrawn =
    (await shareThread(deps.db, owner, threadId, false)) ||
    (role === 'owner' && (await withdrawShare(deps.db, workspaceId, threadId)))
  if (!isWithdrawn) throw notFound()
}

/**
 * A conversation that a member shares, with the turns that it had when it was last shared, and without feedback.
 * @throws ApiError 404 if it is not shared, or if the sharer can no longer read the workspace
 */
export async function getSharedThread(
  deps: Needs & LinkDeps,
  caller: Caller,
  { workspaceId, threadId }: ThreadIds,
  query: PageQuery,
): Promise<ThreadContent> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const sharer = await selectSharer(deps.db, workspaceId, threadId)
  if (sharer === undefined || !(await canRead(deps.db, workspaceId, sharer))) throw notFound()
  const page = { before: undefined, limit: 1, threadId, onlyShared: true }
  const [thread] = await selectThreads(deps.db, { workspaceId, principal: sharer }, page)
  if (!thread) throw notFound()
  const binding = ['shared thread', workspaceId, threadId]
  const content = await contentOf(deps, workspaceId, thread, { binding, query, onlyShared: true })
  return { ...content, turns: content.turns.map((turn) => ({ ...turn, feedback: null })) }
}

/** Renames a conversation. Its position in the list does not change. @throws ApiError 404 unless it is the caller's own */
export async function updateThread(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  { workspaceId, threadId }: ThreadIds,
  title: string,
): Promise<Thread> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const owner = { workspaceId, principal: principal(caller) }
  if (!(await renameThread(deps.db, owner, threadId, title))) throw notFound()
  return asThread(await threadOf(deps, workspaceId, owner.principal, threadId))
}

/** Removes a conversation with all its turns. @throws ApiError 404 unless it is the caller's own */
export async function deleteThread(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  threadId: string,
): Promise<void> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  if (!(await removeThread(deps.db, { workspaceId, principal: principal(caller) }, threadId)))
    throw notFound()
}

/** The cited passages of one answer, by number. @throws ApiError 404 unless it is the caller's own */
export async function listTurnCitations(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  { workspaceId, threadId }: ThreadIds,
  turnNumber: number,
): Promise<Page<CitedPassage>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  await threadOf(deps, workspaceId, principal(caller), threadId)
  const page = { after: turnNumber - 1, limit: 1 }
  const [turn] = await selectTurns(deps.db, workspaceId, threadId, page)
  if (turn?.number !== turnNumber) throw notFound()
  const stateOf = await citedPassageStates(deps.db, workspaceId, [turn])
  return {
    data: turn.citations.map((citation) => asPassage(citation, stateOf(citation))),
    has_more: false,
    next_cursor: null,
  }
}

async function threadOf(
  deps: Pick<Deps, 'db'>,
  workspaceId: string,
  principal: string,
  threadId: string,
): Promise<ThreadRow> {
  const owner = { workspaceId, principal }
  const [row] = await selectThreads(deps.db, owner, { before: undefined, limit: 1, threadId })
  if (!row) throw notFound()
  return row
}

const asThread = ({
  id,
  title,
  question,
  turn_count,
  created_at,
  updated_at,
  shared_at,
}: ThreadRow): Thread => ({
  id,
  title: title ?? titleOf(question),
  turn_count,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
  shared_at: shared_at?.toISOString() ?? null,
})

/** The question on one line, shortened between words. */
function titleOf(question: string): string {
  const singleLine = question.replace(/\s+/g, ' ').trim()
  const beginning = windowAround(singleLine, 0, 0, TITLE_CHARACTERS)
  return beginning.length < singleLine.length ? `${beginning}…` : beginning
}

type UrlOf = (passage: Parameters<typeof passageUrl>[2]) => string | null

function asTurn(
  row: JudgedTurnRow,
  stateOf: (citation: StoredCitation) => CitedPassageState,
  urlOf: UrlOf,
): Turn {
  const value = statedValueOf(row.citations, (citation) => stateOf(citation).chunk?.text)
  return {
    number: row.number,
    question: row.question,
    answer: redactDeleted(row.answer, deletedNumbers(row, stateOf)),
    citations: row.citations.map((citation) => asCitation(citation, stateOf(citation), urlOf)),
    ...(value && { value }),
    feedback:
      row.verdict && row.judged_at
        ? { verdict: row.verdict, note: row.note ?? '', updated_at: row.judged_at.toISOString() }
        : null,
    created_at: row.created_at.toISOString(),
  }
}

function asCitation(
  { number, spans }: StoredCitation,
  { state, document, chunk }: CitedPassageState,
  urlOf: UrlOf,
): TurnCitation {
  const text = chunk ? windowForSpans(chunk.text, spans) : null
  return {
    number,
    state,
    text,
    spans: chunk && text !== null ? spansInWindow(chunk.text, text, spans) : [],
    chunk_id: chunk?.id ?? null,
    document_id: document?.id ?? null,
    document_title: document?.title ?? null,
    page: chunk?.page ?? null,
    source_url: document ? urlOf({ document_id: document.id, chunk_id: chunk?.id, page: chunk?.page }) : null,
  }
}

/** The spans of a chunk that are completely in its window, as offsets into the window. */
function spansInWindow(text: string, window: string, spans: readonly Span[]): Span[] {
  const first = Math.max(0, (spans[0]?.start ?? 0) - window.length)
  const at = text.indexOf(window, first)
  return spans
    .map(({ start, end }) => ({ start: start - at, end: end - at }))
    .filter(({ start, end }) => start >= 0 && end <= window.length)
    .sort((a, b) => a.start - b.start)
}

const asPassage = (
  { number, spans }: StoredCitation,
  { state, document, chunk }: CitedPassageState,
): CitedPassage => ({
  number,
  state,
  chunk_id: chunk?.id ?? null,
  document_id: document?.id ?? null,
  document_title: document?.title ?? null,
  type: chunk?.type ?? null,
  page: chunk?.page ?? null,
  text: chunk?.text ?? null,
  spans: chunk ? spans : [],
  boxes: chunk?.boxes ?? [],
})
