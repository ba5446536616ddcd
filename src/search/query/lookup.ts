// Looks up a query's terms in as few round trips as possible. How a query is read depends on the workspace's languages, which
// are most likely those of the last query: so both are asked for at once. A wrong guess costs nothing.

import { isPair, termHash } from '../../index/weights.ts'
import type { AnalysedText } from '../../language/analysed-text.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { SubjectRow } from '../subject.sql.ts'
import {
  type Frequency,
  type LanguageCount,
  type QueryContext,
  selectFrequencies,
  selectQueryContext,
} from './query.sql.ts'
import { chunksOf, type QueryReading, readIn } from './reading.ts'

/** Terms that were looked up: how many chunks have each. */
export interface TermFrequencies {
  /** Chunks of the workspace. */
  chunks: number
  frequencies: Map<number, number>
}

// Some 300 bytes each.
const MAX_REMEMBERED_WORKSPACES = 1000
const lastLanguageCounts = new Map<string, LanguageCount[]>()

/** Keeps the most recently asked. */
function remember(workspaceId: string, languageCounts: LanguageCount[]): void {
  lastLanguageCounts.delete(workspaceId)
  lastLanguageCounts.set(workspaceId, languageCounts)
  const [oldest] = lastLanguageCounts.keys()
  if (lastLanguageCounts.size > MAX_REMEMBERED_WORKSPACES && oldest !== undefined)
    lastLanguageCounts.delete(oldest)
}

interface LookUpRequest {
  query: AnalysedText
  scope: string | undefined
  /** The terms of documents that a query which is read so may name. */
  subjectTermsOf: (reading: QueryReading) => readonly number[] | undefined
}

/** The context of the query, how it is read in it, and its terms if the context is that of the last query. */
export async function lookUp(
  db: Queryable,
  workspaceId: string,
  { query, scope, subjectTermsOf }: LookUpRequest,
): Promise<{
  context: QueryContext
  reading: QueryReading
  termFrequencies: TermFrequencies
  /** What is about the terms that `subjectTermsOf` gave, if that was asked for and read. */
  subjects: readonly SubjectRow[] | undefined
}> {
  const previousLanguageCounts = lastLanguageCounts.get(workspaceId)
  const guessedReading = previousLanguageCounts && readIn(query, previousLanguageCounts)
  const expected = previousLanguageCounts && {
    ...lookupArguments(guessedReading?.weights.keys() ?? []),
    chunks: chunksOf(previousLanguageCounts),
    subjects: guessedReading && subjectTermsOf(guessedReading),
  }
  const { context, frequencies, subjects } = await selectQueryContext(db, workspaceId, scope, expected)
  const { spoken: languageCounts } = context
  remember(workspaceId, languageCounts)
  const isSame = JSON.stringify(previousLanguageCounts) === JSON.stringify(languageCounts)
  const termFrequencies = { chunks: chunksOf(languageCounts), frequencies: new Map() }
  addFrequencies(termFrequencies, frequencies)
  if (guessedReading && isSame) return { context, reading: guessedReading, termFrequencies, subjects }
  return { context, reading: readIn(query, languageCounts), termFrequencies, subjects: undefined }
}

/** Looks up those of the terms that have not been looked up yet. */
export async function lookUpMore(
  db: Queryable,
  workspaceId: string,
  terms: Iterable<string>,
  termFrequencies: TermFrequencies,
): Promise<void> {
  const missing = [...terms].filter((term) => !termFrequencies.frequencies.has(termHash(term)))
  const lookup = { ...lookupArguments(missing), chunks: termFrequencies.chunks }
  if (missing.length) addFrequencies(termFrequencies, await selectFrequencies(db, workspaceId, lookup))
}

function addFrequencies(termFrequencies: TermFrequencies, frequencies: readonly Frequency[]): void {
  for (const { term, df } of frequencies) termFrequencies.frequencies.set(term, df)
}

function lookupArguments(terms: Iterable<string>): { terms: number[]; pairs: boolean[] } {
  const isPairByHash = new Map([...terms].map((term) => [termHash(term), isPair(term)]))
  return { terms: [...isPairByHash.keys()], pairs: [...isPairByHash.values()] }
}
