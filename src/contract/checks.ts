// Checking a text against the documents of a workspace (extension).

import { z } from 'zod'
import { type Endpoint, workspace } from './endpoint.ts'
import { text } from './fields.ts'
import { ChunkType } from './resources.ts'

export const MAX_TEXT_LENGTH = 50_000

export const TextCheckRequest = z.object({ text: text(1, MAX_TEXT_LENGTH) })
export type TextCheckRequest = z.infer<typeof TextCheckRequest>

/**
 * `supported`: a passage says the same. `contradicted`: a passage says of the same thing another number, date or name, or denies it.
 * `not_found`: neither is certain.
 */
export const TextVerdict = z.enum(['supported', 'contradicted', 'not_found'])
export type TextVerdict = z.infer<typeof TextVerdict>

/** A passage that says so: `text` is the sentence or the row of a table, verbatim. */
export const TextEvidence = z.object({
  text: z.string(),
  type: ChunkType,
  chunk_id: z.string(),
  document_id: z.string(),
  document_title: z.string(),
  page: z.int().nullable(),
  source_url: z.string().nullable(),
})
export type TextEvidence = z.infer<typeof TextEvidence>

/** A sentence of the text; `start` and `end` are offsets into the text that was sent, in UTF-16 units. */
export const CheckedSentence = z.object({
  text: z.string(),
  start: z.int(),
  end: z.int(),
  verdict: TextVerdict,
  passages: z.array(TextEvidence),
})
export type CheckedSentence = z.infer<typeof CheckedSentence>

/** The sentences in their order. Headings, questions and greetings state nothing and are left out. */
export const TextCheck = z.object({
  data: z.array(CheckedSentence),
  supported: z.int(),
  contradicted: z.int(),
  not_found: z.int(),
})
export type TextCheck = z.infer<typeof TextCheck>

export const checks = {
  checkText: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/check',
    summary: 'Check each sentence of a text against the documents; each fifty sentences count as a question',
    ability: 'read',
    params: workspace,
    body: TextCheckRequest,
    status: 200,
    output: TextCheck,
    errors: [404, 422, 429],
    extension: true,
  },
} as const satisfies Record<string, Endpoint>
