// Descriptions and examples of the operations of the specification.

import type { specifiedEndpoints } from '../endpoints.ts'
import { JOB_ID } from './library.ts'
import { resources } from './resources.ts'
import type { OperationTexts } from './texts.ts'

export const specified: OperationTexts<typeof specifiedEndpoints> = {
  getMe: {
    does: 'Returns who the caller is, what the credential allows, and how many workspaces the caller can read.',
    callers: 'anybody',
  },
  listWorkspaces: {
    does: 'Lists the workspaces that the caller can read, in pages.',
    callers: 'anybody',
  },
  createWorkspace: {
    does: 'Creates a workspace and returns it. The caller becomes its owner.',
    callers: 'user',
    missing: 'the workspace that an earlier request with the same `Idempotency-Key` made',
    output: { ...resources.Workspace.example, document_count: 0 },
  },
  getWorkspace: {
    does: 'Returns a workspace: its name and description, how many documents it has, and whether it is ready.',
    callers: 'reader',
  },
  updateWorkspace: {
    does: 'Renames a workspace or changes its description, and returns it.',
    callers: 'editor',
    output: { ...resources.Workspace.example, ...resources.WorkspaceUpdate.example },
  },
  deleteWorkspace: {
    does: 'Deletes a workspace with its documents for everyone, and stops its jobs. Nothing can bring it back; `trashWorkspace` keeps it for 30 days.',
    callers: 'owner',
  },
  listDocuments: {
    does: 'Lists the documents of a workspace by title, in pages. With `q` only those whose title contains it, in upper or lower case.',
    callers: 'reader',
  },
  readDocument: {
    does: 'Returns a document as chunks in reading order, about `max_chars` characters a page. Tables are whole here, while a search returns a part.',
    callers: 'reader',
    missing: 'the workspace or the document',
  },
  uploadFiles: {
    does: 'Uploads up to 20 files of at most 100 MB each, and returns a job. They are read in the background: ask `getJob` until its `status` is `done`. If one file is of a kind that cannot be read, the whole request is refused; a damaged file fails alone. The name of a file may be a path, whose folders the document keeps.',
    callers: 'editor',
    invalid: 'a file is of a kind that cannot be read',
    output: {
      id: JOB_ID,
      status: 'queued',
      files: [{ filename: 'Contracts/lease-ropewalk-yard.pdf', status: 'queued' }],
    },
  },
  getJob: {
    does: 'Returns how far the files of a job are. The job is done when each file is done or has failed.',
    callers: 'reader',
    missing: 'the job',
  },
  search: {
    does: 'Returns the chunks that match a query best by words and by meaning, best first.',
    callers: 'reader',
    missing: 'the workspace or the scope',
  },
  listScopes: {
    does: 'Lists the scopes of a workspace: named subsets of its documents, to search in. Folders are scopes by themselves.',
    callers: 'reader',
  },
  ask: {
    does: 'Answers a question from the documents, in Markdown. Each `[N]` in the answer stands for a citation. With `stream: true` the response is a stream of events: steps while the agent works, then the answer. An answer may take two minutes.',
    callers: 'reader',
    missing: 'the workspace or the conversation',
    limited:
      'the caller has asked as many questions in an hour as are allowed, or the tokens of the month are used up',
  },
  listEntities: {
    does: 'Lists the entities of a workspace by type and name, in pages. With `q` it returns the best matches by name and meaning, at most 25, as one page.',
    callers: 'reader',
    query: { q: 'tidewick' },
  },
  getEntity: {
    does: 'Returns an entity with its relations to others, and those of others to it.',
    callers: 'reader',
    missing: 'the workspace or the entity',
  },
  getThemes: {
    does: 'Returns the most important entities of a workspace, and how many entities of each type it has. With `groups` it also returns groups of documents that are about one thing; below six documents there are none.',
    callers: 'reader',
    query: { limit: 15, groups: 8 },
  },
}

/** The events of a streamed answer. */
export const askEvents = [
  ['step', resources.Step.example],
  ['answer', resources.Answer.example],
] as const
