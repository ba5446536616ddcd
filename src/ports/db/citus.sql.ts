// What is different on Citus, where the rows of a workspace are on one of several nodes (docs/decisions/0039-citus.md).

import sql, { raw, type Sql } from 'sql-template-tag'

export const isDistributed: Sql = sql`
  SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') AS distributed,
    to_regprocedure('shard_of(text, uuid)') IS NOT NULL AS prepared`

const HIDDEN = /= ANY \(\(SELECT ARRAY\[(\$\d+)::uuid\]\)::uuid\[\]\)/g

/**
 * About how many rows the table has that has those of a workspace; on Citus its shard, as the node counts them: with a table of
 * the catalogue in it a statement is taken apart there into as many as it has subselects.
 */
export const rowsBeside = (table: string, workspaceId: string): Sql =>
  sql`(SELECT greatest(reltuples, 0)::int FROM pg_class WHERE oid = ${raw(`'${table}'`)}::regclass AND ${workspaceId}::uuid IS NOT NULL)`

const COUNTED =
  /\(SELECT greatest\(reltuples, 0\)::int FROM pg_class WHERE oid = ('\w+')::regclass AND (\$\d+)::uuid IS NOT NULL\)/g

const known = new Map<string, string>()

/**
 * The text of a statement as Citus needs it: the condition that `inWorkspace` hides from the planner says which node to ask.
 * The node plans each statement anew, with the values, so no kept plan has to be protected there.
 */
export function forCitus(text: string, isPrepared = true): string {
  const before = isPrepared ? known.get(text) : undefined
  if (before !== undefined) return before
  const after = text.replaceAll(HIDDEN, '= $1::uuid')
  if (!isPrepared) return after
  const counted = after.replaceAll(COUNTED, 'pg_stat_get_live_tuples(shard_of($1::text, $2::uuid))::int')
  // As many as there are statements; those with lists of values are not kept.
  if (known.size < 1000) known.set(text, counted)
  return counted
}

/**
 * Stops writing to the tables of the coordinator until its transaction ends, once those who write have ended. @param patienceMs
 * for each table: below PostgreSQL's `deadlock_timeout` (1 s) nobody is ended for it, beyond it a running autovacuum is
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
