// What is different on Citus, where the rows of a workspace are on one of several nodes (docs/decisions/0039-citus.md).

import sql, { type Sql } from 'sql-template-tag'
import { prepared } from './prepared.sql.ts'

export const selectIsDistributed: Sql = sql`
  SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') AS distributed`

// Matches the condition that `inWorkspace` makes: `= ANY ((SELECT ARRAY[$1::uuid])::uuid[])`.
const HIDDEN_CONDITION = /= ANY \(\(SELECT ARRAY\[(\$\d+)::uuid\]\)::uuid\[\]\)/g

const textsForCitus = new Map<string, string>()

/**
 * The text of a statement in the form that Citus needs: with the plain condition `= $1`, by which it chooses the node. (The list of
 * `inWorkspace` avoids bad generic plans, but a node plans each statement for its values anyway.)
 */
export function forCitus(text: string): string {
  const cachedText = textsForCitus.get(text)
  if (cachedText !== undefined) return cachedText
  const citusText = text.replaceAll(HIDDEN_CONDITION, '= $1::uuid')
  // The sources have fewer statements than this. Some texts grow with a list of values, so their number must be limited.
  if (textsForCitus.size < 1000) textsForCitus.set(text, citusText)
  return citusText
}

interface NodeStatement {
  statement: string
  /** The values of the statement. */
  texts: readonly (string | null)[]
}

/**
 * Lets the node of a workspace run a statement that it keeps prepared (`run_kept`, operator/distribute). Citus routes the call to
 * that node because of the table in FROM, which has few rows.
 */
export const runPreparedOnNode = (workspaceId: string, { statement, texts }: NodeStatement): Sql =>
  prepared(sql`
    SELECT run_kept(${workspaceId}, ${statement}, ${[...texts]}::text[]) AS cells
    FROM (SELECT count(*) FROM workspace_space WHERE workspace_id = ${workspaceId}) node`)

/**
 * Waits until running writes to the tables of the coordinator have ended, and blocks new ones until the transaction ends.
 * @param lockTimeoutMs the longest wait for the lock of one table. It is less than PostgreSQL's `deadlock_timeout` (1 s), so that
 * no other transaction is aborted.
 */
export const stopWrites = (lockTimeoutMs: number): string => `
  BEGIN; SET LOCAL idle_in_transaction_session_timeout = '10s'; SET LOCAL lock_timeout = ${lockTimeoutMs};
  DO $$
  DECLARE held regclass;
  BEGIN
    FOR held IN
      SELECT c.oid FROM pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
        AND NOT EXISTS (SELECT 1 FROM pg_dist_partition p WHERE p.logicalrelid = c.oid)
        AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
      ORDER BY c.relname
    LOOP
      EXECUTE format('LOCK TABLE %s IN SHARE MODE', held);
    END LOOP;
  END $$`

/**
 * The first statement of a transaction on each node. It fixes the state that later statements read. Of each group of co-located
 * tables, which are on the same nodes, it reads one table. Only one connection to each node is allowed, because each connection
 * would fix a state of its own.
 */
export const beginOnNodes = `
  SET LOCAL citus.max_adaptive_executor_pool_size = 1;
  DO $$
  DECLARE held regclass;
  BEGIN
    FOR held IN SELECT min(logicalrelid::oid) FROM pg_dist_partition WHERE partmethod = 'h' GROUP BY colocationid LOOP
      EXECUTE format('SELECT 1 FROM %s LIMIT 1', held);
    END LOOP;
  END $$`
