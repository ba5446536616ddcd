-- Questions that the documents of a workspace answer, which the console suggests. A task makes them when somebody opens the page to ask.
LOCK TABLE task IN ACCESS EXCLUSIVE MODE;

CREATE TABLE suggestion (
  workspace_id uuid PRIMARY KEY,
  changes bigint NOT NULL,                  -- the state of the documents: the sum of workspace_language.changes
  questions jsonb NOT NULL,                 -- [{question, document_id, version_id}], of the version that answers it
  made_at timestamptz NOT NULL DEFAULT now()
);
SELECT isolate_by_workspace('suggestion');

ALTER TABLE task DROP CONSTRAINT task_kind_check;
ALTER TABLE task ADD CONSTRAINT task_kind_check CHECK (
  kind IN ('ingest', 'graph', 'fold', 'purge', 'embed', 'pictures', 'source', 'notice', 'delivery', 'import', 'backup',
    'suggest'));
CREATE UNIQUE INDEX task_suggest ON task (workspace_id) WHERE kind = 'suggest';
