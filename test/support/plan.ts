// A query plan as a tree of readable lines: what is read by which index on which condition, and how it is joined; no costs,
// no row counts.

import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db, Queryable } from '../../src/ports/db/db.ts'

interface PlanNode {
  'Node Type': string
  'Parent Relationship'?: string
  'Subplan Name'?: string
  'Join Type'?: string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  'Hash Cond'?: string
  'Merge Cond'?: string
  'Function Name'?: string
  'CTE Name'?: string
  Alias?: string
  Plans?: PlanNode[]
  /** A loop. */
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
}

/** A line each, what it reads from indented below. */
function treeOf(root: PlanNode, depth = 0): string[] {
  const node = withoutBitmap(root)
  const below = (node.Plans ?? []).filter((one) => !isPolicy(one))
  return [`${'  '.repeat(depth)}${lineOf(node)}`, ...below.flatMap((one) => treeOf(one, depth + 1))]
}

/** What is read, a line each, in the order of the alphabet: where most of a table is read, how it is joined is chance. */
function readsOf(node: PlanNode): string[] {
  const lines = (one: PlanNode): string[] => [lineOf(one), ...(one.Plans ?? []).flatMap(lines)]
  const reads = lines(node).flatMap(
    (line) => /ALL of \S+|by \S+|of (unnest|chunks_\w+)/.exec(line)?.[0] ?? [],
  )
  return [...new Set(reads)].sort()
}

/** By bitmap, or of the index alone, is chance where tables are small. */
function withoutBitmap(node: PlanNode): PlanNode {
  const [bits, ...others] = (node.Plans ?? []).filter((one) => !isPolicy(one))
  if (node['Node Type'] === 'Bitmap Heap Scan' && bits?.['Index Name'] && others.length === 0)
    return { ...bits, ...node, 'Node Type': 'Index Scan', Plans: [] }
  return node['Node Type'] === 'Index Only Scan' ? { ...node, 'Node Type': 'Index Scan' } : node
}

/** A policy asks once a table which workspaces are the request's own. */
const isPolicy = (node: PlanNode): boolean =>
  node['Parent Relationship'] === 'InitPlan' && node['Node Type'] === 'Result' && !node.Plans

function lineOf(node: PlanNode): string {
  const { 'Node Type': type, 'Index Name': index, 'Subplan Name': part } = node
  const join = node['Join Type']
  const read = node['Relation Name'] ?? node['Function Name'] ?? node['CTE Name']
  const on = conditionOf(node['Index Cond'] ?? node['Hash Cond'] ?? node['Merge Cond'])
  return [
    part && `${part.replace(/ \d+/, '')}:`,
    type === 'Seq Scan' ? 'ALL' : type,
    join && join !== 'Inner' ? `(${join})` : undefined,
    read && `of ${read}`,
    index && `by ${index}`,
    on && `on ${on}`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Without what differs from one run to the next (ids) or says nothing (types, numbers of subplans). */
const conditionOf = (condition: string | undefined): string | undefined =>
  condition
    ?.replace(/'[^']*'::\w+(\[\])?/g, '?')
    .replaceAll(/::\w+(\[\])?/g, '')
    .replaceAll(/\(InitPlan \d+\)\.col1/g, 'own')
    .replaceAll(/(InitPlan|SubPlan) \d+/g, '$1')
    .replace(/\s+/g, ' ')

// The planner's choice must not hang on the machine it runs on.
const SETTINGS = [
  'SET LOCAL enable_seqscan = off',
  'SET LOCAL plan_cache_mode = force_custom_plan',
  'SET LOCAL jit = off',
  'SET LOCAL max_parallel_workers_per_gather = 0',
  'SET LOCAL work_mem = "4MB"',
]

interface Explained {
  'QUERY PLAN': [{ Plan: PlanNode }]
}

/** The plan of a statement that the connection has by this name, made for all values. */
export async function keptPlan(on: Queryable, name: string, parameters: number): Promise<string> {
  const values = parameters ? `(${Array(parameters).fill('NULL').join()})` : ''
  const [plan] = await on.rows<Explained>(raw(`EXPLAIN (COSTS OFF, FORMAT JSON) EXECUTE "${name}"${values}`))
  return plan ? treeOf(plan['QUERY PLAN'][0].Plan).join('\n') : ''
}

/**
 * The plans of the statements that `ask` sends, in order; each is run, too.
 * @param form a tree for what looks its rows up; what it reads, for what reads most of a workspace
 */
export function plansOf(
  db: Db,
  ask: (db: Db) => Promise<unknown>,
  form: 'tree' | 'reads',
  settings: readonly string[] = [],
): Promise<string[]> {
  return db.tx(async (tx) => {
    for (const setting of [...SETTINGS, ...settings]) await tx.rows(raw(setting))
    const problems: string[] = []
    const rows = async <T extends object>(statement: Sql): Promise<T[]> => {
      const [plan] = await tx.rows<Explained>(sql`EXPLAIN (COSTS OFF, FORMAT JSON) ${statement}`)
      if (plan) problems.push((form === 'tree' ? treeOf : readsOf)(plan['QUERY PLAN'][0].Plan).join('\n'))
      return tx.rows<T>(statement)
    }
    const explaining: Db = { ...db, rows, tx: (work: (tx: Queryable) => Promise<never>) => work({ rows }) }
    await ask(explaining)
    return problems.filter(Boolean)
  })
}

/** Rows of a table that the statements sent by `ask` read, also those that a condition drops. */
export async function rowsRead(db: Db, table: string, ask: (db: Db) => Promise<unknown>): Promise<number> {
  const readBy = (node: PlanNode): number => {
    const seen =
      (node['Actual Rows'] ?? 0) +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0)
    const ownRows = node['Relation Name'] === table ? seen * (node['Actual Loops'] ?? 1) : 0
    return (node.Plans ?? []).reduce((sum, one) => sum + readBy(one), ownRows)
  }
  let read = 0
  const rows = async <T extends object>(statement: Sql): Promise<T[]> => {
    const [plan] = await db.rows<Explained>(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`)
    if (plan) read += readBy(plan['QUERY PLAN'][0].Plan)
    return db.rows<T>(statement)
  }
  const explaining: Db = { ...db, rows, as: () => explaining }
  await ask(explaining)
  return Math.round(read)
}
