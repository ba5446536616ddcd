// Descriptions and examples of ../usage.ts.

import type * as module from '../usage.ts'
import { EDITOR_EMAIL, ID } from './library.ts'
import type { OperationTexts, SchemaTexts } from './texts.ts'

const day = { period: '2026-11-25', questions: 12, files: 0 }
const month = { period: '2026-11', questions: 31, files: 15 }
const totals = { documents: 15, storage_bytes: 1_309_010, model_tokens: 41_200, question_tokens: 18_450 }

export const schemas: SchemaTexts<typeof module> = {
  Period: {
    description:
      'What was done on a day (`2026-11-25`) or in a month (`2026-11`) of UTC. Questions count when they are asked, files when they are uploaded.',
    example: day,
  },
  UsageTotals: {
    description:
      'What a workspace has and used. Tokens of the language model, as far as its server reports them: `model_tokens` for the knowledge graph, `question_tokens` for answers. Both are 0 without a model.',
    example: totals,
  },
  Usage: {
    description:
      'The totals, and each of the last 30 days and 12 months, oldest first, the current ones included.',
    example: { ...totals, days: [{ period: '2026-11-24', questions: 4, files: 15 }, day], months: [month] },
  },
  DocumentUse: {
    description:
      'How often a document was a result of a search, cited by an answer, and opened, by day, and who opened it in the last 90 days. Opening it again within half an hour counts once.',
    example: {
      days: [{ period: '2026-11-25', found: 8, cited: 3, opened: 2 }],
      readers: [{ user_id: ID.editor, email: EDITOR_EMAIL, opened: 2, last: '2026-11-25' }],
    },
  },
}

export const operations: OperationTexts<typeof module.usage> = {
  getUsage: {
    does: 'Returns questions, files, storage and tokens of the language model of a workspace, by day and month.',
    callers: 'readingOwner',
  },
  getDocumentUse: {
    does: 'Returns how often a document is found, cited and opened, by day, and who opened it.',
    callers: 'readingOwner',
    missing: 'the workspace or the document',
  },
}
