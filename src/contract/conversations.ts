// Conversations (extension): what a caller asked before, and where the passages of an answer stand. A citation shows
// what the documents hold now: the text of one that was deleted or has changed is nobody's to read any more.

import { z } from 'zod'
import { cursor, type Endpoint, limit, workspace } from './endpoint.ts'
import { instant, page, uuid } from './fields.ts'
import { ChunkType } from './resources.ts'

/** `title` is the first question, cut to 80 characters. */
export const Thread = z.object({
  id: uuid,
  title: z.string(),
  turn_count: z.int(),
  created_at: instant,
  updated_at: instant,
})
export type Thread = z.infer<typeof Thread>
export const ThreadPage = page(Thread)

/**
 * `current`: the passage stands in the document as cited. `changed`: the document has a new version without it.
 * `deleted`: the document is gone, and nothing of it is shown.
 */
export const CitationState = z.enum(['current', 'changed', 'deleted'])
export type CitationState = z.infer<typeof CitationState>

/** A Citation as it stands now; `text` and `page` only of a current one, nothing but its number of a deleted one. */
export const TurnCitation = z.object({
  number: z.int(),
  state: CitationState,
  text: z.string().nullable(),
  chunk_id: uuid.nullable(),
  document_id: uuid.nullable(),
  document_title: z.string().nullable(),
  page: z.int().nullable(),
  source_url: z.string().nullable(),
})
export type TurnCitation = z.infer<typeof TurnCitation>

/** A question with its answer; every `[N]` of the answer has one citation, also where its document is gone. */
export const Turn = z.object({
  number: z.int(),
  question: z.string(),
  answer: z.string(),
  citations: z.array(TurnCitation),
  created_at: instant,
})
export type Turn = z.infer<typeof Turn>

/** A thread with a page of its turns, oldest first. */
export const ThreadContent = Thread.extend({
  turns: z.array(Turn),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
})
export type ThreadContent = z.infer<typeof ThreadContent>

/**
 * Where a citation stands: the whole chunk, the sentences of it that were cited (UTF-16 units into `text`, the best
 * first), and the chunk's boxes on its pages in points. Of what is not current only number and state.
 */
export const CitedPassage = z.object({
  number: z.int(),
  state: CitationState,
  chunk_id: uuid.nullable(),
  document_id: uuid.nullable(),
  document_title: z.string().nullable(),
  type: ChunkType.nullable(),
  page: z.int().nullable(),
  text: z.string().nullable(),
  spans: z.array(z.object({ start: z.int(), end: z.int() })),
  boxes: z.array(z.object({ page: z.int(), bbox: z.array(z.number()) })),
})
export type CitedPassage = z.infer<typeof CitedPassage>
export const CitedPassagePage = page(CitedPassage)

const thread = workspace.extend({ thread_id: uuid })
const turn = thread.extend({ turn_number: z.string().regex(/^[1-9]\d{0,8}$/, 'Turns are counted from 1') })

export const conversations = {
  listThreads: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/threads',
    summary: "The caller's own conversations, the one used last first",
    ability: 'read',
    params: workspace,
    query: z.object({ limit, cursor }),
    status: 200,
    output: ThreadPage,
    errors: [404, 422],
    extension: true,
  },
  getThread: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/threads/{thread_id}',
    summary: "A conversation of the caller's own, its questions and answers in order",
    ability: 'read',
    params: thread,
    query: z.object({ limit, cursor }),
    status: 200,
    output: ThreadContent,
    errors: [404, 422],
    extension: true,
  },
  deleteThread: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/threads/{thread_id}',
    summary: "Remove a conversation of the caller's own",
    ability: 'read',
    params: thread,
    status: 204,
    errors: [404, 422],
    extension: true,
  },
  listTurnCitations: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/threads/{thread_id}/turns/{turn_number}/citations',
    summary: 'Where the passages that an answer cites stand: chunk, sentences, page and boxes',
    ability: 'read',
    params: turn,
    status: 200,
    output: CitedPassagePage,
    errors: [404, 422],
    extension: true,
  },
} as const satisfies Record<string, Endpoint>
