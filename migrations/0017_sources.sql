-- Sources that the service keeps workspaces in step with, and webhooks (docs/decisions/0033-sources-and-webhooks.md). Both wait
-- for the network, so their tasks have a priority of their own, 5, and slots of their own: no file waits behind a slow site.

ALTER TABLE task DROP CONSTRAINT task_kind_check;
ALTER TABLE task ADD CONSTRAINT task_kind_check
  CHECK (kind IN ('ingest', 'graph', 'fold', 'purge', 'embed', 'pictures', 'source', 'notice', 'delivery'));
-- A source is run by one worker at a time.
CREATE UNIQUE INDEX task_source ON task ((subject ->> 'source_id')) WHERE kind = 'source';
CREATE UNIQUE INDEX task_notice ON task (workspace_id) WHERE kind = 'notice';
CREATE UNIQUE INDEX task_delivery ON task ((subject ->> 'delivery_id')) WHERE kind = 'delivery';

CREATE TABLE source (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('web', 'git', 'folder', 'remote')),
  addresses text[] NOT NULL,
  branch text,
  into_folder text NOT NULL,
  include text[] NOT NULL,
  exclude text[] NOT NULL,
  credentials bytea,                        -- sealed
  every_minutes integer,                    -- NULL: only when it is asked for
  paused boolean NOT NULL DEFAULT false,
  removing boolean NOT NULL DEFAULT false,  -- its documents are being deleted, and then it is
  acts_as uuid NOT NULL,                    -- the owner in whose name it uploads and deletes
  created_at timestamptz NOT NULL DEFAULT now(),
  next_run_at timestamptz,
  last_run_at timestamptz,
  last_success_at timestamptz,
  failures integer NOT NULL DEFAULT 0,      -- in a row
  error text,
  documents integer NOT NULL DEFAULT 0,
  counts jsonb,                             -- of the last run that succeeded
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX source_due ON source (next_run_at) WHERE next_run_at IS NOT NULL AND NOT paused AND NOT removing;
SELECT isolate_by_workspace('source');

-- What is remembered of each path of a source (sync/state.ts).
CREATE TABLE source_file (
  workspace_id uuid NOT NULL,
  source_id uuid NOT NULL,
  path text NOT NULL,
  kept jsonb,                               -- NULL: it was being sent for the first time
  sending text[] NOT NULL DEFAULT '{}',     -- hashes of what was being sent
  PRIMARY KEY (workspace_id, source_id, path),
  FOREIGN KEY (workspace_id, source_id) REFERENCES source (workspace_id, id) ON DELETE CASCADE
);
SELECT isolate_by_workspace('source_file');

-- Jobs that a run began: written with them, so that a run that is killed knows what it sent.
CREATE TABLE source_job (
  workspace_id uuid NOT NULL,
  source_id uuid NOT NULL,
  job_id text NOT NULL,
  PRIMARY KEY (workspace_id, source_id, job_id),
  FOREIGN KEY (workspace_id, source_id) REFERENCES source (workspace_id, id) ON DELETE CASCADE
);
SELECT isolate_by_workspace('source_job');

CREATE TABLE webhook (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  url text NOT NULL,
  secret bytea NOT NULL,                    -- sealed
  paused boolean NOT NULL DEFAULT false,
  error text,                               -- why Kenning has paused it
  failures integer NOT NULL DEFAULT 0,      -- deliveries given up in a row
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
SELECT isolate_by_workspace('webhook');

-- Jobs whose end a webhook waits for; written with the job.
CREATE TABLE webhook_job (
  workspace_id uuid NOT NULL,
  job_id text NOT NULL,
  PRIMARY KEY (workspace_id, job_id)
);
SELECT isolate_by_workspace('webhook_job');

CREATE TABLE webhook_delivery (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  type text NOT NULL,
  job_id text,
  body text NOT NULL,                       -- as it is signed, the same at every attempt
  state text NOT NULL CHECK (state IN ('waiting', 'delivered', 'given_up')),
  attempts integer NOT NULL DEFAULT 0,
  status integer,                           -- of the last answer
  error text,                               -- of the last attempt
  created_at timestamptz NOT NULL DEFAULT now(),
  tried_at timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, webhook_id) REFERENCES webhook (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_delivery_recent ON webhook_delivery (workspace_id, webhook_id, created_at, id);
CREATE UNIQUE INDEX webhook_delivery_job ON webhook_delivery (workspace_id, webhook_id, job_id) WHERE job_id IS NOT NULL;
SELECT isolate_by_workspace('webhook_delivery');

-- As in 0011_jobs.sql, but for what waits for the network.
CREATE OR REPLACE FUNCTION claim_task(claimant text, wanted text, lease interval, patience interval, fold_lag interval,
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
    -- Priority 5 waits for the network and is claimed otherwise.
    WHERE line.priority < 5 AND CASE wanted
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
