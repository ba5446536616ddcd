// Chunks as they are indexed: every term with its weight, for the inspector.

import sql from 'sql-template-tag'
import { float32s, int32s } from '../ports/db/binary.ts'
import type { Queryable } from '../ports/db/db.ts'

export interface IndexedTerm {
  /** Its number (index/weights.ts, termHash). */
  hash: number
  term: string
  weight: number
}

/** The terms of live chunks, heaviest first. Ids of chunks that were replaced or deleted meanwhile are left out. */
export async function selectIndexedTerms(
  db: Queryable,
  workspaceId: string,
  chunkIds: readonly string[],
): Promise<Map<string, IndexedTerm[]>> {
  const rows = await db.rows<{ id: string; terms: number[]; words: string[]; weights: Buffer }>(sql`
    SELECT c.id, c.terms, c.words, sparsevec_send(c.lex) AS weights
    FROM chunk c JOIN document d ON d.workspace_id = c.workspace_id AND d.version_id = c.version_id
    WHERE c.workspace_id = ${workspaceId} AND c.id = ANY (${[...chunkIds]}::uuid[])`)
  return new Map(rows.map((row) => [row.id, termsOf(row)]))
}

// pgvector's binary form: dimensions, the number of elements, unused; then their places, from 0, and their values.
const HEAD_BYTES = 12

function termsOf({
  terms,
  words,
  weights,
}: {
  terms: number[]
  words: string[]
  weights: Buffer
}): IndexedTerm[] {
  const [, count = 0] = int32s(weights.subarray(0, HEAD_BYTES))
  const places = int32s(weights.subarray(HEAD_BYTES, HEAD_BYTES + 4 * count))
  const values = float32s(weights.subarray(HEAD_BYTES + 4 * count))
  const weightOf = new Map([...places].map((place, i) => [place + 1, values[i] ?? 0]))
  return terms
    .map((hash, i) => ({ hash, term: words[i] ?? '', weight: weightOf.get(hash) ?? 0 }))
    .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
}
