// Questions, uploads and storage (extensions).

import { z } from 'zod'
import { document, type Endpoint, workspace } from './endpoint.ts'
import { uuid } from './fields.ts'

/** A day (`2026-11-23`) or month (`2026-11`) of UTC. Questions count when they are asked, files when they are uploaded. */
export const Period = z.object({ period: z.string(), questions: z.int(), files: z.int() })
export type Period = z.infer<typeof Period>

/**
 * Tokens of the language model, as far as its server reports them: `model_tokens` for extracting the graph, `question_tokens` for
 * answering questions. Both are 0 without a model.
 */
export const UsageTotals = z.object({
  documents: z.int(),
  storage_bytes: z.int(),
  model_tokens: z.int(),
  question_tokens: z.int(),
})
export type UsageTotals = z.infer<typeof UsageTotals>

/** The last 30 days and 12 months, the current ones included. */
export const Usage = UsageTotals.extend({ days: z.array(Period), months: z.array(Period) })
export type Usage = z.infer<typeof Usage>

/**
 * How often a document is a result of a search, cited by an answer and opened, by day; and who opened it in the last 90 days.
 * Opening it again within half an hour counts once.
 */
export const DocumentUse = z.object({
  days: z.array(z.object({ period: z.string(), found: z.int(), cited: z.int(), opened: z.int() })),
  readers: z.array(z.object({ user_id: uuid, email: z.string(), opened: z.int(), last: z.string() })),
})
export type DocumentUse = z.infer<typeof DocumentUse>

/** The usage of all workspaces together, for administrators (`GET /account/usage`). */
export interface InstallationUsage extends Usage {
  accounts: number
  workspaces: number
}

export const usage = {
  getUsage: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/usage',
    summary: 'Questions, files, storage and model tokens of a workspace, by day and month; for its owners',
    ability: 'read',
    params: workspace,
    status: 200,
    output: Usage,
    errors: [403, 404, 422],
    extension: true,
  },
  getDocumentUse: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/documents/{document_id}/use',
    summary: 'How often a document is found, cited and opened by day, and who opened it; for owners',
    ability: 'read',
    params: document,
    status: 200,
    output: DocumentUse,
    errors: [403, 404, 422],
    extension: true,
  },
} as const satisfies Record<string, Endpoint>
