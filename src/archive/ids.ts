// Under which ids an archive is imported: its own, or, for a copy, new ones that follow from them as ids do everywhere else.

import { uuid5 } from '../identity.ts'
import { documentIdOf } from '../ingest/names.ts'

export interface Passage {
  id: string
  document_id: string
  sha256: string
}

export interface Ids {
  workspace: string
  document(id: string): string
  chunk(id: string): string
  /** Before its documents are looked up. */
  learnDocument(id: string, path: string): void
  learnPassage(passage: Passage): void
  /** Between the last passage that is learned and the first that is looked up. */
  matchPassages(): void
}

export const sameIds = (workspace: string): Ids => ({
  workspace,
  document: (id) => id,
  chunk: (id) => id,
  learnDocument: () => {},
  learnPassage: () => {},
  matchPassages: () => {},
})

// How often a document says the same words under the same kind.
const MAX_OCCURRENCES = 200
// Nearly every passage is the first of its words: a hash each. Ids that follow from nothing would take two hundred, so all
// together have one each and a million more, which is two seconds.
const MAX_MORE_HASHES = 1_000_000

export function newIds(before: string, workspace: string, maxMoreHashes = MAX_MORE_HASHES): Ids {
  const documents = new Map<string, string>()
  const chunks = new Map<string, string>()
  let unmatched: Passage[] = []
  // What is not there any more keeps a name of its own.
  const other = (id: string): string => uuid5(workspace, id)
  const document = (id: string): string => documents.get(id) ?? other(id)
  /** As ingest/chunk/chunk.ts makes them. */
  const isOccurrence = ({ id, document_id, sha256 }: Passage, occurrence: number): boolean => {
    const name = `${sha256}:${occurrence}`
    if (uuid5(document_id, name) !== id) return false
    chunks.set(id, uuid5(document(document_id), name))
    return true
  }
  return {
    workspace,
    document,
    chunk: (id) => chunks.get(id) ?? other(id),
    learnDocument: (id, path) => {
      if (id === documentIdOf(before, path)) documents.set(id, documentIdOf(workspace, path))
    },
    learnPassage: (passage) => {
      if (!isOccurrence(passage, 0)) unmatched.push(passage)
    },
    matchPassages: () => {
      let hashes = maxMoreHashes
      for (let occurrence = 1; occurrence < MAX_OCCURRENCES && hashes > 0; occurrence++) {
        unmatched = unmatched.filter((passage) => hashes-- <= 0 || !isOccurrence(passage, occurrence))
      }
      unmatched = []
    },
  }
}
