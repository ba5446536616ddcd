-- What a language model found, checked, kept by what it was asked: asked once, also after a crash or a re-upload.
-- Offsets count from the beginning of each chunk of the batch that was asked about. Goes with its document.
CREATE TABLE graph_reply (
  workspace_id uuid NOT NULL,
  document_id uuid NOT NULL,
  hash text NOT NULL,                       -- SHA-256 of texts, model, prompt and schema
  findings jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, document_id, hash)
);

-- Tokens the workspace's graph has cost, booked before a call and put right after it.
CREATE TABLE graph_spending (
  workspace_id uuid PRIMARY KEY,
  tokens bigint NOT NULL
);
