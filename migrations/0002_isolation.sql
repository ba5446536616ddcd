-- Row-level security (docs/decisions/0017-row-level-security.md). Statements of a request see and write only rows of the
-- workspaces that the request may touch, even if a statement forgets its filter. The policies bind the role that requests
-- take on a server; the owner of the tables, which migrates and works in the background, is not bound by them.

-- What a request may touch, set at the start of each of its transactions; null outside of one.
CREATE FUNCTION request_account() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('kenning.account', true), '')::uuid $$;
CREATE FUNCTION request_workspaces() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('kenning.workspaces', true), '')::uuid[] $$;

-- The first statement of a request's transaction. Membership is read before the role is taken, so with the rights of the
-- tables' owner. A function because it keeps its plan: planning took 0.3 of the 0.4 ms of the plain statement. Two
-- statements because each needs an index of its own.
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

-- Called for every table with a workspace_id, right after its CREATE TABLE. The subselect makes PostgreSQL evaluate
-- request_workspaces() once a statement and not once a row.
CREATE FUNCTION isolate_by_workspace(isolated regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', isolated);
  EXECUTE format('CREATE POLICY own_workspaces ON %s USING (workspace_id = ANY ((SELECT request_workspaces())::uuid[]))',
    isolated);
END
$$;

-- The views visible_document, visible_chunk, visible_term_stat, visible_entity and visible_entity_part: behind a policy the
-- planner uses no index by an operator that is not leakproof, such as &&, LIKE or any expression. A statement that needs such
-- an index reads the view instead of the table. The view's owner is not bound by the policies, its condition is the same as
-- theirs, and the planner can look through it. A column added to one of these tables must be added to its view.
