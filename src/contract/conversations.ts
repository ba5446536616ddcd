// Conversations (extension): earlier questions of the caller, and the cited passages of their answers. Citations show the current
// content of the documents: text that was changed or deleted can no longer be read through them.

import { z } from 'zod'
import { cursor, type Endpoint, filter, limit, workspace } from './endpoint.ts'
import { instant, page, text, uuid } from './fields.ts'
import { AnswerValue, ChunkType } from './resources.ts'

/** `title` is the first question, shortened to 80 characters, until the conversation is renamed. */
export const Thread = z.object({
  id: uuid,
  title: z.string(),
  turn_count: z.int(),
  created_at: instant,
  updated_at: instant,
  /** When it was shared last: the members of the workspace may read what it contained then. Null if nobody else may. */
  shared_at: instant.nullable(),
})
export type Thread = z.infer<typeof Thread>
export const ThreadPage = page(Thread)

/**
 * Questions that the documents answer, at most three. `pending`: new ones are being made from the documents as they are now.
 * `answers`: whether a language model writes answers, or documents are quoted.
 */
export const SuggestedQuestions = z.object({
  data: z.array(z.object({ question: z.string(), document_id: uuid })),
  pending: z.boolean(),
  answers: z.enum(['quotations', 'written']),
})
export type SuggestedQuestions = z.infer<typeof SuggestedQuestions>

export const ThreadUpdate = z.object({ title: text(1, 200, { trim: true }) })
export type ThreadUpdate = z.infer<typeof ThreadUpdate>

/**
 * `current`: the document still contains the passage as cited. `changed`: its new version does not. `deleted`: the document was
 * deleted, and nothing of it is shown.
 */
export const CitationState = z.enum(['current', 'changed', 'deleted'])
export type CitationState = z.infer<typeof CitationState>

/** A citation today: `text` and `page` only while it is current, only the number once the document is deleted. */
export const TurnCitation = z.object({
  number: z.int(),
  state: CitationState,
  text: z.string().nullable(),
  chunk_id: uuid.nullable(),
  document_id: uuid.nullable(),
  document_title: z.string().nullable(),
  page: z.int().nullable(),
  source_url: z.string().nullable(),
  /** The cited sentences, as offsets into `text` in UTF-16 units. */
  spans: z.array(z.object({ start: z.int(), end: z.int() })),
})
export type TurnCitation = z.infer<typeof TurnCitation>

/** The judgment of an answer by the person who asked. */
export const Feedback = z.object({
  verdict: z.enum(['helped', 'wrong']),
  note: z.string(),
  updated_at: instant,
})
export type Feedback = z.infer<typeof Feedback>

export const FeedbackUpdate = z.object({ verdict: Feedback.shape.verdict, note: text(0, 2000).default('') })
export type FeedbackUpdate = z.infer<typeof FeedbackUpdate>

/** A question and its answer. Every `[N]` in the answer has a citation, even if its document was deleted. */
export const Turn = z.object({
  number: z.int(),
  question: z.string(),
  answer: z.string(),
  citations: z.array(TurnCitation),
  /** Only while its citation is current. */
  value: AnswerValue.optional(),
  feedback: Feedback.nullable(),
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
 * The source of a citation: the whole chunk, its cited sentences (offsets into `text` in UTF-16 units, the best first), and the
 * boxes of the chunk on its pages in points. If the citation is not current, there are only its number and state.
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
const turn = thread.extend({
  turn_number: z.string().regex(/^[1-9]\d{0,8}$/, 'The turn number must be an integer from 1'),
})

export const conversations = {
  listSuggestedQuestions: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/suggested-questions',
    summary: 'List up to three questions that the documents answer, to begin a conversation',
    ability: 'read',
    params: workspace,
    status: 200,
    output: SuggestedQuestions,
    errors: [404, 422],
    extension: true,
  },
  listThreads: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/threads',
    summary: "List the caller's own conversations, most recently used first",
    ability: 'read',
    params: workspace,
    query: z.object({ q: filter(200), limit, cursor }),
    status: 200,
    output: ThreadPage,
    errors: [404, 422],
    extension: true,
  },
  getThread: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/threads/{thread_id}',
    summary: "Read one of the caller's own conversations, its questions and answers in order",
    ability: 'read',
    params: thread,
    query: z.object({ limit, cursor }),
    status: 200,
    output: ThreadContent,
    errors: [404, 422],
    extension: true,
  },
  updateThread: {
    method: 'PATCH',
    path: '/workspaces/{workspace_id}/threads/{thread_id}',
    summary: "Rename one of the caller's own conversations",
    ability: 'own',
    params: thread,
    body: ThreadUpdate,
    status: 200,
    output: Thread,
    errors: [404, 422],
    extension: true,
  },
  deleteThread: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/threads/{thread_id}',
    summary: "Delete one of the caller's own conversations",
    ability: 'own',
    params: thread,
    status: 204,
    errors: [404, 422],
    extension: true,
  },
  putShare: {
    method: 'PUT',
    path: '/workspaces/{workspace_id}/threads/{thread_id}/share',
    summary: "Let the members of the workspace read one of the caller's own conversations as it is now",
    ability: 'own',
    params: thread,
    status: 200,
    output: Thread,
    errors: [404, 422],
    extension: true,
  },
  deleteShare: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/threads/{thread_id}/share',
    summary: 'Take back that members may read a conversation, as its owner or an owner of the workspace',
    ability: 'own',
    params: thread,
    status: 204,
    errors: [404, 422],
    extension: true,
  },
  getSharedThread: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/shared-threads/{thread_id}',
    summary: 'Read a conversation that a member of the workspace shares, its questions and answers in order',
    ability: 'read',
    params: thread,
    query: z.object({ limit, cursor }),
    status: 200,
    output: ThreadContent,
    errors: [404, 422],
    extension: true,
  },
  putFeedback: {
    method: 'PUT',
    path: '/workspaces/{workspace_id}/threads/{thread_id}/turns/{turn_number}/feedback',
    summary: 'Say whether an answer to the caller helped or is wrong, or change what was said',
    ability: 'read',
    params: turn,
    body: FeedbackUpdate,
    status: 200,
    output: Feedback,
    errors: [404, 422],
    extension: true,
  },
  deleteFeedback: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/threads/{thread_id}/turns/{turn_number}/feedback',
    summary: 'Take back the feedback on an answer',
    ability: 'own',
    params: turn,
    status: 204,
    errors: [404, 422],
    extension: true,
  },
  listTurnCitations: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/threads/{thread_id}/turns/{turn_number}/citations',
    summary: 'Locate the passages that an answer cites: chunk, sentences, page and boxes',
    ability: 'read',
    params: turn,
    status: 200,
    output: CitedPassagePage,
    errors: [404, 422],
    extension: true,
  },
} as const satisfies Record<string, Endpoint>
