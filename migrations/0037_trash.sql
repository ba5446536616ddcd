-- The trash: what was deleted in the console comes back whole for 30 days (docs/decisions/0055-trash.md).
LOCK TABLE workspace IN SHARE ROW EXCLUSIVE MODE;

-- A document in the trash is no row of `document`, so no statement about documents can find it. A path may be here more than once.
CREATE TABLE trashed_document (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  document_id uuid NOT NULL,
  path text NOT NULL,
  uploaded_as text,
  title text NOT NULL,
  title_key text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  content_hash text NOT NULL,
  uploaded_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  scopes text[] NOT NULL,                   -- the scopes that named it
  trashed_by uuid NOT NULL,
  trashed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX trashed_document_age ON trashed_document (workspace_id, trashed_at, id);
SELECT isolate_by_workspace('trashed_document');

-- The rows of document_version of these documents, always with the current file. An original is kept while a row names it.
CREATE TABLE trashed_version (
  workspace_id uuid NOT NULL,
  trash_id uuid NOT NULL,
  content_hash text NOT NULL,
  filename text NOT NULL,
  kind text NOT NULL,
  size bigint,
  uploaded_at timestamptz NOT NULL,
  uploaded_by uuid,
  forced boolean NOT NULL,
  replaced_at timestamptz,
  PRIMARY KEY (workspace_id, trash_id, content_hash),
  FOREIGN KEY (workspace_id, trash_id) REFERENCES trashed_document (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX trashed_version_hash ON trashed_version (content_hash);
SELECT isolate_by_workspace('trashed_version');

-- A workspace in the trash is marked as deleted and has neither members nor tasks. This row has them, to put them back.
CREATE TABLE trashed_workspace (
  id uuid PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE,
  name text NOT NULL,
  document_count integer NOT NULL,
  owners uuid[] NOT NULL,
  members jsonb NOT NULL,                   -- [{account_id, role, created_at}]
  tasks jsonb NOT NULL,                     -- [{kind, subject, priority, run_after}]
  trashed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX trashed_workspace_owners ON trashed_workspace USING gin (owners);
-- Its owners alone see it. Whoever takes it out may touch the workspace for the rest of the transaction.
ALTER TABLE trashed_workspace ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_trash ON trashed_workspace USING ((SELECT request_account()) = ANY (owners));
CREATE FUNCTION enter_restored_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('kenning.workspaces', (request_workspaces() || OLD.id)::text, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER workspace_restored AFTER DELETE ON trashed_workspace
  FOR EACH ROW WHEN (request_account() = ANY (OLD.owners)) EXECUTE FUNCTION enter_restored_workspace();
