// The documents by title.

import { z } from 'zod'
import { text } from '../../contract/fields.ts'
import { listDocuments } from '../../documents/documents.ts'
import { cutText } from '../budget.ts'
import { cursor, label, next_cursor, workspace } from '../fields.ts'
import { shortId } from '../ids.ts'
import { listByWorkspace } from '../paging.ts'
import { defineTool, READS } from '../tool.ts'
import { MAX_WORKSPACES, workspacesFor } from '../workspaces.ts'

const PAGE_SIZE = 40

export const listDocumentsTool = defineTool({
  name: 'list_documents',
  title: 'List documents',
  description: 'List documents by title.',
  ability: 'read',
  hints: READS,
  input: z.object({ title: text(1, 500).optional().describe('Part of it'), workspace, cursor }),
  output: z.object({
    documents: z.array(z.object({ document: z.string(), title: z.string(), workspace: label })),
    next_cursor,
  }),
  run: async (session, { title, workspace: idOrName, cursor }) => {
    const { deps, caller, depsOf } = session
    const { workspaces } = await workspacesFor(deps, caller, idOrName, MAX_WORKSPACES)
    const { items, next_cursor } = await listByWorkspace(
      session,
      workspaces,
      { limit: PAGE_SIZE, cursor },
      async (workspace, page) => {
        const { data, ...next } = await listDocuments(depsOf(workspace.id), caller, workspace.id, {
          ...page,
          q: title,
        })
        const documents = data.map(({ id, title }) => ({
          document: shortId(id),
          title: cutText(title, 200),
          ...workspace.label,
        }))
        return { data: documents, ...next }
      },
    )
    return { documents: items, ...(next_cursor === undefined ? {} : { next_cursor }) }
  },
})
