// The SQL of the role of requests: creating it, granting what requests need, and checking it against the policies.

import sql, { raw, type Sql } from 'sql-template-tag'
import { REQUEST_ROLE } from './actor.ts'

// Every table with a workspace_id has a policy, and requests may use it. Of the other tables, requests may use only those listed
// here, so they cannot read the tables of sessions, tokens, codes and links.
const GUARDED_TABLES = ['workspace', 'workspace_import', 'former_workspace', 'trashed_workspace']
// The request that asks a question also counts it and records its tokens.
const SPENDING_TABLES = ['model_spending', 'model_call', 'model_price', 'spending_limit', 'person_limit']
const OTHER_TABLES = [...GUARDED_TABLES, 'asker', 'asked', ...SPENDING_TABLES]

const isOwn = 'c.relnamespace = current_schema()::regnamespace'
const hasWorkspace = `EXISTS (
  SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped)`
const listOf = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ')
const tables = `
  SELECT c.oid, c.oid::regclass AS name FROM pg_class c WHERE ${isOwn} AND c.relkind IN ('r', 'p')
    AND (c.relname IN (${listOf(OTHER_TABLES)}) OR ${hasWorkspace})`
const views = `
  SELECT c.oid, c.oid::regclass AS name FROM pg_class c WHERE ${isOwn} AND c.relkind = 'v' AND c.relname LIKE 'visible\\_%'`
// Accounts and keys may be read without their secrets.
const columns = `
  SELECT c.oid, c.oid::regclass AS table_name, a.attname AS name
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE ${isOwn} AND c.relname IN ('account', 'api_key') AND a.attname NOT IN ('password_hash', 'hash')`

export interface RoleState {
  exists: boolean
  /** A right that requests need has not been granted yet. */
  lacks: boolean
  user: string
}

export const roleState: Sql = sql`
  SELECT current_user::text AS user, r.oid IS NOT NULL AS exists, r.oid IS NULL
    OR EXISTS (SELECT 1 FROM (${raw(tables)}) t WHERE NOT has_table_privilege(r.oid, t.oid, 'INSERT'))
    OR EXISTS (SELECT 1 FROM (${raw(views)}) t WHERE NOT has_table_privilege(r.oid, t.oid, 'SELECT'))
    OR EXISTS (SELECT 1 FROM (${raw(columns)}) t WHERE NOT has_column_privilege(r.oid, t.oid, t.name, 'SELECT'))
    AS lacks
  FROM (VALUES (1)) one LEFT JOIN pg_roles r ON r.rolname = ${REQUEST_ROLE}`

/** Whether the user could create the role, or switch to an existing one. `user` is quoted. */
export const roleRight: Sql = sql`
  SELECT quote_ident(current_user) AS user, r.oid IS NOT NULL AS exists, u.rolsuper
    OR CASE WHEN r.oid IS NULL THEN u.rolcreaterole ELSE pg_has_role(current_user, r.oid, 'SET') END AS may_take
  FROM pg_roles u LEFT JOIN pg_roles r ON r.rolname = ${REQUEST_ROLE} WHERE u.rolname = current_user`

/** Creates the role. Roles belong to the whole server, so a Kenning with another database may create it at the same moment. */
export const createRole: Sql = raw(`
  DO $$ BEGIN
    CREATE ROLE ${REQUEST_ROLE};
    GRANT ${REQUEST_ROLE} TO CURRENT_USER;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END $$`)

export const grantNeeded: Sql = raw(`
  DO $$
  DECLARE
    granted text;
  BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO ${REQUEST_ROLE}', current_schema());
    FOR granted IN SELECT name FROM (${tables}) t LOOP
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO ${REQUEST_ROLE}', granted);
    END LOOP;
    FOR granted IN SELECT name FROM (${views}) t LOOP
      EXECUTE format('GRANT SELECT ON %s TO ${REQUEST_ROLE}', granted);
    END LOOP;
    FOR granted IN SELECT format('(%I) ON %s', name, table_name) FROM (${columns}) t LOOP
      EXECUTE format('GRANT SELECT %s TO ${REQUEST_ROLE}', granted);
    END LOOP;
  END $$`)

/** The tables on which no policy binds the current role. The statement runs as the role of requests. */
export const unguardedTables: Sql = sql`
  SELECT t.name::text FROM (${raw(tables)}) t JOIN pg_class c ON c.oid = t.oid
  WHERE (${raw(hasWorkspace)} OR c.relname IN (${raw(listOf(GUARDED_TABLES))})) AND NOT row_security_active(t.oid) ORDER BY 1`

/** Whether the role of requests finds Kenning's tables by its search path. The statement runs as that role. */
export const canFindTables: Sql = sql`SELECT to_regclass('workspace') IS NOT NULL AS found`
