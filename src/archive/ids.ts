// Under which ids an archive is imported: its own, or, for a copy, new ones that follow from them as ids do everywhere else.

import { uuid5 } from '../identity.ts'
import { documentIdOf } from '../ingest/names.ts'

export interface Ids {
  workspace: string
  document(id: string): string
  chunk(id: string): string
  /** Before its documents and passages are looked up. */
  learnDocument(id: string, path: string): void
  learnPassage(passage: { id: string; document_id: string; sha256: string }): void
}

export const sameIds = (workspace: string): Ids => ({
  workspace,
  document: (id) => id,
  chunk: (id) => id,
  learnDocument: () => {},
  learnPassage: () => {},
})

// How often a document says the same words under the same kind.
const MOST_OCCURRENCES = 200

export function newIds(before: string, workspace: string): Ids {
  const documents = new Map<string, string>()
  const chunks = new Map<string, string>()
  // What is not there any more keeps a name of its own.
  const other = (id: string): string => uuid5(workspace, id)
  const document = (id: string): string => documents.get(id) ?? other(id)
  return {
    workspace,
    document,
    chunk: (id) => chunks.get(id) ?? other(id),
    learnDocument: (id, path) => {
      if (id === documentIdOf(before, path)) documents.set(id, documentIdOf(workspace, path))
    },
    learnPassage: ({ id, document_id, sha256 }) => {
      // As ingest/chunk/chunk.ts makes them.
      for (let occurrence = 0; occurrence < MOST_OCCURRENCES; occurrence++) {
        const name = `${sha256}:${occurrence}`
        if (uuid5(document_id, name) !== id) continue
        chunks.set(id, uuid5(document(document_id), name))
        return
      }
    },
  }
}
