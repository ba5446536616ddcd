// Which chunks are scored: in a small workspace all, in a large one those whose words of the query have the highest total
// weight, as few as the results need. A threshold on that total selects what WAND would score (Broder et al. 2003, "Efficient
// query evaluation using a two-level retrieval process"); here the GIN index intersects the sets.

import { isPair, MOST_SATURATED } from '../../index/weights.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { Phrase } from '../query/phrases.ts'
import { type WeighedTerm, weightOf } from '../query/query.ts'
import type { Holding } from './candidates.sql.ts'
import { countInside, type Filter } from './filter.sql.ts'

export interface Limits {
  /**
   * Below this many chunks scanning the workspace is faster than candidates by GIN: 2.3 against 4.5 ms at 1,000 (PostgreSQL
   * 18); on the embedded engine, for words of one passage / whole questions: 1,000 chunks 40 against 29 / 23 against 37 ms,
   * 3,000 74 against 28 / 47 against 45, 4,500 47 against 29 / 56 against 41.
   */
  scanBelow: number
  /**
   * The threshold is lowered until so many chunks are expected above it. Overlap@10 with the scan, words of one passage, 60,000
   * / 600,000 chunks: 500 .999 / .994, 1,000 and 2,000 1 / 1; taking the rarest words up to 3,000 chunks gave .991 / .962.
   */
  most: number
  /** Fewer candidates than this are accepted only if no other chunk can score as much. */
  least: number
  /**
   * The cost of a candidate by GIN relative to a chunk of a scan: a page anywhere in the table against half of the next page.
   * Between 1.4 with all in memory (embedded, 3,000 chunks: 3.2 against 2.4 µs) and 6.6 with a table three times as large as
   * memory (PostgreSQL, 100,000 chunks: 5.3 against .8 µs).
   */
  cost: number
}

export const LIMITS: Limits = { scanBelow: 3000, most: 1000, least: 300, cost: 4 }

// Chunks that pass a filter are scattered and found document by document, so that a candidate is relatively cheaper: within
// 20,000 of 60,000 chunks in a hand-made scope four queries took 92, 120, 180, 133 ms when all were scored, 36, 70, 90, 65 by
// candidates (PostgreSQL, busy machine); within a tenth of 600,000 141.
const FILTERED: Limits = { ...LIMITS, cost: 2 }

export interface Narrowed {
  holding: Holding
  /**
   * The highest score that any other chunk can have: the candidates suffice if enough of them score more. 0 when there are as
   * many as wanted; null when no other chunk has any of the words.
   */
  outside: number | null
}

/** The workspace that is searched. */
export interface Searched {
  chunks: number
  /** Its share of the chunks of all workspaces. */
  share: number
  /** How many of its chunks pass the filter. */
  inside?: number
}

/**
 * Sets of candidates to try in this order; if none suffices, every chunk is scored. The index knows no filters: the share of
 * its candidates that passes is that of the workspace, so proportionally more are taken.
 */
export function narrow(
  terms: readonly WeighedTerm[],
  { chunks, share, inside = chunks }: Searched,
  limits: Limits = LIMITS,
): Narrowed[] {
  if (inside < limits.scanBelow) return []
  const known = [...new Map(terms.filter(({ df }) => df > 0).map((term) => [term.hash, term])).values()]
  const part = Math.min(1, inside / chunks)
  const { sets, next } = heaviest(combinations(known, chunks), limits.most / part)
  // The index covers all workspaces: in one with a hundredth of all chunks, 1,000 candidates come with 100,000 of other
  // workspaces, which are read and dropped. If scoring all chunks is cheaper, all are scored.
  const isExpensive = (wanted: readonly Combination[]): boolean =>
    (sumOf(wanted) / share) * limits.cost > inside
  const steps: Narrowed[] = []
  if (sets.length && !isExpensive(sets)) {
    const isMany = sumOf(sets) * part >= limits.least
    steps.push({ holding: holdingOf(sets), outside: next && (isMany ? 0 : bound(known, sets, next)) })
  }
  // If the rare words give too few candidates, a common one fills the list.
  const filled = next && withSet(sets, next)
  if (filled && !isExpensive(filled)) steps.push({ holding: holdingOf(filled), outside: 0 })
  return steps
}

/** The same behind a filter. Its chunks are counted only if the workspace is too large to be scored completely. */
export async function narrowWithin(
  db: Queryable,
  workspaceId: string,
  { terms, chunks, share }: Searched & { terms: readonly WeighedTerm[] },
  filter: Filter,
): Promise<Narrowed[]> {
  const open = narrow(terms, { chunks, share })
  if (Object.keys(filter).length === 0 || open.length === 0) return open
  const inside = await countInside(db, workspaceId, filter, chunks)
  return narrow(terms, { chunks, share, inside }, FILTERED)
}

/** Terms that a chunk may have together. */
interface Combination {
  terms: readonly WeighedTerm[]
  /** The total weight of the terms. */
  weight: number
  /** Expected number of chunks that have all of them, if different words were independent. */
  expected: number
}

// All combinations of the heaviest words are considered, other words only alone. Of six words at most twenty sets do not
// contain each other: those of three.
const MOST_COMBINED = 6
// Each set is a lookup in the index.
const MOST_SETS = 20

/** All terms but pairs, the heaviest first. */
const wordsOf = (known: readonly WeighedTerm[]): WeighedTerm[] =>
  known.filter(({ term }) => !isPair(term)).sort((a, b) => weightOf(b) - weightOf(a))

/** A pair of the query with the words it is made of, as far as they are known. */
interface Pair {
  term: WeighedTerm
  words: readonly WeighedTerm[]
}

// The index has pairs of a sample only: a chunk with a pair is found by its words.
function pairsOf(known: readonly WeighedTerm[], words: readonly WeighedTerm[]): Pair[] {
  return known.flatMap((pair) => {
    if (!isPair(pair.term)) return []
    const parts = pair.term.split(' ')
    return [{ term: pair, words: words.filter(({ term }) => parts.includes(term)) }]
  })
}

/** Combinations of terms by weight, the heaviest first. */
function combinations(known: readonly WeighedTerm[], chunks: number): Combination[] {
  const words = wordsOf(known)
  const pairs = pairsOf(known, words)
  const combined = (terms: readonly WeighedTerm[]): Combination => ({
    terms,
    // Words that are together may be side by side.
    weight: [...terms, ...pairs.filter((pair) => isWithin(pair, terms)).map(({ term }) => term)].reduce(
      (sum, term) => sum + weightOf(term),
      0,
    ),
    expected: together(terms, chunks),
  })
  const first = words.slice(0, MOST_COMBINED)
  const alone = words.slice(MOST_COMBINED).map((term) => combined([term]))
  const beside = pairs.filter((pair) => !isWithin(pair, first)).map((pair) => combined(pair.words))
  return [...subsets(first).map(combined), ...alone, ...beside.filter(({ terms }) => terms.length > 1)].sort(
    (a, b) => b.weight - a.weight,
  )
}

const isWithin = ({ words }: Pair, terms: readonly WeighedTerm[]): boolean =>
  words.length > 1 && words.every((word) => terms.includes(word))

/** Forms of one word (a name and its stem, corrections of a typo) occur together: only the rarest of them counts. */
function together(terms: readonly WeighedTerm[], chunks: number): number {
  const forms = new Map<string, number>()
  for (const { term, df } of terms) {
    const start = term.slice(0, 4)
    forms.set(start, Math.min(forms.get(start) ?? df, df))
  }
  return [...forms.values()].reduce((count, df) => count * (df / chunks), chunks)
}

/** All but the empty one. */
const subsets = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: 2 ** items.length - 1 }, (_, i) => items.filter((_, at) => ((i + 1) >> at) & 1))

/** As many of the heaviest as give no more than `most` chunks, without redundant ones. `next`: the first one left out. */
function heaviest(
  all: readonly Combination[],
  most: number,
): { sets: Combination[]; next: Combination | null } {
  let grown: Combination[] = []
  let sets = grown
  let next: Combination | null = null
  for (const combination of all) {
    grown = withSet(grown, combination)
    if (sumOf(grown) > most) return { sets, next: next ?? combination }
    // Small combinations come after the large ones that contain them, and replace them.
    if (grown.length <= MOST_SETS) [sets, next] = [grown, null]
    else next ??= combination
  }
  return { sets, next }
}

const sumOf = (sets: readonly Combination[]): number => sets.reduce((sum, { expected }) => sum + expected, 0)

/** Adds one that makes the larger ones that contain it redundant. */
const withSet = (sets: readonly Combination[], added: Combination): Combination[] => [
  ...sets.filter(({ terms }) => !added.terms.every((term) => terms.includes(term))),
  added,
]

function holdingOf(sets: readonly Combination[]): Holding {
  const hashes = sets.map(({ terms }) => terms.map(({ hash }) => hash))
  return {
    oneOf: hashes.filter(({ length }) => length === 1).flat(),
    allOf: hashes.filter(({ length }) => length > 1),
  }
}

/** The highest score of a chunk outside all sets: its words weigh no more than the first combination left out. */
function bound(known: readonly WeighedTerm[], sets: readonly Combination[], next: Combination): number {
  const taken = new Set(sets.flatMap(({ terms }) => (terms.length === 1 ? terms : [])))
  const words = wordsOf(known)
  const others = words.slice(MOST_COMBINED).filter((term) => !taken.has(term))
  // Whoever has the words of such a pair is in a set, or the pair is counted with the combination.
  const isCounted = (pair: Pair): boolean =>
    isWithin(pair, next.terms) || sets.some(({ terms }) => terms.every((term) => pair.words.includes(term)))
  const pairs = pairsOf(known, words).filter((pair) => !isCounted(pair))
  return (
    MOST_SATURATED *
    [...others, ...pairs.map(({ term }) => term)].reduce((sum, term) => sum + weightOf(term), next.weight)
  )
}

/** The words of a phrase give the fewest candidates. Undefined when every chunk is to be scored. */
export function narrowToPhrase(
  phrases: readonly Phrase[],
  chunks: number,
  limits: Limits = LIMITS,
): Holding | undefined {
  if (chunks < limits.scanBelow) return undefined
  const words = ({ terms }: Phrase): number => Math.max(0, ...terms.map((reading) => reading.length))
  const [most] = [...phrases].sort((a, b) => words(b) - words(a))
  return most && words(most) > 0 ? { oneOf: [], allOf: most.terms } : undefined
}
