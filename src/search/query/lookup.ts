// Looks up a query's terms in as few round trips as possible. How a query is read depends on the workspace's languages, which
// are most likely those of the last query: so both are asked for at once. A wrong guess costs nothing.

import { basisRow } from '../../embed/basis.sql.ts'
import { basisSpace } from '../../embed/embed.ts'
import type { BasisRow } from '../../embed/fit.ts'
import { isPair, termHash } from '../../index/weights.ts'
import type { AnalysedText } from '../../language/analysed-text.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { SubjectRow } from '../subject.sql.ts'
import { type Frequency, type QueryContext, selectFrequencies, selectQueryContext } from './query.sql.ts'
import { chunksOf, type QueryReading, readIn } from './reading.ts'

/** Terms that were looked up: how many chunks have each, and its row in the basis of the space. */
export interface LookedUp {
  /** Chunks of the workspace. */
  chunks: number
  space: number | undefined
  frequencies: Map<number, number>
  basis: Map<number, BasisRow>
}

type Last = Pick<QueryContext, 'spoken' | 'space'>

// Some 300 bytes each.
const REMEMBERED = 1000
const last = new Map<string, Last>()

/** Keeps the most recently asked. */
function remember(workspaceId: string, { spoken: languageCounts, space }: Last): void {
  last.delete(workspaceId)
  last.set(workspaceId, { spoken: languageCounts, space })
  const [oldest] = last.keys()
  if (last.size > REMEMBERED && oldest !== undefined) last.delete(oldest)
}

interface LookUpRequest {
  query: AnalysedText
  scope: string | undefined
  /** The terms of documents that a query which is read so may name. */
  aboutOf: (reading: QueryReading) => readonly number[] | undefined
}

/** The context of the query, how it is read in it, and its terms if the context is that of the last query. */
export async function lookUp(
  db: Queryable,
  workspaceId: string,
  { query, scope, aboutOf }: LookUpRequest,
): Promise<{
  context: QueryContext
  reading: QueryReading
  lookedUp: LookedUp
  /** What is about the terms that `aboutOf` gave, if that was asked for and read. */
  subjects: readonly SubjectRow[] | undefined
}> {
  const before = last.get(workspaceId)
  const guess = before && readIn(query, before.spoken)
  const lookup = before && {
    ...lookupOf(guess?.weights.keys() ?? []),
    basis: basisSpace(before.space),
    chunks: chunksOf(before.spoken),
    subjects: guess && aboutOf(guess),
  }
  const { context, frequencies, subjects } = await selectQueryContext(db, workspaceId, scope, lookup)
  remember(workspaceId, context)
  const { spoken: languageCounts, space } = context
  const isSame = JSON.stringify(before?.spoken) === JSON.stringify(languageCounts)
  const lookedUp = {
    chunks: chunksOf(languageCounts),
    space: basisSpace(space),
    frequencies: new Map(),
    basis: new Map(),
  }
  // Rows of another basis cannot be used.
  if (lookup?.basis === lookedUp.space) note(lookedUp, frequencies)
  if (guess && isSame) return { context, reading: guess, lookedUp, subjects }
  return { context, reading: readIn(query, languageCounts), lookedUp, subjects: undefined }
}

/** Looks up those of the terms that have not been looked up yet. */
export async function lookUpMore(
  db: Queryable,
  workspaceId: string,
  terms: Iterable<string>,
  lookedUp: LookedUp,
): Promise<void> {
  const missing = [...terms].filter((term) => !lookedUp.frequencies.has(termHash(term)))
  const lookup = { ...lookupOf(missing), basis: lookedUp.space, chunks: lookedUp.chunks }
  if (missing.length) note(lookedUp, await selectFrequencies(db, workspaceId, lookup))
}

function note(lookedUp: LookedUp, frequencies: readonly Frequency[]): void {
  for (const { term, df, scale, v } of frequencies) {
    lookedUp.frequencies.set(term, df)
    if (scale !== null && v !== null) lookedUp.basis.set(term, basisRow({ scale, v }))
  }
}

function lookupOf(terms: Iterable<string>): { terms: number[]; pairs: boolean[] } {
  const isPairByHash = new Map([...terms].map((term) => [termHash(term), isPair(term)]))
  return { terms: [...isPairByHash.keys()], pairs: [...isPairByHash.values()] }
}
