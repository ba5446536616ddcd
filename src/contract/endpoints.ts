// The API contract as a table of endpoints (spec, "Endpoints"). http/mount.ts serves it, openapi.ts describes it, and the matrix
// test is generated from it. An endpoint without a handler does not compile.

import { z } from 'zod'
import { archives } from './archives.ts'
import { checks } from './checks.ts'
import { conversations } from './conversations.ts'
import { cursor, document, type Endpoint, filter, job, limit, workspace } from './endpoint.ts'
import { evaluation } from './evaluation.ts'
import { extensions } from './extensions.ts'
import { uuid } from './fields.ts'
import { inspection } from './inspection.ts'
import { moves } from './moves.ts'
import { people } from './people.ts'
import * as r from './resources.ts'
import { sources } from './sources.ts'
import { trash } from './trash.ts'
import { usage } from './usage.ts'
import { webhooks } from './webhooks.ts'

export type { Endpoint } from './endpoint.ts'

export const specifiedEndpoints = {
  getMe: {
    method: 'GET',
    path: '/me',
    summary: 'Read who the caller is',
    ability: 'any',
    countsWorkspaces: true,
    status: 200,
    output: r.Me,
    errors: [],
  },
  listWorkspaces: {
    method: 'GET',
    path: '/workspaces',
    summary: 'List the workspaces that the caller can read',
    ability: 'read',
    query: z.object({ limit, cursor }),
    status: 200,
    output: r.WorkspacePage,
    errors: [422],
  },
  createWorkspace: {
    method: 'POST',
    path: '/workspaces',
    summary: 'Create a workspace; the caller becomes its owner',
    ability: 'write',
    body: r.WorkspaceCreate,
    status: 201,
    output: r.Workspace,
    errors: [403, 404, 422],
  },
  getWorkspace: {
    method: 'GET',
    path: '/workspaces/{workspace_id}',
    summary: 'Read a workspace',
    ability: 'read',
    params: workspace,
    status: 200,
    output: r.Workspace,
    errors: [404, 422],
  },
  updateWorkspace: {
    method: 'PATCH',
    path: '/workspaces/{workspace_id}',
    summary: 'Rename a workspace or change its description',
    ability: 'write',
    params: workspace,
    body: r.WorkspaceUpdate,
    status: 200,
    output: r.Workspace,
    errors: [403, 404, 422],
  },
  deleteWorkspace: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}',
    summary: 'Delete a workspace for everyone and stop its ingestion jobs',
    ability: 'write',
    params: workspace,
    status: 204,
    errors: [403, 404, 422],
  },
  listDocuments: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/documents',
    summary: 'List documents by title',
    ability: 'read',
    params: workspace,
    query: z.object({ q: filter(2000), limit, cursor }),
    status: 200,
    output: r.DocumentPage,
    errors: [404, 422],
  },
  readDocument: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/documents/{document_id}',
    summary: 'Read a document as chunks in reading order',
    ability: 'read',
    params: document,
    query: z.object({ max_chars: z.int().min(2000).max(60000).default(18000), cursor }),
    status: 200,
    output: r.DocumentContent,
    errors: [404, 422],
  },
  uploadFiles: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/files',
    summary: 'Upload up to 20 files; they are parsed and indexed in the background',
    ability: 'write',
    params: workspace,
    query: z.object({ on_conflict: r.OnConflict.optional() }),
    multipart: true,
    status: 202,
    output: r.Job,
    errors: [403, 404, 413, 422],
  },
  getJob: {
    method: 'GET',
    path: '/jobs/{job_id}',
    summary: 'Read the status of a job',
    ability: 'read',
    params: job,
    status: 200,
    output: r.Job,
    errors: [404, 422],
  },
  search: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/search',
    summary: 'Search for the most relevant chunks, best first',
    ability: 'read',
    params: workspace,
    body: r.SearchRequest,
    status: 200,
    output: r.SearchResults,
    errors: [404, 422],
  },
  listScopes: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/scopes',
    summary: 'List the scopes of a workspace: named subsets of its documents',
    ability: 'read',
    params: workspace,
    status: 200,
    output: r.ScopePage,
    errors: [404, 422],
  },
  ask: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/ask',
    summary: 'Ask a question; the answer cites its passages',
    ability: 'read',
    params: workspace,
    body: r.AskRequest,
    status: 200,
    output: r.Answer,
    events: 'optional',
    errors: [404, 422, 429],
  },
  listEntities: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/entities',
    summary: 'List entities, or find them by name or meaning',
    ability: 'read',
    params: workspace,
    query: z.object({
      q: filter(2000),
      type: filter(200),
      limit,
      cursor,
    }),
    status: 200,
    output: r.EntityPage,
    errors: [404, 422],
  },
  getEntity: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/entities/{entity_id}',
    summary: 'Read an entity and its relations',
    ability: 'read',
    params: workspace.extend({ entity_id: uuid }),
    query: z.object({ depth: z.int().min(1).max(2).default(1) }),
    status: 200,
    output: r.EntityNeighborhood,
    errors: [404, 422],
  },
  getThemes: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/themes',
    summary: 'List the main entities, and the entity types with counts',
    ability: 'read',
    params: workspace,
    query: z.object({
      limit: z.int().min(1).max(100).default(15),
      groups: z.int().min(0).max(12).default(0),
    }),
    status: 200,
    output: r.Themes,
    errors: [404, 422],
  },
} as const satisfies Record<string, Endpoint>

export const endpoints = {
  ...specifiedEndpoints,
  ...extensions,
  ...moves,
  ...trash,
  ...archives,
  ...people,
  ...sources,
  ...webhooks,
  ...usage,
  ...checks,
  ...conversations,
  ...evaluation,
  ...inspection,
} as const satisfies Record<string, Endpoint>

export type EndpointId = keyof typeof endpoints
type Row<Id extends EndpointId> = (typeof endpoints)[Id]
type Parsed<Id extends EndpointId, Part extends 'params' | 'query' | 'body'> =
  Row<Id> extends Record<Part, infer Schema extends z.ZodType> ? z.output<Schema> : Record<string, never>

/** What a handler receives: the validated request. */
export interface Input<Id extends EndpointId> {
  params: Parsed<Id, 'params'>
  query: Parsed<Id, 'query'>
  body: Parsed<Id, 'body'>
}

/** What a handler returns; undefined for 204 and for files, which have a type of their own. */
export type Output<Id extends EndpointId> =
  Row<Id> extends { output: infer Schema extends z.ZodType } ? z.input<Schema> : undefined
