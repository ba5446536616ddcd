// Selects the chunks to score. In a small workspace these are all chunks. In a large workspace they are the chunks that have the
// heaviest combinations of the query's words, as few as the results need. These are the chunks that WAND would score (Broder et
// al. 2003, "Efficient query evaluation using a two-level retrieval process"); here the GIN index finds the chunks of each
// combination.

import { isPair, MAX_TERM_SCORE } from '../../index/weights.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { Phrase } from '../query/phrases.ts'
import { type WeightedTerm, weightOf } from '../query/query.ts'
import type { TermFilter } from './candidates.sql.ts'
import { countMatchingChunks, type Filter } from './filter.sql.ts'

interface SelectionLimits {
  /**
   * If the workspace has fewer chunks than this, all are scored: for 1,000 chunks in PostgreSQL 18 a scan took 2.3 ms, and
   * candidates by the GIN index 4.5 ms.
   */
  scanBelow: number
  /**
   * Combinations of words are added, in the order of their weight, until this many chunks are expected. With 1,000 the first
   * ten results were always those of a scan (60,000 and 600,000 chunks), with 500 in .999 and .994 of the cases.
   */
  maxChunks: number
  /**
   * If at least this many candidates are expected, they may be accepted although another chunk might score more, if it would
   * cost too much to exclude that.
   */
  minChunks: number
  /**
   * The cost of a candidate by the GIN index relative to a chunk of a scan. A candidate reads a random page of the table, a scan
   * reads half a page for each chunk, in order. Measured: 1.4 if the table is in memory, and 6.6 if it is three times as large as
   * memory.
   */
  cost: number
}

export const LIMITS: SelectionLimits = { scanBelow: 3000, maxChunks: 1000, minChunks: 300, cost: 4 }

// The limits if there is a filter. To score all chunks that pass it, they are read document by document, so that a candidate by
// the GIN index is relatively cheaper. For a scope of 20,000 of 60,000 chunks, candidates took half the time.
const FILTERED_LIMITS: SelectionLimits = { ...LIMITS, cost: 2 }

interface CandidateSelection {
  termFilter: TermFilter
  /**
   * The highest score that a chunk outside the candidates can have. The candidates suffice if all results score at least this.
   * Null if no other chunk has any of the words.
   */
  maxOtherScore: number | null
  /**
   * The next selection if the candidates do not suffice: with more candidates, so that no other chunk can have more than `score`,
   * the score of the last result (undefined if there are too few results). Or 'all': score every chunk. Or 'enough': there are
   * many candidates, and certainty would cost too much.
   */
  widen(score: number | undefined): CandidateSelection | 'all' | 'enough'
}

/** The size of the workspace that is searched. */
export interface SearchedChunks {
  chunks: number
  /** The workspace's share of the chunks of all workspaces. */
  share: number
  /** How many of the workspace's chunks pass the filter. */
  matchingChunks?: number
}

/**
 * The first candidates of a query, as many as the results most likely need. Undefined if scoring every chunk is cheaper. The
 * index ignores filters. It is assumed that the same share of the candidates passes the filter as of all chunks, so more
 * candidates are taken in proportion.
 */
export function selectCombinations(
  terms: readonly WeightedTerm[],
  { chunks, share, matchingChunks = chunks }: SearchedChunks,
  limits: SelectionLimits = LIMITS,
): CandidateSelection | undefined {
  if (matchingChunks < limits.scanBelow) return undefined
  const knownTerms = [...new Map(terms.filter(({ df }) => df > 0).map((term) => [term.hash, term])).values()]
  const matchingShare = Math.min(1, matchingChunks / chunks)
  const words = wordsOf(knownTerms)
  const pairs = pairsOf(knownTerms, words)
  const all = combinations(words, pairs, chunks)
  const maxScoreOutsideOf = (chosenSets: readonly Combination[], next: Combination): number =>
    maxScoreOutside(words, pairs, chosenSets, next)
  // Combinations are selected twice: in the order of their weight with pairs, and of their words alone. A rare pair has a high
  // weight, so a combination with it comes early. But it is looked up by its words and also returns many chunks without the pair,
  // and so displaces combinations whose words have a higher weight.
  const maxExpected = limits.maxChunks / matchingShare
  const sets = [...heaviestSets(byWordWeight(all), maxExpected), ...heaviestSets(all, maxExpected)]
    .sort((a, b) => b.terms.length - a.terms.length)
    .reduce(addSet, [])
  const hasEnoughChunks = (chosenSets: readonly Combination[]): boolean =>
    expectedTotal(chosenSets) * matchingShare >= limits.minChunks
  // The index covers all workspaces. In a workspace with a hundredth of all chunks, 1,000 candidates come with 100,000 of other
  // workspaces, which are read and dropped.
  const costsMoreThanScan = (chosenSets: readonly Combination[]): boolean =>
    (expectedTotal(chosenSets) / share) * limits.cost > matchingChunks
  const isBeyondLimits = (chosenSets: readonly Combination[]): boolean =>
    costsMoreThanScan(chosenSets) || chosenSets.length > 2 * MAX_SETS
  // The number of candidates that cost as much as scoring all chunks.
  const affordableChunks = (matchingChunks / limits.cost) * share
  const omittedCombinations = (chosenSets: readonly Combination[]): Combination[] =>
    all.filter(({ terms }) => !chosenSets.some((set) => isSubset(set.terms, terms)))
  const selectionOf = (chosenSets: readonly Combination[]): CandidateSelection => {
    const [next] = omittedCombinations(chosenSets)
    return {
      termFilter: termFilterOf(chosenSets),
      maxOtherScore: next ? maxScoreOutsideOf(chosenSets, next) : null,
      widen: (score) => {
        const widenedSets = widened(chosenSets, score ?? 0)
        const isAll = isBeyondLimits(widenedSets)
        const exceedsCertaintyBudget =
          (isAll ? affordableChunks : expectedTotal(widenedSets)) >
          maxExpected + CERTAINTY_FACTOR * limits.maxChunks
        if (score !== undefined && hasEnoughChunks(chosenSets) && exceedsCertaintyBudget) return 'enough'
        if (!isAll) return selectionOf(widenedSets)
        if (hasEnoughChunks(chosenSets) || !exceedsCertaintyBudget) return 'all'
        // There are too few candidates, and scoring all chunks costs too much. So the heaviest combinations are added until there
        // are enough, without a proof that no better chunk is left out.
        const provenSets = widened(chosenSets, Number.POSITIVE_INFINITY)
        return isBeyondLimits(provenSets) ? 'all' : selectionOf(provenSets)
      },
    }
  }
  // Adds the heaviest of the combinations that were left out, until no other chunk can have this score.
  const widened = (start: readonly Combination[], score: number): readonly Combination[] => {
    let currentSets = start
    for (const combination of omittedCombinations(start)) {
      if (currentSets.some((set) => isSubset(set.terms, combination.terms))) continue
      const hasAdded = currentSets !== start
      const isProven = (): boolean => maxScoreOutsideOf(currentSets, combination) <= score
      if (hasAdded && hasEnoughChunks(currentSets) && isProven()) break
      currentSets = addSet(currentSets, combination)
      if (isBeyondLimits(currentSets)) break
    }
    return currentSets
  }
  const firstSets = sets.length ? sets : widened([], Number.POSITIVE_INFINITY)
  return costsMoreThanScan(firstSets) ? undefined : selectionOf(firstSets)
}

/**
 * As `selectCombinations`, with a filter. The chunks that pass it are counted only if the workspace is too large to be scored
 * completely.
 */
export async function selectCombinationsForFilter(
  db: Queryable,
  workspaceId: string,
  { terms, chunks, share }: SearchedChunks & { terms: readonly WeightedTerm[] },
  filter: Filter,
): Promise<CandidateSelection | undefined> {
  const unfilteredSelection = selectCombinations(terms, { chunks, share })
  if (Object.keys(filter).length === 0 || !unfilteredSelection) return unfilteredSelection
  const matchingChunks = await countMatchingChunks(db, workspaceId, filter, chunks)
  return selectCombinations(terms, { chunks, share, matchingChunks }, FILTERED_LIMITS)
}

/** Terms that a chunk may contain together. */
interface Combination {
  terms: readonly WeightedTerm[]
  /** The total weight of the terms. */
  wordWeight: number
  /** The total weight of the terms and their pairs. */
  weight: number
  /** The expected number of chunks that have all of the terms, assuming that words are independent. */
  expected: number
}

// The number of heaviest words of which all combinations are considered. Other words are considered only alone.
const MAX_COMBINED_WORDS = 6
// The maximum number of sets, each of which is a lookup in the index. Of six words, at most twenty sets can be chosen so that
// none contains another: all sets of three.
const MAX_SETS = 20
// To be certain that no better chunk is left out, up to this many times the usual number of candidates are added.
const CERTAINTY_FACTOR = 4

/** All terms except pairs, the heaviest first. */
const wordsOf = (terms: readonly WeightedTerm[]): WeightedTerm[] =>
  terms.filter(({ term }) => !isPair(term)).sort((a, b) => weightOf(b) - weightOf(a))

/** A pair of the query with those of its words that are in the workspace. */
interface Pair {
  term: WeightedTerm
  words: readonly WeightedTerm[]
}

// The index has pairs only for a sample of the chunks. So chunks with a pair are found by the words of the pair.
function pairsOf(terms: readonly WeightedTerm[], words: readonly WeightedTerm[]): Pair[] {
  return terms.flatMap((pair) => {
    if (!isPair(pair.term)) return []
    const parts = pair.term.split(' ')
    return [{ term: pair, words: words.filter(({ term }) => parts.includes(term)) }]
  })
}

/** Combinations of terms by weight, the heaviest first. */
function combinations(words: readonly WeightedTerm[], pairs: readonly Pair[], chunks: number): Combination[] {
  const combinationOf = (terms: readonly WeightedTerm[]): Combination => {
    const wordWeight = weightOfAll(terms)
    // Pairs are included, because words that occur in one chunk may be adjacent.
    const ownPairs = pairs.filter((pair) => isPairOf(pair, terms)).map(({ term }) => term)
    return {
      terms,
      wordWeight,
      weight: wordWeight + weightOfAll(ownPairs),
      expected: expectedChunks(terms, chunks),
    }
  }
  const combinedWords = words.slice(0, MAX_COMBINED_WORDS)
  const singleWords = words.slice(MAX_COMBINED_WORDS).map((term) => combinationOf([term]))
  const otherPairs = pairs
    .filter((pair) => !isPairOf(pair, combinedWords))
    .map((pair) => combinationOf(pair.words))
  return [
    ...subsets(combinedWords).map(combinationOf),
    ...singleWords,
    ...otherPairs.filter(({ terms }) => terms.length > 1),
  ].sort((a, b) => b.weight - a.weight)
}

const weightOfAll = (terms: readonly WeightedTerm[]): number =>
  terms.reduce((sum, term) => sum + weightOf(term), 0)

const isSubset = (subset: readonly WeightedTerm[], terms: readonly WeightedTerm[]): boolean =>
  subset.every((term) => terms.includes(term))

const isPairOf = ({ words }: Pair, terms: readonly WeightedTerm[]): boolean =>
  words.length > 1 && isSubset(words, terms)

/**
 * The expected number of chunks that have all terms. Forms of one word (a name and its stem, corrections of a typo) occur
 * together, so only the rarest of them counts.
 */
function expectedChunks(terms: readonly WeightedTerm[], chunks: number): number {
  const forms = new Map<string, number>()
  for (const { term, df } of terms) {
    const start = term.slice(0, 4)
    forms.set(start, Math.min(forms.get(start) ?? df, df))
  }
  return [...forms.values()].reduce((count, df) => count * (df / chunks), chunks)
}

/** All subsets except the empty one. */
const subsets = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: 2 ** items.length - 1 }, (_, i) => items.filter((_, at) => ((i + 1) >> at) & 1))

const byWordWeight = (all: readonly Combination[]): Combination[] =>
  all.toSorted((a, b) => b.wordWeight - a.wordWeight)

/** The first combinations, as many as are expected to return at most `maxExpected` chunks, without redundant ones. */
function heaviestSets(all: readonly Combination[], maxExpected: number): Combination[] {
  let candidateSets: Combination[] = []
  let sets = candidateSets
  for (const combination of all) {
    candidateSets = addSet(candidateSets, combination)
    if (expectedTotal(candidateSets) > maxExpected) return sets
    // Combinations of fewer words come after those that contain them, and replace them.
    if (candidateSets.length <= MAX_SETS) sets = candidateSets
  }
  return sets
}

const expectedTotal = (sets: readonly Combination[]): number =>
  sets.reduce((sum, { expected }) => sum + expected, 0)

/** Adds a set and removes larger ones that contain it, because they are redundant. */
const addSet = (sets: readonly Combination[], added: Combination): Combination[] => [
  ...sets.filter(({ terms }) => !isSubset(added.terms, terms)),
  added,
]

function termFilterOf(sets: readonly Combination[]): TermFilter {
  const hashes = sets.map(({ terms }) => terms.map(({ hash }) => hash))
  return {
    oneOf: hashes.filter(({ length }) => length === 1).flat(),
    allOf: hashes.filter(({ length }) => length > 1),
  }
}

/**
 * The highest score that a chunk outside all sets can have. Among the combined words it can have at most the combination `next`,
 * the heaviest that was left out. Other words and pairs that are not in a set are added.
 */
function maxScoreOutside(
  words: readonly WeightedTerm[],
  pairs: readonly Pair[],
  sets: readonly Combination[],
  next: Combination,
): number {
  const singleTerms = new Set(sets.flatMap(({ terms }) => (terms.length === 1 ? terms : [])))
  const otherWords = words.slice(MAX_COMBINED_WORDS).filter((term) => !singleTerms.has(term))
  // A pair is counted if its words are in the combination. It need not be counted if its words contain a set, because chunks
  // with the pair are then in that set.
  const isCounted = (pair: Pair): boolean =>
    isPairOf(pair, next.terms) || sets.some(({ terms }) => isSubset(terms, pair.words))
  const uncountedPairs = pairs.filter((pair) => !isCounted(pair)).map(({ term }) => term)
  return MAX_TERM_SCORE * (next.weight + weightOfAll([...otherWords, ...uncountedPairs]))
}

/**
 * A filter by the words of the longest phrase, which is probably in the fewest chunks. Undefined if every chunk is to be
 * scored.
 */
export function filterByPhrase(
  phrases: readonly Phrase[],
  chunks: number,
  limits: SelectionLimits = LIMITS,
): TermFilter | undefined {
  if (chunks < limits.scanBelow) return undefined
  const maxWordCount = ({ terms }: Phrase): number => Math.max(0, ...terms.map((reading) => reading.length))
  const [longestPhrase] = [...phrases].sort((a, b) => maxWordCount(b) - maxWordCount(a))
  return longestPhrase && maxWordCount(longestPhrase) > 0
    ? { oneOf: [], allOf: longestPhrase.terms }
    : undefined
}
