// Which documents a query names: those that are about the names it says, for the period it says, and of several the newest if
// it asks for that. Their passages are preferred; the others stay, since the query may be about something else.

import { subjectQuery } from '../index/subject.ts'
import type { AnalysedText } from '../language/analysed-text.ts'
import type { Language } from '../language/language.ts'
import type { Queryable } from '../ports/db/db.ts'
import { type SubjectRow, selectSubjects } from './subject.sql.ts'

/** The documents that a query names or describes. */
export interface TargetDocuments {
  /** By their ids the factors for the scores of their chunks, up to 7; 1 for any other document. */
  factors: ReadonlyMap<string, number>
  /** Those with the largest factors, best first. Their chunks are candidates even if many others score more. */
  best: readonly string[]
  /** The terms of the names by which the query names them. */
  names: ReadonlySet<number>
}

export const NO_TARGETS: TargetDocuments = { factors: new Map(), best: [], names: new Set() }

const MAX_TERMS = 40
const MAX_BEST = 50
// A document is one of the best with this share of the best one's preference.
const BEST_SHARE = 0.5
// Names that nearly all documents share say nothing: 1 is a name of one document among many.
const MIN_DISTINCTION = 0.3
// A document that the query names and whose period it says is the very one; others of that name or of that period are not. sec10q,
// search@5 of right documents / search@10 holds the answer, figures / words: .804 / .384 / .649 without, .917 / .435 / .719 with
// 4; with both at 4 instead of 1 the same, which would also move documents of the name or the period only.
const BOTH_SHARE = 4

const termsOf = ({ names, periods }: ReturnType<typeof subjectQuery>): number[] =>
  [...periods.narrow, ...periods.wide, ...names].slice(0, MAX_TERMS)

/** The terms that `findTargets` asks for, for a query that is read in these languages. */
export const termsOfSubjects = (query: AnalysedText, languages: readonly Language[]): number[] =>
  termsOf(subjectQuery(query, languages))

/** @param context `subjects`: what is about the terms, where that was read together with the query */
export async function findTargets(
  db: Queryable,
  workspaceId: string,
  query: AnalysedText,
  context: { languages: readonly Language[]; documents: number; subjects: readonly SubjectRow[] | undefined },
): Promise<TargetDocuments> {
  const { languages, documents, subjects } = context
  const subjectOfQuery = subjectQuery(query, languages)
  const { names, periods, isLatest } = subjectOfQuery
  const terms = termsOf(subjectOfQuery)
  if (terms.length === 0 || documents < 2) return NO_TARGETS
  const rows = subjects ?? (await selectSubjects(db, workspaceId, terms))
  const byTerm = new Map<number, SubjectRow[]>()
  for (const row of rows) {
    const same = byTerm.get(row.term)
    if (same) same.push(row)
    else byTerm.set(row.term, [row])
  }
  const about = (terms: ReadonlySet<number>): SubjectRow[][] =>
    [...terms].flatMap((term) => {
      const rowsOfTerm = byTerm.get(term)
      return rowsOfTerm ? [rowsOfTerm] : []
    })
  const documentsByName = byNames(about(names), documents)
  const inPeriod = about(periods.narrow)
  const dated = inPeriod.length ? inPeriod : about(periods.wide)
  const timely = isLatest && dated.length === 0 ? newest(rows, documentsByName) : byPeriod(dated)
  return {
    ...targetsBy(documentsByName, timely),
    names: new Set([...names].filter((term) => byTerm.has(term))),
  }
}

/** How far each document is about the names, 0 to 1: names that few documents are about count more. Pure. */
export function byNames(about: readonly (readonly SubjectRow[])[], documents: number): Map<string, number> {
  const scores = new Map<string, number>()
  let all = 0
  for (const rows of about) {
    const most = Math.max(...rows.map(({ weight }) => weight))
    const share = (weight: number): number => weight / most
    const distinction = 1 - rows.reduce((sum, { weight }) => sum + share(weight), 0) / documents
    if (distinction < MIN_DISTINCTION) continue
    all += distinction
    for (const { document_id, weight } of rows)
      scores.set(document_id, (scores.get(document_id) ?? 0) + distinction * share(weight))
  }
  const best = Math.max(...scores.values())
  return all === 0 ? scores : new Map([...scores].map(([id, value]) => [id, value / best]))
}

function byPeriod(about: readonly (readonly SubjectRow[])[]): Map<string, number> {
  const scores = new Map<string, number>()
  for (const { document_id, weight } of about.flat())
    scores.set(document_id, Math.max(scores.get(document_id) ?? 0, weight))
  return scores
}

/** The newest of the documents that are about the names. */
function newest(
  rows: readonly SubjectRow[],
  documentsByName: ReadonlyMap<string, number>,
): Map<string, number> {
  const dates = new Map(rows.map(({ document_id, dated }) => [document_id, dated ?? '']))
  const candidates = [...documentsByName].filter(([, value]) => value >= BEST_SHARE).map(([id]) => id)
  const last = candidates
    .map((id) => dates.get(id) ?? '')
    .sort()
    .at(-1)
  return new Map(last ? candidates.filter((id) => dates.get(id) === last).map((id) => [id, 1]) : [])
}

/** Pure. */
export function targetsBy(
  documentsByName: ReadonlyMap<string, number>,
  timely: ReadonlyMap<string, number>,
): Omit<TargetDocuments, 'names'> {
  const ids = new Set([...documentsByName.keys(), ...timely.keys()])
  const preference = (id: string): number => {
    const [byName, byTime] = [documentsByName.get(id) ?? 0, timely.get(id) ?? 0]
    return byName + byTime + BOTH_SHARE * byName * byTime
  }
  const preferred = [...ids]
    .map((id): [string, number] => [id, preference(id)])
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const least = BEST_SHARE * (preferred[0]?.[1] ?? 0)
  return {
    factors: new Map(preferred.map(([id, value]) => [id, 1 + value])),
    best: preferred
      .filter(([, value]) => value >= least)
      .slice(0, MAX_BEST)
      .map(([id]) => id),
  }
}
