// The second hop: a question of several steps names in its first step what the next is about, so from the rarer names
// in the best passages search lands on passages about those names and asks them for what is still open.
// MuSiQue R@5 .537 without, .665 with; single questions keep
// their figures.

import type { Queryable } from '../ports/db/db.ts'
import type { Required } from './candidates/filter.sql.ts'
import { inOrder, type Ranked } from './fusion.ts'
import type { Hit } from './passage.sql.ts'
import { isLong, knownWords, sideOf, type WeighedTerm } from './query/query.ts'
import { type Landing, selectLandings } from './search.sql.ts'

// How many of the best passages lead on: 4, 6, 10 MuSiQue R@5 .654, .665, .667.
export const STONES = 6
// Fewer content words ask for one thing.
const LEAST_WORDS = 5
const MOST_LANDINGS = 200

/** Statements and key words ask for themselves: with them scifact lost .004. */
export const mayHaveSteps = (query: string, terms: readonly WeighedTerm[]): boolean =>
  /[?？؟]/.test(query) && knownWords(terms) >= LEAST_WORDS && !isLong(terms)

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
  return landed(found, landings, wanted.documents)
}

// A landing counts half its own score and, as far as its stone is good, a bonus for being about the name or for saying it
// (the rarer the name, the more) and what it says of the open part. MuSiQue nDCG@10 / R@5 with .4 and .25 .711 / .662;
// .4 and .2 .708 / .662, .45 and .35 .716 / .676 (but FinanceBench .504 to .486), the name's rarity aside .695 / .659.
const OWN = 0.5
const LED = 1.3
const ABOUT = 0.4
const NAMED = 0.25

/** Pure: the better of a chunk's own place and the one it is led to, among so many documents. */
export function landed(found: readonly Ranked[], landings: readonly Landing[], documents: number): Ranked[] {
  const scores = new Map(found.map((item) => [item.chunk_id, item]))
  const best = found[0]?.score ?? 0
  if (best <= 0) return [...found]
  const led = new Map<string, Ranked>()
  for (const { from, chunk_id, document_id, about, shared, score, rest } of landings) {
    const own = scores.get(chunk_id)?.score ?? score
    const trust = (scores.get(from)?.score ?? 0) / best
    const bonus = (about ? ABOUT : NAMED) * rarity(shared, documents)
    const value = OWN * own + LED * trust * (best * bonus + rest)
    if (value > Math.max(own, led.get(chunk_id)?.score ?? 0)) {
      led.set(chunk_id, { chunk_id, document_id, score: value })
    }
  }
  return inOrder([...found.filter(({ chunk_id }) => !led.has(chunk_id)), ...led.values()])
}

/** 1 for a name of one document, 0 for one that all say. */
const rarity = (shared: number, documents: number): number =>
  documents > 1 ? Math.max(0, Math.log(documents / shared) / Math.log(documents)) : 0
