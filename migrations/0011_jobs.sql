-- Uploads and background work (docs/decisions/0009-jobs.md): a job is what the caller polls, a task is what a worker claims.

CREATE TABLE job (
  workspace_id uuid NOT NULL,
  id text NOT NULL,                         -- 128 random bits, so that ids cannot be enumerated
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- upload: files as received; reindex: documents read anew from their originals; restore: an earlier version of a document
  kind text NOT NULL DEFAULT 'upload' CHECK (kind IN ('upload', 'reindex', 'restore')),
  -- What to do if another document has the name; NULL: decided by comparing the texts (docs/decisions/0028-name-conflicts.md)
  on_conflict text CHECK (on_conflict IN ('replace', 'keep_both', 'fail')),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX job_id ON job (id);
CREATE INDEX job_recent ON job (workspace_id, created_at, id);
SELECT isolate_by_workspace('job');

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
  started_at timestamptz,                   -- when `attempt` began: speed is measured without the wait between attempts
  finished_at timestamptz,
  attempt integer NOT NULL DEFAULT 0,
  warnings text[] NOT NULL DEFAULT '{}',    -- what was not read of the file, or may be wrong; shown with the job
  -- What an upload or a restored version did to the document; NULL for a reindexing, and until it is finished
  outcome text CHECK (outcome IN ('created', 'unchanged', 'replaced', 'kept_both', 'superseded')),
  version_id uuid,                          -- the version made from the file, or the one that already had its content
  PRIMARY KEY (workspace_id, job_id, file_no)
);
CREATE INDEX job_file_open ON job_file (workspace_id, path) WHERE status IN ('queued', 'running');
CREATE INDEX job_file_hash ON job_file (content_hash);
CREATE INDEX job_file_document ON job_file (workspace_id, document_id) WHERE status IN ('queued', 'running');
CREATE INDEX job_file_pace ON job_file (kind, finished_at) WHERE status = 'done' AND started_at IS NOT NULL;
-- Whoever watches a job is sent what changed since the last look; a reindexing has a file for each document.
CREATE INDEX job_file_running ON job_file (workspace_id, job_id) WHERE status = 'running';
CREATE INDEX job_file_finished ON job_file (workspace_id, job_id, finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX job_file_version ON job_file (workspace_id, version_id) WHERE version_id IS NOT NULL;
SELECT isolate_by_workspace('job_file');

-- The queue (docs/decisions/0001-task-table.md). A task is deleted when it is finished, and also when it failed for good: its
-- file says why.
CREATE TABLE task (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('ingest', 'graph', 'fold', 'purge', 'embed', 'pictures')),
  subject jsonb NOT NULL,                   -- {job_id, file_no} | {document_id, version_id} | {}
  attempt integer NOT NULL DEFAULT 0,       -- the fencing token: it only ever grows
  failures integer NOT NULL DEFAULT 0,      -- attempts that count against it
  worker text,
  lease_until timestamptz,                  -- NULL: free
  run_after timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  priority smallint NOT NULL DEFAULT 3      -- smaller is sooner
);
CREATE INDEX task_workspace ON task (workspace_id, kind);
-- The order of the queue, so that a claim looks at one task of each workspace instead of all that are due.
CREATE INDEX task_turn ON task (priority, workspace_id, run_after, id);
CREATE INDEX task_held ON task (workspace_id) WHERE lease_until IS NOT NULL;
CREATE INDEX task_job ON task ((subject ->> 'job_id')) WHERE kind = 'ingest';
-- One round of embedding a workspace: a second one waits until the first is done.
CREATE UNIQUE INDEX task_embed ON task (workspace_id) WHERE kind = 'embed';
-- The graph tasks that `ready` waits for (the subject of one for a document that could be searched before has `awaited`), and
-- those of a document.
CREATE INDEX task_graph_awaited ON task (workspace_id) WHERE kind = 'graph' AND subject ->> 'awaited' IS NULL;
CREATE INDEX task_graph_document ON task ((subject ->> 'document_id')) WHERE kind = 'graph';
SELECT isolate_by_workspace('task');

-- Claims the next due task for the worker named `claimant`: by priority; within a priority that of the workspace that was
-- served longest ago, so that 20 large files of one workspace do not delay a small file of another; within a workspace the
-- oldest.
--   wanted    'any'; 'files': only files, and what has waited for long; 'newcomers': only files of workspaces in which no
--             worker holds a file, and whose first file in line is not marked `long` in its task's subject. Large or hostile
--             files of two workspaces held the slot for newcomers for minutes, and with it the small files of all others.
--   patience  a task that has waited for so long gets the priority of files, whatever its kind
--   fold_lag  a fold comes after the files until it has waited for so long
--   folds, files  the priorities of folds and files
--   mine      the tasks that the claimant holds itself. A lease runs out unnoticed while the worker is not scheduled for half
--             a minute (a suspended, stopped or overloaded machine): the worker's next claim came before its next heartbeat,
--             took its own task as that of a dead worker, and discarded what was done of it.
--
-- `line` walks the index task_turn from one (priority, workspace) to the next and looks at the first due task of each:
-- 100,000 tasks queued in 100 workspaces take no longer than 100. A function because it keeps its plan: as a plain statement
-- a claim that found nothing took 7.5 ms of the embedded engine's time, 6 of them for parsing and planning, four times a
-- second (docs/decisions/0010-ingest-speed.md).
CREATE FUNCTION claim_task(claimant text, wanted text, lease interval, patience interval, fold_lag interval,
  folds integer, files integer, mine uuid[])
RETURNS TABLE (id uuid, workspace_id uuid, kind text, subject jsonb, attempt integer, failures integer)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY WITH RECURSIVE line AS (
    (SELECT priority, workspace_id FROM task ORDER BY priority, workspace_id LIMIT 1)
    UNION ALL
    SELECT next.priority, next.workspace_id FROM line CROSS JOIN LATERAL (
      SELECT t.priority, t.workspace_id FROM task t
      WHERE (t.priority, t.workspace_id) > (line.priority, line.workspace_id)
      ORDER BY t.priority, t.workspace_id LIMIT 1) next
  ), turn AS MATERIALIZED (
    SELECT line.priority, line.workspace_id FROM line
    CROSS JOIN LATERAL (
      SELECT t.run_after, t.subject FROM task t
      WHERE t.priority = line.priority AND t.workspace_id = line.workspace_id
        AND t.run_after <= now() AND (t.lease_until IS NULL OR t.lease_until < now() AND t.id <> ALL (mine))
      ORDER BY t.run_after, t.id LIMIT 1) first
    LEFT JOIN workspace w ON w.id = line.workspace_id
    WHERE CASE wanted
      WHEN 'newcomers' THEN line.priority = files AND NOT first.subject ? 'long' AND NOT EXISTS (
        SELECT 1 FROM task held WHERE held.priority = line.priority AND held.workspace_id = line.workspace_id
          AND (held.lease_until >= now() OR held.id = ANY (mine)))
      WHEN 'files' THEN line.priority = files OR line.priority = folds AND first.run_after < now() - fold_lag
        OR first.run_after < now() - patience
      ELSE true END
    ORDER BY
      CASE WHEN first.run_after < now() - patience THEN least(line.priority, files)
        WHEN line.priority = folds AND first.run_after > now() - fold_lag THEN files + 0.5
        ELSE line.priority END,
      w.served_at NULLS FIRST, first.run_after
  ), chosen AS (
    SELECT taken.id, taken.workspace_id FROM turn CROSS JOIN LATERAL (
      SELECT t.id, t.workspace_id FROM task t
      WHERE t.priority = turn.priority AND t.workspace_id = turn.workspace_id
        AND t.run_after <= now() AND (t.lease_until IS NULL OR t.lease_until < now() AND t.id <> ALL (mine))
        AND (wanted <> 'newcomers' OR NOT t.subject ? 'long')
      ORDER BY t.run_after, t.id LIMIT 1 FOR UPDATE SKIP LOCKED) taken
    LIMIT 1
  ), served AS (
    UPDATE workspace w SET served_at = clock_timestamp() WHERE w.id IN (
      SELECT id FROM workspace WHERE id IN (SELECT workspace_id FROM chosen) FOR NO KEY UPDATE SKIP LOCKED)
  )
  -- The worker whose lease ran out is dead or cut off: that counts as a failure, until it turns out to be alive.
  UPDATE task t SET attempt = attempt + 1, worker = claimant,
    failures = failures + CASE WHEN lease_until IS NULL THEN 0 ELSE 1 END, lease_until = now() + lease
  FROM chosen WHERE t.id = chosen.id
  RETURNING t.id, t.workspace_id, t.kind, t.subject, t.attempt, t.failures;
END
$$;

-- Whether the last three rounds of embedding failed, as they do while the server of a model cannot be reached. Queries are
-- then searched by words alone, so chunks without vectors are as findable as they will be until the model is back.
CREATE FUNCTION model_is_away(asked uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM task WHERE workspace_id = asked AND kind = 'embed' AND failures >= 3)
$$;

-- Pictures inside a file, by the file's content, so that reindexing has their words at once. They are read by a task of kind
-- `pictures`, after the document can be searched (docs/decisions/0025-pictures.md).
CREATE TABLE picture (
  workspace_id uuid NOT NULL,
  content_hash text NOT NULL,               -- of the file
  picture_no integer NOT NULL,
  reader text NOT NULL,                     -- which reader in which languages; another one reads the picture again
  place jsonb NOT NULL,                     -- name, page, box
  hash text NOT NULL,                       -- of the picture: read once, however often it occurs
  words jsonb,                              -- texts with their confidence; NULL: not read yet
  PRIMARY KEY (workspace_id, content_hash, picture_no)
);
CREATE INDEX picture_hash ON picture (workspace_id, hash) WHERE words IS NOT NULL;
SELECT isolate_by_workspace('picture');
