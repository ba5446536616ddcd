// Moving a workspace (extensions): the export as an archive, and the import of an archive.

import { z } from 'zod'
import { type Endpoint, workspace } from './endpoint.ts'
import { instant, page, text, uuid } from './fields.ts'
import { Workspace } from './resources.ts'

/**
 * The import of an archive. A worker checks the archive and writes its rows. The workspace is invisible until the import is `done`.
 * `progress`: 0 to 1. `error`: why the import failed, with the line of the archive. `workspace` and `job_id` are set when it is done.
 * The job then reads the originals again, and until it has ended, the documents have no text. The counts are those of the archive, 0
 * until it is checked. `notes`: what was left out, and why.
 */
export const WorkspaceImport = z.object({
  id: uuid,
  status: z.enum(['receiving', 'queued', 'checking', 'writing', 'done', 'failed', 'cancelled']),
  progress: z.number(),
  error: z
    .object({
      type: z.enum(['archive_invalid', 'id_taken', 'file_too_large', 'forbidden', 'internal_error']),
      message: z.string(),
    })
    .nullable(),
  created_at: instant,
  finished_at: instant.nullable(),
  workspace: Workspace.nullable(),
  job_id: z.string().nullable(),
  documents: z.int(),
  originals: z.int(),
  conversations: z.int(),
  graph_corrections: z.int(),
  sources: z.int(),
  notes: z.array(z.string()),
})
export type WorkspaceImport = z.infer<typeof WorkspaceImport>

export const WorkspaceImportPage = page(WorkspaceImport)

/** `keep`: the ids of the archive. `new`: new ids, so that the workspace is a copy even if the original is on this service. */
export const ImportIds = z.enum(['keep', 'new'])
export type ImportIds = z.infer<typeof ImportIds>

const importParams = z.object({ import_id: uuid })

export const archives = {
  exportWorkspace: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/export',
    summary: 'Download a workspace as one archive with everything needed to import it again; for its owners',
    ability: 'read',
    params: workspace,
    status: 200,
    bytes: 'application/zip',
    errors: [403, 404, 416, 422],
    extension: true,
  },
  importWorkspace: {
    method: 'POST',
    path: '/workspaces/import',
    summary: 'Make a workspace from an archive, as a task that can be polled; the caller becomes its owner',
    ability: 'write',
    query: z.object({ ids: ImportIds.default('keep'), name: text(1, 200, { trim: true }).optional() }),
    archive: 'application/zip',
    status: 202,
    output: WorkspaceImport,
    errors: [403, 413, 422, 429],
    extension: true,
  },
  listImports: {
    method: 'GET',
    path: '/imports',
    summary: "List the caller's imports of the last 30 days, newest first, at most 50",
    ability: 'read',
    status: 200,
    output: WorkspaceImportPage,
    errors: [],
    extension: true,
  },
  getImport: {
    method: 'GET',
    path: '/imports/{import_id}',
    summary: 'Read the state of an import, for whoever imports',
    ability: 'read',
    params: importParams,
    status: 200,
    output: WorkspaceImport,
    errors: [404, 422],
    extension: true,
  },
  cancelImport: {
    method: 'DELETE',
    path: '/imports/{import_id}',
    summary: 'Cancel an import: nothing of it stays; one that has ended does not change',
    ability: 'write',
    params: importParams,
    status: 204,
    errors: [403, 404, 422],
    extension: true,
  },
} as const satisfies Record<string, Endpoint>
