-- What the console shows of failures and usage.

-- Tokens that answering questions with a language model has used.
CREATE TABLE question_spending (
  workspace_id uuid PRIMARY KEY,
  tokens bigint NOT NULL
);
SELECT isolate_by_workspace('question_spending');

-- Files that could not be read, newest first.
CREATE INDEX job_file_failed ON job_file (workspace_id, finished_at) WHERE status = 'failed';
