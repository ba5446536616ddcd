// Whole passages, best first, to answer from and to quote.

import { z } from 'zod'
import { principal } from '../../auth/caller.ts'
import { decodeCursor, encodeCursor } from '../../auth/cursor.ts'
import { text } from '../../contract/fields.ts'
import { countFitting, cutText } from '../budget.ts'
import { cursor, label, next_cursor, note, query, workspace } from '../fields.ts'
import { folderOf, kindOf } from '../filters.ts'
import { MAX_PASSAGES, type PassageMatch, searchWorkspaces } from '../search-workspaces.ts'
import { defineTool, READS } from '../tool.ts'

const PASSAGE_TOKENS = 3000
// Seven whole passages take about a thousand tokens. The next page has the others.
const DEFAULT_LIMIT = 7

export const searchPassagesTool = defineTool({
  name: 'search_passages',
  title: 'Search passages',
  description:
    'Find whole passages to answer from or quote, best first. Cite with url. A passage without title is of the document above.',
  ability: 'read',
  hints: READS,
  input: z.object({
    query,
    workspace,
    scope: text(1, 1000).optional(),
    kind: text(1, 20).optional().describe('pdf, docx …'),
    folder: text(1, 1000).optional(),
    since: z.iso.date().optional().describe('Day of upload'),
    until: z.iso.date().optional(),
    limit: z.int().min(1).max(MAX_PASSAGES).default(DEFAULT_LIMIT),
    cursor,
  }),
  output: z.object({
    passages: z.array(
      z.object({
        title: z.string().optional(),
        page: z.int().optional(),
        text: z.string(),
        url: z.string(),
        workspace: label,
      }),
    ),
    next_cursor,
    note,
  }),
  run: async (session, { query, workspace, limit, cursor, kind, folder, ...others }) => {
    const { cursorKey } = session.deps
    const filter = { ...others, kind: kindOf(kind), folder: folderOf(folder) }
    const { scope = '', since = '', until = '' } = filter
    const filters = [scope, filter.kind ?? '', filter.folder ?? '', since, until]
    const binding = ['mcp passages', principal(session.caller), query, workspace ?? '', ...filters]
    const skip = cursor === undefined ? 0 : decodeCursor<number>(cursorKey, binding, cursor)
    const result = await searchWorkspaces(session, { query, workspace, ...filter })
    const firstPassages = result.passages.slice(skip, skip + limit).map(toOutput)
    const passages = firstPassages.slice(0, countFitting(firstPassages))
    const next = skip + passages.length
    return {
      passages,
      ...(passages.length && next < result.passages.length
        ? { next_cursor: encodeCursor(cursorKey, binding, next) }
        : {}),
      ...(result.note === undefined ? {} : { note: result.note }),
    }
  },
})

/** The title and the workspace stand with the first of consecutive passages of one document. */
function toOutput(
  { document, title, page, text, url, label }: PassageMatch,
  at: number,
  passages: readonly PassageMatch[],
) {
  const isOfDocumentAbove = passages[at - 1]?.document === document
  return {
    ...(isOfDocumentAbove ? {} : { title: cutText(title, 200) }),
    ...(page === undefined ? {} : { page }),
    text: cutText(text, PASSAGE_TOKENS),
    url,
    ...(isOfDocumentAbove ? {} : label),
  }
}
