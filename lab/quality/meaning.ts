// Meaning alone: chunks by their vectors.

import { semanticQuery } from '../../src/embed/embed.ts'
import { selectNearest } from '../../src/embed/nearest.sql.ts'
import type { FindPassages } from '../../src/eval/target/temporary.ts'
import { analysedText } from '../../src/language/analysed-text.ts'
import type { Deps } from '../../src/ports/deps.ts'
import { selectPassages } from '../../src/search/passage.sql.ts'
import { queryVectorOf, weighQuery } from '../../src/search/query/query.ts'

/** The nearest of all chunks, compared whole; none where the workspace has no space. */
export const byMeaning =
  (deps: Deps, workspaceId: string): FindPassages =>
  async (query, limit) => {
    const known = await weighQuery(deps.db, workspaceId, analysedText(query), { isCorrecting: true })
    if (!known) return []
    const { terms, chunks, space, languages } = known
    const meaning = await semanticQuery(deps, workspaceId, { text: analysedText(query), languages }, space)
    if (!meaning) return []
    const nearest = await selectNearest(deps.db, workspaceId, meaning, {
      limit,
      queryVector: queryVectorOf(terms),
      chunks,
      conditions: [],
    })
    const ids = nearest.map(({ chunk_id }) => chunk_id)
    const read = new Map(
      (await selectPassages(deps.db, workspaceId, ids, chunks)).map((hit) => [hit.chunk_id, hit]),
    )
    return ids.flatMap((id) => read.get(id) ?? [])
  }
