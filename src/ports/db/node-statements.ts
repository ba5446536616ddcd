// Lets the nodes of a Citus cluster keep the plans of statements. Otherwise the coordinator and a node plan each statement every
// time, which took half of the node's time for a search. So a statement that reads one workspace is sent as the argument of a
// function, and the node prepares it with the names of its own shards (docs/decisions/0039-citus.md).

import type { Sql } from 'sql-template-tag'
import { ACROSS_MARK } from './across.sql.ts'
import { runPreparedOnNode } from './citus.sql.ts'
import { PREPARED_MARK } from './prepared.sql.ts'
import { mayOnlyRead } from './replica.sql.ts'

interface Column {
  name: string
  dataTypeID: number
}

/** A statement in the form in which a node runs it. */
interface NodeCall<T> {
  statement: Sql
  rows(resultRows: readonly { cells: readonly (string | null)[] }[]): T[]
}

export interface NodeStatements {
  /**
   * The call by which a node runs the statement. Undefined if the statement is sent unchanged: a node cannot run it, its columns
   * are not known yet, or a node has recently refused it.
   */
  callOf<T>(statement: Sql): NodeCall<T> | undefined
  /** Call this for each statement that was sent unchanged. If a node can run it the next time, its columns are stored. */
  learn(text: string, columns: readonly Column[]): void
  /**
   * From now on, sends the statement unchanged for a while. Not for ever, because a node also refuses a shard that has just moved.
   */
  refuse(text: string): void
}

type Parse = (text: string) => unknown

// Matches `workspace_id = $3` and the form of `inWorkspace`, and finds the number of the parameter.
const WORKSPACE = /\bworkspace_id = (?:ANY \(\(SELECT ARRAY\[)?\$(\d+)/g
// A node must not run statements that change rows, because Citus would not notice the changes of a function.
const CHANGING_STATEMENT = /\b(INSERT|UPDATE|DELETE|MERGE|FOR (KEY )?SHARE)\b/i
// The code has fewer statements, but the texts of some depend on the length of a list of values.
const MAX_STATEMENTS = 500
// How often a refused statement is sent unchanged before a node is tried again.
const UNCHANGED_RUNS_AFTER_REFUSAL = 100

interface NodeStatement {
  columns: { name: string; parse: Parse }[]
  /** How many more times it is sent unchanged. */
  unchangedRunsLeft: number
}

/** @param parserOf gives the function that makes a value of this column type from its text */
export function openNodeStatements(parserOf: (typeId: number) => Parse): NodeStatements {
  const statements = new Map<string, NodeStatement>()
  return {
    callOf: <T>({ text, values }: Sql) => {
      const nodeStatement = statements.get(text)
      if (nodeStatement === undefined) return undefined
      if (nodeStatement.unchangedRunsLeft > 0) {
        nodeStatement.unchangedRunsLeft--
        return undefined
      }
      const { columns } = nodeStatement
      const workspaceId = workspaceOf(text, values)
      if (workspaceId === undefined) return undefined
      return {
        statement: runPreparedOnNode(workspaceId, {
          statement: cellsOf(text, columns.length),
          texts: values.map(textOf),
        }),
        rows: (resultRows) =>
          resultRows.map(({ cells }) =>
            Object.fromEntries(
              columns.map(({ name, parse }, columnIndex) => {
                const cell = cells[columnIndex] ?? null
                return [name, cell === null ? null : parse(cell)]
              }),
            ),
          ) as T[],
      }
    },
    learn: (text, columns) => {
      if (statements.has(text) || statements.size >= MAX_STATEMENTS || !canRunOnNode(text)) return
      const parsers = columns.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }))
      statements.set(text, { columns: parsers, unchangedRunsLeft: 0 })
    },
    refuse: (text) => {
      const statement = statements.get(text)
      if (statement) statement.unchangedRunsLeft = UNCHANGED_RUNS_AFTER_REFUSAL
    },
  }
}

// A statement without the mark is planned anew for its values, so a node would only save parsing it.
const canRunOnNode = (text: string): boolean =>
  text.startsWith(PREPARED_MARK) &&
  mayOnlyRead(text) &&
  !CHANGING_STATEMENT.test(text) &&
  !text.includes(ACROSS_MARK) &&
  text.search(WORKSPACE) >= 0

/** The workspace of the statement. Undefined if the statement has several. */
function workspaceOf(text: string, values: readonly unknown[]): string | undefined {
  const workspaceIds = new Set(
    [...text.matchAll(WORKSPACE)].map(([, parameterNumber]) => values[Number(parameterNumber) - 1]),
  )
  const [onlyWorkspace] = workspaceIds
  return workspaceIds.size === 1 && typeof onlyWorkspace === 'string' ? onlyWorkspace : undefined
}

/** The statement with its columns as texts in one array, because a function returns the same columns for all statements. */
function cellsOf(text: string, count: number): string {
  const columns = Array.from({ length: count }, (_, columnNumber) => `c${columnNumber}`)
  return `SELECT ARRAY[${columns.map((name) => `${name}::text`).join(', ')}] FROM (${text}) rows (${columns.join(', ')})`
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (ArrayBuffer.isView(value))
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function elementOf(value: unknown): string {
  const text = textOf(value)
  if (text === null) return 'NULL'
  return Array.isArray(value) ? text : `"${text.replace(/[\\"]/g, '\\$&')}"`
}

/**
 * Whether the error means that a node cannot run the statement. Either the node has no such function, table or right, for example
 * because its version is older, or the statement needs the coordinator.
 */
export const isRefusedByNode = (error: unknown): boolean => /^(42...|0A000)$/.test(String(Object(error).code))
