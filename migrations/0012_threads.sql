-- Questions: conversations with their turns (docs/decisions/0020-conversations.md), and the hourly limit.

-- A thread belongs to one principal (user:<id> or key:<id>) and one workspace; it exists from its first answer on.
CREATE TABLE thread (
  workspace_id uuid NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  principal text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX thread_principal ON thread (workspace_id, principal, updated_at);
SELECT isolate_by_workspace('thread');

CREATE TABLE turn (
  workspace_id uuid NOT NULL,
  thread_id uuid NOT NULL,
  turn_no integer NOT NULL,
  question text NOT NULL,
  answer text NOT NULL,
  -- [{number, chunk_id, document_id, spans}], spans in UTF-16 units. Where the cited passages are, not their text: what is
  -- deleted from the documents cannot be read in a conversation.
  citations jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, thread_id, turn_no),
  FOREIGN KEY (workspace_id, thread_id) REFERENCES thread (workspace_id, id) ON DELETE CASCADE
);
SELECT isolate_by_workspace('turn');

-- One row for each principal: its lock makes counting and recording a question one step for several processes, also under
-- READ COMMITTED.
CREATE TABLE asker (
  principal text PRIMARY KEY,
  asked_at timestamptz NOT NULL
);
-- One row for each question accepted in the last 60 minutes; older ones are deleted when new ones come.
CREATE TABLE asked (
  id uuid PRIMARY KEY,
  principal text NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX asked_principal ON asked (principal, at);
CREATE INDEX asked_at ON asked (at);
