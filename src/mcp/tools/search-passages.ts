// Whole passages, best first, to answer from and to quote.

import { z } from 'zod'
import { principal } from '../../auth/caller.ts'
import { decodeCursor, encodeCursor } from '../../auth/cursor.ts'
import { countFitting, cutText } from '../budget.ts'
import { cursor, next_cursor, note, query, workspace } from '../fields.ts'
import { searchWorkspaces } from '../search-workspaces.ts'
import { defineTool, READS } from '../tool.ts'

const MAX_RESULTS = 20
const PASSAGE_TOKENS = 3000

export const searchPassagesTool = defineTool({
  name: 'search_passages',
  title: 'Search passages',
  description: 'Find whole passages to answer from or quote, best first. Cite with url.',
  ability: 'read',
  hints: READS,
  input: z.object({ query, workspace, limit: z.int().min(1).max(MAX_RESULTS).default(10), cursor }),
  output: z.object({
    passages: z.array(
      z.object({
        document: z.string(),
        title: z.string(),
        page: z.int().optional(),
        text: z.string(),
        url: z.string(),
        workspace: z.string(),
      }),
    ),
    next_cursor,
    note,
  }),
  run: async (session, { query, workspace, limit, cursor }) => {
    const { cursorKey } = session.deps
    const binding = ['mcp passages', principal(session.caller), query, workspace ?? '']
    const skip = cursor === undefined ? 0 : decodeCursor<number>(cursorKey, binding, cursor)
    const endOfPage = Math.min(MAX_RESULTS, skip + limit)
    // One more result shows whether there is another page.
    const result = await searchWorkspaces(session, {
      query,
      workspace,
      limit: Math.min(MAX_RESULTS, endOfPage + 1),
    })
    const firstPassages = result.passages
      .slice(skip, endOfPage)
      .map(({ document, title, page, text, url, workspace }) => ({
        document,
        title: cutText(title, 200),
        ...(page === undefined ? {} : { page }),
        text: cutText(text, PASSAGE_TOKENS),
        url,
        workspace,
      }))
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
