// Search in the shape that ChatGPT requires: ids that `fetch` takes.

import { z } from 'zod'
import { label, note, query, workspace } from '../fields.ts'
import { passageId } from '../ids.ts'
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
      z.object({ id: z.string(), title: z.string(), url: z.string(), text: z.string(), workspace: label }),
    ),
    note,
  }),
  run: async (session, { query, workspace }) => {
    const { passages, note } = await searchWorkspaces(session, { query, workspace })
    return {
      results: passages.slice(0, MAX_RESULTS).map(({ document, chunk, title, url, text, label }) => ({
        id: passageId(document, chunk),
        title,
        url,
        text: snippet(text, query),
        ...label,
      })),
      ...(note === undefined ? {} : { note }),
    }
  },
})
