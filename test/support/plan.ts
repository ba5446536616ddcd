// A query plan as a few readable lines: what is read by which index; no costs, no row counts.

import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db, Queryable } from '../../src/ports/db/db.ts'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Function Name'?: string
  'CTE Name'?: string
  Plans?: PlanNode[]
}

// They shape or join rows that were found already, and come and go with statistics and versions of PostgreSQL.
const PASSED_OVER =
  /^(Memoize|Result|Materialize|Limit|Unique|Incremental Sort|Sort|Aggregate|ProjectSet|Subquery Scan|Hash|BitmapOr|BitmapAnd|Nested Loop|Hash Join|Merge Join)$/

/** What is read, a line each, in the order of the alphabet: which join comes first is chance where tables are small. */
const readsOf = (node: PlanNode): string[] => [...new Set(linesOf(node))].sort()

const linesOf = (node: PlanNode): string[] => [lineOf(node) ?? [], ...(node.Plans ?? []).map(linesOf)].flat()

function lineOf(node: PlanNode): string | undefined {
  const type = node['Node Type']
  // By bitmap, backward or of the index alone: chance as well.
  if (type === 'Bitmap Heap Scan') return undefined
  if (node['Index Name']) return `by ${node['Index Name']}`
  if (type === 'Seq Scan') return `ALL OF ${node['Relation Name']}`
  if (type === 'Function Scan') return `rows of ${node['Function Name'] ?? 'several functions'}`
  if (type === 'CTE Scan') return `rows of ${node['CTE Name']}`
  return PASSED_OVER.test(type) ? undefined : type.toLowerCase()
}

// The planner's choice must not hang on the machine it runs on.
const SETTINGS = [
  'SET LOCAL enable_seqscan = off',
  'SET LOCAL plan_cache_mode = force_custom_plan',
  'SET LOCAL jit = off',
  'SET LOCAL max_parallel_workers_per_gather = 0',
  'SET LOCAL work_mem = "4MB"',
]

/** The plans of the statements that `ask` sends, in order; each is run, too. */
export function plansOf(
  db: Db,
  ask: (db: Db) => Promise<unknown>,
  settings: readonly string[] = [],
): Promise<string[]> {
  return db.tx(async (tx) => {
    for (const setting of [...SETTINGS, ...settings]) await tx.rows(raw(setting))
    const found: string[] = []
    const rows = async <T extends object>(statement: Sql): Promise<T[]> => {
      const [plan] = await tx.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        sql`EXPLAIN (COSTS OFF, FORMAT JSON) ${statement}`,
      )
      if (plan) found.push(readsOf(plan['QUERY PLAN'][0].Plan).join('\n'))
      return tx.rows<T>(statement)
    }
    const explaining: Db = { ...db, rows, tx: (work: (tx: Queryable) => Promise<never>) => work({ rows }) }
    await ask(explaining)
    return found.filter(Boolean)
  })
}
