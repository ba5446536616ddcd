-- Uploads: a job is what the caller polls, a task is what a worker claims (lease, heartbeat, fencing by attempt).

CREATE TABLE job (
  workspace_id uuid NOT NULL,
  id text NOT NULL,                         -- 128 random bits: cannot be enumerated (D-03)
  created_by uuid NOT NULL,
  idempotency_key text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX job_id ON job (id);
CREATE UNIQUE INDEX job_idempotency ON job (workspace_id, created_by, idempotency_key)
  WHERE idempotency_key IS NOT NULL;

CREATE TABLE job_file (
  workspace_id uuid NOT NULL,
  job_id text NOT NULL,
  file_no integer NOT NULL,
  path text NOT NULL,
  kind text NOT NULL,
  size bigint NOT NULL,
  content_hash text NOT NULL,
  document_id uuid NOT NULL,                -- decided at upload, shown once the document can be read
  status text NOT NULL CHECK (status IN ('queued', 'running', 'done', 'failed')),
  error text,
  stage text NOT NULL DEFAULT 'queued',
  progress real NOT NULL DEFAULT 0,         -- 0 to 1 over all stages
  started_at timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (workspace_id, job_id, file_no)
);
CREATE INDEX job_file_open ON job_file (workspace_id, path) WHERE status IN ('queued', 'running');
CREATE INDEX job_file_hash ON job_file (content_hash);

-- The queue. A task that finishes is deleted; one that failed for good as well (its file says why).
CREATE TABLE task (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('ingest', 'graph', 'fold', 'purge')),
  subject jsonb NOT NULL,                   -- {job_id, file_no} | {document_id, version_id} | {}
  attempt integer NOT NULL DEFAULT 0,       -- the fencing token: only ever grows
  failures integer NOT NULL DEFAULT 0,      -- attempts that count against it
  worker text,
  lease_until timestamptz,                  -- NULL: free
  run_after timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX task_due ON task (run_after);
CREATE INDEX task_workspace ON task (workspace_id, kind);
