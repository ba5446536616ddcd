// Deletes a document for everybody.

import { z } from 'zod'
import { text } from '../../contract/fields.ts'
import { readPassages } from '../../documents/documents.ts'
import { deleteDocument } from '../../ingest/remove.ts'
import { workspace } from '../fields.ts'
import { DESTROYS, defineTool } from '../tool.ts'
import { objectNamed } from '../workspaces.ts'

export const deleteDocumentTool = defineTool({
  name: 'delete_document',
  title: 'Delete document',
  description: 'Delete a document for everybody, only if the user asked for it.',
  ability: 'write',
  hints: DESTROYS,
  input: z.object({ document: text(1, 100).describe('Its id'), workspace }),
  output: z.object({ document: z.string(), title: z.string(), workspace: z.string() }),
  run: async ({ depsOf, caller, deps }, { document, workspace: idOrName }) => {
    const { workspace, id } = await objectNamed(deps, caller, { kind: 'document', id: document, idOrName })
    const ownDeps = { ...depsOf(workspace.id), use: undefined }
    const { title } = await readPassages(
      ownDeps,
      caller,
      { workspaceId: workspace.id, documentId: id },
      { start: 0, maxChars: 1 },
    )
    await deleteDocument(ownDeps, caller, { workspaceId: workspace.id, documentId: id })
    return { document, title, workspace: workspace.name }
  },
})
