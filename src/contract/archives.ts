// Moving a workspace (extensions): as an archive out of a service, and into one.

import { z } from 'zod'
import { type Endpoint, workspace } from './endpoint.ts'
import { text } from './fields.ts'
import { Workspace } from './resources.ts'

/** `job_id`: reads the originals again; until it is done, the documents are there without their text. */
export const WorkspaceImport = z.object({
  workspace: Workspace,
  job_id: z.string(),
  documents: z.int(),
  originals: z.int(),
  conversations: z.int(),
  graph_corrections: z.int(),
  sources: z.int(),
})
export type WorkspaceImport = z.infer<typeof WorkspaceImport>

/** `new`: a copy, whatever is on this service already. */
export const ImportIds = z.enum(['keep', 'new'])
export type ImportIds = z.infer<typeof ImportIds>

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
    summary: 'Make a workspace from an archive; the caller becomes its owner',
    ability: 'write',
    query: z.object({ ids: ImportIds.default('keep'), name: text(1, 200, { trim: true }).optional() }),
    archive: 'application/zip',
    status: 201,
    output: WorkspaceImport,
    errors: [403, 413, 422],
    extension: true,
  },
} as const satisfies Record<string, Endpoint>
