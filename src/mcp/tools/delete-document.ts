// Deletes a document for everybody. It takes the title too, because first digits of an id can be those of another document, and
// that one may have been made for it (ids.ts).

import { z } from 'zod'
import { text } from '../../contract/fields.ts'
import { readPassages } from '../../documents/documents.ts'
import { ApiError } from '../../errors.ts'
import { deleteDocument } from '../../ingest/remove.ts'
import { fold } from '../../language/words.ts'
import { workspace } from '../fields.ts'
import { DESTROYS, defineTool } from '../tool.ts'
import { objectNamed } from '../workspaces.ts'

export const deleteDocumentTool = defineTool({
  name: 'delete_document',
  title: 'Delete document',
  description: 'Delete a document for everybody, only if the user asked for it.',
  ability: 'write',
  hints: DESTROYS,
  input: z.object({
    document: text(1, 100).describe('Its id'),
    title: text(1, 1000).describe('Its title'),
    workspace,
  }),
  output: z.object({ document: z.string(), title: z.string(), workspace: z.string() }),
  run: async ({ depsOf, caller, deps }, { document, title: givenTitle, workspace: idOrName }) => {
    const { workspace, id } = await objectNamed(deps, caller, { kind: 'document', id: document, idOrName })
    const ownDeps = { ...depsOf(workspace.id), use: undefined }
    const { title } = await readPassages(
      ownDeps,
      caller,
      { workspaceId: workspace.id, documentId: id },
      { start: 0, maxChars: 1 },
    )
    // The whole title is told, since results cut long ones.
    if (fold(givenTitle.trim()) !== fold(title.trim()))
      throw new ApiError(
        422,
        'invalid_request',
        `Nothing was deleted: that document is called "${title}". Ask the user whether they mean it, and give this title.`,
      )
    await deleteDocument(ownDeps, caller, { workspaceId: workspace.id, documentId: id })
    return { document, title, workspace: workspace.name }
  },
})
