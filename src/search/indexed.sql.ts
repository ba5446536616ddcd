// Reads how chunks are indexed: every term with its weight, for the inspector.

import sql from 'sql-template-tag'
import { sparseOf } from '../ports/db/binary.ts'
import type { Queryable } from '../ports/db/db.ts'

export interface IndexedTerm {
  /** The term's number (termHash). */
  hash: number
  /** Undefined for a pair of words of a chunk outside the sample, of which only the hash is stored. */
  term: string | undefined
  weight: number
}

/** The terms of live chunks. Ids of chunks that were replaced or deleted meanwhile are left out. */
export async function selectIndexedTerms(
  db: Queryable,
  workspaceId: string,
  chunkIds: readonly string[],
): Promise<Map<string, IndexedTerm[]>> {
  const rows = await db.rows<{ id: string; terms: number[]; words: string[]; weights: Buffer }>(sql`
    SELECT c.id, c.terms, c.words, sparsevec_send(c.lex) AS weights
    FROM chunk c JOIN document d ON d.workspace_id = c.workspace_id AND d.version_id = c.version_id
    WHERE c.workspace_id = ${workspaceId} AND c.id = ANY (${[...chunkIds]}::uuid[])`)
  return new Map(
    rows.map(({ id, terms, words, weights }) => {
      const { at, values } = sparseOf(weights)
      const termOf = new Map(terms.map((hash, i) => [hash, words[i]]))
      return [id, Array.from(at, (hash, i) => ({ hash, term: termOf.get(hash), weight: values[i] ?? 0 }))]
    }),
  )
}
