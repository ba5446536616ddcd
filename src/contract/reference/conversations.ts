// Descriptions and examples of ../conversations.ts.

import type * as module from '../conversations.ts'
import { ASKED_AT, firstPage, ID, MINUTES_DECISION, MINUTES_TITLE, onlyPage, passageUrl } from './library.ts'
import type { OperationTexts, SchemaTexts } from './texts.ts'

const thread = {
  id: ID.thread,
  title: 'When does the lease end?',
  turn_count: 1,
  created_at: ASKED_AT,
  updated_at: ASKED_AT,
  shared_at: null,
}
const shared = { ...thread, shared_at: '2026-11-25T13:20:44.101Z' }
const location = {
  number: 1,
  state: 'current' as const,
  text: MINUTES_DECISION,
  chunk_id: ID.minutesDecision,
  document_id: ID.minutes,
  document_title: MINUTES_TITLE,
  page: null,
  source_url: passageUrl(ID.minutes, ID.minutesDecision),
  spans: [{ start: 0, end: MINUTES_DECISION.length }],
}
const feedback = {
  verdict: 'helped' as const,
  note: 'The date is right.',
  updated_at: '2026-11-25T13:05:30.000Z',
}
const turn = {
  number: 1,
  question: 'When does the lease end?',
  answer: 'The lease of Unit 4 ends on 30 June 2026. [1]',
  citations: [location],
  value: { text: '30 June 2026', citation: 1 },
  feedback,
  created_at: ASKED_AT,
}
const content = { ...thread, turns: [turn], has_more: false, next_cursor: null }
const passage = {
  number: 1,
  state: 'current' as const,
  chunk_id: ID.minutesDecision,
  document_id: ID.minutes,
  document_title: MINUTES_TITLE,
  type: 'text' as const,
  page: null,
  text: MINUTES_DECISION,
  spans: location.spans,
  boxes: [],
}
const threadOrWorkspace = "the workspace, or a conversation of the caller's own with this id,"

export const schemas: SchemaTexts<typeof module> = {
  Thread: {
    description:
      'A conversation. `title` is the first question, shortened to 80 characters, until the conversation is renamed. `shared_at` is when it was shared last: the members of the workspace may read what it contained then. It is null if nobody else may.',
    example: thread,
  },
  ThreadPage: { description: 'A page of a list of conversations.', example: firstPage(thread) },
  SuggestedQuestions: {
    description:
      'Questions that the documents answer, at most three. `pending`: new ones are being made from the documents as they are now. `answers` says whether a language model writes the answers, or documents are quoted.',
    example: {
      data: [{ question: 'When does the lease of Unit 4 end?', document_id: ID.minutes }],
      pending: false,
      answers: 'quotations',
    },
  },
  ThreadUpdate: { description: 'The new title of a conversation.', example: { title: 'End of the lease' } },
  CitationState: {
    description:
      '`current`: the document still contains the passage as it was cited. `changed`: its new version does not. `deleted`: the document was deleted, and nothing of it is shown.',
    example: 'current',
  },
  TurnCitation: {
    description:
      'A citation as it is today. `text` and `page` are there only while it is current, only the number once the document is deleted. `spans` are the cited sentences, as offsets into `text` in UTF-16 units.',
    example: location,
  },
  Feedback: {
    description: 'What the person who asked says of an answer: that it helped, or that it is wrong.',
    example: feedback,
  },
  FeedbackUpdate: {
    description: 'What to say of an answer, with an optional note.',
    example: { verdict: 'helped', note: 'The date is right.' },
  },
  Turn: {
    description:
      'A question and its answer. Every `[N]` in the answer has a citation, even if its document was deleted. `value` is that of the answer, while its citation is current.',
    example: turn,
  },
  ThreadContent: {
    description: 'A conversation with a page of its questions and answers, oldest first.',
    example: content,
  },
  CitedPassage: {
    description:
      'Where a citation stands: the whole chunk, the cited sentences (offsets into `text` in UTF-16 units, the best first), and the boxes of the chunk on its pages in points. If the citation is not current, there are only its number and state.',
    example: passage,
  },
  CitedPassagePage: { description: 'The passages that an answer cites.', example: onlyPage(passage) },
}

export const operations: OperationTexts<typeof module.conversations> = {
  listSuggestedQuestions: {
    does: 'Returns up to three questions that the documents answer, for somebody who does not know what to ask.',
    callers: 'reader',
  },
  listThreads: {
    does: "Lists the caller's own conversations, the most recently used first, in pages; with `q` those whose title, or first question without one, has all its words or parts of words.",
    callers: 'reader',
  },
  getThread: {
    does: "Returns one of the caller's own conversations with its questions and answers, oldest first, in pages. Citations show the documents as they are now.",
    callers: 'reader',
    missing: threadOrWorkspace,
  },
  updateThread: {
    does: "Renames one of the caller's own conversations, and returns it.",
    callers: 'asker',
    missing: threadOrWorkspace,
    output: { ...thread, title: 'End of the lease' },
  },
  deleteThread: {
    does: "Deletes one of the caller's own conversations with its questions and answers. Nothing can bring it back.",
    callers: 'asker',
    missing: threadOrWorkspace,
  },
  putShare: {
    does: "Lets the members of the workspace read one of the caller's own conversations as it is now, and returns it. What is asked later is shown only after another call.",
    callers: 'asker',
    missing: threadOrWorkspace,
    output: shared,
  },
  deleteShare: {
    does: 'Ends the sharing of a conversation. Owners of the workspace can do so for every shared conversation.',
    callers: 'asker',
    missing: 'the workspace or the conversation',
  },
  getSharedThread: {
    does: 'Returns a conversation that a member of the workspace shares, as it was when it was shared last, without feedback, in pages.',
    callers: 'reader',
    missing: 'the workspace, or a shared conversation with this id,',
    output: { ...content, ...shared, turns: [{ ...turn, feedback: null }] },
  },
  putFeedback: {
    does: 'Says of an answer to the caller that it helped or is wrong, or changes what was said, and returns it.',
    callers: 'asker',
    missing: 'the workspace, the conversation or the answer',
  },
  deleteFeedback: {
    does: 'Takes back what the caller said of an answer.',
    callers: 'asker',
    missing: 'the workspace, the conversation, the answer or its feedback',
  },
  listTurnCitations: {
    does: 'Returns where the passages stand that an answer cites: chunk, sentences, page, and boxes to draw on a page image.',
    callers: 'reader',
    missing: 'the workspace, the conversation or the answer',
  },
}
