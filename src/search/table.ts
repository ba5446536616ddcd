// Tables in search results: the header and the matching rows (spec, "SearchRequest body"). The document has the whole table.

import { analyse, contentTerms } from '../language/analyse.ts'
import type { AnalysedText } from '../language/analysed-text.ts'
import type { Language } from '../language/language.ts'
import type { Passage } from './passage.ts'

// A table with at most this many rows is shown completely.
const MAX_UNTRIMMED_ROWS = 12
const MAX_ROWS = 20

// A query with fewer words does not move a table, because a single word is in many rows.
const MIN_WORDS = 2

// A row is shown when it matches at least half as well as the best one.
const MIN_SHOWN_SHARE = 0.5

/** Terms with their weights. */
type TermWeights = ReadonlyMap<string, number>

/**
 * The Markdown table reduced to its header and the rows that match the query best, in their order. `weights`: the weights of
 * terms that are not among the query's own words, such as corrections and parts of compounds.
 */
export function trimTable(
  markdown: string,
  query: AnalysedText,
  language: Language,
  weights: TermWeights = new Map(),
): string {
  const { lines, delimiterIndex, rows } = partsOfTable(markdown)
  if (delimiterIndex < 1 || rows.length <= MAX_UNTRIMMED_ROWS) return markdown
  const queryTerms = query.contentTerms(language).map((term) => [term, 1] as const)
  const scores = rowScores(rows, new Map([...weights, ...queryTerms]), language)
  const maxScore = Math.max(...scores)
  const ranked = [...rows.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
  const matching = ranked.filter((row) => maxScore > 0 && (scores[row] ?? 0) >= maxScore * MIN_SHOWN_SHARE)
  const shownRows = (
    matching.length ? matching.slice(0, MAX_ROWS) : ranked.slice(0, MAX_UNTRIMMED_ROWS)
  ).sort((a, b) => a - b)
  const hidden = rows.length - shownRows.length
  const note = hidden > 0 ? [`… ${hidden} more row${hidden === 1 ? '' : 's'} in the document`] : []
  return [...lines.slice(0, delimiterIndex + 1), ...shownRows.map((row) => rows[row] ?? ''), ...note].join(
    '\n',
  )
}

/**
 * The lines of a table, the index of the delimiter row (`| - | - |`) below its header, and its rows. If the index is 0 or less,
 * the text is no table.
 */
export function partsOfTable(markdown: string): { lines: string[]; delimiterIndex: number; rows: string[] } {
  const lines = markdown.split('\n')
  const delimiterIndex = lines.findIndex((line) => DELIMITER_ROW.test(line))
  return { lines, delimiterIndex, rows: lines.slice(delimiterIndex + 1) }
}

// Matches `| - | :-: |`.
const DELIMITER_ROW = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*$/

/** Whether one row, together with the header, has all the terms. */
function hasRowWithAllTerms(markdown: string, terms: ReadonlySet<string>, language: Language): boolean {
  const { lines, delimiterIndex, rows } = partsOfTable(markdown)
  if (delimiterIndex < 1) return false
  const header = new Set(contentTerms(lines.slice(0, delimiterIndex).join('\n'), language))
  const missingTerms = [...terms].filter((term) => !header.has(term))
  return rows.some((row) => {
    const rowTerms = termsOfRow(row, language)
    return missingTerms.every((term) => rowTerms.has(term))
  })
}

/**
 * If the first passage with every word of the query is a table, and one of its rows has them all, moves the table to the top. A
 * table is long, so BM25 scores it low even if a row matches exactly.
 */
export function withMatchingTableFirst<Hit extends Passage>(
  hits: readonly Hit[],
  query: AnalysedText,
): Hit[] {
  // Analysing fifteen passages takes 1.7 ms, so it is done only if there is a table to move.
  if (!hits.slice(1).some(({ type }) => type === 'table')) return [...hits]
  const hasAllTerms = (hit: Hit): boolean => {
    const queryTerms = new Set(query.contentTerms(hit.language))
    if (queryTerms.size < MIN_WORDS) return false
    if (hit.type === 'table') return hasRowWithAllTerms(hit.text, queryTerms, hit.language)
    const hitTerms = new Set(contentTerms(`${hit.document_title}\n${hit.heading}\n${hit.text}`, hit.language))
    return [...queryTerms].every((term) => hitTerms.has(term))
  }
  const at = hits.findIndex(hasAllTerms)
  const [best, firstTable] = [hits[0], hits[at]]
  if (at < 1 || !best || firstTable?.type !== 'table') return [...hits]
  return [{ ...firstTable, score: best.score }, ...hits.filter((hit) => hit !== firstTable)]
}

/** The terms of a row: its words, and its codes as a whole, so that K01033 matches K-01033. */
export const termsOfRow = (row: string, language: Language): Set<string> =>
  new Set(analyse(row, language).flatMap(({ term, kind }) => (kind === 'pair' ? [] : [term])))

/** How well each row matches: the sum of the weights of the query's terms in it. A term that few rows have counts more. */
function rowScores(rows: string[], termWeights: TermWeights, language: Language): number[] {
  const sharedTerms = rows.map((row) =>
    [...termsOfRow(row, language)].filter((term) => termWeights.has(term)),
  )
  const frequency = new Map<string, number>()
  for (const terms of sharedTerms)
    for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  const termWeight = (term: string): number =>
    (termWeights.get(term) ?? 0) * Math.log(1 + rows.length / (frequency.get(term) ?? 1))
  return sharedTerms.map((terms) => terms.reduce((sum, term) => sum + termWeight(term), 0))
}
