// The ids with which the rows of an archive are imported: the ids of the archive, or, for a copy, new ids that are computed from
// them.

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
  /** Must be called for every document before the first call of `document` or `chunk`. */
  addDocument(id: string, path: string): void
  addPassage(passage: Passage): void
  /** Must be called after the last `addPassage` and before the first `chunk`. */
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

// The maximum number of occurrences of one text in a document that are tried. Any other passage gets an id that is computed from
// its old id.
const MAX_OCCURRENCES = 200
// A limit for all passages together, about two seconds. Nearly every passage takes only one hash, because it is the first
// occurrence of its text. But a passage whose id was not computed from its text would take MAX_OCCURRENCES hashes.
const MAX_EXTRA_HASHES = 1_000_000

export function newIds(oldWorkspace: string, workspace: string): Ids {
  const documents = new Map<string, string>()
  const chunks = new Map<string, string>()
  let unmatchedPassages: Passage[] = []
  // The new id of a document or passage that is not in the archive, or whose old id was not computed from its path or text.
  const unmatchedId = (id: string): string => uuid5(workspace, id)
  const document = (id: string): string => documents.get(id) ?? unmatchedId(id)
  /**
   * Sets the new id of the passage if its old id is the one that ingest/chunk/chunk.ts computes for this occurrence of its text.
   * @returns whether the old id is that one
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
