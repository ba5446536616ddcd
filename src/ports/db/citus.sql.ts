// What is different on Citus, where the rows of a workspace are on one of several nodes (docs/decisions/0039-citus.md).

import sql, { type Sql } from 'sql-template-tag'
import { prepared } from './prepared.sql.ts'

export const isDistributed: Sql = sql`
  SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') AS distributed`

const HIDDEN = /= ANY \(\(SELECT ARRAY\[(\$\d+)::uuid\]\)::uuid\[\]\)/g

const statementNames = new Map<string, string>()

/**
 * The text of a statement as Citus needs it: the condition that `inWorkspace` hides from the planner says which node to ask.
 * The node plans each statement anew, with the values, so no kept plan has to be protected there.
 */
export function forCitus(text: string): string {
  const before = statementNames.get(text)
  if (before !== undefined) return before
  const after = text.replaceAll(HIDDEN, '= $1::uuid')
  // As many as there are statements; those with lists of values are not kept.
  if (statementNames.size < 1000) statementNames.set(text, after)
  return after
}

export interface Kept {
  statement: string
  /** Of its values. */
  texts: readonly (string | null)[]
}

/**
 * Has the node of a workspace run a statement that it keeps prepared (`run_kept`, operator/distribute): the small table leads to
 * the node.
 */
export const runKept = (workspaceId: string, { statement, texts }: Kept): Sql =>
  prepared(sql`
    SELECT run_kept(${workspaceId}, ${statement}, ${[...texts]}::text[]) AS cells
    FROM (SELECT count(*) FROM workspace_space WHERE workspace_id = ${workspaceId}) node`)

/**
 * Stops writing to the tables of the coordinator until its transaction ends, once those who write have ended. @param patienceMs
 * for each table: less than PostgreSQL's `deadlock_timeout` (1 s), so that nobody is ended for it
 */
export const stopWrites = (patienceMs: number): string => `
  BEGIN; SET LOCAL idle_in_transaction_session_timeout = '10s'; SET LOCAL lock_timeout = ${patienceMs};
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
 * The first statement of a transaction on each node, whose state its later ones read: tables that are co-located are on all nodes
 * that have any. With several connections to a node each would have a state of its own.
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
