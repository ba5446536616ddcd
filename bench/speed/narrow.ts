// A filter that leaves little of a large workspace: as many results as without, the right ones, and as fast?

import { upsertScope } from '../../src/documents/scopes.sql.ts'
import { findPassages, search } from '../../src/search/search.ts'
import { quantile } from '../report.ts'
import * as bare from './bare.sql.ts'
import { type Filled, WARM_UP } from './fill.ts'
import { overlapWithScan } from './kenning.ts'

// One document in so many.
const FRACTIONS = [10, 100]
const LIMIT = 10

/** Searches of the largest workspace within a scope. */
export interface Narrow {
  /** What the scope holds of the workspace's chunks. */
  share: number
  chunks: number
  p50: number
  p99: number
  /** The same queries without the filter, each beside it. */
  openP50: number
  openP99: number
  /** Share of searches with as many results as were asked for, or as a scan of the scope finds where those are fewer. */
  full: number
  /** The ten best by words beside those of a scan of the scope. */
  overlap: number
}

export async function measureNarrow(filled: Filled): Promise<Narrow[]> {
  const measured: Narrow[] = []
  for (const fraction of FRACTIONS) measured.push(await measureOneIn(fraction, filled))
  return measured
}

/** A scope that a person made: it can be made in whatever a run before has filled. */
async function measureOneIn(fraction: number, { service, workspaces: [large] }: Filled): Promise<Narrow> {
  if (!large) throw new Error('a workspace is needed')
  const { deps, caller } = service
  const scope = `one in ${fraction}`
  const { ids, chunks } = await bare.oneIn(deps.db, large.id, fraction)
  const made = { name: scope, description: '', documentIds: ids, folders: [] }
  await deps.db.tx((tx) => upsertScope(tx, large.id, made))
  await bare.analyseScopes(deps.db)
  const timed = async (query: string, filter: { scope?: string }): Promise<{ ms: number; found: number }> => {
    const started = performance.now()
    const { data } = await search(deps, caller, large.id, { query, limit: LIMIT, ...filter })
    return { ms: performance.now() - started, found: data.length }
  }
  const isFull = async (query: string, found: number): Promise<boolean> =>
    found === LIMIT ||
    found >=
      (await findPassages(deps, caller, large.id, { query, limit: LIMIT, scope, without: ['candidates'] }))
        .length
  for (const { query } of large.items.slice(0, WARM_UP)) await timed(query, { scope })
  const items = large.items.slice(WARM_UP)
  let full = 0
  const [ms, openMs]: [number[], number[]] = [[], []]
  for (const [i, { query }] of items.entries()) {
    // In turns: whoever asks second finds the rows in memory.
    if (i % 2 === 1) openMs.push((await timed(query, {})).ms)
    const within = await timed(query, { scope })
    ms.push(within.ms)
    if (i % 2 === 0) openMs.push((await timed(query, {})).ms)
    if (await isFull(query, within.found)) full++
  }
  return {
    share: chunks / large.chunks,
    chunks,
    p50: quantile(ms, 0.5),
    p99: quantile(ms, 0.99),
    openP50: quantile(openMs, 0.5),
    openP99: quantile(openMs, 0.99),
    full: full / items.length,
    overlap: await overlapWithScan(service, large, { items, filter: { scope } }),
  }
}
