// The ids under which an archive is imported: its own ids, or for a copy new ones, which are computed from them.

import { uuid5 } from '../identity.ts'
import { documentIdOf } from '../ingest/names.ts'

interface Passage {
  id: string
  document_id: string
  sha256: string
}

export interface Ids {
  workspaceId: string
  document(id: string): string
  chunk(id: string): string
  /** Has to be called for every document before `document` and `chunk` are used. */
  addDocument(id: string, path: string): void
  addPassage(passage: Passage): void
  /** Has to be called after the last `addPassage` and before the first `chunk`. */
  matchPassages(): void
}

export const sameIds = (workspace: string): Ids => ({
  workspaceId: workspace,
  document: (id) => id,
  chunk: (id) => id,
  addDocument: () => {},
  addPassage: () => {},
  matchPassages: () => {},
})

// How often a document may contain the same text.
const MAX_OCCURRENCES = 200
// Nearly every passage is the first occurrence of its text, which takes one hash to find out. A passage whose id was not computed
// from its text would take two hundred, so all passages together may use a million more hashes (two seconds).
const MAX_EXTRA_HASHES = 1_000_000

export function newIds(oldWorkspace: string, workspace: string): Ids {
  const documents = new Map<string, string>()
  const chunks = new Map<string, string>()
  let unmatchedPassages: Passage[] = []
  // A document or passage that no longer exists gets an id that is computed from its old id.
  const unmatchedId = (id: string): string => uuid5(workspace, id)
  const document = (id: string): string => documents.get(id) ?? unmatchedId(id)
  /** Whether the passage has the id that ingest/chunk/chunk.ts gives to this occurrence of its text. */
  const isOccurrence = ({ id, document_id, sha256 }: Passage, occurrence: number): boolean => {
    const name = `${sha256}:${occurrence}`
    if (uuid5(document_id, name) !== id) return false
    chunks.set(id, uuid5(document(document_id), name))
    return true
  }
  return {
    workspaceId: workspace,
    document,
    chunk: (id) => chunks.get(id) ?? unmatchedId(id),
    addDocument: (id, path) => {
      if (id === documentIdOf(oldWorkspace, path)) documents.set(id, documentIdOf(workspace, path))
    },
    addPassage: (passage) => {
      if (!isOccurrence(passage, 0)) unmatchedPassages.push(passage)
    },
    matchPassages: () => {
      let hashes = MAX_EXTRA_HASHES
      for (let occurrence = 1; occurrence < MAX_OCCURRENCES && hashes > 0; occurrence++) {
        unmatchedPassages = unmatchedPassages.filter(
          (passage) => hashes-- <= 0 || !isOccurrence(passage, occurrence),
        )
      }
      unmatchedPassages = []
    },
  }
}
