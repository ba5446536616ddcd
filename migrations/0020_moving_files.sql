-- Whoever watches a job is told what moved since the last look; a reindexing has a file for each document.

CREATE INDEX job_file_running ON job_file (workspace_id, job_id) WHERE status = 'running';
CREATE INDEX job_file_finished ON job_file (workspace_id, job_id, finished_at) WHERE finished_at IS NOT NULL;
