// Method and path of each operation. The compiler holds this table to the contract, so that the client needs no schema
// at run time: zod would be 24 kB of a browser's download.

import type { Endpoint } from '../contract/endpoint.ts'
import type { EndpointId, endpoints } from '../contract/endpoints.ts'

type Row<Id extends EndpointId> = (typeof endpoints)[Id] & Endpoint
type Routes = { readonly [Id in EndpointId]: `${Row<Id>['method']} ${Row<Id>['path']}` }

export const routes: Routes = {
  getMe: 'GET /me',
  listWorkspaces: 'GET /workspaces',
  createWorkspace: 'POST /workspaces',
  getWorkspace: 'GET /workspaces/{workspace_id}',
  updateWorkspace: 'PATCH /workspaces/{workspace_id}',
  deleteWorkspace: 'DELETE /workspaces/{workspace_id}',
  listDocuments: 'GET /workspaces/{workspace_id}/documents',
  readDocument: 'GET /workspaces/{workspace_id}/documents/{document_id}',
  uploadFiles: 'POST /workspaces/{workspace_id}/files',
  getJob: 'GET /jobs/{job_id}',
  search: 'POST /workspaces/{workspace_id}/search',
  listScopes: 'GET /workspaces/{workspace_id}/scopes',
  ask: 'POST /workspaces/{workspace_id}/ask',
  listEntities: 'GET /workspaces/{workspace_id}/entities',
  getEntity: 'GET /workspaces/{workspace_id}/entities/{entity_id}',
  getThemes: 'GET /workspaces/{workspace_id}/themes',
  addExamples: 'POST /workspaces/{workspace_id}/examples',
  deleteDocument: 'DELETE /workspaces/{workspace_id}/documents/{document_id}',
  getOriginal: 'GET /workspaces/{workspace_id}/documents/{document_id}/original',
  getPageImage: 'GET /workspaces/{workspace_id}/documents/{document_id}/pages/{page}.png',
  listVersions: 'GET /workspaces/{workspace_id}/documents/{document_id}/versions',
  restoreVersion: 'POST /workspaces/{workspace_id}/documents/{document_id}/versions/{version_id}/restore',
  reindexDocument: 'POST /workspaces/{workspace_id}/documents/{document_id}/reindex',
  reindexWorkspace: 'POST /workspaces/{workspace_id}/reindex',
  cancelJob: 'DELETE /jobs/{job_id}',
  listJobs: 'GET /workspaces/{workspace_id}/jobs',
  getJobProgress: 'GET /jobs/{job_id}/progress',
  jobEvents: 'GET /jobs/{job_id}/events',
  listEvidence: 'GET /workspaces/{workspace_id}/entities/{entity_id}/evidence',
  listMerges: 'GET /workspaces/{workspace_id}/entities/{entity_id}/merges',
  putMerge: 'PUT /workspaces/{workspace_id}/entities/{entity_id}/merges/{merged_id}',
  undoMerge: 'DELETE /workspaces/{workspace_id}/entities/{entity_id}/merges/{merged_id}',
  listMergeCandidates: 'GET /workspaces/{workspace_id}/entities/{entity_id}/candidates',
  getGraph: 'GET /workspaces/{workspace_id}/graph',
  estimateGraph: 'GET /workspaces/{workspace_id}/graph/estimate',
  putScope: 'PUT /workspaces/{workspace_id}/scopes/{scope_name}',
  deleteScope: 'DELETE /workspaces/{workspace_id}/scopes/{scope_name}',
  getMembership: 'GET /workspaces/{workspace_id}/membership',
  listMembers: 'GET /workspaces/{workspace_id}/members',
  putMember: 'PUT /workspaces/{workspace_id}/members',
  deleteMember: 'DELETE /workspaces/{workspace_id}/members/{user_id}',
  listActivity: 'GET /workspaces/{workspace_id}/activity',
  listThreads: 'GET /workspaces/{workspace_id}/threads',
  getThread: 'GET /workspaces/{workspace_id}/threads/{thread_id}',
  deleteThread: 'DELETE /workspaces/{workspace_id}/threads/{thread_id}',
  listTurnCitations: 'GET /workspaces/{workspace_id}/threads/{thread_id}/turns/{turn_number}/citations',
}
