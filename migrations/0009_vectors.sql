-- Search by meaning (docs/decisions/0012-embedders.md). A space is one embedder with its version; vectors of different spaces
-- are never compared.

CREATE TABLE vector_space (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid,                        -- of a space fitted to one workspace (LSA); NULL: shared by all
  embedder text NOT NULL,                   -- lexical-1, onnx:<model>, openai:<model>
  dimensions integer NOT NULL,
  index text CHECK (index IN ('vector', 'halfvec')), -- how its HNSW index stores the vectors; NULL: it has none
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX vector_space_model ON vector_space (embedder, dimensions) WHERE workspace_id IS NULL;
SELECT isolate_by_workspace('vector_space');
CREATE POLICY shared ON vector_space FOR SELECT USING (workspace_id IS NULL);

-- A workspace is searched in its serving space while the next one fills; then they change places in one statement. `state`:
-- fitting while the basis of an LSA space is being written, retired when the space is to be swept.
CREATE TABLE workspace_space (
  workspace_id uuid NOT NULL,
  space_id integer NOT NULL,
  state text NOT NULL CHECK (state IN ('fitting', 'filling', 'serving', 'retired')),
  fitted integer,                           -- LSA: how many chunks the workspace had when it was fitted
  PRIMARY KEY (workspace_id, space_id)
);
CREATE UNIQUE INDEX workspace_space_serving ON workspace_space (workspace_id) WHERE state = 'serving';
CREATE UNIQUE INDEX workspace_space_next ON workspace_space (workspace_id) WHERE state IN ('fitting', 'filling');
SELECT isolate_by_workspace('workspace_space');

-- How far a version is embedded in a space. No vector is written without its row here, so none can be forgotten.
CREATE TABLE version_space (
  workspace_id uuid NOT NULL,
  version_id uuid NOT NULL,
  space_id integer NOT NULL,
  state text NOT NULL CHECK (state IN ('filling', 'filled', 'sweeping')),
  PRIMARY KEY (workspace_id, version_id, space_id)
);
SELECT isolate_by_workspace('version_space');

CREATE TABLE chunk_vector (
  workspace_id uuid NOT NULL,
  version_id uuid NOT NULL,
  chunk_no integer NOT NULL,
  space_id integer NOT NULL,
  v vector,                                 -- NULL: the model refused this chunk
  hash bytea,                               -- of the embedded text, so that no text is embedded twice
  PRIMARY KEY (workspace_id, version_id, chunk_no, space_id)
);
CREATE INDEX chunk_vector_hash ON chunk_vector (space_id, hash) WHERE hash IS NOT NULL;
SELECT isolate_by_workspace('chunk_vector');

-- The basis of an LSA space, a row for each term: idf times its row of V, as int8 times `scale`.
CREATE TABLE lexical_basis (
  workspace_id uuid NOT NULL,
  space_id integer NOT NULL,
  term integer NOT NULL,
  scale real NOT NULL,
  v bytea NOT NULL,
  PRIMARY KEY (workspace_id, space_id, term)
);
SELECT isolate_by_workspace('lexical_basis');
