-- What a reader of a file should know was not read, or may be wrong: shown with its job.
ALTER TABLE job_file ADD COLUMN warnings text[] NOT NULL DEFAULT '{}';
