// What search asks of meaning. A workspace is searched in its one serving space (or none: then by words alone), also
// while another one fills behind it. How search is to use it:
//
//   const query = await semanticQuery(deps, workspaceId, { text, terms })     // beside the lexical statement
//   undefined            → lexical only (fewer than 50 chunks, no embedder, the model is away)
//   strength 'weak'      → LSA: does not search; score the best 200 lexical candidates (nearest.sql.ts,
//                          `similarity` inside a statement over `chunk c`), convex min-max
//   strength 'strong'    → a neural model: nearest.sql.ts, selectNearest gives candidates of its own; reciprocal rank
//
// A chunk without a vector yet (just uploaded) has no score: it takes part by its words alone.

import type { Deps } from '../ports/deps.ts'
import { modelOf } from '../ports/embedder/embedder.ts'
import { type BasisRow, foldIn } from './fit.ts'
import { folder, LEXICAL_FAMILY } from './lexical.ts'
import { queryVector } from './query-vectors.ts'
import { type Space, selectServing } from './spaces.sql.ts'
import { vectorText } from './writers.ts'

/** A query in the serving space of its workspace. */
export interface SemanticQuery {
  strength: 'weak' | 'strong'
  space: Pick<Space, 'id' | 'dimensions' | 'index'>
  /** pgvector's text form, length 1. */
  vector: string
}

export interface QueryText {
  text: string
  /** Its analysed terms: number (index/weights.ts, termHash) and weight by kind, without idf. */
  terms: readonly { hash: number; weight: number }[]
  /** The rows of the terms in the serving space's basis, where they were read already. */
  basis?: ReadonlyMap<number, BasisRow>
}

/**
 * The space whose basis a query is folded into; undefined for one of a model. A fit of an earlier version serves until
 * the next one is full: its basis is read alike.
 */
export const basisSpace = (space: Space | null): number | undefined =>
  space?.embedder.startsWith(LEXICAL_FAMILY) ? space.id : undefined

type Needs = Pick<Deps, 'db' | 'log' | 'embedder'>

/**
 * The query's vector in the serving space, which is read unless the caller knows it; undefined: by words alone. A model
 * that is away is logged, never thrown.
 */
export async function semanticQuery(
  deps: Needs,
  workspaceId: string,
  query: QueryText,
  known?: Space | null,
): Promise<SemanticQuery | undefined> {
  const space = known === undefined ? await selectServing(deps.db, workspaceId) : known
  if (!space) return undefined
  const isLexical = basisSpace(space) !== undefined
  const vector = isLexical
    ? await folded(deps, workspaceId, space, query)
    : await asked(deps, space, query.text)
  return vector && { strength: isLexical ? 'weak' : 'strong', space, vector: vectorText(vector) }
}

async function folded(
  { db }: Needs,
  workspaceId: string,
  space: Space,
  { terms, basis }: QueryText,
): Promise<Float32Array | undefined> {
  const weighted = terms.map(({ hash, weight }) => ({ term: hash, weight }))
  if (basis) return foldIn(weighted, (term) => basis.get(term))
  const [vector] = await folder(db, workspaceId, space.id)([weighted])
  return vector
}

async function asked(deps: Needs, space: Space, text: string): Promise<Float32Array | undefined> {
  const model = modelOf(deps.embedder, space.embedder)
  const vector = model && (await queryVector(deps, model, text))
  return vector?.length === space.dimensions ? vector : undefined
}
