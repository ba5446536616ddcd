// Reads the versions of PostgreSQL and pgvector, in one statement that every version of PostgreSQL understands.

import sql, { type Sql } from 'sql-template-tag'

export interface DatabaseFacts {
  version: string
  version_number: number
  /** The version of pgvector that the server could install. */
  available: string | null
  /** The version of pgvector in this database. */
  installed: string | null
  /** The size of the database in bytes. */
  size: number
}

export const databaseFacts: Sql = sql`
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS version_number,
    (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS available,
    (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS installed,
    pg_database_size(current_database())::float8 AS size`
