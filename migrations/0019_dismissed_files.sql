-- Files that could not be read, and that somebody has taken off the list of these.
ALTER TABLE job_file ADD COLUMN dismissed boolean NOT NULL DEFAULT false;
