// Search in the shape that ChatGPT requires: ids that `fetch` takes.

import { z } from 'zod'
import { query, workspace } from '../fields.ts'
import { searchWorkspaces } from '../search-workspaces.ts'
import { snippet } from '../snippet.ts'
import { defineTool, READS } from '../tool.ts'

const MAX_RESULTS = 10

export const searchTool = defineTool({
  name: 'search',
  title: 'Search',
  description: 'Search the documents. Returns snippets; pass an id to fetch for the whole text.',
  ability: 'read',
  hints: READS,
  input: z.object({ query, workspace }),
  output: z.object({
    results: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        url: z.string(),
        text: z.string(),
        workspace: z.string(),
      }),
    ),
  }),
  run: async (session, { query, workspace }) => {
    const { passages } = await searchWorkspaces(session, { query, workspace, limit: MAX_RESULTS })
    return {
      results: passages.map(({ document, chunk, title, url, text, workspace }) => ({
        id: `${document}#${chunk}`,
        title,
        url,
        text: snippet(text, query),
        workspace,
      })),
    }
  },
})
