-- Workspaces and their members. Every key of a table below a workspace starts with workspace_id, which is also the key to
-- distribute by.

CREATE TABLE workspace (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  description text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  served_at timestamptz,                    -- when a worker last claimed one of its tasks, for fair claiming
  deleted_at timestamptz                    -- unreadable from then on; a task purges the rows
);

CREATE TABLE member (
  workspace_id uuid NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, account_id)
);
CREATE INDEX member_account ON member (account_id);
SELECT isolate_by_workspace('member');

-- A new workspace is visible to its founder at once, for the rest of the transaction.
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

-- The account's role in a workspace, which every request to a workspace reads first; runs with the caller's rights. Planned
-- anew each time the statement took 2.4 times as long as `select 1`; as a function, which keeps its plan, 1.6 times
-- (embedded; 2.2 and 1.4 on a server, behind row-level security; docs/decisions/0023-overhead.md).
CREATE FUNCTION role_in(workspace uuid, account uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT m.role FROM workspace w
    JOIN member m ON m.workspace_id = w.id
    JOIN account a ON a.id = m.account_id
    WHERE w.id = role_in.workspace AND w.deleted_at IS NULL AND m.account_id = role_in.account
      AND a.status = 'active');
END
$$;

-- What an Idempotency-Key stands for during 24 hours.
CREATE TABLE idempotency (
  account_id uuid NOT NULL,
  operation text NOT NULL,                  -- with the id of the workspace, if one is addressed
  key text NOT NULL,
  request text NOT NULL,                    -- a hash, to refuse the same key for another request
  result text NOT NULL,                     -- the id of the job or workspace that was created
  workspace_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, operation, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);
CREATE INDEX idempotency_workspace ON idempotency (workspace_id);
-- Isolated by account: the workspace that a request is to create does not exist yet when its key is claimed.
ALTER TABLE idempotency ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_requests ON idempotency USING (account_id = (SELECT request_account()));
