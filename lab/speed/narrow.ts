// A filter that leaves little of a large workspace: as many results as without, the right ones, and as fast?

import { upsertScope } from '../../src/documents/scopes.sql.ts'
import type { Db } from '../../src/ports/db/db.ts'
import type { Filter } from '../../src/search/candidates/filter.sql.ts'
import { findPassages, search } from '../../src/search/search.ts'
import { quantile } from '../report.ts'
import * as bare from './bare.sql.ts'
import { type Filled, WARM_UP } from './fill.ts'
import { overlapWithScan } from './kenning.ts'

// One document in so many, or one chunk.
const FRACTIONS = [10, 100]
const LIMIT = 10

/** Searches of the largest workspace within a scope, or about an entity. */
export interface Narrow {
  by: 'a scope' | 'an entity'
  /** What the filter leaves of the workspace's chunks. */
  share: number
  chunks: number
  p50: number
  p99: number
  /** The same queries without the filter, each beside it. */
  openP50: number
  openP99: number
  /** Share of searches with as many results as were asked for, or as a scan within the filter finds where those are fewer. */
  full: number
  /** The ten best by words beside those of a scan within the filter. */
  overlap: number
}

export async function measureNarrow(filled: Filled): Promise<Narrow[]> {
  const measured: Narrow[] = []
  for (const make of [makeScope, nameEntity])
    for (const fraction of FRACTIONS) measured.push(await measureWithin(filled, make, fraction))
  return measured
}

interface Made {
  by: Narrow['by']
  filter: Filter
  chunks: number
}

type Large = Filled['workspaces'][number]

/** A scope that a person made: it can be made in whatever a run before has filled. */
async function makeScope(db: Db, large: Large, fraction: number): Promise<Made> {
  const name = `one in ${fraction}`
  const { ids, chunks } = await bare.oneIn(db, large.id, fraction)
  const scope = { name, description: '', documentIds: ids, folders: [] }
  await db.tx((tx) => upsertScope(tx, large.id, scope))
  return { by: 'a scope', filter: { scope: name }, chunks }
}

/** An entity of many documents: the fill leaves the graph out, so that its mentions are written as the graph would. */
async function nameEntity(db: Db, large: Large, fraction: number): Promise<Made> {
  const { id, chunks } = await bare.nameOneIn(db, large.id, fraction)
  return { by: 'an entity', filter: { entityIds: [id] }, chunks }
}

async function measureWithin(
  { service, workspaces: [large] }: Filled,
  make: typeof makeScope,
  fraction: number,
): Promise<Narrow> {
  if (!large) throw new Error('a workspace is needed')
  const { deps, caller } = service
  const { by, filter, chunks } = await make(deps.db, large, fraction)
  await bare.analyseFilters(deps.db)
  const timed = async (query: string, within: Filter): Promise<{ ms: number; found: number }> => {
    const started = performance.now()
    const request = { query, limit: LIMIT, scope: within.scope, entity_ids: within.entityIds?.slice() }
    const { data } = await search(deps, caller, large.id, request)
    return { ms: performance.now() - started, found: data.length }
  }
  const isFull = async (query: string, found: number): Promise<boolean> =>
    found === LIMIT ||
    found >=
      (
        await findPassages(deps, caller, large.id, {
          query,
          limit: LIMIT,
          ...filter,
          without: ['candidates'],
        })
      ).length
  for (const { query } of large.items.slice(0, WARM_UP)) await timed(query, filter)
  const items = large.items.slice(WARM_UP)
  let full = 0
  const [ms, openMs]: [number[], number[]] = [[], []]
  for (const [i, { query }] of items.entries()) {
    // In turns: whoever asks second finds the rows in memory.
    if (i % 2 === 1) openMs.push((await timed(query, {})).ms)
    const within = await timed(query, filter)
    ms.push(within.ms)
    if (i % 2 === 0) openMs.push((await timed(query, {})).ms)
    if (await isFull(query, within.found)) full++
  }
  return {
    by,
    share: chunks / large.chunks,
    chunks,
    p50: quantile(ms, 0.5),
    p99: quantile(ms, 0.99),
    openP50: quantile(openMs, 0.5),
    openP99: quantile(openMs, 0.99),
    full: full / items.length,
    overlap: await overlapWithScan(service, large, { items, filter }),
  }
}
