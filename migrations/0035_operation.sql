-- What administrators see of the running of the service: its workers, and its backups.
LOCK TABLE task IN ACCESS EXCLUSIVE MODE;

-- Each worker writes its row every minute.
CREATE TABLE worker_report (
  name text PRIMARY KEY,
  machine text NOT NULL,
  version text NOT NULL,
  ocr text NOT NULL,                        -- what recognises text in pictures
  disk_free bigint,                         -- bytes, where its data folder is; NULL: it could not be seen
  seen_at timestamptz NOT NULL DEFAULT now()
);

-- Backups are tasks of the worker, with the id of whoever began one in place of a workspace's. They are not in backups themselves.
CREATE TABLE backup (
  id uuid PRIMARY KEY,
  begun_by uuid,                            -- NULL: by `kenning backup`
  state text NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
  step text CHECK (step IN ('files', 'rows', 'check')),
  progress real NOT NULL DEFAULT 0,         -- of the step, 0 to 1
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  machine text,
  folder text,
  size bigint,
  error text
);
CREATE UNIQUE INDEX backup_open ON backup ((true)) WHERE state IN ('queued', 'running');

ALTER TABLE task DROP CONSTRAINT task_kind_check;
ALTER TABLE task ADD CONSTRAINT task_kind_check CHECK (
  kind IN ('ingest', 'graph', 'fold', 'purge', 'embed', 'pictures', 'source', 'notice', 'delivery', 'import', 'backup'));
