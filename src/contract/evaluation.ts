// Evaluation questions (extension): queries saved with the passage that they should find, and their export, with the feedback on
// answers, for `kenning eval`.

import { z } from 'zod'
import { cursor, type Endpoint, limit, workspace } from './endpoint.ts'
import { instant, page, text, uuid } from './fields.ts'

/** `chunk_id`: the passage that should be found. Without it any passage of the document is right. */
export const EvaluationQuestionCreate = z.object({
  query: text(1, 2000, { trim: true }),
  document_id: uuid,
  chunk_id: uuid.nullable().optional(),
})
export type EvaluationQuestionCreate = z.infer<typeof EvaluationQuestionCreate>

/** `document_title` is null if the document was deleted. Such a question is not exported. `own`: whether the caller saved it. */
export const EvaluationQuestion = z.object({
  id: uuid,
  query: z.string(),
  document_id: uuid,
  document_title: z.string().nullable(),
  chunk_id: uuid.nullable(),
  own: z.boolean(),
  created_at: instant,
})
export type EvaluationQuestion = z.infer<typeof EvaluationQuestion>
export const EvaluationQuestionPage = page(EvaluationQuestion)

/**
 * One line of the exported set, which `kenning eval FILE.jsonl` reads. `documents`: the ids of the right documents with grades. If
 * it is empty, no document has an answer, and the right result is a refusal. `unjudged`: the right documents are not known, because
 * the answer was called wrong or a cited document was deleted. Such a question is not measured until somebody adds the documents.
 */
export const EvaluationLine = z.object({
  id: z.string(),
  text: z.string(),
  documents: z.record(z.string(), z.int()),
  pages: z.array(z.object({ document: z.string(), page: z.int() })),
  facts: z.array(z.string()),
  unjudged: z.literal(true).optional(),
  source: z.enum(['saved', 'feedback']),
  verdict: z.enum(['helped', 'wrong']).optional(),
  note: z.string().optional(),
  reply: z.string().optional(),
  created_at: instant,
})
export type EvaluationLine = z.infer<typeof EvaluationLine>

export const evaluation = {
  listEvaluationQuestions: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/evaluation-questions',
    summary: "List the caller's saved evaluation questions, newest first; for owners, everybody's",
    ability: 'read',
    params: workspace,
    query: z.object({ limit, cursor }),
    status: 200,
    output: EvaluationQuestionPage,
    errors: [404, 422],
    extension: true,
  },
  createEvaluationQuestion: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/evaluation-questions',
    summary: 'Save a query with the document and passage it should find; saving the same twice gives one',
    ability: 'read',
    params: workspace,
    body: EvaluationQuestionCreate,
    status: 201,
    output: EvaluationQuestion,
    errors: [404, 422],
    extension: true,
  },
  deleteEvaluationQuestion: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/evaluation-questions/{question_id}',
    summary: "Delete one of the caller's saved evaluation questions; owners may delete everybody's",
    ability: 'own',
    params: workspace.extend({ question_id: uuid }),
    status: 204,
    errors: [404, 422],
    extension: true,
  },
  exportEvaluationSet: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/evaluation-set.jsonl',
    summary:
      "Export saved questions and feedback on answers as a set for `kenning eval`: the caller's own; for owners, everybody's",
    ability: 'read',
    params: workspace,
    status: 200,
    bytes: 'application/x-ndjson',
    errors: [404, 416, 422],
    extension: true,
  },
} as const satisfies Record<string, Endpoint>
