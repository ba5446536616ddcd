-- Vectors: which space each workspace is searched in, and how far a space is filled.

-- Nothing wrote this table before. workspace_id: set for a space fitted to one workspace (LSA); the others are shared.
DROP TABLE vector_space;
CREATE TABLE vector_space (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid,
  embedder text NOT NULL,                   -- lexical-1, onnx:<model>, openai:<model>
  dimensions integer NOT NULL,
  index text CHECK (index IN ('vector', 'halfvec')), -- how its HNSW index holds the vectors; NULL: it has none
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX vector_space_model ON vector_space (embedder, dimensions) WHERE workspace_id IS NULL;

-- A workspace is searched in its serving space while another fills; then they change places in one statement.
-- fitting: the basis of an LSA space is being written; retired: to be swept.
CREATE TABLE workspace_space (
  workspace_id uuid NOT NULL,
  space_id integer NOT NULL,
  state text NOT NULL CHECK (state IN ('fitting', 'filling', 'serving', 'retired')),
  fitted integer,                           -- LSA: chunks of the workspace when it was fitted
  PRIMARY KEY (workspace_id, space_id)
);
CREATE UNIQUE INDEX workspace_space_serving ON workspace_space (workspace_id) WHERE state = 'serving';
CREATE UNIQUE INDEX workspace_space_next ON workspace_space (workspace_id) WHERE state IN ('fitting', 'filling');

-- How far a version is embedded in a space; no vector is written without its row here, so none can be left behind.
CREATE TABLE version_space (
  workspace_id uuid NOT NULL,
  version_id uuid NOT NULL,
  space_id integer NOT NULL,
  state text NOT NULL CHECK (state IN ('filling', 'filled', 'sweeping')),
  PRIMARY KEY (workspace_id, version_id, space_id)
);

-- The basis of an LSA space, a row a term: idf times its row of V, as int8 times scale.
CREATE TABLE lexical_basis (
  workspace_id uuid NOT NULL,
  space_id integer NOT NULL,
  term integer NOT NULL,
  scale real NOT NULL,
  v bytea NOT NULL,
  PRIMARY KEY (workspace_id, space_id, term)
);

-- NULL: the model refused this chunk. hash: of the embedded text, so that no model is asked twice for one text.
ALTER TABLE chunk_vector ALTER COLUMN v DROP NOT NULL, ADD COLUMN hash bytea;
CREATE INDEX chunk_vector_hash ON chunk_vector (space_id, hash) WHERE hash IS NOT NULL;

ALTER TABLE task DROP CONSTRAINT task_kind_check;
ALTER TABLE task ADD CONSTRAINT task_kind_check CHECK (kind IN ('ingest', 'graph', 'fold', 'purge', 'embed'));
-- A second round for a workspace waits until the first is through.
CREATE UNIQUE INDEX task_embed ON task (workspace_id) WHERE kind = 'embed';
