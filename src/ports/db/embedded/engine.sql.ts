// The statements that the engine process itself runs. Most of them do what a PostgreSQL server does by itself and PGlite does not:
// checkpoints, ANALYZE and VACUUM. Without them the log grows beyond max_wal_size, and tables have no statistics (reltuples -1).

/** Bytes written to the log since the redo point of the last checkpoint. */
export const walSinceCheckpoint =
  'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()'

export const checkpoint = 'CHECKPOINT'

/**
 * Begins a copy of the files. `first` is the first segment of the log that the copy needs. `endCopy` must run in the same session.
 */
export const beginCopy = "SELECT pg_walfile_name(pg_backup_start('kenning', true)) AS first"

/** `label` must be written into the copy as `backup_label`. `last` is the last segment of the log that the copy needs. */
export const endCopy = 'SELECT labelfile AS label, pg_walfile_name(lsn) AS last FROM pg_backup_stop(false)'

/** The last migration of the database. A new database has no table of migrations (migrate.sql.ts). */
export const migrationTable = {
  exists: "SELECT to_regclass('schema_migration') IS NOT NULL AS exists",
  lastVersion: 'SELECT max(version)::int AS version FROM schema_migration',
}

// The table that needs maintenance most, by PostgreSQL's autovacuum rules: VACUUM after 50 rows and 20 % are dead, ANALYZE after 50
// rows and 10 % have changed. Tables that were never analysed, or have doubled since, come first, because their plans are made for
// another size, and a workspace that makes up the other half is not in their statistics: the planner expects one row of it, and
// takes any index that begins with the workspace. Among the others, the table with most changes comes first.
export const neglectedTables = `
  SELECT name, vacuum, needs_analyze FROM (
    SELECT format('%I.%I', s.schemaname, s.relname) AS name,
           s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0) AS vacuum,
           s.n_mod_since_analyze > 50 + greatest(c.reltuples, 0) AS needs_analyze,
           s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0) AS changed,
           s.n_mod_since_analyze + s.n_dead_tup AS busy
      FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid) t
   WHERE vacuum OR changed
   ORDER BY needs_analyze DESC, busy DESC
   LIMIT 1`

/** `name` is an identifier quoted by the query above. */
export const maintainTable = (name: string, vacuum: boolean): string =>
  vacuum ? `VACUUM (ANALYZE, TRUNCATE OFF) ${name}` : `ANALYZE ${name}`

/** The session parameters that PostgreSQL reports to every client that connects. */
export const reportedParameters = `
  SELECT name, setting FROM pg_settings WHERE name IN ('server_version', 'server_encoding', 'client_encoding',
    'DateStyle', 'IntervalStyle', 'TimeZone', 'integer_datetimes', 'standard_conforming_strings')`

/** A statement that succeeds in any working session. */
export const probeStatement = 'SELECT 1'
