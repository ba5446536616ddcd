// Finds the documents that a query names: those that are about the names and the period in the query, or only the newest of them
// if the query asks for it. Search prefers their passages. Other passages stay in the results, because the query may be about
// something else.

import { subjectQuery } from '../index/subject.ts'
import type { AnalysedText } from '../language/analysed-text.ts'
import type { Language } from '../language/language.ts'
import type { Queryable } from '../ports/db/db.ts'
import { type SubjectRow, selectSubjects } from './subject.sql.ts'

/** The documents that a query names or describes. */
export interface TargetDocuments {
  /** By document id, the factor for the scores of the document's chunks: more than 1, at most 7. Any other document has 1. */
  factors: ReadonlyMap<string, number>
  /** The documents with the largest factors, best first. Their chunks are candidates even if many others score more. */
  best: readonly string[]
  /** The hashes of the names by which the query refers to documents. */
  names: ReadonlySet<number>
}

export const NO_TARGETS: TargetDocuments = { factors: new Map(), best: [], names: new Set() }

const MAX_TERMS = 40
const MAX_BEST = 50
// A document is one of the best if its preference (factor - 1) is at least this share of the highest.
const MIN_BEST_SHARE = 0.5
// A name that nearly all documents share (distinction near 0) does not help to choose one. A name of one of many documents has a
// distinction near 1.
const MIN_DISTINCTION = 0.3
// The bonus of a document with both the name and the period of the query, which is almost certainly the right one. On sec10q the
// first five results are then from the right document in .917 of the cases (without this bonus .804).
const NAME_AND_PERIOD_FACTOR = 4

const subjectTerms = ({ names, periods }: ReturnType<typeof subjectQuery>): number[] =>
  [...periods.exact, ...periods.containing, ...names].slice(0, MAX_TERMS)

/** The terms that `findTargets` needs for a query that is read in these languages. */
export const termsOfSubjects = (query: AnalysedText, languages: readonly Language[]): number[] =>
  subjectTerms(subjectQuery(query, languages))

/** @param context `subjects`: the documents about the terms, if they were read together with the query */
export async function findTargets(
  db: Queryable,
  workspaceId: string,
  query: AnalysedText,
  context: { languages: readonly Language[]; documents: number; subjects: readonly SubjectRow[] | undefined },
): Promise<TargetDocuments> {
  const { languages, documents, subjects } = context
  const subjectOfQuery = subjectQuery(query, languages)
  const { names, periods, isLatest } = subjectOfQuery
  const terms = subjectTerms(subjectOfQuery)
  if (terms.length === 0 || documents < 2) return NO_TARGETS
  const rows = subjects ?? (await selectSubjects(db, workspaceId, terms))
  const byTerm = new Map<number, SubjectRow[]>()
  for (const row of rows) {
    const rowsOfTerm = byTerm.get(row.term)
    if (rowsOfTerm) rowsOfTerm.push(row)
    else byTerm.set(row.term, [row])
  }
  const rowsOfTerms = (terms: ReadonlySet<number>): SubjectRow[][] =>
    [...terms].flatMap((term) => {
      const rowsOfTerm = byTerm.get(term)
      return rowsOfTerm ? [rowsOfTerm] : []
    })
  const documentsByName = scoresByName(rowsOfTerms(names), documents)
  const rowsOfExactPeriod = rowsOfTerms(periods.exact)
  const rowsOfPeriod = rowsOfExactPeriod.length ? rowsOfExactPeriod : rowsOfTerms(periods.containing)
  const documentsByPeriod =
    isLatest && rowsOfPeriod.length === 0
      ? newestDocuments(rows, documentsByName)
      : scoresByPeriod(rowsOfPeriod)
  return {
    ...targetsBy(documentsByName, documentsByPeriod),
    names: new Set([...names].filter((term) => byTerm.has(term))),
  }
}

/** How much each document is about the names, 0 to 1. A name that few documents share counts more. Pure. */
export function scoresByName(
  rowsByName: readonly (readonly SubjectRow[])[],
  documents: number,
): Map<string, number> {
  const scores = new Map<string, number>()
  let totalDistinction = 0
  for (const rows of rowsByName) {
    const maxWeight = Math.max(...rows.map(({ weight }) => weight))
    const share = (weight: number): number => weight / maxWeight
    const distinction = 1 - rows.reduce((sum, { weight }) => sum + share(weight), 0) / documents
    if (distinction < MIN_DISTINCTION) continue
    totalDistinction += distinction
    for (const { document_id, weight } of rows)
      scores.set(document_id, (scores.get(document_id) ?? 0) + distinction * share(weight))
  }
  const maxScore = Math.max(...scores.values())
  return totalDistinction === 0 ? scores : new Map([...scores].map(([id, value]) => [id, value / maxScore]))
}

function scoresByPeriod(rowsByPeriod: readonly (readonly SubjectRow[])[]): Map<string, number> {
  const scores = new Map<string, number>()
  for (const { document_id, weight } of rowsByPeriod.flat())
    scores.set(document_id, Math.max(scores.get(document_id) ?? 0, weight))
  return scores
}

/** The newest documents among those that are about the names. */
function newestDocuments(
  rows: readonly SubjectRow[],
  documentsByName: ReadonlyMap<string, number>,
): Map<string, number> {
  const dates = new Map(rows.map(({ document_id, dated }) => [document_id, dated ?? '']))
  const candidates = [...documentsByName].filter(([, value]) => value >= MIN_BEST_SHARE).map(([id]) => id)
  const latestDate = candidates
    .map((id) => dates.get(id) ?? '')
    .sort()
    .at(-1)
  return new Map(
    latestDate ? candidates.filter((id) => dates.get(id) === latestDate).map((id) => [id, 1]) : [],
  )
}

/** The preferred documents and their factors. Pure. */
export function targetsBy(
  documentsByName: ReadonlyMap<string, number>,
  documentsByPeriod: ReadonlyMap<string, number>,
): Omit<TargetDocuments, 'names'> {
  const ids = new Set([...documentsByName.keys(), ...documentsByPeriod.keys()])
  const preference = (id: string): number => {
    const [byName, byTime] = [documentsByName.get(id) ?? 0, documentsByPeriod.get(id) ?? 0]
    return byName + byTime + NAME_AND_PERIOD_FACTOR * byName * byTime
  }
  const preferred = [...ids]
    .map((id): [string, number] => [id, preference(id)])
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const minPreference = MIN_BEST_SHARE * (preferred[0]?.[1] ?? 0)
  return {
    factors: new Map(preferred.map(([id, value]) => [id, 1 + value])),
    best: preferred
      .filter(([, value]) => value >= minPreference)
      .slice(0, MAX_BEST)
      .map(([id]) => id),
  }
}
