// The second hop: a question of several steps names in its first step what the next is about, so from the rare names
// in the best passages search lands on passages about those names and asks them for what is still open
// (design/search.md, "Fusion"; reference/language.md 3.1). MuSiQue R@5 .535 without, .632 with; single questions keep
// their figures (scifact .701 and .702, FinanceBench .402 and .393 to .402).

import type { Queryable } from '../ports/db/db.ts'
import { inOrder, type Ranked } from './fusion.ts'
import { sideOf, type WeighedTerm } from './query/query.ts'
import { type Hit, type Landing, type Required, selectLandings } from './search.sql.ts'

// How many of the best passages lead on: 4, 6, 10 MuSiQue R@5 .618, .637, .635.
export const STONES = 6
// Fewer content words ask for one thing.
const LEAST_WORDS = 5
// Words as typed count 1, the likeliest correction of one .8: with typos MuSiQue nDCG@10 .617, .602 by the former alone.
const CERTAIN = 0.8
const MOST_LANDINGS = 200

/** Statements and key words ask for themselves: with them scifact lost .004. */
export const mayHaveSteps = (query: string, terms: readonly WeighedTerm[]): boolean =>
  /[?？؟]/.test(query) && terms.filter(({ weight, df }) => weight >= CERTAIN && df > 0).length >= LEAST_WORDS

/** The ranking with those landed on at their place. `shown` are the best passages of `found`, in order. */
export async function withSecondHop(
  db: Queryable,
  workspaceId: string,
  found: readonly Ranked[],
  wanted: Required & {
    shown: readonly Hit[]
    terms: readonly WeighedTerm[]
    side: string
    documents: number
  },
): Promise<Ranked[]> {
  const stones = wanted.shown.slice(0, STONES).flatMap((hit) => {
    const held = new Set(hit.terms)
    const rest = wanted.terms.filter(({ hash, df }) => df > 0 && !held.has(hash))
    return rest.length ? [{ chunk_id: hit.chunk_id, document_id: hit.document_id, side: sideOf(rest) }] : []
  })
  if (stones.length === 0) return [...found]
  const landings = await selectLandings(db, workspaceId, { ...wanted, stones, limit: MOST_LANDINGS })
  return landed(found, landings)
}

// A landing counts half its own score and, as far as its stone is good, a bonus for being about the name (.4; .2 for
// only naming it) and what it says of the open part: MuSiQue R@5 .639, with 1 for 1.3 .631, with .55 for .4 .633.
const OWN = 0.5
const LED = 1.3
const HOME = 0.4
const NAMED = 0.2

/** Pure: the better of a chunk's own place and the one it is led to. */
export function landed(found: readonly Ranked[], landings: readonly Landing[]): Ranked[] {
  const scores = new Map(found.map((item) => [item.chunk_id, item]))
  const best = found[0]?.score ?? 0
  if (best <= 0) return [...found]
  const led = new Map<string, Ranked>()
  for (const { from, chunk_id, document_id, home, score, rest } of landings) {
    const own = scores.get(chunk_id)?.score ?? score
    const trust = (scores.get(from)?.score ?? 0) / best
    const value = OWN * own + LED * trust * (best * (home ? HOME : NAMED) + rest)
    if (value > Math.max(own, led.get(chunk_id)?.score ?? 0)) {
      led.set(chunk_id, { chunk_id, document_id, score: value })
    }
  }
  return inOrder([...found.filter(({ chunk_id }) => !led.has(chunk_id)), ...led.values()])
}
