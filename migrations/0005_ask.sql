-- Questions: threads with their turns, and the hourly limit (design/contract.md "Ask"; permissions.md D-14, D-18).

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

CREATE TABLE turn (
  workspace_id uuid NOT NULL,
  thread_id uuid NOT NULL,
  turn_no integer NOT NULL,
  question text NOT NULL,
  answer text NOT NULL,
  citations jsonb NOT NULL,                 -- as answered: Citation[]
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, thread_id, turn_no),
  FOREIGN KEY (workspace_id, thread_id) REFERENCES thread (workspace_id, id) ON DELETE CASCADE
);

-- One row a principal: its lock makes counting and taking one step across processes under READ COMMITTED.
CREATE TABLE asker (
  principal text PRIMARY KEY,
  asked_at timestamptz NOT NULL
);
-- One row for each question accepted in the last 60 minutes; older ones are swept as new ones come.
CREATE TABLE asked (
  id uuid PRIMARY KEY,
  principal text NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX asked_principal ON asked (principal, at);
CREATE INDEX asked_at ON asked (at);
