// Reads the versions of PostgreSQL and pgvector and what the user may do, in one statement that every version of PostgreSQL
// understands.

import sql, { type Sql } from 'sql-template-tag'

export interface DatabaseFacts {
  version: string
  version_number: number
  /** The version of pgvector that the server could install. */
  available: string | null
  /** The version of pgvector in this database. */
  installed: string | null
  /** Whether this user may install pgvector. */
  may_install: boolean
  /** The schema in which tables are created, quoted; null if none of the search path exists. */
  schema: string | null
  /** Whether this user may create tables there. */
  may_create: boolean
  /** The user, quoted. */
  user: string
  /** The size of the database in bytes. */
  size: number
}

export const databaseFacts: Sql = sql`
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS version_number,
    (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS available,
    (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS installed,
    -- As JSON, since older servers have no column trusted.
    (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) OR EXISTS (
      SELECT FROM pg_available_extension_versions v JOIN pg_available_extensions e
        ON e.name = v.name AND e.default_version = v.version
      WHERE v.name = 'vector' AND has_database_privilege(current_database(), 'CREATE')
        AND (NOT v.superuser OR (to_jsonb(v) ->> 'trusted')::boolean)) AS may_install,
    quote_ident(current_schema()) AS schema, quote_ident(current_user) AS "user",
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create,
    pg_database_size(current_database())::float8 AS size`
