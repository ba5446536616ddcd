// The trash: what was deleted in the console can be restored for 30 days.

import { z } from 'zod'
import { cursor, type Endpoint, limit, workspace } from './endpoint.ts'
import { instant, page, uuid } from './fields.ts'
import { MAX_TRASH_DOCUMENTS } from './limits.ts'
import { Job, Workspace } from './resources.ts'

/**
 * A document in the trash. `id` is its id there, `document_id` the one that it gets back unless another document has that by
 * then. `bytes` is null if unknown, `trashed_by` an account.
 */
export const TrashedDocument = z.object({
  id: uuid,
  document_id: uuid,
  title: z.string(),
  filename: z.string(),
  kind: z.string(),
  bytes: z.int().nullable(),
  trashed_by: uuid,
  trashed_at: instant,
  expires_at: instant,
})
export type TrashedDocument = z.infer<typeof TrashedDocument>

export const TrashedDocuments = z.object({ data: z.array(TrashedDocument) })
export type TrashedDocuments = z.infer<typeof TrashedDocuments>

export const TrashedDocumentPage = page(TrashedDocument)

/** A workspace in the trash, which only its owners see. */
export const TrashedWorkspace = z.object({
  id: uuid,
  name: z.string(),
  document_count: z.int(),
  trashed_at: instant,
  expires_at: instant,
})
export type TrashedWorkspace = z.infer<typeof TrashedWorkspace>

export const TrashedWorkspaces = z.object({ data: z.array(TrashedWorkspace) })
export type TrashedWorkspaces = z.infer<typeof TrashedWorkspaces>

export const trash = {
  trashDocuments: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/documents/trash',
    summary: 'Move documents to the trash: nothing finds them, and for 30 days they can be restored',
    ability: 'write',
    params: workspace,
    body: z.object({ document_ids: z.array(uuid).min(1).max(MAX_TRASH_DOCUMENTS) }),
    status: 200,
    output: TrashedDocuments,
    errors: [403, 404, 422],
    extension: true,
  },
  listTrash: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/trash',
    summary: 'List the documents in the trash of a workspace, the latest first',
    ability: 'write',
    params: workspace,
    query: z.object({ limit, cursor }),
    status: 200,
    output: TrashedDocumentPage,
    errors: [403, 404, 422],
    extension: true,
  },
  restoreDocuments: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/trash/restore',
    summary:
      'Restore documents from the trash: they are listed at once, and found when their files are read again',
    ability: 'write',
    params: workspace,
    body: z.object({ trash_ids: z.array(uuid).min(1).max(MAX_TRASH_DOCUMENTS) }),
    status: 202,
    output: Job,
    errors: [403, 404, 422],
    extension: true,
  },
  deleteTrashed: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/trash/{trash_id}',
    summary: 'Delete a document in the trash for good',
    ability: 'write',
    params: workspace.extend({ trash_id: uuid }),
    status: 204,
    errors: [403, 404, 422],
    extension: true,
  },
  trashWorkspace: {
    method: 'PUT',
    path: '/trash/{workspace_id}',
    summary:
      'Move a workspace to the trash: it is inaccessible to everyone, and for 30 days its owners can restore it',
    ability: 'write',
    params: workspace,
    status: 204,
    errors: [403, 404, 422],
    extension: true,
  },
  listTrashedWorkspaces: {
    method: 'GET',
    path: '/trash',
    summary: 'List the workspaces in the trash that the caller owned, the latest first, at most 200',
    ability: 'write',
    status: 200,
    output: TrashedWorkspaces,
    errors: [403],
    extension: true,
  },
  restoreWorkspace: {
    method: 'POST',
    path: '/trash/{workspace_id}/restore',
    summary: 'Restore a workspace from the trash with its members',
    ability: 'write',
    params: workspace,
    status: 200,
    output: Workspace,
    errors: [403, 404, 422],
    extension: true,
  },
  deleteTrashedWorkspace: {
    method: 'DELETE',
    path: '/trash/{workspace_id}',
    summary: 'Delete a workspace in the trash for good',
    ability: 'write',
    params: workspace,
    status: 204,
    errors: [403, 404, 422],
    extension: true,
  },
} as const satisfies Record<string, Endpoint>
