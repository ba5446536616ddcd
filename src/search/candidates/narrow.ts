// Which chunks are scored: in a small workspace all, in a large one those whose words of the query have the highest total
// weight, as few as the results need. A threshold on that total selects what WAND would score (Broder et al. 2003, "Efficient
// query evaluation using a two-level retrieval process"); here the GIN index intersects the sets.

import { isPair, MAX_TERM_SCORE } from '../../index/weights.ts'
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
  /** If so many are expected, they are accepted even if others can score as much, where those would cost too much. */
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
   * The highest score that any other chunk can have: the candidates suffice if enough of them score more. null when no other
   * chunk has any of the words.
   */
  outside: number | null
  /**
   * What to do if they do not suffice: so many more that no other chunk can score as much as this (undefined: fewer were found
   * than needed, however many were expected); `all`: score every chunk; `enough`: they are many, and to be sure would cost too
   * much.
   */
  wider(score: number | undefined): Narrowed | 'all' | 'enough'
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
 * The first candidates of a query, as many as the results most likely need. Undefined: scoring every chunk is cheaper. The index
 * knows no filters: the share of its candidates that passes is that of the workspace, so proportionally more are taken.
 */
export function narrow(
  terms: readonly WeighedTerm[],
  { chunks, share, inside = chunks }: Searched,
  limits: Limits = LIMITS,
): Narrowed | undefined {
  if (inside < limits.scanBelow) return undefined
  const knownTerms = [...new Map(terms.filter(({ df }) => df > 0).map((term) => [term.hash, term])).values()]
  const part = Math.min(1, inside / chunks)
  const words = wordsOf(knownTerms)
  const pairs = pairsOf(knownTerms, words)
  const all = combinations(words, pairs, chunks)
  const boundOf = (chosenSets: readonly Combination[], next: Combination): number =>
    bound(words, pairs, chosenSets, next)
  // A pair of the query that the sample does not know is in very few chunks, and weighs much: by its words alone its
  // combination brings many that do not have it, and by the pair it would crowd out combinations that weigh more without.
  const most = limits.most / part
  const sets = [...heaviest(byOwnWeight(all), most), ...heaviest(all, most)]
    .sort((a, b) => b.terms.length - a.terms.length)
    .reduce(withSet, [])
  const isMany = (chosenSets: readonly Combination[]): boolean => sumOf(chosenSets) * part >= limits.least
  // The index covers all workspaces: in one with a hundredth of all chunks, 1,000 candidates come with 100,000 of other
  // workspaces, which are read and dropped. If scoring all chunks is cheaper, all are scored.
  const isExpensive = (chosenSets: readonly Combination[]): boolean =>
    (sumOf(chosenSets) / share) * limits.cost > inside
  const isTooMuch = (chosenSets: readonly Combination[]): boolean =>
    isExpensive(chosenSets) || chosenSets.length > 2 * MAX_SETS
  // As candidates that cost as much.
  const costOfAll = (inside / limits.cost) * share
  const leftOut = (chosenSets: readonly Combination[]): Combination[] =>
    all.filter(({ terms }) => !chosenSets.some((set) => isWithin(set.terms, terms)))
  const stepOf = (chosenSets: readonly Combination[]): Narrowed => {
    const [next] = leftOut(chosenSets)
    return {
      holding: holdingOf(chosenSets),
      outside: next ? boundOf(chosenSets, next) : null,
      wider: (score) => {
        const wide = widened(chosenSets, score ?? 0)
        const isAll = isTooMuch(wide)
        const isCostly = (isAll ? costOfAll : sumOf(wide)) > most + MORE_TO_BE_SURE * limits.most
        if (score !== undefined && isMany(chosenSets) && isCostly) return 'enough'
        if (!isAll) return stepOf(wide)
        if (isMany(chosenSets) || !isCostly) return 'all'
        // Long questions: the words left out weigh much together, and the proof would take every chunk.
        const many = widened(chosenSets, Number.POSITIVE_INFINITY)
        return isTooMuch(many) ? 'all' : stepOf(many)
      },
    }
  }
  // The heaviest that are left out, until nothing outside can have that score.
  const widened = (start: readonly Combination[], score: number): readonly Combination[] => {
    let wide = start
    for (const combination of leftOut(start)) {
      if (wide.some((set) => isWithin(set.terms, combination.terms))) continue
      if (wide !== start && isMany(wide) && boundOf(wide, combination) <= score) break
      wide = withSet(wide, combination)
      if (isTooMuch(wide)) break
    }
    return wide
  }
  const first = sets.length ? sets : widened([], Number.POSITIVE_INFINITY)
  return isExpensive(first) ? undefined : stepOf(first)
}

/** The same behind a filter. Its chunks are counted only if the workspace is too large to be scored completely. */
export async function narrowWithin(
  db: Queryable,
  workspaceId: string,
  { terms, chunks, share }: Searched & { terms: readonly WeighedTerm[] },
  filter: Filter,
): Promise<Narrowed | undefined> {
  const open = narrow(terms, { chunks, share })
  if (Object.keys(filter).length === 0 || !open) return open
  const inside = await countInside(db, workspaceId, filter, chunks)
  return narrow(terms, { chunks, share, inside }, FILTERED)
}

/** Terms that a chunk may have together. */
interface Combination {
  terms: readonly WeighedTerm[]
  /** The total weight of the terms. */
  own: number
  /** The same with their pairs: the most that a chunk has of them. */
  weight: number
  /** Expected number of chunks that have all of them, if different words were independent. */
  expected: number
}

// All combinations of the heaviest words are considered, other words only alone. Of six words at most twenty sets do not
// contain each other: those of three.
const MAX_COMBINED = 6
// Each set is a lookup in the index.
const MAX_SETS = 20
// So many times the usual number of candidates are taken beyond it, to be sure that nothing is left out.
const MORE_TO_BE_SURE = 4

/** All terms but pairs, the heaviest first. */
const wordsOf = (terms: readonly WeighedTerm[]): WeighedTerm[] =>
  terms.filter(({ term }) => !isPair(term)).sort((a, b) => weightOf(b) - weightOf(a))

/** A pair of the query with the words it is made of, as far as they are known. */
interface Pair {
  term: WeighedTerm
  words: readonly WeighedTerm[]
}

// The index has pairs of a sample only: a chunk with a pair is found by its words.
function pairsOf(terms: readonly WeighedTerm[], words: readonly WeighedTerm[]): Pair[] {
  return terms.flatMap((pair) => {
    if (!isPair(pair.term)) return []
    const parts = pair.term.split(' ')
    return [{ term: pair, words: words.filter(({ term }) => parts.includes(term)) }]
  })
}

/** Combinations of terms by weight, the heaviest first. */
function combinations(words: readonly WeighedTerm[], pairs: readonly Pair[], chunks: number): Combination[] {
  const combined = (terms: readonly WeighedTerm[]): Combination => {
    const own = weightOfAll(terms)
    // Words that are together may be side by side.
    const ownPairs = pairs.filter((pair) => isPairOf(pair, terms)).map(({ term }) => term)
    return { terms, own, weight: own + weightOfAll(ownPairs), expected: together(terms, chunks) }
  }
  const first = words.slice(0, MAX_COMBINED)
  const alone = words.slice(MAX_COMBINED).map((term) => combined([term]))
  const otherPairs = pairs.filter((pair) => !isPairOf(pair, first)).map((pair) => combined(pair.words))
  return [
    ...subsets(first).map(combined),
    ...alone,
    ...otherPairs.filter(({ terms }) => terms.length > 1),
  ].sort((a, b) => b.weight - a.weight)
}

const weightOfAll = (terms: readonly WeighedTerm[]): number =>
  terms.reduce((sum, term) => sum + weightOf(term), 0)

const isWithin = (some: readonly WeighedTerm[], terms: readonly WeighedTerm[]): boolean =>
  some.every((term) => terms.includes(term))

const isPairOf = ({ words }: Pair, terms: readonly WeighedTerm[]): boolean =>
  words.length > 1 && isWithin(words, terms)

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

const byOwnWeight = (all: readonly Combination[]): Combination[] => all.toSorted((a, b) => b.own - a.own)

/** As many of the first as give no more than `most` chunks, without redundant ones. */
function heaviest(all: readonly Combination[], most: number): Combination[] {
  let grown: Combination[] = []
  let sets = grown
  for (const combination of all) {
    grown = withSet(grown, combination)
    if (sumOf(grown) > most) return sets
    // Small combinations come after the large ones that contain them, and replace them.
    if (grown.length <= MAX_SETS) sets = grown
  }
  return sets
}

const sumOf = (sets: readonly Combination[]): number => sets.reduce((sum, { expected }) => sum + expected, 0)

/** Adds one that makes the larger ones that contain it redundant. */
const withSet = (sets: readonly Combination[], added: Combination): Combination[] => [
  ...sets.filter(({ terms }) => !isWithin(added.terms, terms)),
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
function bound(
  words: readonly WeighedTerm[],
  pairs: readonly Pair[],
  sets: readonly Combination[],
  next: Combination,
): number {
  const singleTerms = new Set(sets.flatMap(({ terms }) => (terms.length === 1 ? terms : [])))
  const others = words.slice(MAX_COMBINED).filter((term) => !singleTerms.has(term))
  // Whoever has the words of such a pair is in a set, or the pair is counted with the combination.
  const isCounted = (pair: Pair): boolean =>
    isPairOf(pair, next.terms) || sets.some(({ terms }) => isWithin(terms, pair.words))
  const uncountedPairs = pairs.filter((pair) => !isCounted(pair)).map(({ term }) => term)
  return MAX_TERM_SCORE * (next.weight + weightOfAll([...others, ...uncountedPairs]))
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
