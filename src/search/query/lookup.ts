// Looks up the frequencies of a query's terms in as few round trips as possible. The terms depend on the languages of the
// workspace, which are most likely the same as at its last query. So one statement reads the languages and, for the terms that
// those of the last query give, the frequencies. After a wrong guess only the missing terms are looked up (`lookUpMore`).

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

/** The frequencies of terms that were looked up: how many chunks have each term. */
export interface TermFrequencies {
  /** Chunks of the workspace. */
  chunks: number
  frequencies: Map<number, number>
}

// For so many workspaces the language counts of the last query are kept in memory, some 300 bytes each.
const MAX_REMEMBERED_WORKSPACES = 1000
const lastLanguageCounts = new Map<string, LanguageCount[]>()

/** Keeps the workspaces that were searched most recently. */
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
  /** The terms by which a query with this reading may name documents. Undefined if it names none. */
  subjectTermsOf: (reading: QueryReading) => readonly number[] | undefined
}

/**
 * The context and the reading of the query. `termFrequencies` has the frequencies of the terms that the languages of the last
 * query give. If these have changed, `lookUpMore` adds the missing terms.
 */
export async function lookUp(
  db: Queryable,
  workspaceId: string,
  { query, scope, subjectTermsOf }: LookUpRequest,
): Promise<{
  context: QueryContext
  reading: QueryReading
  termFrequencies: TermFrequencies
  /**
   * The documents that are about the terms that `subjectTermsOf` gave. Undefined if it gave none, or if the languages are not
   * those of the last query.
   */
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
