-- What people say about results: the names of their conversations, feedback on answers, and saved evaluation questions
-- (docs/decisions/0020-conversations.md).

ALTER TABLE thread ADD COLUMN title text;   -- NULL: its first question

-- At most one for each answer, from its asker; deleted with the answer.
CREATE TABLE feedback (
  workspace_id uuid NOT NULL,
  thread_id uuid NOT NULL,
  turn_no integer NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('helped', 'wrong')),
  note text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, thread_id, turn_no),
  FOREIGN KEY (workspace_id, thread_id, turn_no) REFERENCES turn (workspace_id, thread_id, turn_no) ON DELETE CASCADE
);
SELECT isolate_by_workspace('feedback');

-- A query and the passage that it should find. Where the passage is, not its text, as for citations.
CREATE TABLE evaluation_question (
  workspace_id uuid NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  id uuid NOT NULL,                         -- UUIDv5 of principal, query, document and chunk: saving twice gives one row
  principal text NOT NULL,                  -- user:<id> or key:<id>
  query text NOT NULL,
  document_id uuid NOT NULL,
  chunk_id uuid,                            -- NULL: anywhere in the document
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX evaluation_question_principal ON evaluation_question (principal);
CREATE INDEX evaluation_question_created ON evaluation_question (workspace_id, created_at, id);
SELECT isolate_by_workspace('evaluation_question');
