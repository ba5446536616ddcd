// Descriptions and examples of ../archives.ts.

import type * as module from '../archives.ts'
import { ID, JOB_ID, onlyPage } from './library.ts'
import { resources } from './resources.ts'
import type { OperationTexts, SchemaTexts } from './texts.ts'

const importExample = {
  id: ID.import,
  status: 'done' as const,
  progress: 1,
  error: null,
  created_at: '2026-11-26T08:00:12.400Z',
  finished_at: '2026-11-26T08:00:31.018Z',
  workspace: resources.Workspace.example,
  job_id: JOB_ID,
  documents: 15,
  originals: 15,
  conversations: 2,
  graph_corrections: 1,
  sources: 1,
  notes: [
    'The password of the source “Website” is not in an archive. Enter it again in the settings of the workspace.',
  ],
}

export const schemas: SchemaTexts<typeof module> = {
  WorkspaceImport: {
    description:
      'The import of an archive. The workspace is visible once `status` is `done`; then `workspace` and `job_id` are set. That job reads the files again, and until it has ended the documents have no text. `progress` goes from 0 to 1. `error` says why an import failed. The counts are those of the archive, 0 until it is checked. `notes` say what was left out, and why.',
    example: importExample,
  },
  WorkspaceImportPage: { description: 'The imports of the caller.', example: onlyPage(importExample) },
  ImportIds: {
    description:
      'Which ids the workspace gets. `keep`: those of the archive, which must be unused; only administrators and former owners of the workspace may keep them. `new`: new ones, so that the workspace is a copy even where the original is.',
    example: 'new',
  },
}

export const operations: OperationTexts<typeof module.archives> = {
  exportWorkspace: {
    does: 'Downloads a workspace as one ZIP archive: its files, conversations, corrections of the graph, scopes and sources without their passwords. Another service can import it. A range of it can be asked for.',
    callers: 'readingOwner',
  },
  importWorkspace: {
    does: 'Makes a workspace from an archive that `exportWorkspace` made. The body is the archive. It returns the import, which goes on in the background: ask `getImport` until it is done. The caller becomes the owner.',
    callers: 'user',
    limited: 'the caller has three imports under way',
    output: {
      ...importExample,
      status: 'queued',
      progress: 0,
      finished_at: null,
      workspace: null,
      job_id: null,
      documents: 0,
      originals: 0,
      conversations: 0,
      graph_corrections: 0,
      sources: 0,
      notes: [],
    },
  },
  listImports: {
    does: "Lists the caller's imports of the last 30 days, newest first, at most 50.",
    callers: 'person',
  },
  getImport: {
    does: 'Returns how far an import is, and what came of it.',
    callers: 'person',
    missing: 'the import',
  },
  cancelImport: {
    does: 'Cancels an import, and removes what it has made. An import that has ended does not change.',
    callers: 'person',
    missing: 'the import',
  },
}
