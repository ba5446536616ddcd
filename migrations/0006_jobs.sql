-- Jobs that can be cancelled, listed and made by reindexing; the queue's order as an index; scopes by hand; one table
-- for Idempotency-Key.

-- What a worker takes first (queue.sql.ts): smaller is sooner. Within a workspace the index is the order of the queue,
-- so that a claim looks at one task a workspace and not at all that are due.
ALTER TABLE task ADD COLUMN priority smallint NOT NULL DEFAULT 3;
UPDATE task SET priority = CASE kind WHEN 'fold' THEN 0 WHEN 'ingest' THEN 1 WHEN 'graph' THEN 2 ELSE 3 END;
CREATE INDEX task_turn ON task (priority, workspace_id, run_after, id);
CREATE INDEX task_held ON task (workspace_id) WHERE lease_until IS NOT NULL;
CREATE INDEX task_job ON task ((subject ->> 'job_id')) WHERE kind = 'ingest';
DROP INDEX task_due;

-- upload: files as received; reindex: documents read anew from their kept originals.
ALTER TABLE job ADD COLUMN kind text NOT NULL DEFAULT 'upload' CHECK (kind IN ('upload', 'reindex'));
CREATE INDEX job_recent ON job (workspace_id, created_at, id);

-- started_at is the start of `attempt` from now on: a rate is of one attempt, without the waiting between two.
ALTER TABLE job_file ADD COLUMN attempt integer NOT NULL DEFAULT 0;
CREATE INDEX job_file_document ON job_file (workspace_id, document_id) WHERE status IN ('queued', 'running');
CREATE INDEX job_file_pace ON job_file (kind, finished_at) WHERE status = 'done' AND started_at IS NOT NULL;

-- A scope that a person made: the documents named, and all under the folders named. The name is as typed.
CREATE TABLE scope (
  workspace_id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  description text NOT NULL,
  folders text[] NOT NULL,                  -- 'Contracts/2024': without a slash at either end
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, name)
);
CREATE TABLE scope_document (
  workspace_id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  document_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, name, document_id),
  FOREIGN KEY (workspace_id, name) REFERENCES scope (workspace_id, name) ON DELETE CASCADE
);
CREATE INDEX scope_document_of ON scope_document (workspace_id, document_id);

-- What an Idempotency-Key stands for during 24 hours; `request` is a hash, so that another request is noticed.
CREATE TABLE idempotency (
  account_id uuid NOT NULL,
  operation text NOT NULL,                  -- with the workspace's id, where one is addressed
  key text NOT NULL,
  request text NOT NULL,
  result text NOT NULL,                     -- the id of the job or workspace that was made
  workspace_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, operation, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);
CREATE INDEX idempotency_workspace ON idempotency (workspace_id);
DROP INDEX job_idempotency;
ALTER TABLE job DROP COLUMN idempotency_key;
