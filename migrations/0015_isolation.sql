-- The second wall (docs/decisions/0017-row-level-security.md): statements of a request see and write rows of the
-- workspaces it may touch and of no other, whatever they ask. Policies bind the role that requests take on a server
-- (src/ports/db/request-role.ts); the owner of the tables, who migrates and works in the background, passes them.

-- What a request may touch, set at the start of each of its transactions (src/ports/db/actor.ts); null outside of one.
CREATE FUNCTION request_account() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('kenning.account', true), '')::uuid $$;
CREATE FUNCTION request_workspaces() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('kenning.workspaces', true), '')::uuid[] $$;

-- The first statement of a request's transaction. Who may touch what is read before the role is taken, so with its
-- owner's eyes; a function keeps its plan (0.3 ms of 0.4 a statement). Two statements, each with its own index.
CREATE FUNCTION enter_request(account uuid, among uuid[], request_role text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  allowed uuid[];
BEGIN
  IF among IS NULL THEN
    SELECT array_agg(m.workspace_id) INTO allowed FROM member m WHERE m.account_id = account;
  ELSE
    SELECT array_agg(m.workspace_id) INTO allowed FROM member m
    WHERE m.workspace_id = ANY (among) AND m.account_id = account;
  END IF;
  PERFORM set_config('kenning.account', account::text, true),
    set_config('kenning.workspaces', coalesce(allowed, '{}')::text, true), set_config('role', request_role, true);
END
$$;

-- To be called for each new table with a workspace_id. The subselect makes it one look a statement and not one a row.
CREATE FUNCTION isolate_by_workspace(isolated regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', isolated);
  EXECUTE format('CREATE POLICY own_workspaces ON %s USING (workspace_id = ANY ((SELECT request_workspaces())::uuid[]))',
    isolated);
END
$$;

SELECT isolate_by_workspace(c.oid)
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace;

-- Rows without a workspace: spaces of a model that all share, and what happens to no workspace, which may be noted.
CREATE POLICY shared ON vector_space FOR SELECT USING (workspace_id IS NULL);
CREATE POLICY of_no_workspace ON activity FOR INSERT WITH CHECK (workspace_id IS NULL);

-- A repeated request is its sender's own; the workspace it is to make does not exist yet when it is claimed.
DROP POLICY own_workspaces ON idempotency;
CREATE POLICY own_requests ON idempotency USING (account_id = (SELECT request_account()));

-- Who founds a workspace is in it at once, for the rest of the transaction.
ALTER TABLE workspace ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_workspaces ON workspace USING (id = ANY ((SELECT request_workspaces())::uuid[]));
CREATE POLICY founder ON workspace FOR INSERT WITH CHECK (created_by = (SELECT request_account()));
CREATE FUNCTION enter_founded_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('kenning.workspaces', (request_workspaces() || NEW.id)::text, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER workspace_founded AFTER INSERT ON workspace
  FOR EACH ROW WHEN (NEW.created_by = request_account()) EXECUTE FUNCTION enter_founded_workspace();

-- Behind a policy the planner uses no index by an operator that is not leakproof: &&, LIKE, any expression. Where a
-- statement needs such an index it reads one of these views: their owner passes the policies, their condition is the
-- same, and the planner may look through them. A column added to a table is to be added to its view.
CREATE VIEW visible_chunk AS SELECT * FROM chunk
  WHERE (SELECT NOT row_security_active('chunk'::regclass)) OR workspace_id = ANY ((SELECT request_workspaces())::uuid[]);
CREATE VIEW visible_entity AS SELECT * FROM entity
  WHERE (SELECT NOT row_security_active('entity'::regclass)) OR workspace_id = ANY ((SELECT request_workspaces())::uuid[]);
CREATE VIEW visible_entity_part AS SELECT * FROM entity_part
  WHERE (SELECT NOT row_security_active('entity_part'::regclass)) OR workspace_id = ANY ((SELECT request_workspaces())::uuid[]);
CREATE VIEW visible_term_stat AS SELECT * FROM term_stat
  WHERE (SELECT NOT row_security_active('term_stat'::regclass)) OR workspace_id = ANY ((SELECT request_workspaces())::uuid[]);

CREATE OR REPLACE FUNCTION chunks_holding(wanted integer[])
  RETURNS TABLE (workspace_id uuid, version_id uuid, chunk_no integer)
  LANGUAGE sql STABLE ROWS 1000 SET enable_seqscan = off
  AS $$ SELECT c.workspace_id, c.version_id, c.chunk_no FROM visible_chunk c WHERE c.terms && wanted $$;

-- Who a credential stands for, asked before every request: functions keep their plan, and planning the joins anew took
-- five times as long as running them. All null for one that is not alive.
CREATE FUNCTION bearer_of_token(token_hash bytea, audience text,
  OUT client_id text, OUT scopes text[], OUT account_id uuid, OUT email text) LANGUAGE plpgsql STABLE AS $$
BEGIN
  -- Alive only when token, grant, session (if it came from one) and account all are, and it was made for the audience.
  SELECT g.client_id, coalesce(t.scopes, g.scopes), a.id, a.email INTO client_id, scopes, account_id, email
  FROM access_token t
  JOIN token_grant g ON g.id = t.grant_id
  JOIN account a ON a.id = g.account_id
  LEFT JOIN session s ON s.hash = g.session_hash
  WHERE t.hash = token_hash AND t.expires_at > now() AND g.revoked_at IS NULL AND g.resource = audience
    AND a.status = 'active' AND (g.session_hash IS NULL OR s.expires_at > now());
END
$$;
CREATE FUNCTION bearer_of_key(key_hash bytea,
  OUT id uuid, OUT account_id uuid, OUT workspace_ids uuid[], OUT unnoticed boolean) LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT k.id, k.account_id, k.workspace_ids, coalesce(k.last_used_at < now() - interval '1 minute', true)
  INTO id, account_id, workspace_ids, unnoticed
  FROM api_key k JOIN account a ON a.id = k.account_id
  WHERE k.hash = key_hash AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
    AND a.status = 'active';
END
$$;
