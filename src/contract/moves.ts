// Moving documents to other folders. A document keeps its id there.

import { z } from 'zod'
import { type Endpoint, workspace } from './endpoint.ts'
import { text, uuid } from './fields.ts'
import { MAX_MOVED_DOCUMENTS, MAX_MOVED_SCOPES } from './limits.ts'

/** A document that was moved: `path` is where it is now, `previous_path` where it was. They are equal if it was there already. */
export const MovedDocument = z.object({
  id: uuid,
  title: z.string(),
  path: z.string(),
  previous_path: z.string(),
})
export type MovedDocument = z.infer<typeof MovedDocument>

export const MovedDocuments = z.object({ data: z.array(MovedDocument) })
export type MovedDocuments = z.infer<typeof MovedDocuments>

/** A scope that follows a folder: `folders` are those that it names now, `previous_folders` those that it named before. */
export const MovedScope = z.object({
  name: text(1, 200),
  // Longer than others, because the scope may name a folder that does not exist, below the one that was moved.
  folders: z.array(text(1, 1001)).max(100),
  previous_folders: z.array(text(1, 1001)).max(100),
})
export type MovedScope = z.infer<typeof MovedScope>

/** `scopes`: those that named the folder, or one below it, and whose change can be undone. */
export const MovedFolder = MovedDocuments.extend({ scopes: z.array(MovedScope) })
export type MovedFolder = z.infer<typeof MovedFolder>

/** A folder as a relative path, with or without a slash at its end. Empty: the root. */
const destination = text(0, 500)

export const moves = {
  moveDocuments: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/documents/move',
    summary: 'Move documents to a folder, all of them or none; they keep their ids, versions and links',
    ability: 'write',
    params: workspace,
    body: z.object({
      document_ids: z.array(uuid).min(1).max(MAX_MOVED_DOCUMENTS),
      folder: destination,
      // In documents of this folder the path below it is kept. Without it only the name of the file is.
      below: destination.optional(),
      // As the move of a folder returned them. Those whose folders are still the same name their previous ones again.
      scopes: z.array(MovedScope).max(MAX_MOVED_SCOPES).optional(),
    }),
    status: 200,
    output: MovedDocuments,
    errors: [403, 404, 422],
    extension: true,
  },
  moveFolder: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/folders/move',
    summary: 'Move or rename a folder with all folders below it, whose documents keep their ids',
    ability: 'write',
    params: workspace,
    body: z.object({ folder: text(1, 500), to: destination }),
    status: 200,
    output: MovedFolder,
    errors: [403, 404, 422],
    extension: true,
  },
} as const satisfies Record<string, Endpoint>

export type DocumentMove = z.infer<typeof moves.moveDocuments.body>
