// The documents by title.

import { z } from 'zod'
import { text } from '../../contract/fields.ts'
import { listDocuments } from '../../documents/documents.ts'
import { cutText } from '../budget.ts'
import { cursor, next_cursor, workspace } from '../fields.ts'
import { documentUrl } from '../links.ts'
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
    documents: z.array(
      z.object({ document: z.string(), title: z.string(), url: z.string(), workspace: z.string() }),
    ),
    next_cursor,
  }),
  run: async (session, { title, workspace, cursor }) => {
    const { deps, caller, depsOf: within } = session
    const { workspaces: places } = await workspacesFor(deps, caller, workspace, MAX_WORKSPACES)
    const { items, next_cursor } = await listByWorkspace(
      session,
      places,
      { limit: PAGE_SIZE, cursor },
      async (place, page) => {
        const { data, ...next } = await listDocuments(within(place.id), caller, place.id, {
          ...page,
          q: title,
        })
        const documents = data.map(({ id, title }) => ({
          document: id,
          title: cutText(title, 200),
          url: documentUrl(deps.settings, place.id, { document_id: id }),
          workspace: place.name,
        }))
        return { data: documents, ...next }
      },
    )
    return { documents: items, ...(next_cursor === undefined ? {} : { next_cursor }) }
  },
})
