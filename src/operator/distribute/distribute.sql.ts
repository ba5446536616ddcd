// What `kenning distribute` reads from a server with Citus, and what it changes there. Each step can be run again.

import sql, { join, raw, type Sql } from 'sql-template-tag'
import { BACKGROUND_NAME, type Queryable } from '../../ports/db/db.ts'
import { DISTRIBUTED_TABLES, REFERENCE_TABLES } from './layout.ts'

export interface Facts {
  version_number: number
  /** The version of Citus in this database; null if the extension is not created. */
  citusVersion: string | null
  /** Whether the server has the extension. */
  isCitusAvailable: boolean
  isSuperuser: boolean
  /** The number of connections of running services. */
  services: number
}

export const factsQuery: Sql = sql`
  SELECT current_setting('server_version_num')::int AS version_number,
    (SELECT extversion FROM pg_extension WHERE extname = 'citus') AS "citusVersion",
    EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'citus') AS "isCitusAvailable",
    (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS "isSuperuser",
    (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name IN ('kenning', ${BACKGROUND_NAME}))::int AS services`

export interface NodeFact {
  name: string
  port: number
  /** 0 for the coordinator. */
  groupid: number
  active: boolean
}

export const nodesQuery: Sql = sql`
  SELECT nodename AS name, nodeport AS port, groupid, isactive AS active FROM pg_dist_node
  WHERE noderole = 'primary' ORDER BY groupid, nodeid`

export interface TableFact {
  name: string
  /** `hash`: distributed, `reference`: on every node, `local`: only on the coordinator. */
  where: 'hash' | 'reference' | 'local'
  /** The planner's last estimate. */
  rows: number
  /** Foreign keys to tables outside the layout, which Citus does not allow. */
  blockingKeys: string[]
  /** Tables of the layout that its rows refer to. */
  referencedTables: string[]
}

const layoutTables = [...DISTRIBUTED_TABLES, ...REFERENCE_TABLES]

export const tablesQuery: Sql = sql`
  SELECT c.relname AS name, greatest(c.reltuples, 0)::float8 AS rows,
    CASE WHEN p.partmethod = 'h' THEN 'hash' WHEN p.repmodel = 't' THEN 'reference' ELSE 'local' END AS where,
    ARRAY(SELECT k.conname::text FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
      WHERE k.conrelid = c.oid AND k.contype = 'f' AND NOT r.relname = ANY (${layoutTables}::text[])) AS "blockingKeys",
    ARRAY(SELECT r.relname::text FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
      WHERE k.conrelid = c.oid AND k.contype = 'f' AND r.relname = ANY (${layoutTables}::text[])) AS "referencedTables"
  FROM pg_class c LEFT JOIN pg_dist_partition p ON p.logicalrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY (${layoutTables}::text[])`

const identifier = (table: string): Sql => raw(`"${table}"`)

/** Runs a command on the coordinator and on every worker, without sending it from one node to the others. */
async function runOnEveryNode(db: Queryable, command: string): Promise<void> {
  const localCommand = `DO $alone$ BEGIN SET LOCAL citus.enable_ddl_propagation = off; ${command}; END $alone$`
  const answers = await db.rows<{ success: boolean; result: string }>(
    sql`SELECT success, result FROM run_command_on_all_nodes(${localCommand})`,
  )
  const refusal = answers.find(({ success }) => !success)
  if (refusal) throw new Error(`a node refused: ${refusal.result}`)
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Creates the request role with a login on every node, so that Citus connects under that role there too. */
export async function createRequestLogin(tx: Queryable, role: string, password: string): Promise<void> {
  await runOnEveryNode(
    tx,
    `IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = ${literal(role)}) THEN CREATE ROLE ${role}; END IF;
     ALTER ROLE ${role} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD ${literal(password)}`,
  )
  await runOnEveryNode(
    tx,
    `INSERT INTO pg_dist_authinfo (nodeid, rolename, authinfo) VALUES (0, ${literal(role)}, ${literal(`password=${password}`)})
     ON CONFLICT (rolename, nodeid) DO UPDATE SET authinfo = excluded.authinfo`,
  )
}

/** The password that the nodes already have; undefined before the first run. */
export async function selectPassword(db: Queryable, role: string): Promise<string | undefined> {
  const [row] = await db.rows<{ authinfo: string }>(
    sql`SELECT authinfo FROM pg_dist_authinfo WHERE nodeid = 0 AND rolename = ${role}`,
  )
  return row?.authinfo.replace(/^password=/, '')
}

/**
 * Settings for the connections to this database, on each node. Unsafe triggers are allowed because the triggers on shards, which
 * count documents and store replaced versions, change only rows of the same workspace, which are on the same node. The settings for
 * searches by vectors must be on the database of every node, because `set_config` does not reach workers.
 */
const SETTINGS: Record<string, string> = {
  'citus.enable_unsafe_triggers': 'on',
  'hnsw.ef_search': '100',
  'hnsw.iterative_scan': 'relaxed_order',
}

export async function applySettingsOnNodes(db: Queryable): Promise<void> {
  const [row] = await db.rows<{ database: string }>(sql`SELECT quote_ident(current_database()) AS database`)
  for (const [setting, value] of Object.entries(SETTINGS))
    await runOnEveryNode(db, `ALTER DATABASE ${row?.database} SET ${setting} = ${literal(value)}`)
}

/** Citus refuses a policy with a subselect. This one has none, and an index condition still evaluates it once. */
export const createSimplePolicy = async (tx: Queryable, table: string): Promise<void> => {
  await tx.rows(sql`DROP POLICY IF EXISTS own_workspaces ON ${identifier(table)}`)
  await tx.rows(sql`
    CREATE POLICY own_workspaces ON ${identifier(table)} USING (workspace_id = ANY (request_workspaces()))`)
}

export const dropKey = (tx: Queryable, table: string, key: string): Promise<unknown> =>
  tx.rows(sql`ALTER TABLE ${identifier(table)} DROP CONSTRAINT ${identifier(key)}`)

/** Foreign keys between these tables, which are dropped before the tables are distributed and added again after it. */
export const selectKeysWithin = (
  tx: Queryable,
  tables: readonly string[],
): Promise<{ table: string; key: string; definition: string }[]> =>
  tx.rows(sql`
    SELECT c.relname AS table, k.conname AS key, pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
    WHERE k.contype = 'f' AND c.relname = ANY (${[...tables]}::text[]) AND r.relname = ANY (${[...tables]}::text[])`)

export const addKey = (tx: Queryable, table: string, key: string, definition: string): Promise<unknown> =>
  tx.rows(sql`ALTER TABLE ${identifier(table)} ADD CONSTRAINT ${identifier(key)} ${raw(definition)}`)

export async function distributeTable(tx: Queryable, table: string): Promise<void> {
  await tx.rows(sql`SET LOCAL citus.enable_unsafe_triggers = on`)
  const isFirst = table === DISTRIBUTED_TABLES[0]
  await tx.rows(
    isFirst
      ? sql`SELECT create_distributed_table(${table}::regclass, 'workspace_id', colocate_with => 'none')`
      : sql`SELECT create_distributed_table(${table}::regclass, 'workspace_id', colocate_with => ${DISTRIBUTED_TABLES[0]})`,
  )
}

export const makeReference = (tx: Queryable, table: string): Promise<unknown> =>
  tx.rows(sql`SELECT create_reference_table(${table}::regclass)`)

export const analyse = (db: Queryable): Promise<unknown> =>
  db.rows(sql`ANALYZE ${join(layoutTables.map(identifier))}`)

/** Functions that the nodes need. Citus sends them to all nodes, also to new ones. */
export const FUNCTIONS_ON_NODES = [
  'request_account()',
  'request_workspaces()',
  'may_touch(uuid)',
  'shard_of(text, uuid)',
  'chunks_holding(uuid, integer[], text[])',
  'chunks_scored(uuid, integer[], text[], sparsevec)',
  'chunks_beside(uuid)',
  'run_kept(uuid, text, text[])',
  'count_document()',
  'keep_replaced_version()',
]

export const sendFunction = (tx: Queryable, signature: string): Promise<unknown> =>
  tx.rows(sql`SELECT create_distributed_function(${signature}::regprocedure)`)

/**
 * A function's body up to its USING clause. It selects chunks of a workspace's own shard by their terms, with the `columns` of `k`.
 */
const candidatesBody = (
  columns: string,
): string => `  LANGUAGE plpgsql STABLE ROWS 1000 SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off
  AS $$
BEGIN
  IF NOT may_touch(own) THEN
    RETURN;
  END IF;
  RETURN QUERY EXECUTE
    'SELECT ${columns} FROM (
       SELECT c.workspace_id, c.version_id, c.chunk_no, c.id, c.lex FROM ' || shard_of('chunk', own) || ' c WHERE '
    || concat_ws(' OR ', CASE WHEN one_of IS NOT NULL THEN 'c.terms && $2' END,
      (SELECT string_agg(format('c.terms @> %L::integer[]', held), ' OR ') FROM unnest(all_of) AS held))
    || ' OFFSET 0) k WHERE k.workspace_id = $1'
`

/**
 * The functions of the migrations in the form that Citus needs; a test checks which migration each of them follows.
 * - enter_request: uses SET LOCAL, which Citus repeats on each node of the transaction. `set_config` would only take effect on the
 *   coordinator.
 * - enter_joined: adds a workspace that is created during the request, as by an import, to those that the request may touch.
 * - chunks_holding, chunks_scored: run on the node that has the workspace and read its shard there, so that they are planned as
 *   on one server. Under row-level security the index for && is not used. So they run as the owner of the tables and check access
 *   with may_touch(), as the views do on one server.
 * - chunks_beside: the estimated number of chunks in the shard.
 * - run_kept: runs a statement that reads one workspace. The node's session keeps the statement prepared for its shards, as one
 *   of the two hundred that it has run most often. Citus ends a session after ten minutes, so statements that are no longer used
 *   do not stay.
 * - The triggers of `document` run on its shards and write to the colocated shards.
 */
export const citusFunctions: Sql = raw(`
CREATE OR REPLACE FUNCTION enter_request(account uuid, among uuid[], request_role text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  allowed uuid[];
BEGIN
  IF among IS NULL THEN
    SELECT array_agg(m.workspace_id) INTO allowed FROM member m WHERE m.account_id = account;
  ELSE
    SELECT array_agg(m.workspace_id) INTO allowed FROM member m
    WHERE m.workspace_id = ANY (among) AND m.account_id = account;
  END IF;
  PERFORM set_config('citus.propagate_set_commands', 'local', true);
  EXECUTE format('SET LOCAL kenning.account = %L', account);
  EXECUTE format('SET LOCAL kenning.workspaces = %L', coalesce(allowed, '{}'));
  PERFORM set_config('citus.propagate_set_commands', 'none', true), set_config('role', request_role, true);
END
$$;

CREATE OR REPLACE FUNCTION enter_joined() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.account_id = request_account() THEN
    PERFORM set_config('citus.propagate_set_commands', 'local', true);
    EXECUTE format('SET LOCAL kenning.workspaces = %L', array_append(request_workspaces(), NEW.workspace_id));
    PERFORM set_config('citus.propagate_set_commands', 'none', true);
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER enter_joined AFTER INSERT ON member FOR EACH ROW EXECUTE FUNCTION enter_joined();

CREATE OR REPLACE FUNCTION may_touch(workspace uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT session_user <> 'kenning_app' AND current_setting('role') <> 'kenning_app'
    OR coalesce(workspace = ANY (request_workspaces()), false)
$$;

CREATE OR REPLACE FUNCTION shard_of(name text, workspace uuid) RETURNS regclass LANGUAGE sql STABLE AS $$
  SELECT format('%I', name || '_' || get_shard_id_for_distribution_column(name::regclass, workspace))::regclass
$$;

CREATE OR REPLACE FUNCTION chunks_holding(own uuid, one_of integer[], all_of text[])
  RETURNS TABLE (workspace_id uuid, version_id uuid, chunk_no integer, id uuid, lex sparsevec)
${candidatesBody('k.*')}    USING own, one_of;
END
$$;

CREATE OR REPLACE FUNCTION chunks_scored(own uuid, one_of integer[], all_of text[], side sparsevec)
  RETURNS TABLE (version_id uuid, chunk_no integer, id uuid, distance float8)
${candidatesBody('k.version_id, k.chunk_no, k.id, k.lex <#> $3')}    USING own, one_of, side;
END
$$;

CREATE OR REPLACE FUNCTION chunks_beside(own uuid) RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT greatest(c.reltuples, 0) FROM pg_class c WHERE c.oid = shard_of('chunk', own));
END
$$;

CREATE OR REPLACE FUNCTION run_kept(own uuid, statement text, texts text[]) RETURNS SETOF text[] LANGUAGE plpgsql AS $$
DECLARE
  statement_name text := 'kenning ' || left(encode(sha256(convert_to(statement, 'UTF8')), 'hex'), 32) || ' ' || get_shard_id_for_distribution_column('document', own);
  call text := format('EXECUTE %I(%s)', statement_name,
    (SELECT string_agg(quote_nullable(value), ', ' ORDER BY no) FROM unnest(texts) WITH ORDINALITY AS x (value, no)));
  old_statement text;
  table_name text;
BEGIN
  BEGIN
    RETURN QUERY EXECUTE call;
    RETURN;
  EXCEPTION WHEN syntax_error OR invalid_sql_statement_name THEN
    NULL; -- Not prepared yet; Postgres reports this as one of these errors.
  END;
  FOR old_statement IN
    SELECT p.name FROM pg_prepared_statements p WHERE p.name LIKE 'kenning %'
    ORDER BY p.generic_plans + p.custom_plans DESC, p.prepare_time DESC OFFSET 200
  LOOP
    EXECUTE format('DEALLOCATE %I', old_statement);
  END LOOP;
  FOR table_name IN SELECT p.logicalrelid::text FROM pg_dist_partition p WHERE strpos(statement, p.logicalrelid::text) > 0 LOOP
    statement := regexp_replace(statement, '\\m(FROM|JOIN)(\\s+)(visible_)?' || table_name || '\\M', '\\1\\2' || shard_of(table_name, own), 'g');
  END LOOP;
  EXECUTE format('PREPARE %I AS %s', statement_name, statement);
  RETURN QUERY EXECUTE call;
END
$$;

CREATE OR REPLACE FUNCTION count_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    EXECUTE format('UPDATE %s SET documents = documents - 1, chunks = chunks - $3, changes = changes + 1
      WHERE workspace_id = $1 AND language = $2',
      shard_of('workspace_language', OLD.workspace_id)) USING OLD.workspace_id, OLD.language, OLD.chunk_count;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    EXECUTE format('INSERT INTO %s AS held (workspace_id, language, documents, chunks, changes) VALUES ($1, $2, 1, $3,
      floor(random() * 2 ^ 40)::bigint)
      ON CONFLICT (workspace_id, language)
      DO UPDATE SET documents = held.documents + 1, chunks = held.chunks + excluded.chunks, changes = held.changes + 1',
      shard_of('workspace_language', NEW.workspace_id)) USING NEW.workspace_id, NEW.language, NEW.chunk_count;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION keep_replaced_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('INSERT INTO %s (workspace_id, document_id, content_hash, filename, kind, size, uploaded_at, replaced_at)
    VALUES ($1, $2, $3, $4, $5, (SELECT f.size FROM %s f WHERE f.workspace_id = $1 AND f.content_hash = $3 LIMIT 1), $6, now())
    ON CONFLICT (workspace_id, document_id, content_hash) DO UPDATE SET replaced_at = now()',
    shard_of('document_version', OLD.workspace_id), shard_of('job_file', OLD.workspace_id))
  USING OLD.workspace_id, OLD.id, OLD.content_hash, coalesce(OLD.uploaded_as, OLD.path), OLD.kind, OLD.uploaded_at;
  RETURN NULL;
END
$$`)
