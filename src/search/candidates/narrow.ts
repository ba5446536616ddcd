// Which chunks are scored at all: in a small workspace all, in a large one those whose words of the query weigh most
// together, as few as the results need. What a threshold on the sum of weights lets through is what WAND would score
// (Broder et al. 2003, "Efficient query evaluation using a two-level retrieval process"); here GIN intersects its sets.

import { MOST_SATURATED } from '../../index/weights.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { Phrase } from '../query/phrases.ts'
import { type WeighedTerm, weightOf } from '../query/query.ts'
import type { Holding } from './candidates.sql.ts'
import { countInside, type Filter } from './filter.sql.ts'

export interface Limits {
  /**
   * Below this many chunks a scan of the workspace beats candidates by GIN: 2.3 against 4.5 ms at 1k, PostgreSQL 18; on
   * the embedded engine, words of one passage / whole questions: 1,000 chunks 40 against 29 / 23 against 37 ms, 3,000 74
   * against 28 / 47 against 45, 4,500 47 against 29 / 56 against 41.
   */
  scanBelow: number
  /**
   * The threshold falls until so many chunks are expected above it. Overlap@10 with the scan, words of one passage, 60,000
   * / 600,000 chunks: 500 .999 / .994, 1,000 and 2,000 1 / 1; the rarest words up to 3,000 chunks, as before, .991 / .962.
   */
  most: number
  /** Fewer than these stand only where nothing outside can score as much. */
  least: number
  /**
   * What a candidate by GIN costs in chunks of a scan: a page anywhere in the table against half of the next one. Between
   * 1.4, all in memory (embedded, 3,000 chunks: 3.2 against 2.4 µs), and 6.6 where the table is three times as large as
   * what is (PostgreSQL, 100,000 chunks: 5.3 against .8 µs).
   */
  look: number
}

export const LIMITS: Limits = { scanBelow: 3000, most: 1000, least: 300, look: 4 }

// What a filter leaves lies scattered, each document of it found by its key, so that a candidate costs less beside it:
// within 20,000 of 60,000 chunks, picked by hand, four queries took 92, 120, 180, 133 ms all scored, 36, 70, 90, 65 by
// candidates (PostgreSQL, busy machine); of 600,000 a tenth 141.
const WITHIN: Limits = { ...LIMITS, look: 2 }

export interface Narrowed {
  holding: Holding
  /**
   * The most that a chunk outside can score: candidates stand as long as they have results above it. 0 where there are as
   * many as were wished for; null where nothing outside holds any of the words.
   */
  outside: number | null
}

/** What is searched. */
export interface Searched {
  /** Of the workspace. */
  chunks: number
  /** Its share of the chunks of all workspaces. */
  share: number
  /** How many of its chunks lie in the scope that is asked for. */
  inside?: number
}

/**
 * Which chunks to take as candidates: the first that stand, and where none do, every chunk. The index knows no scopes: of
 * its candidates as large a part lies inside as of the workspace, so that as much more are taken.
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
  // The index holds all workspaces: 1,000 candidates of a hundredth of the chunks stand among 100,000 of others, which are
  // looked at and dropped. Where all are scored for less, they are.
  const isDear = (wanted: readonly Combination[]): boolean => (sumOf(wanted) / share) * limits.look > inside
  const steps: Narrowed[] = []
  if (sets.length && !isDear(sets)) {
    const isMany = sumOf(sets) * part >= limits.least
    steps.push({ holding: holdingOf(sets), outside: next && (isMany ? 0 : bound(known, sets, next)) })
  }
  // A common word has to fill the list where the rare ones bring too little.
  const filled = next && withSet(sets, next)
  if (filled && !isDear(filled)) steps.push({ holding: holdingOf(filled), outside: 0 })
  return steps
}

/** The same within a filter, whose chunks are counted where the workspace would not be scored whole anyway. */
export async function narrowWithin(
  db: Queryable,
  workspaceId: string,
  { terms, chunks, share }: Searched & { terms: readonly WeighedTerm[] },
  filter: Filter,
): Promise<Narrowed[]> {
  const open = narrow(terms, { chunks, share })
  if (Object.keys(filter).length === 0 || open.length === 0) return open
  const inside = await countInside(db, workspaceId, filter, chunks)
  return narrow(terms, { chunks, share, inside }, WITHIN)
}

/** Terms that a chunk may hold together. */
interface Combination {
  terms: readonly WeighedTerm[]
  /** What a chunk that holds them has of the query's weight. */
  weight: number
  /** Chunks that hold all of them, if different words kept no company. */
  expected: number
}

// All combinations of the heaviest words are looked at, the others alone. Of six words twenty sets stand beside each other
// at most, those of three.
const MOST_COMBINED = 6
// Each set is a look into the index.
const MOST_SETS = 20

const isPair = ({ term }: WeighedTerm): boolean => term.includes(' ')

/** All but pairs, the heaviest first. */
const wordsOf = (known: readonly WeighedTerm[]): WeighedTerm[] =>
  known.filter((term) => !isPair(term)).sort((a, b) => weightOf(b) - weightOf(a))

/** Combinations of terms by weight, the heaviest first. */
function combinations(known: readonly WeighedTerm[], chunks: number): Combination[] {
  const words = wordsOf(known)
  const combined = subsets(words.slice(0, MOST_COMBINED)).map((terms) => ({
    terms,
    weight: terms.reduce((sum, term) => sum + weightOf(term), 0),
    expected: together(terms, chunks),
  }))
  const alone = words.slice(MOST_COMBINED).map((term) => single(term, weightOf(term)))
  // Who holds a pair of words holds both.
  const pairs = known.filter(isPair).map((pair) => {
    const both = words.filter(({ term }) => pair.term.split(' ').includes(term))
    return single(
      pair,
      [pair, ...both].map(weightOf).reduce((sum, weight) => sum + weight),
    )
  })
  return [...combined, ...alone, ...pairs].sort((a, b) => b.weight - a.weight)
}

/** Forms of one word (a name and its stem, what a typing error may mean) stand together: the rarest of them counts. */
function together(terms: readonly WeighedTerm[], chunks: number): number {
  const forms = new Map<string, number>()
  for (const { term, df } of terms) {
    const start = term.slice(0, 4)
    forms.set(start, Math.min(forms.get(start) ?? df, df))
  }
  return [...forms.values()].reduce((count, df) => count * (df / chunks), chunks)
}

const single = (term: WeighedTerm, weight: number): Combination => ({
  terms: [term],
  weight,
  expected: term.df,
})

/** All but the empty one. */
const subsets = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: 2 ** items.length - 1 }, (_, i) => items.filter((_, at) => ((i + 1) >> at) & 1))

/** As many of the heaviest as bring no more than `most` chunks, without what others bring anyway; `next`: what was left. */
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
    // Small combinations come behind the large ones that hold them, and take their place.
    if (grown.length <= MOST_SETS) [sets, next] = [grown, null]
    else next ??= combination
  }
  return { sets, next }
}

const sumOf = (sets: readonly Combination[]): number => sets.reduce((sum, { expected }) => sum + expected, 0)

/** With one more, which brings what larger ones that contain it do. */
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

/** The most that a chunk can score which holds none of the sets: its words weigh no more than the first one left out. */
function bound(known: readonly WeighedTerm[], sets: readonly Combination[], next: Combination): number {
  const taken = new Set(sets.flatMap(({ terms }) => (terms.length === 1 ? terms : [])))
  const others = [...wordsOf(known).slice(MOST_COMBINED), ...known.filter(isPair)].filter(
    (term) => !taken.has(term),
  )
  return MOST_SATURATED * others.reduce((sum, term) => sum + weightOf(term), next.weight)
}

/** A phrase's own words are the narrowest candidates there are; undefined where every chunk is looked at. */
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
