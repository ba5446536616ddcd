-- How fast a workspace's own files were read lately is asked for first (src/ingest/progress.sql.ts): without this index all
-- files that it ever had would be sorted each time somebody looks at a job.
CREATE INDEX job_file_own_pace ON job_file (workspace_id, kind, finished_at)
  WHERE status = 'done' AND started_at IS NOT NULL;
