// A query plan as a few readable lines: what is read by which index, how it is joined; no costs, no row counts.

import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db, Queryable } from '../../src/ports/db/db.ts'

interface PlanNode {
  'Node Type': string
  'Join Type'?: string
  'Relation Name'?: string
  'Index Name'?: string
  'Function Name'?: string
  'CTE Name'?: string
  'Subplan Name'?: string
  'Scan Direction'?: string
  Plans?: PlanNode[]
}

// They shape rows that were found already, and come and go with versions of PostgreSQL.
const PASSED_OVER =
  /^(Memoize|Result|Materialize|Limit|Unique|Incremental Sort|Sort|Aggregate|ProjectSet|Subquery Scan|Hash|BitmapOr|BitmapAnd)$/

const joined: Record<string, string> = {
  'Nested Loop': 'for each',
  'Hash Join': 'hash',
  'Merge Join': 'merge',
}

/** One line a node, children indented. */
export function linesOf(node: PlanNode, depth = 0): string[] {
  const name = node['Subplan Name']
  const under = name?.startsWith('CTE ') ? [`${'  '.repeat(depth)}with ${name.slice(4)}:`] : []
  const own = lineOf(node)
  const at = depth + under.length
  const below = (node.Plans ?? []).flatMap((child) => linesOf(child, own === undefined ? at : at + 1))
  return [...under, ...(own === undefined ? [] : [`${'  '.repeat(at)}${own}`]), ...below]
}

function lineOf(node: PlanNode): string | undefined {
  const type = node['Node Type']
  const join = joined[type]
  if (join)
    return node['Join Type'] === 'Inner'
      ? `join, ${join}`
      : `${node['Join Type']?.toLowerCase()} join, ${join}`
  const [index, table] = [node['Index Name'], node['Relation Name']]
  if (type === 'Bitmap Index Scan') return `bitmap of ${index}`
  if (type === 'Bitmap Heap Scan') return `${table} by bitmap`
  if (index)
    return `${table} by ${index}${type === 'Index Only Scan' ? ' alone' : ''}${node['Scan Direction'] === 'Backward' ? ', backward' : ''}`
  if (type === 'Seq Scan') return `ALL OF ${table}`
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
      if (plan) found.push(linesOf(plan['QUERY PLAN'][0].Plan).join('\n'))
      return tx.rows<T>(statement)
    }
    const explaining: Db = { ...db, rows, tx: (work: (tx: Queryable) => Promise<never>) => work({ rows }) }
    await ask(explaining)
    return found.filter(Boolean)
  })
}
