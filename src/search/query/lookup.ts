// What the database knows of a query's terms, in as few round trips as can be: they depend on the languages of the
// workspace, which are most likely those of the last query, so both are asked for at once. A wrong guess costs nothing.

import { requireRole } from '../../auth/access.ts'
import type { Caller } from '../../auth/caller.ts'
import { basisRow } from '../../embed/basis.sql.ts'
import { basisSpace } from '../../embed/embed.ts'
import type { BasisRow } from '../../embed/fit.ts'
import { termHash } from '../../index/weights.ts'
import type { Queryable } from '../../ports/db/db.ts'
import { type Frequency, type Surroundings, selectFrequencies, selectSurroundings } from './query.sql.ts'
import { chunksOf, type QueryReading, readIn } from './reading.ts'

/** Terms that were looked up: in how many chunks each stands, and its row in the basis of the space. */
export interface LookedUp {
  /** Chunks of the workspace. */
  chunks: number
  space: number | undefined
  frequencies: Map<number, number>
  basis: Map<number, BasisRow>
}

type Last = Pick<Surroundings, 'spoken' | 'space'>

// Some 300 bytes each.
const REMEMBERED = 1000
// By who asks, too: whoever may not read a workspace is answered as fast as where there is none.
const last = new Map<string, Last>()

/** The most recently asked stay. */
function remember(key: string, { spoken, space }: Last): void {
  last.delete(key)
  last.set(key, { spoken, space })
  const [oldest] = last.keys()
  if (last.size > REMEMBERED && oldest !== undefined) last.delete(oldest)
}

/**
 * What surrounds the query, how it is read there, and its terms where that is as the last one was read.
 * @throws ApiError 404 when the caller may not read the workspace
 */
export async function lookUp(
  db: Queryable,
  workspaceId: string,
  query: string,
  { caller, scope }: { caller: Caller; scope: string | undefined },
): Promise<{ surroundings: Surroundings; reading: QueryReading; known: LookedUp }> {
  const key = `${caller.userId} ${workspaceId}`
  const before = last.get(key)
  const guess = before && readIn(query, before.spoken)
  const lookup = before && {
    terms: hashesOf(guess?.weights.keys() ?? []),
    basis: basisSpace(before.space),
    chunks: chunksOf(before.spoken),
  }
  const asking = { userId: caller.userId, scope }
  const { surroundings, frequencies } = await selectSurroundings(db, workspaceId, asking, lookup)
  requireRole(surroundings.role, caller, workspaceId, 'read')
  remember(key, surroundings)
  const { spoken, space } = surroundings
  const isSame = JSON.stringify(before?.spoken) === JSON.stringify(spoken)
  const known = {
    chunks: chunksOf(spoken),
    space: basisSpace(space),
    frequencies: new Map(),
    basis: new Map(),
  }
  // Rows of another basis are of no use.
  if (lookup?.basis === known.space) note(known, frequencies)
  return { surroundings, reading: guess && isSame ? guess : readIn(query, spoken), known }
}

/** Adds what is not known of these terms. */
export async function lookUpMore(
  db: Queryable,
  workspaceId: string,
  terms: Iterable<string>,
  known: LookedUp,
): Promise<void> {
  const missing = hashesOf(terms).filter((hash) => !known.frequencies.has(hash))
  const lookup = { terms: missing, basis: known.space, chunks: known.chunks }
  if (missing.length) note(known, await selectFrequencies(db, workspaceId, lookup))
}

function note(known: LookedUp, frequencies: readonly Frequency[]): void {
  for (const { term, df, scale, v } of frequencies) {
    known.frequencies.set(term, df)
    if (scale !== null && v !== null) known.basis.set(term, basisRow({ scale, v }))
  }
}

const hashesOf = (terms: Iterable<string>): number[] => [...new Set([...terms].map(termHash))]
