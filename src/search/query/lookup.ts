// Looks up the frequencies of a query's terms in as few round trips as possible. The terms depend on the languages of the
// workspace, which rarely change. So one statement reads the current languages, and the frequencies of the terms in the
// languages of the previous query. If the languages have changed, `lookUpMissing` looks up the missing terms.

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
import { chunksOf, type QueryReading, readQuery } from './reading.ts'

export interface TermFrequencies {
  /** The number of chunks in the workspace. */
  chunks: number
  /** For each term that was looked up, how many chunks have it. */
  frequencies: Map<number, number>
}

// The language counts of this many workspaces are cached, about 300 bytes each.
const MAX_CACHED_WORKSPACES = 1000
const lastLanguageCounts = new Map<string, LanguageCount[]>()

/** The workspaces that were searched most recently stay in the cache. */
function cacheLanguageCounts(workspaceId: string, languageCounts: LanguageCount[]): void {
  lastLanguageCounts.delete(workspaceId)
  lastLanguageCounts.set(workspaceId, languageCounts)
  const [oldest] = lastLanguageCounts.keys()
  if (lastLanguageCounts.size > MAX_CACHED_WORKSPACES && oldest !== undefined)
    lastLanguageCounts.delete(oldest)
}

interface LookUpRequest {
  query: AnalysedText
  scope: string | undefined
  /** The terms by which a query with this reading may name documents. Undefined if it names none. */
  subjectTermsOf: (reading: QueryReading) => readonly number[] | undefined
}

/**
 * The context and the reading of the query. `termFrequencies` has the frequencies of the terms in the languages of the previous
 * query. If the languages have changed, `lookUpMissing` adds those of the missing terms.
 */
export async function lookUpQuery(
  db: Queryable,
  workspaceId: string,
  { query, scope, subjectTermsOf }: LookUpRequest,
): Promise<{
  context: QueryContext
  reading: QueryReading
  termFrequencies: TermFrequencies
  /** The documents about the terms of `subjectTermsOf`. Undefined if it returned none, or if the languages have changed. */
  subjects: readonly SubjectRow[] | undefined
}> {
  const previousLanguageCounts = lastLanguageCounts.get(workspaceId)
  const guessedReading = previousLanguageCounts && readQuery(query, previousLanguageCounts)
  const expected = previousLanguageCounts && {
    ...lookupArguments(guessedReading?.weights.keys() ?? []),
    chunks: chunksOf(previousLanguageCounts),
    subjects: guessedReading && subjectTermsOf(guessedReading),
  }
  const { context, frequencies, subjects } = await selectQueryContext(db, workspaceId, scope, expected)
  const { spoken: languageCounts } = context
  cacheLanguageCounts(workspaceId, languageCounts)
  const isSame = JSON.stringify(previousLanguageCounts) === JSON.stringify(languageCounts)
  const termFrequencies = { chunks: chunksOf(languageCounts), frequencies: new Map() }
  addFrequencies(termFrequencies, frequencies)
  if (guessedReading && isSame) return { context, reading: guessedReading, termFrequencies, subjects }
  return { context, reading: readQuery(query, languageCounts), termFrequencies, subjects: undefined }
}

/** Looks up those of the terms that have not been looked up yet. */
export async function lookUpMissing(
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
