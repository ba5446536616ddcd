// Descriptions and examples of ../evaluation.ts.

import type * as module from '../evaluation.ts'
import { ASKED_AT, ID, LEASE_TITLE, onlyPage } from './library.ts'
import type { OperationTexts, SchemaTexts } from './texts.ts'

const question = {
  id: ID.question,
  query: 'notice period',
  document_id: ID.lease,
  document_title: LEASE_TITLE,
  chunk_id: ID.leaseNotice,
  own: true,
  created_at: ASKED_AT,
}

export const schemas: SchemaTexts<typeof module> = {
  EvaluationQuestionCreate: {
    description:
      'A query with the document that a search for it should find. With `chunk_id` only this passage of the document is right.',
    example: { query: 'notice period', document_id: ID.lease, chunk_id: ID.leaseNotice },
  },
  EvaluationQuestion: {
    description:
      'A saved query with what it should find. `document_title` is null if the document was deleted; such a question is not exported. `own` says whether the caller saved it.',
    example: question,
  },
  EvaluationQuestionPage: {
    description: 'A page of a list of saved questions.',
    example: onlyPage(question),
  },
  EvaluationLine: {
    description:
      'One line of the exported set, which `kenning eval FILE.jsonl` reads. `documents` are the ids of the right documents with grades; if it is empty, no document has an answer, and a refusal is right. `unjudged`: the right documents are not known, so the question is not measured until somebody adds them.',
    example: {
      id: `saved-${ID.question}`,
      text: 'notice period',
      documents: { [ID.lease]: 1 },
      pages: [{ document: ID.lease, page: 2 }],
      facts: [],
      source: 'saved',
      created_at: ASKED_AT,
    },
  },
}

export const operations: OperationTexts<typeof module.evaluation> = {
  listEvaluationQuestions: {
    does: "Lists the caller's saved evaluation questions, newest first, in pages. Owners of the workspace see everybody's.",
    callers: 'reader',
  },
  createEvaluationQuestion: {
    does: 'Saves a query with the document and the passage that a search should find, and returns it. Saving the same twice gives one question.',
    callers: 'reader',
    invalid: 'the document or passage is not in the workspace, or too many questions are saved',
  },
  deleteEvaluationQuestion: {
    does: "Deletes one of the caller's saved evaluation questions. Owners of the workspace may delete everybody's.",
    callers: 'asker',
    missing: 'the workspace or the question',
  },
  exportEvaluationSet: {
    does: "Downloads saved questions and the feedback on answers as a set for `kenning eval`, one EvaluationLine a line: the caller's own, for owners of the workspace everybody's.",
    callers: 'reader',
  },
}
