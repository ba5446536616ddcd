// Descriptions and examples of ../trash.ts.

import type * as module from '../trash.ts'
import { ID, JOB_ID, LEASE_TITLE, onlyPage } from './library.ts'
import type { OperationTexts, SchemaTexts } from './texts.ts'

const document = {
  id: ID.trashed,
  document_id: ID.lease,
  title: LEASE_TITLE,
  filename: 'Contracts/lease-ropewalk-yard.pdf',
  kind: 'pdf',
  bytes: 59_722,
  trashed_by: ID.owner,
  trashed_at: '2026-11-28T16:28:13.183Z',
  expires_at: '2026-12-28T16:28:13.183Z',
}
const workspace = {
  id: ID.workspace,
  name: 'Tidewick Instruments',
  document_count: 15,
  trashed_at: '2026-11-28T16:30:00.000Z',
  expires_at: '2026-12-28T16:30:00.000Z',
}
const missing = 'the workspace in the trash, of which the caller was an owner,'

export const schemas: SchemaTexts<typeof module> = {
  TrashedDocument: {
    description:
      'A document in the trash. `id` is its id there; `document_id` is the one that it gets back, unless another document has that by then. `bytes` is null if unknown, `trashed_by` the id of an account.',
    example: document,
  },
  TrashedDocuments: {
    description: 'The documents that were moved to the trash.',
    example: { data: [document] },
  },
  TrashedDocumentPage: {
    description: 'A page of the documents in the trash.',
    example: onlyPage(document),
  },
  TrashedWorkspace: {
    description: 'A workspace in the trash, which only its owners see.',
    example: workspace,
  },
  TrashedWorkspaces: { description: 'The workspaces in the trash.', example: { data: [workspace] } },
}

export const operations: OperationTexts<typeof module.trash> = {
  trashDocuments: {
    does: 'Moves up to 100 documents to the trash, and returns them. Nothing finds them there, and for 30 days they can be restored. Ids that do not exist are left out.',
    callers: 'editor',
    missing: 'the workspace, or every one of the documents,',
    body: { document_ids: [ID.lease] },
  },
  listTrash: {
    does: 'Lists the documents in the trash of a workspace, the latest first, in pages.',
    callers: 'editor',
  },
  restoreDocuments: {
    does: 'Restores documents from the trash, and returns a job. They are listed at once, and found when the job has read their files again. If another document has the path by now, the restored one comes beside it.',
    callers: 'editor',
    missing: 'the workspace, or every one of the documents in its trash,',
    body: { trash_ids: [ID.trashed] },
    output: {
      id: JOB_ID,
      status: 'queued',
      files: [{ filename: document.filename, status: 'queued' }],
    },
  },
  deleteTrashed: {
    does: 'Deletes a document in the trash for good. Nothing can bring it back.',
    callers: 'editor',
    missing: 'the workspace or the document in its trash',
  },
  trashWorkspace: {
    does: 'Moves a workspace to the trash. Nobody has access to it there, its jobs wait, and for 30 days its owners can restore it.',
    callers: 'owner',
  },
  listTrashedWorkspaces: {
    does: 'Lists the workspaces in the trash of which the caller was an owner, the latest first, at most 200.',
    callers: 'user',
  },
  restoreWorkspace: {
    does: 'Restores a workspace from the trash with its members, and returns it. Its jobs go on.',
    callers: 'owner',
    missing,
  },
  deleteTrashedWorkspace: {
    does: 'Deletes a workspace in the trash for good. Nothing can bring it back.',
    callers: 'owner',
    missing,
  },
}
