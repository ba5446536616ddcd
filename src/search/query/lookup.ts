// Looks up a query's terms in as few round trips as possible. How a query is read depends on the workspace's languages, which
// are most likely those of the last query: so both are asked for at once. A wrong guess costs nothing.

import { isPair, termHash } from '../../index/weights.ts'
import type { AnalysedText } from '../../language/analysed-text.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { SubjectRow } from '../subject.sql.ts'
import { type Frequency, type QueryContext, selectFrequencies, selectQueryContext } from './query.sql.ts'
import { chunksOf, type QueryReading, readIn } from './reading.ts'

/** Terms that were looked up: how many chunks have each. */
export interface LookedUp {
  /** Chunks of the workspace. */
  chunks: number
  frequencies: Map<number, number>
}

// Some 300 bytes each.
const REMEMBERED = 1000
const last = new Map<string, QueryContext['spoken']>()

/** Keeps the most recently asked. */
function remember(workspaceId: string, languageCounts: QueryContext['spoken']): void {
  last.delete(workspaceId)
  last.set(workspaceId, languageCounts)
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
  const guess = before && readIn(query, before)
  const lookup = before && {
    ...lookupOf(guess?.weights.keys() ?? []),
    chunks: chunksOf(before),
    subjects: guess && aboutOf(guess),
  }
  const { context, frequencies, subjects } = await selectQueryContext(db, workspaceId, scope, lookup)
  const { spoken: languageCounts } = context
  remember(workspaceId, languageCounts)
  const isSame = JSON.stringify(before) === JSON.stringify(languageCounts)
  const lookedUp = { chunks: chunksOf(languageCounts), frequencies: new Map() }
  note(lookedUp, frequencies)
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
  const lookup = { ...lookupOf(missing), chunks: lookedUp.chunks }
  if (missing.length) note(lookedUp, await selectFrequencies(db, workspaceId, lookup))
}

function note(lookedUp: LookedUp, frequencies: readonly Frequency[]): void {
  for (const { term, df } of frequencies) lookedUp.frequencies.set(term, df)
}

function lookupOf(terms: Iterable<string>): { terms: number[]; pairs: boolean[] } {
  const isPairByHash = new Map([...terms].map((term) => [termHash(term), isPair(term)]))
  return { terms: [...isPairByHash.keys()], pairs: [...isPairByHash.values()] }
}
