// Which function implements which endpoint of the contract: one line per endpoint, nothing else.

import { exportWorkspace } from '../archive/export.ts'
import { type ArchiveBody, cancelImport, getImport, importWorkspace, listImports } from '../archive/import.ts'
import { ask } from '../ask/ask.ts'
import { checkText } from '../ask/check-text.ts'
import {
  createEvaluationQuestion,
  deleteEvaluationQuestion,
  exportEvaluationSet,
  listEvaluationQuestions,
} from '../ask/evaluation.ts'
import { deleteFeedback, putFeedback } from '../ask/feedback.ts'
import {
  deleteShare,
  deleteThread,
  getSharedThread,
  getThread,
  listThreads,
  listTurnCitations,
  putShare,
  updateThread,
} from '../ask/history.ts'
import { listSuggestedQuestions } from '../ask/suggested-questions.ts'
import type { Caller } from '../auth/caller.ts'
import { me } from '../auth/me.ts'
import type { EndpointId, endpoints, Input, Output } from '../contract/endpoints.ts'
import { listDocuments, readDocument } from '../documents/documents.ts'
import { listFolders } from '../documents/folders.ts'
import { listChunkPlaces, listDocumentLayout } from '../documents/layout.ts'
import { changeScope, deleteScope, listScopeDocuments, listScopes, putScope } from '../documents/scopes.ts'
import { getDocumentUse } from '../documents/use.ts'
import { listDocumentEntities } from '../graph/document-entities.ts'
import { listDuplicates } from '../graph/duplicates.ts'
import { getEntity, getGraph } from '../graph/entities.ts'
import { listEvidence } from '../graph/entity-evidence.ts'
import { estimateGraph } from '../graph/estimate.ts'
import { listMergeCandidates } from '../graph/merge-candidates.ts'
import { listMerges, putMerge, undoMerge } from '../graph/merges.ts'
import { getEntityPaths } from '../graph/paths.ts'
import { getDocumentDetails, listDocumentDetails } from '../ingest/details.ts'
import { addExamples } from '../ingest/examples.ts'
import {
  cancelJob,
  dismissFailedFiles,
  getJob,
  getJobProgress,
  jobEvents,
  listFailedFiles,
  listJobs,
} from '../ingest/jobs.ts'
import { moveDocuments, moveFolder } from '../ingest/move.ts'
import { getOriginal, getPageImage, getVersionOriginal } from '../ingest/originals.ts'
import { reindex } from '../ingest/reindex.ts'
import { deleteDocument } from '../ingest/remove.ts'
import { deleteTrashed, listTrash, restoreDocuments, trashDocuments } from '../ingest/trash.ts'
import { uploadFiles } from '../ingest/uploads.ts'
import { getVersionText } from '../ingest/version-text.ts'
import { listVersions, restoreVersion } from '../ingest/versions.ts'
import type { Bytes } from '../ports/bytes.ts'
import type { Deps } from '../ports/deps.ts'
import { findEntities } from '../search/entities.ts'
import { findDocuments } from '../search/find-documents.ts'
import { inspectSearch } from '../search/inspect.ts'
import { search } from '../search/search.ts'
import {
  createSource,
  deleteSource,
  getSource,
  getSourcePlaces,
  listSources,
  runSourceNow,
  updateSource,
} from '../sources/sources.ts'
import { getThemes } from '../themes/themes.ts'
import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  testWebhook,
  updateWebhook,
} from '../webhooks/webhooks.ts'
import { listActivity } from '../workspaces/activity.ts'
import { deleteMember, getMembership, listMembers, putMember } from '../workspaces/members.ts'
import {
  deleteTrashedWorkspace,
  listTrashedWorkspaces,
  restoreWorkspace,
  trashWorkspace,
} from '../workspaces/trash.ts'
import { getUsage } from '../workspaces/usage.ts'
import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from '../workspaces/workspaces.ts'
import type { Parts } from './request/upload.ts'
import type { ServerEvent } from './response/events.ts'

/** What a handler may use of the request besides its validated input. */
export interface HandlerContext {
  /** Aborted when the client disconnects or the service stops; created on first use. */
  signal: () => AbortSignal
  /** The files of an upload, read lazily. */
  parts: () => Parts
  /** The archive that the client uploads; reading begins with the call. */
  archive: () => ArchiveBody
  idempotencyKey: string | undefined
}

/**
 * Endpoints with `bytes` return a file, those with `events` a stream of events, which mount.ts sends or, for `ask` without
 * `stream`, reads to its end.
 */
type Result<Id extends EndpointId> = (typeof endpoints)[Id] extends { events: string }
  ? AsyncIterable<ServerEvent>
  : (typeof endpoints)[Id] extends { bytes: string }
    ? Promise<Bytes>
    : Promise<Output<Id> extends undefined ? void : Output<Id>>

type Handlers = {
  [Id in EndpointId]: (deps: Deps, caller: Caller, input: Input<Id>, context: HandlerContext) => Result<Id>
}

const turnOf = (params: Input<'putFeedback'>['params']) => ({
  workspaceId: params.workspace_id,
  threadId: params.thread_id,
  number: Number(params.turn_number),
})

const threadIdsOf = (params: Input<'getThread'>['params']) => ({
  workspaceId: params.workspace_id,
  threadId: params.thread_id,
})

const documentOf = (params: Input<'readDocument'>['params']) => ({
  workspaceId: params.workspace_id,
  documentId: params.document_id,
})

const entityOf = (params: Input<'getEntity'>['params']) => ({
  workspaceId: params.workspace_id,
  entityId: params.entity_id,
})

const sourceOf = (params: Input<'getSource'>['params']) => ({
  workspaceId: params.workspace_id,
  sourceId: params.source_id,
})

const webhookOf = (params: Input<'deleteWebhook'>['params']) => ({
  workspaceId: params.workspace_id,
  webhookId: params.webhook_id,
})

const scopeOf = (params: Input<'putScope'>['params']) => ({
  workspaceId: params.workspace_id,
  name: params.scope_name,
})

export const handlers: Handlers = {
  getMe: (deps, caller) => me(deps, caller),
  listWorkspaces: (deps, caller, { query }) => listWorkspaces(deps, caller, query),
  createWorkspace: (deps, caller, { body }, { idempotencyKey }) =>
    createWorkspace(deps, caller, body, idempotencyKey),
  getWorkspace: (deps, caller, { params }) => getWorkspace(deps, caller, params.workspace_id),
  updateWorkspace: (deps, caller, { params, body }) =>
    updateWorkspace(deps, caller, params.workspace_id, body),
  deleteWorkspace: (deps, caller, { params }) => deleteWorkspace(deps, caller, params.workspace_id),
  exportWorkspace: (deps, caller, { params }) => exportWorkspace(deps, caller, params.workspace_id),
  importWorkspace: (deps, caller, { query }, { archive, idempotencyKey }) =>
    importWorkspace(deps, caller, archive, { ...query, idempotencyKey }),
  listImports: (deps, caller) => listImports(deps, caller),
  getImport: (deps, caller, { params }) => getImport(deps, caller, params.import_id),
  cancelImport: (deps, caller, { params }) => cancelImport(deps, caller, params.import_id),
  getMembership: (deps, caller, { params }) => getMembership(deps, caller, params.workspace_id),
  listMembers: (deps, caller, { params, query }) => listMembers(deps, caller, params.workspace_id, query),
  putMember: (deps, caller, { params, body }) => putMember(deps, caller, params.workspace_id, body),
  deleteMember: (deps, caller, { params }) => deleteMember(deps, caller, params.workspace_id, params.user_id),
  listActivity: (deps, caller, { params, query }) => listActivity(deps, caller, params.workspace_id, query),
  getUsage: (deps, caller, { params }) => getUsage(deps, caller, params.workspace_id),
  getDocumentUse: (deps, caller, { params }) =>
    getDocumentUse(deps, caller, params.workspace_id, params.document_id),
  listSources: (deps, caller, { params, query }) => listSources(deps, caller, params.workspace_id, query),
  createSource: (deps, caller, { params, body }) => createSource(deps, caller, params.workspace_id, body),
  getSource: (deps, caller, { params }) => getSource(deps, caller, params.workspace_id, params.source_id),
  updateSource: (deps, caller, { params, body }) => updateSource(deps, caller, sourceOf(params), body),
  deleteSource: (deps, caller, { params, query }) =>
    deleteSource(deps, caller, sourceOf(params), query.documents),
  runSource: (deps, caller, { params, body }) => runSourceNow(deps, caller, sourceOf(params), body),
  listWebhooks: (deps, caller, { params, query }) => listWebhooks(deps, caller, params.workspace_id, query),
  createWebhook: (deps, caller, { params, body }) => createWebhook(deps, caller, params.workspace_id, body),
  updateWebhook: (deps, caller, { params, body }) => updateWebhook(deps, caller, webhookOf(params), body),
  deleteWebhook: (deps, caller, { params }) =>
    deleteWebhook(deps, caller, params.workspace_id, params.webhook_id),
  testWebhook: (deps, caller, { params }) =>
    testWebhook(deps, caller, params.workspace_id, params.webhook_id),
  listWebhookDeliveries: (deps, caller, { params, query }) =>
    listWebhookDeliveries(deps, caller, webhookOf(params), query),
  getSourcePlaces: (deps, caller, { params }) => getSourcePlaces(deps, caller, params.workspace_id),
  listDocuments: (deps, caller, { params, query }) => listDocuments(deps, caller, params.workspace_id, query),
  readDocument: (deps, caller, { params, query }) => readDocument(deps, caller, documentOf(params), query),
  findDocuments: (deps, caller, { params, query }) => findDocuments(deps, caller, params.workspace_id, query),
  listDocumentDetails: (deps, caller, { params, query }) =>
    listDocumentDetails(deps, caller, params.workspace_id, query),
  listFolders: (deps, caller, { params }) => listFolders(deps, caller, params.workspace_id),
  getDocumentDetails: (deps, caller, { params }) =>
    getDocumentDetails(deps, caller, params.workspace_id, params.document_id),
  listChunkPlaces: (deps, caller, { params, body }) =>
    listChunkPlaces(deps, caller, params.workspace_id, body.chunk_ids),
  listDocumentLayout: (deps, caller, { params, query }) =>
    listDocumentLayout(deps, caller, documentOf(params), query),
  listDocumentEntities: (deps, caller, { params, query }) =>
    listDocumentEntities(deps, caller, documentOf(params), query),
  deleteDocument: (deps, caller, { params }) => deleteDocument(deps, caller, documentOf(params)),
  moveDocuments: (deps, caller, { params, body }, { idempotencyKey }) =>
    moveDocuments(deps, caller, params.workspace_id, body, idempotencyKey),
  moveFolder: (deps, caller, { params, body }, { idempotencyKey }) =>
    moveFolder(deps, caller, params.workspace_id, body, idempotencyKey),
  trashDocuments: (deps, caller, { params, body }) =>
    trashDocuments(deps, caller, params.workspace_id, body.document_ids),
  listTrash: (deps, caller, { params, query }) => listTrash(deps, caller, params.workspace_id, query),
  restoreDocuments: (deps, caller, { params, body }, { idempotencyKey }) => {
    const { workspace_id: workspaceId } = params
    return restoreDocuments(deps, caller, { workspaceId, trashIds: body.trash_ids }, idempotencyKey)
  },
  deleteTrashed: (deps, caller, { params }) => {
    const { workspace_id: workspaceId, trash_id: trashId } = params
    return deleteTrashed(deps, caller, { workspaceId, trashId })
  },
  trashWorkspace: (deps, caller, { params }) => trashWorkspace(deps, caller, params.workspace_id),
  listTrashedWorkspaces: (deps, caller) => listTrashedWorkspaces(deps, caller),
  restoreWorkspace: (deps, caller, { params }) => restoreWorkspace(deps, caller, params.workspace_id),
  deleteTrashedWorkspace: (deps, caller, { params }) =>
    deleteTrashedWorkspace(deps, caller, params.workspace_id),
  getOriginal: (deps, caller, { params }) =>
    getOriginal(deps, caller, params.workspace_id, params.document_id),
  getPageImage: (deps, caller, { params, query }, { signal }) =>
    getPageImage(deps, caller, documentOf(params), {
      page: Number(params.page),
      width: query.width === undefined ? undefined : Number(query.width),
      signal: signal(),
    }),
  listVersions: (deps, caller, { params, query }) => listVersions(deps, caller, documentOf(params), query),
  getVersionOriginal: (deps, caller, { params }) => {
    const { workspace_id: workspaceId, document_id: documentId, version_id: versionId } = params
    return getVersionOriginal(deps, caller, { workspaceId, documentId, versionId })
  },
  getVersionText: (deps, caller, { params }, { signal }) => {
    const { workspace_id: workspaceId, document_id: documentId, version_id: versionId } = params
    return getVersionText(deps, caller, { workspaceId, documentId, versionId }, signal())
  },
  restoreVersion: (deps, caller, { params }, { idempotencyKey }) => {
    const { workspace_id: workspaceId, document_id: documentId, version_id: versionId } = params
    return restoreVersion(deps, caller, { workspaceId, documentId, versionId }, idempotencyKey)
  },
  reindexDocument: (deps, caller, { params }, { idempotencyKey }) =>
    reindex(deps, caller, documentOf(params), idempotencyKey),
  reindexWorkspace: (deps, caller, { params }, { idempotencyKey }) =>
    reindex(deps, caller, { workspaceId: params.workspace_id }, idempotencyKey),
  uploadFiles: (deps, caller, { params, query }, { parts, idempotencyKey }) =>
    uploadFiles(deps, caller, params.workspace_id, {
      parts: parts(),
      idempotencyKey,
      onConflict: query.on_conflict,
    }),
  addExamples: (deps, caller, { params }, { idempotencyKey }) =>
    addExamples(deps, caller, params.workspace_id, idempotencyKey),
  getJob: (deps, caller, { params }) => getJob(deps, caller, params.job_id),
  cancelJob: (deps, caller, { params }) => cancelJob(deps, caller, params.job_id),
  dismissFailedFiles: (deps, caller, { params, body }) =>
    dismissFailedFiles(deps, caller, params.workspace_id, body.filenames),
  listFailedFiles: (deps, caller, { params }) => listFailedFiles(deps, caller, params.workspace_id),
  listJobs: (deps, caller, { params, query }) => listJobs(deps, caller, params.workspace_id, query),
  getJobProgress: (deps, caller, { params }) => getJobProgress(deps, caller, params.job_id),
  jobEvents: (deps, caller, { params }, { signal }) => jobEvents(deps, caller, params.job_id, signal()),
  search: (deps, caller, { params, body }) => search(deps, caller, params.workspace_id, body),
  inspectSearch: (deps, caller, { params, body }) => inspectSearch(deps, caller, params.workspace_id, body),
  listScopes: (deps, caller, { params }) => listScopes(deps, caller, params.workspace_id),
  listEvidence: (deps, caller, { params, query }) => listEvidence(deps, caller, entityOf(params), query),
  getEntityPaths: (deps, caller, { params, query }) =>
    getEntityPaths(deps, caller, params.workspace_id, {
      entityId: params.entity_id,
      otherId: params.other_id,
      limit: query.limit,
    }),
  listMerges: (deps, caller, { params }) => listMerges(deps, caller, params.workspace_id, params.entity_id),
  putMerge: (deps, caller, { params }) =>
    putMerge(deps, caller, {
      workspaceId: params.workspace_id,
      entityId: params.entity_id,
      mergedId: params.merged_id,
    }),
  undoMerge: (deps, caller, { params }) =>
    undoMerge(deps, caller, {
      workspaceId: params.workspace_id,
      entityId: params.entity_id,
      mergedId: params.merged_id,
    }),
  listDuplicates: (deps, caller, { params }) => listDuplicates(deps, caller, params.workspace_id),
  listMergeCandidates: (deps, caller, { params }) =>
    listMergeCandidates(deps, caller, params.workspace_id, params.entity_id),
  getGraph: (deps, caller, { params, query }) => getGraph(deps, caller, params.workspace_id, query.limit),
  estimateGraph: (deps, caller, { params }) => estimateGraph(deps, caller, params.workspace_id),
  listScopeDocuments: (deps, caller, { params, query }) =>
    listScopeDocuments(deps, caller, scopeOf(params), query),
  putScope: (deps, caller, { params, body }) => putScope(deps, caller, scopeOf(params), body),
  changeScope: (deps, caller, { params, body }) => changeScope(deps, caller, scopeOf(params), body),
  deleteScope: (deps, caller, { params }) =>
    deleteScope(deps, caller, params.workspace_id, params.scope_name),
  ask: (deps, caller, { params, body }, { signal }) =>
    ask(deps, caller, params.workspace_id, body, { signal: signal() }),
  checkText: (deps, caller, { params, body }, { signal }) =>
    checkText(deps, caller, params.workspace_id, body, signal()),
  listSuggestedQuestions: (deps, caller, { params }) =>
    listSuggestedQuestions(deps, caller, params.workspace_id),
  listThreads: (deps, caller, { params, query }) => listThreads(deps, caller, params.workspace_id, query),
  getThread: (deps, caller, { params, query }) => getThread(deps, caller, threadIdsOf(params), query),
  updateThread: (deps, caller, { params, body }) =>
    updateThread(deps, caller, threadIdsOf(params), body.title),
  deleteThread: (deps, caller, { params }) =>
    deleteThread(deps, caller, params.workspace_id, params.thread_id),
  putShare: (deps, caller, { params }) => putShare(deps, caller, params.workspace_id, params.thread_id),
  deleteShare: (deps, caller, { params }) => deleteShare(deps, caller, params.workspace_id, params.thread_id),
  getSharedThread: (deps, caller, { params, query }) =>
    getSharedThread(deps, caller, threadIdsOf(params), query),
  putFeedback: (deps, caller, { params, body }) => putFeedback(deps, caller, turnOf(params), body),
  deleteFeedback: (deps, caller, { params }) => deleteFeedback(deps, caller, turnOf(params)),
  listEvaluationQuestions: (deps, caller, { params, query }) =>
    listEvaluationQuestions(deps, caller, params.workspace_id, query),
  createEvaluationQuestion: (deps, caller, { params, body }) =>
    createEvaluationQuestion(deps, caller, params.workspace_id, body),
  deleteEvaluationQuestion: (deps, caller, { params }) =>
    deleteEvaluationQuestion(deps, caller, params.workspace_id, params.question_id),
  exportEvaluationSet: (deps, caller, { params }) => exportEvaluationSet(deps, caller, params.workspace_id),
  listTurnCitations: (deps, caller, { params }) =>
    listTurnCitations(deps, caller, threadIdsOf(params), Number(params.turn_number)),
  listEntities: (deps, caller, { params, query }) => findEntities(deps, caller, params.workspace_id, query),
  getEntity: (deps, caller, { params, query }) => getEntity(deps, caller, entityOf(params), query.depth),
  getThemes: (deps, caller, { params, query }) => getThemes(deps, caller, params.workspace_id, query),
}
