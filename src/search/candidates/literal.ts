// Searches for a query that has only stop words ("The Who", "Groß"). The index has no stop words, so they are searched in the
// text.

import type { AnalysedText } from '../../language/analysed-text.ts'
import type { Queryable } from '../../ports/db/db.ts'
import { type Candidate, selectChunksWithText } from './candidates.sql.ts'
import type { ResultConditions } from './filter.sql.ts'

// The text of every chunk is read, which takes about 0.8 s for this many chunks of 1 kB. In larger workspaces such a query finds
// nothing.
const MAX_CHUNKS = 100_000
// A text with more words than this is hardly a name.
const MAX_WORDS = 8

/**
 * Chunks that contain the words literally. If there are none, chunks that contain the longest run of capitalised words. They
 * are scored by how often they contain it.
 */
export async function selectLiteral(
  db: Queryable,
  workspaceId: string,
  query: AnalysedText,
  filter: ResultConditions & { chunks: number; limit: number },
): Promise<Candidate[]> {
  if (filter.chunks > MAX_CHUNKS) return []
  for (const text of literalsOf(query)) {
    const candidates = await selectChunksWithText(db, workspaceId, { ...filter, text })
    if (candidates.length) return candidates
  }
  return []
}

/** The texts to search for, one after the other. */
export function literalsOf(query: AnalysedText): string[] {
  const all = query.words.map(({ raw }) => raw)
  if (all.length === 0 || all.length > MAX_WORDS) return []
  const runs: string[][] = [[]]
  for (const word of all) {
    const isCapitalised = /^\p{Lu}/u.test(word)
    if (isCapitalised) runs.at(-1)?.push(word)
    else runs.push([])
  }
  const longest = runs.reduce((best, run) => (run.length >= best.length ? run : best))
  return [...new Set([all, longest].map((run) => run.join(' ')))].filter(Boolean)
}
