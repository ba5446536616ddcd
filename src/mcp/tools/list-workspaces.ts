// The workspaces that the caller can read.

import { z } from 'zod'
import { listWorkspaces } from '../../workspaces/workspaces.ts'
import { countFitting, cutText } from '../budget.ts'
import { cursor, next_cursor } from '../fields.ts'
import { shortId } from '../ids.ts'
import { workspaceUrl } from '../links.ts'
import { defineTool, READS } from '../tool.ts'

const PAGE_SIZE = 40
const MIN_PAGE_SIZE = 5

export const listWorkspacesTool = defineTool({
  name: 'list_workspaces',
  title: 'List workspaces',
  description: 'List the workspaces you can read. No other tool requires one.',
  ability: 'read',
  hints: READS,
  input: z.object({ cursor }),
  output: z.object({
    workspaces: z.array(
      z.object({
        workspace: z.string(),
        name: z.string(),
        description: z.string(),
        documents: z.int(),
        url: z.string(),
      }),
    ),
    next_cursor,
  }),
  run: async ({ deps, caller }, { cursor }) => {
    for (let limit = PAGE_SIZE; ; limit = Math.ceil(limit / 2)) {
      const page = await listWorkspaces(deps, caller, { limit, cursor })
      const workspaces = page.data.map(({ id, name, description, document_count: documents }) => ({
        workspace: shortId(id),
        name,
        description: cutText(description, limit > MIN_PAGE_SIZE ? 100 : 50),
        documents,
        url: workspaceUrl(deps.settings, id),
      }))
      if (countFitting(workspaces) < workspaces.length && limit > MIN_PAGE_SIZE) continue
      return { workspaces, ...(page.next_cursor === null ? {} : { next_cursor: page.next_cursor }) }
    }
  },
})
