// Descriptions and examples of the operations in ../extensions.ts.

import type * as module from '../extensions.ts'
import { ID, JOB_ID } from './library.ts'
import { resources } from './resources.ts'
import type { OperationTexts } from './texts.ts'

const queuedJob = {
  id: JOB_ID,
  status: 'queued' as const,
  files: [{ filename: 'Contracts/lease-ropewalk-yard.pdf', status: 'queued' as const }],
}
const document = 'the workspace or the document'
const version = 'the workspace, the document, or a version that can still be restored,'
const entity = 'the workspace or the entity'
const twoEntities = 'the workspace or one of the entities'
const scope = 'the workspace or the scope'

export const extensions: OperationTexts<typeof module.extensions> = {
  addExamples: {
    does: 'Uploads the example library to a workspace as one job, to try the service. Repeating it changes nothing.',
    callers: 'editor',
    missing: 'the workspace, or the example library of this installation,',
    output: queuedJob,
  },
  findDocuments: {
    does: 'Finds documents by words of their title, path and headings, best first. The words may come in any order, be only begun, or be mistyped.',
    callers: 'reader',
    query: { q: 'ropewalk lease', limit: 10 },
  },
  listDocumentDetails: {
    does: 'Lists documents with kind, pages, size, time, uploader and state, in the order that the caller chooses, in pages.',
    callers: 'reader',
    missing: scope,
    query: { q: 'lease', sort: 'uploaded_at', order: 'desc', limit: 20 },
  },
  listFolders: {
    does: 'Lists the folders of the documents by the paths of their files, with the number of documents in each and below it. Folders below the 20th level are left out, and of more than 5,000 the deepest; `has_more` says that there are more than 5,000.',
    callers: 'reader',
  },
  getDocumentDetails: {
    does: 'Returns the kind, pages, size, time, uploader and state of a document.',
    callers: 'reader',
    missing: document,
  },
  listDocumentLayout: {
    does: "Returns where a document's chunks stand, in reading order: headings, page and boxes, in pages.",
    callers: 'reader',
    missing: document,
  },
  listChunkPlaces: {
    does: 'Returns where chunks of any documents stand, such as those that a search found. Chunks that do not exist are left out.',
    callers: 'reader',
    body: { chunk_ids: [ID.leaseNotice] },
  },
  listDocumentEntities: {
    does: 'Lists the entities that a document or one of its pages mentions, the most mentioned first, in pages.',
    callers: 'reader',
    missing: document,
    query: { page: 2, limit: 20 },
  },
  deleteDocument: {
    does: 'Deletes a document with its chunks and its part of the knowledge graph. Nothing can bring it back; `trashDocuments` keeps it for 30 days.',
    callers: 'editor',
    missing: document,
  },
  getOriginal: {
    does: 'Downloads the file of a document as it was uploaded, whole or a range of it.',
    callers: 'reader',
    missing: document,
  },
  getPageImage: {
    does: 'Returns a page of a document as a PNG image.',
    callers: 'reader',
    missing: 'the workspace, the document or the page, or a picture of it,',
  },
  listVersions: {
    does: 'Lists the current file of a document, and those that were replaced in the last 30 days, in pages.',
    callers: 'reader',
    missing: document,
  },
  getVersionOriginal: {
    does: 'Downloads the file of the current or an earlier version, whole or a range of it.',
    callers: 'reader',
    missing: version,
  },
  getVersionText: {
    does: 'Returns the text of the current or an earlier version, to compare the two.',
    callers: 'reader',
    missing: version,
  },
  restoreVersion: {
    does: 'Makes an earlier version the current one again, and returns a job. The version that it replaces can be restored in turn.',
    callers: 'editor',
    missing: version,
    output: queuedJob,
  },
  reindexDocument: {
    does: 'Reads a document again from its original file, and returns a job. Until that is done, the document stays as it is.',
    callers: 'editor',
    missing: document,
    output: queuedJob,
  },
  reindexWorkspace: {
    does: 'Reads every document of a workspace again from its original file, and returns one job for all.',
    callers: 'editor',
    output: queuedJob,
  },
  cancelJob: {
    does: 'Cancels a job: its files that are searchable stay, all others are dropped. A job that is done does not change.',
    callers: 'editor',
    missing: 'the job',
  },
  listJobs: {
    does: 'Lists the jobs of a workspace, newest first, in pages.',
    callers: 'reader',
  },
  dismissFailedFiles: {
    does: 'Takes files off the list of those that could not be read, until they fail again. Names that are not on the list are ignored.',
    callers: 'editor',
    body: { filenames: [resources.FailedFile.example.filename] },
  },
  listFailedFiles: {
    does: 'Lists the files of the last 30 days that could not be read, newest first, at most 100.',
    callers: 'reader',
  },
  getJobProgress: {
    does: 'Returns how far a job and each of its files are, and about how many seconds are left until they are searchable.',
    callers: 'reader',
    missing: 'the job',
  },
  jobEvents: {
    does: 'Streams the progress of a job as events, until all its files are complete. The first event has every file, later ones those that have changed.',
    callers: 'reader',
    missing: 'the job',
  },
  listEvidence: {
    does: 'Lists the passages that mention an entity, in pages. With `with` only those that state its relation to that entity.',
    callers: 'reader',
    missing: entity,
  },
  getEntityPaths: {
    does: 'Returns how two entities are connected: the shortest chains of relations, with a passage for each step.',
    callers: 'reader',
    missing: twoEntities,
    invalid: 'both are the same entity',
    query: { limit: 3 },
  },
  listMerges: {
    does: 'Lists the names that were merged into an entity, with the reasons, and the merges that were undone.',
    callers: 'reader',
    missing: entity,
  },
  putMerge: {
    does: 'Merges another entity into this one, and returns the merge. Repeating it changes nothing.',
    callers: 'editor',
    missing: twoEntities,
    invalid: 'both are the same entity already',
  },
  undoMerge: {
    does: 'Undoes a merge. If the two are not merged, it says that they are not the same: they are then not merged automatically or proposed again.',
    callers: 'editor',
    missing: twoEntities,
  },
  listMergeCandidates: {
    does: 'Lists up to 25 entities that may be the same as this one, for a person to decide.',
    callers: 'reader',
    missing: entity,
  },
  listDuplicates: {
    does: 'Lists up to 100 pairs of entities that may be one, for a person to decide.',
    callers: 'reader',
  },
  getGraph: {
    does: 'Returns the most important entities of a workspace, and the relations between them, at most four times as many.',
    callers: 'reader',
    query: { limit: 200 },
  },
  estimateGraph: {
    does: 'Estimates the tokens that extracting the knowledge graph with the language model takes.',
    callers: 'reader',
  },
  listScopeDocuments: {
    does: 'Lists the documents of a scope with the names and checksums of their files, in pages.',
    callers: 'reader',
    missing: scope,
  },
  putScope: {
    does: 'Creates or replaces a scope of documents and folders, and returns it.',
    callers: 'editor',
    missing: 'the workspace or one of the documents',
    invalid: 'the name is that of a built-in scope, or the folder is the whole workspace',
  },
  changeScope: {
    does: 'Adds documents to a scope and removes others, and says what changed. A scope that does not exist is created if documents are added.',
    callers: 'editor',
    missing: 'the workspace, or a scope from which documents are only removed,',
    invalid: 'the scope is built in, or it would have too many documents',
  },
  deleteScope: {
    does: 'Deletes a scope. Its documents stay.',
    callers: 'editor',
    missing: scope,
    invalid: 'the scope is built in',
  },
}

/** The events of the progress of a job. */
export const jobEvents = [
  ['progress', resources.JobProgress.example],
  [
    'complete',
    {
      status: 'done',
      state: 'complete',
      progress: 1,
      files: [
        {
          ...resources.JobFile.example,
          state: 'complete',
          stage: 'done',
          progress: 1,
          attempt: 1,
          outcome: 'created',
        },
      ],
    },
  ],
] as const
