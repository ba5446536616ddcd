-- Imports are tasks of the worker (docs/decisions/0048-imports.md): the archive is kept in pieces, checked, and written in batches
-- into a workspace that nobody can see until it is whole. Its task has the account's id in place of a workspace's, so that the slots
-- are shared between accounts as they are between workspaces.
LOCK TABLE task, entity_merge IN ACCESS EXCLUSIVE MODE;

ALTER TABLE task DROP CONSTRAINT task_kind_check;
ALTER TABLE task ADD CONSTRAINT task_kind_check CHECK (
  kind IN ('ingest', 'graph', 'fold', 'purge', 'embed', 'pictures', 'source', 'notice', 'delivery', 'import'));

CREATE TABLE workspace_import (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,                 -- who imports; no reference: an import whose person has gone is cleaned up
  pieces text[] NOT NULL DEFAULT '{}',      -- the archive: blobs by their SHA-256, in order
  ids text NOT NULL CHECK (ids IN ('keep', 'new')),
  name text,                                -- in place of the archive's
  state text NOT NULL DEFAULT 'receiving'
    CHECK (state IN ('receiving', 'queued', 'checking', 'writing', 'done', 'failed', 'cancelled')),
  received_at timestamptz NOT NULL DEFAULT now(), -- when the process that receives the archive was last known to run
  progress real NOT NULL DEFAULT 0,         -- 0 to 1
  target_id uuid,                           -- the workspace that is made; NULL until it is known
  has_workspace boolean NOT NULL DEFAULT false, -- the workspace has a row, so it is to be purged if the import fails
  job_id text,
  counts jsonb,                             -- of the archive, once it is checked
  part text,                                -- of the archive's rows that are written next, or 'originals',
  part_rows integer NOT NULL DEFAULT 0,     -- and how many of that part are written; afterwards: files that have a task
  notes text[] NOT NULL DEFAULT '{}',
  error_type text,
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
CREATE INDEX workspace_import_account ON workspace_import (account_id, created_at);
ALTER TABLE workspace_import ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_imports ON workspace_import USING (account_id = (SELECT request_account()));
CREATE POLICY own_imports ON task FOR INSERT
  WITH CHECK (kind = 'import' AND workspace_id = (SELECT request_account()));

-- Ids of workspaces that were deleted, with those who owned them then: beside administrators only they may import a workspace under
-- such an id. To everybody else every id is refused alike, so that trying one tells nothing.
CREATE TABLE former_workspace (
  id uuid PRIMARY KEY,
  owners uuid[] NOT NULL
);
ALTER TABLE former_workspace ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_former ON former_workspace FOR SELECT USING ((SELECT request_account()) = ANY (owners));

-- Top-down over chains of merges: each merge is looked at once (graph/merges.sql.ts).
CREATE INDEX entity_merge_into ON entity_merge (workspace_id, into_id) WHERE state IN ('automatic', 'manual');
