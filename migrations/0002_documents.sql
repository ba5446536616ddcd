-- Workspaces, documents and their versions, chunks. Every key starts with workspace_id (also the distribution key).

CREATE TABLE workspace (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  description text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  served_at timestamptz,                    -- when a worker last took a task of it: fair claiming
  deleted_at timestamptz                    -- unreadable at once; a task purges the rows (permissions.md D-12)
);

CREATE TABLE member (
  workspace_id uuid NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, account_id)
);
CREATE INDEX member_account ON member (account_id);

-- A document exists once its first version is published. Readers follow version_id; the graph lags behind it.
CREATE TABLE document (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  version_id uuid NOT NULL,
  path text NOT NULL,                       -- as uploaded, folders kept: the identity across versions
  title text NOT NULL,
  title_key text COLLATE "C" NOT NULL,      -- case-folded by us: engines differ in collation
  provider text NOT NULL,
  kind text NOT NULL,
  content_hash text NOT NULL,
  language text NOT NULL,
  pages integer,
  chunk_count integer NOT NULL,
  has_tables boolean NOT NULL,
  uploaded_at timestamptz NOT NULL,         -- of two uploads of one path the later one wins
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, provider, path)
);
CREATE INDEX document_title ON document (workspace_id, title_key, id);
CREATE INDEX document_version_of ON document (workspace_id, version_id);
CREATE INDEX document_hash ON document (workspace_id, content_hash);

-- One attempt to index a document's bytes. building: rows are being written, seen by nobody; live: the document's
-- own; retired: replaced, deleted or abandoned, waiting for the sweeper. folded: how many of its first chunks are
-- counted in term_stat; queries add or subtract the rest (search.sql.ts). settled: live and counted whole.
CREATE TABLE version (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  document_id uuid NOT NULL,
  task_id uuid,
  attempt integer NOT NULL DEFAULT 0,
  state text NOT NULL CHECK (state IN ('building', 'live', 'retired')),
  folded integer NOT NULL DEFAULT 0,
  settled boolean NOT NULL DEFAULT false CHECK (NOT settled OR state = 'live'),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX version_unsettled ON version (workspace_id, state) WHERE NOT settled;

CREATE TABLE chunk (
  workspace_id uuid NOT NULL,
  version_id uuid NOT NULL,
  chunk_no integer NOT NULL,
  id uuid NOT NULL,                         -- UUIDv5 of document, text hash and occurrence: survives new versions
  document_id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('text', 'table', 'figure')),
  text text NOT NULL,
  html text,                                -- a table's cells with their spans
  heading text NOT NULL,                    -- heading path, ' > ' between levels
  page integer,
  boxes jsonb,                              -- [{page, bbox}] in points
  language text NOT NULL,
  lex sparsevec NOT NULL,                   -- BM25 document side: term hash -> saturated weight
  terms integer[] NOT NULL,                 -- the same term hashes, for candidates by GIN
  words text[] NOT NULL,                    -- the terms themselves, parallel to `terms`
  PRIMARY KEY (workspace_id, version_id, chunk_no)
);
CREATE INDEX chunk_id ON chunk (workspace_id, id);
-- fastupdate off: a pending list makes some reader pay for many writers (tail latency).
CREATE INDEX chunk_terms ON chunk USING gin (terms) WITH (fastupdate = off);

-- How many live chunks of the workspace hold a term; folded version by version, in batches ordered by term.
CREATE TABLE term_stat (
  workspace_id uuid NOT NULL,
  term integer NOT NULL,
  word text NOT NULL,
  df integer NOT NULL,
  PRIMARY KEY (workspace_id, term)
);

-- Vectors: a space is one embedder and version; vectors of different spaces are never compared.
CREATE TABLE vector_space (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid,                        -- set for a space fitted to one workspace (LSA)
  embedder text NOT NULL,
  dimensions integer NOT NULL,
  state text NOT NULL CHECK (state IN ('filling', 'serving', 'retired')),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE chunk_vector (
  workspace_id uuid NOT NULL,
  version_id uuid NOT NULL,
  chunk_no integer NOT NULL,
  space_id integer NOT NULL,
  v vector NOT NULL,
  PRIMARY KEY (workspace_id, version_id, chunk_no, space_id)
);
