// The ids under which an archive is imported: those of the archive, or for a copy new ids that are computed from those of the archive.

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

// So many occurrences of one text in a document are matched. More of them get an id that is computed from the old one.
const MAX_OCCURRENCES = 200
// For nearly every passage one hash shows that it is the first occurrence of its text. A passage whose id was not computed from
// its text would take 200 hashes. So after the first hash of each, all passages together may take at most a million (two seconds).
const MAX_EXTRA_HASHES = 1_000_000

export function newIds(oldWorkspace: string, workspace: string): Ids {
  const documents = new Map<string, string>()
  const chunks = new Map<string, string>()
  let unmatchedPassages: Passage[] = []
  // A document or passage gets an id that is computed from its old id if the archive does not contain it, or if its old id was not
  // computed from its path or text.
  const unmatchedId = (id: string): string => uuid5(workspace, id)
  const document = (id: string): string => documents.get(id) ?? unmatchedId(id)
  /**
   * Sets the passage's new id if its old one is what ingest/chunk/chunk.ts gives to this occurrence of its text. Returns whether
   * it is.
   */
  const tryOccurrence = ({ id, document_id, sha256 }: Passage, occurrence: number): boolean => {
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
      if (!tryOccurrence(passage, 0)) unmatchedPassages.push(passage)
    },
    matchPassages: () => {
      let remainingHashes = MAX_EXTRA_HASHES
      for (let occurrence = 1; occurrence < MAX_OCCURRENCES && remainingHashes > 0; occurrence++) {
        unmatchedPassages = unmatchedPassages.filter(
          (passage) => remainingHashes-- <= 0 || !tryOccurrence(passage, occurrence),
        )
      }
      unmatchedPassages = []
    },
  }
}
