// The steps that turn a PostgreSQL with Citus into a distributed Kenning, derived from its present state. Nothing is read or
// changed here, so it is tested without a server.

import type { Facts, NodeFact, TableFact } from './distribute.sql.ts'
import { DISTRIBUTED_TABLES, REFERENCE_TABLES } from './layout.ts'

export type Step =
  | { do: 'role' | 'settings' | 'functions' | 'analyse' }
  | { do: 'policy' | 'reference'; table: string; rows: number }
  /** The tables are distributed in one step, because rows of the later ones refer to rows of the first. */
  | { do: 'distribute'; tables: string[]; rows: number }
  | { do: 'drop key'; table: string; key: string }

const MIN_POSTGRES = 16
const MIN_CITUS = 14

/** Why the database cannot be distributed yet, and what to do about it. */
export function obstacleOf(
  facts: Facts,
  nodes: readonly NodeFact[],
  { pending, tables }: { pending: number; tables: readonly TableFact[] },
): string | undefined {
  if (facts.version_number < MIN_POSTGRES * 10_000)
    return `PostgreSQL ${Math.floor(facts.version_number / 10_000)} is too old: Kenning needs ${MIN_POSTGRES} or newer.`
  if (!facts.citusVersion)
    return facts.isCitusAvailable
      ? 'The database has no Citus: run "CREATE EXTENSION citus" in it, on this server and on every worker, then add the workers.'
      : 'The server has no Citus: install it on this server and on every worker (docs.citusdata.com), with shared_preload_libraries = citus.'
  if (Number.parseInt(facts.citusVersion, 10) < MIN_CITUS)
    return `Citus ${facts.citusVersion} is too old: Kenning needs ${MIN_CITUS} or newer.`
  if (!facts.isSuperuser)
    return 'The user of DATABASE_URL is no superuser: this command sets up roles and settings on every node. Run it once as one.'
  if (!nodes.some(({ groupid }) => groupid === 0))
    return 'The coordinator is not known to its workers: run "SELECT citus_set_coordinator_host(\'HOST\', PORT)" with the address at which they reach it.'
  if (!nodes.some(({ groupid, active }) => groupid > 0 && active))
    return 'There is no worker: create a database of this name with the extensions citus and vector on one, and run "SELECT citus_add_node(\'HOST\', PORT)" here.'
  const missingTables = [...DISTRIBUTED_TABLES, ...REFERENCE_TABLES].filter(
    (name) => !tables.some((table) => table.name === name),
  )
  if (missingTables.length > 0 || pending > 0)
    return 'The database has not been migrated to this version: start Kenning once, and stop it again.'
  if (facts.services > 0)
    return 'Kenning is running on this database: stop it on every machine, since rows are moved and tables locked.'
  return undefined
}

/** The steps in their order. A step that is already done is left out, unless repeating it costs nothing. */
export function stepsFor(tables: readonly TableFact[]): Step[] {
  const factOf = (name: string): TableFact =>
    tables.find((table) => table.name === name) ?? {
      name,
      where: 'local',
      rows: 0,
      blockingKeys: [],
      referencedTables: [],
    }
  const referenceTables = REFERENCE_TABLES.map(factOf).filter(({ where }) => where === 'local')
  const tablesToDistribute = DISTRIBUTED_TABLES.map(factOf).filter(({ where }) => where === 'local')
  const localTables = [...referenceTables, ...tablesToDistribute]
  return [
    { do: 'role' },
    { do: 'settings' },
    ...localTables.flatMap(({ name, blockingKeys }) =>
      blockingKeys.map((key): Step => ({ do: 'drop key', table: name, key })),
    ),
    ...localTables.map(({ name, rows }): Step => ({ do: 'policy', table: name, rows })),
    ...referenceTables.map(({ name, rows }): Step => ({ do: 'reference', table: name, rows })),
    ...groupByReference(tablesToDistribute).map(
      (group): Step => ({
        do: 'distribute',
        tables: group.map(({ name }) => name),
        rows: group.reduce((sum, { rows }) => sum + rows, 0),
      }),
    ),
    { do: 'functions' },
    { do: 'analyse' },
  ]
}

/** Groups each table with those that refer to it, which come after it. */
function groupByReference(tables: readonly TableFact[]): TableFact[][] {
  const groups: TableFact[][] = []
  for (const table of tables) {
    const group = groups.find((members) => members.some(({ name }) => table.referencedTables.includes(name)))
    if (group) group.push(table)
    else groups.push([table])
  }
  return groups
}

export function sentenceOf(step: Step): string {
  switch (step.do) {
    case 'role':
      return 'let the nodes log in to each other as the role of requests, with a password that only they know'
    case 'settings':
      return 'set what searches and triggers need, on every node'
    case 'functions':
      return 'replace the functions that run on nodes, and send them there'
    case 'analyse':
      return 'count the rows for the planner'
    case 'drop key':
      return `drop the foreign key ${step.key} of ${step.table}, to a table that stays here`
    case 'policy':
      return `give ${step.table} the policy that nodes can check`
    case 'reference':
      return `copy ${step.table} to every node${approximate(step.rows)}`
    case 'distribute':
      return `distribute ${step.tables.join(', ')} by workspace${approximate(step.rows)}`
  }
}

const approximate = (rows: number): string =>
  rows > 0 ? ` (about ${Math.round(rows).toLocaleString('en')} rows)` : ''
