-- The slot for newcomers takes no file that takes long, by its size or because it had its turn there already: large or
-- hostile files in two workspaces held it for minutes, and with it the small files of all others
-- (docs/decisions/0009-jobs.md). Such files are marked in their task's subject, by whoever makes or gives back the task.

-- The next due task of whoever calls himself `claimant`: by priority, and among equals of the workspace that was served
-- longest ago, so that 20 large files of one do not hold up another's small one; within a workspace the oldest.
-- `wanted`: any; files: what nobody waits for stays back; newcomers: only files of workspaces that no worker is at,
-- whose first in line does not take long.
-- `mine`: tasks that the claimant is at. What has waited for `patience` stands in line with the files, whatever its kind;
-- a fold comes behind them for `fold_lag`.
--
-- `line` walks the index task_turn from one (priority, workspace) to the next and looks at the first due task of each:
-- 100,000 tasks queued in 100 workspaces cost as much as 100 (docs/decisions/0009-jobs.md).
CREATE OR REPLACE FUNCTION claim_task(claimant text, wanted text, lease interval, patience interval,
  fold_lag interval, folds integer, files integer, mine uuid[])
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
  -- A lease that ran out took its worker down or lost it: that counts as a failure, until that worker turns out alive.
  UPDATE task t SET attempt = attempt + 1, worker = claimant,
    failures = failures + CASE WHEN lease_until IS NULL THEN 0 ELSE 1 END, lease_until = now() + lease
  FROM chosen WHERE t.id = chosen.id
  RETURNING t.id, t.workspace_id, t.kind, t.subject, t.attempt, t.failures;
END
$$;
