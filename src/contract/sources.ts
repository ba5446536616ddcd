// Sources that the service keeps a workspace in step with (extensions).

import { z } from 'zod'
import { cursor, type Endpoint, limit, workspace } from './endpoint.ts'
import { instant, page, text, uuid } from './fields.ts'

/** `web`: pages and sitemaps; `git`: a repository; `folder` and `remote` (of rclone): those that the operator named. */
export const SourceKind = z.enum(['web', 'git', 'folder', 'remote'])
export type SourceKind = z.infer<typeof SourceKind>

/** A password or token, with the name that it belongs to. It is never shown again. */
export const SourceCredentials = z.object({
  username: text(0, 200).default(''),
  secret: text(1, 4000, { trim: true }),
})
export type SourceCredentials = z.infer<typeof SourceCredentials>

const patterns = z.array(text(1, 200, { trim: true })).max(50)
// Null: the source is synchronised only when a person requests it.
const intervalMinutes = z.int().min(5).max(43_200).nullable()
const name = text(1, 120, { trim: true })

export const SourceCreate = z.object({
  kind: SourceKind,
  addresses: z
    .array(text(1, 2000, { trim: true }))
    .min(1)
    .max(200),
  name: name.optional(),
  branch: text(1, 200, { trim: true }).nullable().optional(),
  into: text(0, 300, { trim: true }).default(''),
  include: patterns.default([]),
  exclude: patterns.default([]),
  every_minutes: intervalMinutes.default(60),
  credentials: SourceCredentials.nullable().optional(),
})
export type SourceCreate = z.infer<typeof SourceCreate>

export const SourceUpdate = z.object({
  name: name.optional(),
  include: patterns.optional(),
  exclude: patterns.optional(),
  every_minutes: intervalMinutes.optional(),
  paused: z.boolean().optional(),
  credentials: SourceCredentials.nullable().optional(),
})
export type SourceUpdate = z.infer<typeof SourceUpdate>

/** The result of the last run that has ended. */
export const SourceCounts = z.object({
  files: z.int(),
  unchanged: z.int(),
  created: z.int(),
  replaced: z.int(),
  moved: z.int(),
  deleted: z.int(),
  refused: z.int(),
})
export type SourceCounts = z.infer<typeof SourceCounts>

/** `documents`: how many documents of the workspace come from the source. `error`: why the last run failed, null if it did not. */
export const Source = z.object({
  id: uuid,
  name: z.string(),
  kind: SourceKind,
  addresses: z.array(z.string()),
  branch: z.string().nullable(),
  into: z.string(),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  every_minutes: z.int().nullable(),
  paused: z.boolean(),
  has_credentials: z.boolean(),
  state: z.enum(['waiting', 'queued', 'running', 'paused', 'failed', 'removing']),
  created_at: instant,
  last_run_at: instant.nullable(),
  last_success_at: instant.nullable(),
  next_run_at: instant.nullable(),
  error: z.string().nullable(),
  documents: z.int(),
  counts: SourceCounts.nullable(),
})
export type Source = z.infer<typeof Source>
export const SourcePage = page(Source)

/** A source with the files that could not be read, at most a hundred, and the reasons. */
export const SourceDetails = Source.extend({
  refused: z.array(z.object({ path: z.string(), reason: z.string() })),
})
export type SourceDetails = z.infer<typeof SourceDetails>

/** `allow_empty`: if the source is empty, its documents are deleted. Otherwise that is an error. `retry`: refused files are sent again. */
export const SourceRun = z.object({
  allow_empty: z.boolean().default(false),
  retry: z.boolean().default(false),
})
export type SourceRun = z.infer<typeof SourceRun>

/** The folders and remotes of the operator. A source may be any of them, or a folder below one. */
export const SourcePlaces = z.object({ folders: z.array(z.string()), remotes: z.array(z.string()) })
export type SourcePlaces = z.infer<typeof SourcePlaces>

const source = workspace.extend({ source_id: uuid })

export const sources = {
  listSources: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/sources',
    summary: 'List the sources that a workspace is kept in step with; for its owners and editors',
    ability: 'read',
    params: workspace,
    query: z.object({ limit, cursor }),
    status: 200,
    output: SourcePage,
    errors: [403, 404, 422],
    extension: true,
  },
  createSource: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/sources',
    summary:
      'Keep a workspace in step with web pages, a repository, or a place that the operator named; for its owners',
    ability: 'write',
    params: workspace,
    body: SourceCreate,
    status: 201,
    output: Source,
    errors: [403, 404, 422],
    extension: true,
  },
  getSource: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/sources/{source_id}',
    summary: 'Read the state of a source, with the files that could not be read; for owners and editors',
    ability: 'read',
    params: source,
    status: 200,
    output: SourceDetails,
    errors: [403, 404, 422],
    extension: true,
  },
  updateSource: {
    method: 'PATCH',
    path: '/workspaces/{workspace_id}/sources/{source_id}',
    summary: 'Change a source, or pause it and go on; from then on it runs in the name of the owner who did',
    ability: 'write',
    params: source,
    body: SourceUpdate,
    status: 200,
    output: Source,
    errors: [403, 404, 422],
    extension: true,
  },
  deleteSource: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/sources/{source_id}',
    summary: 'Remove a source; its documents are kept, or deleted unless somebody has changed them',
    ability: 'write',
    params: source,
    query: z.object({ documents: z.enum(['keep', 'delete']).default('keep') }),
    status: 204,
    errors: [403, 404, 422],
    extension: true,
  },
  runSource: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/sources/{source_id}/run',
    summary: 'Run a source now; one that runs already goes on',
    ability: 'write',
    params: source,
    body: SourceRun,
    status: 202,
    output: Source,
    errors: [403, 404, 422],
    extension: true,
  },
  getSourcePlaces: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/source-places',
    summary: 'List the folders and remotes that the operator allows as sources; for owners',
    ability: 'read',
    params: workspace,
    status: 200,
    output: SourcePlaces,
    errors: [403, 404, 422],
    extension: true,
  },
} as const satisfies Record<string, Endpoint>
