// What a statement must keep to run on Citus too, where the rows of a workspace are on one node (docs/decisions/0039-citus.md).
// Read with PostgreSQL's own parser.

import { parseSync } from 'libpg-query'
import { FUNCTIONS_ON_NODES } from '../../src/operator/distribute/distribute.sql.ts'
import { DISTRIBUTED_TABLES, REFERENCE_TABLES } from '../../src/operator/distribute/layout.ts'
import { ACROSS_MARK } from '../../src/ports/db/across.sql.ts'
import { readMigrations } from '../../src/ports/db/migrations.ts'

type Node = { [key: string]: unknown }

interface Relation {
  alias: string
  table: string
  kind: 'distributed' | 'local'
}

interface Scope {
  /** Names of WITH, which are no tables. */
  named: ReadonlySet<string>
  /** Whether rows of distributed tables are changed by the statement. */
  changes: boolean
  isAcross: boolean
  broken: Set<string>
}

const distributedTables = new Set<string>(DISTRIBUTED_TABLES)
const reference = new Set<string>(REFERENCE_TABLES)
const CATALOGUE = /^(pg_|information_schema)/
const VOLATILE = new Set(['clock_timestamp', 'random', 'gen_random_uuid', 'nextval', 'set_config'])
/** Functions of the migrations that nodes have in a form of their own, and the others, which may ask the coordinator's tables. */
const onNodes = new Set(FUNCTIONS_ON_NODES.map((signature) => signature.replace(/\(.*/, '')))
const elsewhere = new Set(
  readMigrations()
    .flatMap(({ text }) => [...text.matchAll(/^CREATE (?:OR REPLACE )?FUNCTION (\w+)/gm)])
    .map(([, name = '']) => name)
    .filter((name) => !onNodes.has(name)),
)
const QUERIES = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'] as const

/** The rules that a statement breaks, each as a sentence. */
export function brokenRules(text: string): string[] {
  const parseResult = parseSync(text) as unknown as { stmts?: { stmt: Node }[] }
  const violations = new Set<string>()
  for (const { stmt } of parseResult.stmts ?? []) {
    checkWhole(stmt, violations)
    const changes = QUERIES.some((kind) => kind !== 'SelectStmt' && changesDistributed(stmt, kind))
    visit(stmt, { named: new Set(), changes, isAcross: text.includes(ACROSS_MARK), broken: violations })
  }
  return [...violations]
}

/** What a statement may name nowhere once it names a distributed table. */
function checkWhole(statement: Node, violations: Set<string>): void {
  const tables = tablesIn(statement).map(baseOf)
  const one = tables.find((name) => distributedTables.has(name))
  if (!one) return
  for (const table of tables)
    if (CATALOGUE.test(table)) violations.add(`asks ${table} beside ${one}, so that Citus takes it apart`)
  for (const name of callsIn(statement))
    if (elsewhere.has(name))
      violations.add(`calls ${name}() beside ${one}, whose node does not know the answer`)
}

const tablesIn = (node: Node): string[] => [
  ...('relname' in node ? [String(node.relname)] : []),
  ...childrenOf(node).flatMap(tablesIn),
]

const nameOfCall = (node: Node): string | undefined =>
  listOf(child(node, 'FuncCall'), 'funcname')
    .map((part) => String(child(part, 'String')?.sval))
    .at(-1)

const callsIn = (node: Node): string[] => {
  const own = nameOfCall(node)
  return [...(own === undefined ? [] : [own]), ...childrenOf(node).flatMap(callsIn)]
}

function changesDistributed(statement: Node, kind: string): boolean {
  const target = child(child(statement, kind), 'relation')
  return target !== undefined && distributedTables.has(baseOf(String(target.relname)))
}

const baseOf = (name: string): string => name.replace(/^visible_/, '')

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function child(node: Node | undefined, key: string): Node | undefined {
  const value = node?.[key]
  return isNode(value) ? value : undefined
}

const listOf = (node: Node | undefined, key: string): Node[] => {
  const value = node?.[key]
  return Array.isArray(value) ? value.filter(isNode) : []
}

const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )

/** Every query below the node, each with its own tables. */
function visit(node: Node, scope: Scope): void {
  for (const kind of QUERIES) {
    const query = child(node, kind)
    if (query) {
      checkQuery(query, kind, scope)
      return
    }
  }
  // The sides of UNION, and what a cursor is for, stand without a name.
  if ('targetList' in node && ('fromClause' in node || 'op' in node)) checkQuery(node, 'SelectStmt', scope)
  else for (const below of childrenOf(node)) visit(below, scope)
}

function checkQuery(query: Node, kind: string, outer: Scope): void {
  const names = listOf(child(query, 'withClause'), 'ctes').map((cte) =>
    String(child(cte, 'CommonTableExpr')?.ctename),
  )
  for (const name of names)
    if (distributedTables.has(baseOf(name)) || reference.has(name))
      outer.broken.add(`calls a part of WITH ${name}, as a table: a node would read that`)
  const scope = { ...outer, named: new Set([...outer.named, ...names]) }
  const from = [...listOf(query, 'fromClause'), ...listOf(query, 'usingClause')]
  const target = child(query, 'relation')
  const relations = [...(target ? [relationOf(target)] : []), ...from.flatMap(relationsOf)].filter(
    ({ table }) => !scope.named.has(table) && !CATALOGUE.test(table) && !reference.has(table),
  )
  const here = relations.filter(({ kind: where }) => where === 'distributed')
  const elsewhere = relations.filter(({ kind: where }) => where === 'local')
  if (here.length > 0 && elsewhere.length > 0)
    scope.broken.add(`joins ${elsewhere[0]?.table}, which is on the coordinator, with ${here[0]?.table}`)
  if (!scope.isAcross)
    for (const { table } of unbound(query, kind, from, here))
      scope.broken.add(`${table} without its workspace_id`)
  checkFunctions(query, scope)
  for (const below of childrenOf(query)) {
    for (const inner of innerQueries(below)) checkCorrelation(inner, here, scope)
    visit(below, scope)
  }
}

function relationOf(range: Node): Relation {
  const table = baseOf(String(range.relname))
  const alias = String(child(range, 'alias')?.aliasname ?? range.relname)
  return { alias, table, kind: distributedTables.has(table) ? 'distributed' : 'local' }
}

/** The tables of a FROM item, without those inside its subselects. */
function relationsOf(item: Node): Relation[] {
  const range = child(item, 'RangeVar')
  if (range) return [relationOf(range)]
  const joined = child(item, 'JoinExpr')
  if (!joined) return []
  return [child(joined, 'larg'), child(joined, 'rarg')].flatMap((side) => (side ? relationsOf(side) : []))
}

const onClauses = (item: Node): Node[] => {
  const joined = child(item, 'JoinExpr')
  if (!joined) return []
  const on = child(joined, 'quals')
  const below = [child(joined, 'larg'), child(joined, 'rarg')].flatMap((side) =>
    side ? onClauses(side) : [],
  )
  return [...(on ? [on] : []), ...below]
}

/** The aliases whose side of an outer join may be empty. */
function emptyable(item: Node): string[] {
  const joined = child(item, 'JoinExpr')
  if (!joined) return []
  const sides = [child(joined, 'larg'), child(joined, 'rarg')].flatMap((side) => (side ? [side] : []))
  const [, right] = sides
  const own = joined.jointype === 'JOIN_LEFT' && right ? relationsOf(right).map(({ alias }) => alias) : []
  return [...own, ...sides.flatMap(emptyable)]
}

/** What all must hold: the parts of AND. */
function conjuncts(condition: Node | undefined): Node[] {
  const bool = child(condition, 'BoolExpr')
  if (bool?.boolop === 'AND_EXPR') return listOf(bool, 'args').flatMap(conjuncts)
  return condition ? [condition] : []
}

/** The alias of a reference to a workspace_id; '' where it is not named. */
function workspaceOf(expression: Node | undefined): string | undefined {
  const fields = listOf(child(expression, 'ColumnRef'), 'fields').map((field) => child(field, 'String')?.sval)
  if (fields.at(-1) !== 'workspace_id') return undefined
  return fields.length > 1 ? String(fields.at(-2)) : ''
}

const hasColumn = (node: Node): boolean => 'ColumnRef' in node || childrenOf(node).some(hasColumn)

/** The distributed tables of one query whose workspace is neither given nor that of another one of the query. */
function unbound(query: Node, kind: string, from: readonly Node[], here: readonly Relation[]): Relation[] {
  const known = new Set<string>()
  const same: [string, string][] = []
  const only = here.length === 1 ? here[0]?.alias : undefined
  const resolve = (alias: string | undefined): string | undefined => (alias === '' ? only : alias)
  for (const condition of [child(query, 'whereClause'), ...from.flatMap(onClauses)].flatMap(conjuncts)) {
    const compared = child(condition, 'A_Expr')
    const isEqual = listOf(compared, 'name').some((name) => child(name, 'String')?.sval === '=')
    if (!compared || !isEqual) continue
    const [left, right] = [child(compared, 'lexpr'), child(compared, 'rexpr')]
    const [one, other] = [resolve(workspaceOf(left)), resolve(workspaceOf(right))]
    if (one !== undefined && other !== undefined) same.push([one, other])
    else if (one !== undefined && right && !hasColumn(right)) known.add(one)
    else if (other !== undefined && left && !hasColumn(left)) known.add(other)
  }
  const inserted = kind === 'InsertStmt' ? relationOf(child(query, 'relation') ?? {}).alias : undefined
  if (inserted !== undefined && insertsWorkspace(query)) known.add(inserted)
  // What an outer join may leave empty is found by a chain, but nothing beyond it.
  const given = new Set(known)
  const empty = new Set(from.flatMap(emptyable))
  const leads = (alias: string): boolean => known.has(alias) && (given.has(alias) || !empty.has(alias))
  for (let before = -1; before !== known.size; ) {
    before = known.size
    for (const [a, b] of same) {
      if (leads(a)) known.add(b)
      if (leads(b)) known.add(a)
    }
  }
  return here.filter(({ alias }) => !known.has(alias))
}

/** Whether each inserted row names a workspace that is given, or that of a row it is made from. */
function insertsWorkspace(query: Node): boolean {
  const columns = listOf(query, 'cols').map((column) => child(column, 'ResTarget')?.name)
  const at = columns.indexOf('workspace_id')
  const source = child(child(query, 'selectStmt'), 'SelectStmt')
  if (at < 0 || !source) return false
  const lists = listOf(source, 'valuesLists').map((list) => listOf(child(list, 'List'), 'items')[at])
  if (lists.length > 0) return lists.every((value) => value !== undefined && !hasColumn(value))
  const value = child(child(listOf(source, 'targetList')[at], 'ResTarget'), 'val')
  return value !== undefined && (!hasColumn(value) || workspaceOf(value) !== undefined)
}

function checkFunctions(query: Node, scope: Scope): void {
  if (!scope.changes) return
  const check = (node: Node, isChoice: boolean): void => {
    const call = nameOfCall(node)
    if (call && VOLATILE.has(call)) scope.broken.add(`${call}() in a change`)
    if (call === 'now' && isChoice) scope.broken.add('now() in CASE, COALESCE or DO UPDATE of a change')
    const chooses = isChoice || 'CaseExpr' in node || 'CoalesceExpr' in node
    for (const [key, value] of Object.entries(node))
      for (const below of Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [])
        check(below, chooses || key === 'onConflictClause')
  }
  check(query, false)
}

/** Subselects below a node that are not inside another one. */
function innerQueries(node: Node): Node[] {
  const query = child(node, 'SelectStmt')
  return query ? [query] : childrenOf(node).flatMap(innerQueries)
}

/** A subselect of tables of the coordinator is run there first, so it may say nothing of the rows around it. */
function checkCorrelation(query: Node, around: readonly Relation[], scope: Scope): void {
  const own = listOf(query, 'fromClause').flatMap(relationsOf)
  const local = own.find(
    ({ kind, table }) =>
      kind === 'local' && !scope.named.has(table) && !CATALOGUE.test(table) && !reference.has(table),
  )
  if (!local || around.length === 0) return
  const outside = around.find(({ alias }) => namesColumnOf(query, alias))
  if (outside)
    scope.broken.add(`asks ${local.table}, which is on the coordinator, for each row of ${outside.table}`)
}

function namesColumnOf(node: Node, alias: string): boolean {
  const fields = listOf(child(node, 'ColumnRef'), 'fields')
  const [first] = fields.map((field) => child(field, 'String')?.sval)
  return (
    (fields.length > 1 && first === alias) || childrenOf(node).some((below) => namesColumnOf(below, alias))
  )
}
