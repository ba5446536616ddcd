// Which chunks are scored at all: in a small workspace all, in a large one those that hold the query's rarest terms, or
// several of its common ones.

import type { Phrase } from './query/phrases.ts'
import { type WeighedTerm, weightOf } from './query/query.ts'
import type { Holding } from './search.sql.ts'
import { MOST_SATURATED } from './weights.ts'

export interface Limits {
  /**
   * Below this many chunks a scan of the workspace beats candidates by GIN: 2.3 against 4.5 ms at 1k, PostgreSQL 18; on
   * the embedded engine, words of one passage / whole questions: 1,000 chunks 40 against 29 / 23 against 37 ms, 3,000 74
   * against 28 / 47 against 45, 4,500 47 against 29 / 56 against 41.
   */
  scanBelow: number
  /** Rarest terms first until their frequencies sum to this: overlap@10 with the full scan .998 at 60k chunks. */
  sum: number
  /** So many are enough where their results are above all that others can score: as many as are ranked (search.ts). */
  few: number
  /** So many at least otherwise, even if a common term has to bring them: results must be full. */
  least: number
  /**
   * What a candidate by GIN costs in chunks of a scan: a page anywhere in the table against half of the next one. Between
   * 1.4, all in memory (embedded, 3,000 chunks: 3.2 against 2.4 µs), and 6.6 where the table is three times as large as
   * what is (PostgreSQL, 100,000 chunks: 5.3 against .8 µs).
   */
  look: number
}

export const LIMITS: Limits = { scanBelow: 3000, sum: 3000, few: 200, least: 500, look: 4 }

export interface Narrowed {
  holding: Holding
  /**
   * The most that a chunk outside can score: candidates stand as long as they have results above it. 0 where they were
   * chosen by the rarest terms, whose weight speaks for itself.
   */
  outside: number
}

/**
 * Which chunks to take as candidates: the first that stand, and where none do, every chunk.
 * @param workspace its chunks, and their share of those of all workspaces
 */
export function narrow(
  terms: readonly WeighedTerm[],
  { chunks, share }: { chunks: number; share: number },
  limits: Limits = LIMITS,
): Narrowed[] {
  if (chunks < limits.scanBelow) return []
  const known = [...new Map(terms.filter(({ df }) => df > 0).map((term) => [term.hash, term])).values()].sort(
    (a, b) => a.df - b.df,
  )
  const few = rarest(known, limits.few, limits.sum)
  const outside = bound(known.slice(few.terms.length))
  // Not worth the try where one that holds the rarest word may well be below: 24 of 40 tries were in vain without this.
  const isPromising = few.sum >= limits.few && known[0] !== undefined && outside <= weightOf(known[0])
  const many = rarest(known, limits.sum, limits.sum)
  const rest = known.slice(many.terms.length)
  const [common] = rest
  // A common one has to fill the list where the rare ones bring too little.
  const added = many.sum >= limits.least || !common ? [] : [common]
  const wanted = [...many.terms, ...added]
  const sum = added.reduce((all, { df }) => all + df, many.sum)
  const several = added.length ? together(hashesOf(many.terms), rest, chunks, limits.sum) : undefined
  // The index holds all workspaces: 3,000 candidates of a hundredth of the chunks stand among 300,000 of others, which are
  // looked at and dropped. Where all are scored for less, they are.
  const isDear = (brought: number): boolean => (brought / share) * limits.look > chunks
  return [
    ...(isPromising && few.terms.length < wanted.length && !isDear(few.sum)
      ? [{ holding: { oneOf: hashesOf(few.terms), allOf: [] }, outside }]
      : []),
    ...(several && !isDear(many.sum + several.expected) ? [several.narrowed] : []),
    ...(isDear(sum) ? [] : [{ holding: { oneOf: hashesOf(wanted), allOf: [] }, outside: 0 }]),
  ]
}

const hashesOf = (terms: readonly WeighedTerm[]): number[] => terms.map(({ hash }) => hash)

/** The most that a chunk can score which holds these terms alone. */
const bound = (terms: readonly WeighedTerm[]): number =>
  MOST_SATURATED * terms.reduce((sum, term) => sum + weightOf(term), 0)

/** Rarest first until they bring `enough` chunks, and never more than `most`. */
function rarest(
  known: readonly WeighedTerm[],
  enough: number,
  most: number,
): { terms: WeighedTerm[]; sum: number } {
  const terms: WeighedTerm[] = []
  let sum = 0
  for (const term of known) {
    if (sum >= enough || sum + term.df > most) break
    terms.push(term)
    sum += term.df
  }
  return { terms, sum }
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

// 6 words have 15 pairs and 20 sets of three.
const MOST_TOGETHER = 6

const isPair = ({ term }: WeighedTerm): boolean => term.includes(' ')

/**
 * Where all terms left are common: chunks that hold several of them, as few as bring no more than `most` chunks. One
 * common word alone has no such sets: only weights could tell its chunks apart.
 */
function together(
  oneOf: readonly number[],
  common: readonly WeighedTerm[],
  chunks: number,
  most: number,
): { narrowed: Narrowed; expected: number } | undefined {
  const words = common.filter((term) => !isPair(term)).slice(0, MOST_TOGETHER)
  for (let size = 2; size <= words.length; size++) {
    const sets = setsOf(words, size)
    const expected = sets.reduce(
      (sum, set) => sum + set.reduce((share, { df }) => share * (df / chunks), chunks),
      0,
    )
    if (expected > most && size < words.length) continue
    const allOf = sets.map((set) => set.map(({ hash }) => hash))
    return { expected, narrowed: { holding: { oneOf, allOf }, outside: outsideOf(words, common, size) } }
  }
  return undefined
}

/** What holds fewer than `size` of the words may hold the heaviest of them, and all terms that are no such word. */
function outsideOf(words: readonly WeighedTerm[], common: readonly WeighedTerm[], size: number): number {
  const heaviest = words
    .map(weightOf)
    .sort((a, b) => b - a)
    .slice(0, size - 1)
  // Where two words are one too many, so is the pair they make.
  const made = new Set(words.flatMap((a) => words.map((b) => `${a.term} ${b.term}`)))
  const others = common.filter((term) => !words.includes(term) && !(size === 2 && made.has(term.term)))
  return bound(others) + MOST_SATURATED * heaviest.reduce((sum, weight) => sum + weight, 0)
}

function setsOf<Item>(items: readonly Item[], size: number): Item[][] {
  if (size === 0) return [[]]
  return items.flatMap((item, at) => setsOf(items.slice(at + 1), size - 1).map((rest) => [item, ...rest]))
}
