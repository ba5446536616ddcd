-- Documents, their versions and chunks, and scopes.

-- A document exists once its first version is published. Readers follow version_id; the graph follows later.
CREATE TABLE document (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  version_id uuid NOT NULL,
  path text NOT NULL,                       -- as uploaded, with its folders: identifies the document across versions
  title text NOT NULL,
  title_key text COLLATE "C" NOT NULL,      -- case-folded by Kenning, since collations differ between servers
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
  uploaded_as text,                         -- the name it was uploaded with, if another document already had that
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, provider, path)
);
CREATE INDEX document_title ON document (workspace_id, title_key, id);
CREATE INDEX document_version_of ON document (workspace_id, version_id);
CREATE INDEX document_hash ON document (workspace_id, content_hash);
CREATE INDEX document_uploaded_as ON document (workspace_id, uploaded_as) WHERE uploaded_as IS NOT NULL;
SELECT isolate_by_workspace('document');

-- For statements whose plan is kept: behind a policy the planner counts the condition on the workspace twice, expects a row
-- or two of any workspace, and takes every index that begins with it to be as good as the one that leads to the row.
CREATE VIEW visible_document AS SELECT * FROM document
  WHERE (SELECT NOT row_security_active('document'::regclass)) OR workspace_id = ANY ((SELECT request_workspaces())::uuid[]);

-- The files that a document was read from: the current one, and those before it, which can be restored for 30 days
-- (docs/decisions/0028-name-conflicts.md). An original is kept on disk while a row names it.
CREATE TABLE document_version (
  workspace_id uuid NOT NULL,
  document_id uuid NOT NULL,
  content_hash text NOT NULL,               -- SHA-256: identifies the version
  filename text NOT NULL,                   -- as uploaded, with its folders
  kind text NOT NULL,
  size bigint,                              -- NULL: not known
  uploaded_at timestamptz NOT NULL,
  uploaded_by uuid,                         -- NULL: not known
  forced boolean NOT NULL DEFAULT false,    -- uploaded with on_conflict=replace: replaces whatever was uploaded before it
  replaced_at timestamptz,                  -- NULL: the document's current version
  PRIMARY KEY (workspace_id, document_id, content_hash)
);
CREATE INDEX document_version_hash ON document_version (content_hash);
CREATE INDEX document_version_replaced ON document_version (replaced_at) WHERE replaced_at IS NOT NULL;
SELECT isolate_by_workspace('document_version');

-- A trigger, so that the replaced version is kept whichever statement gives the document new content.
CREATE FUNCTION keep_replaced_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO document_version (workspace_id, document_id, content_hash, filename, kind, size, uploaded_at, replaced_at)
  VALUES (OLD.workspace_id, OLD.id, OLD.content_hash, coalesce(OLD.uploaded_as, OLD.path), OLD.kind,
    (SELECT f.size FROM job_file f WHERE f.content_hash = OLD.content_hash LIMIT 1), OLD.uploaded_at, now())
  ON CONFLICT (workspace_id, document_id, content_hash) DO UPDATE SET replaced_at = now();
  RETURN NULL;
END
$$;
CREATE TRIGGER document_replaced AFTER UPDATE OF content_hash ON document
  FOR EACH ROW WHEN (OLD.content_hash <> NEW.content_hash) EXECUTE FUNCTION keep_replaced_version();

-- How many documents and chunks of each language a workspace has (docs/decisions/0022-search-speed.md): adding them up for
-- each search took longer the more documents there were. A trigger, so that no statement can forget it. It runs at the end
-- of the transaction, after the workspace's own lock, so that publishing and deleting take both locks in the same order.
CREATE TABLE workspace_language (
  workspace_id uuid NOT NULL,
  language text NOT NULL,
  documents integer NOT NULL,
  chunks integer NOT NULL,
  PRIMARY KEY (workspace_id, language)
);
SELECT isolate_by_workspace('workspace_language');
CREATE FUNCTION count_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE workspace_language SET documents = documents - 1, chunks = chunks - OLD.chunk_count
    WHERE workspace_id = OLD.workspace_id AND language = OLD.language;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO workspace_language AS held (workspace_id, language, documents, chunks)
    VALUES (NEW.workspace_id, NEW.language, 1, NEW.chunk_count)
    ON CONFLICT (workspace_id, language)
    DO UPDATE SET documents = held.documents + 1, chunks = held.chunks + excluded.chunks;
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER document_counted AFTER INSERT OR UPDATE OR DELETE ON document
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_document();

-- One attempt to index a document's file. `state`:
--   building  chunks are being written, no reader sees them
--   live      the document's current version
--   retired   replaced, deleted or abandoned, to be swept
CREATE TABLE version (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  document_id uuid NOT NULL,
  task_id uuid,
  attempt integer NOT NULL DEFAULT 0,
  state text NOT NULL CHECK (state IN ('building', 'live', 'retired')),
  folded integer NOT NULL DEFAULT 0,        -- so many of its first chunks are in term_stat; queries correct for the rest
  settled boolean NOT NULL DEFAULT false CHECK (NOT settled OR state = 'live'), -- live and counted completely
  created_at timestamptz NOT NULL DEFAULT now(),
  lex sparsevec,                            -- BM25 weights of the whole document, without pairs; NULL: chunks are scored alone
  -- Whether a round of embedding has ended that began after the version was counted (docs/decisions/0009-jobs.md, "Ready"):
  --   made     it has; the vectors are in the space that this round fitted or changed to
  --   awaited  not yet, and the workspace is not `ready` until then
  --   later    not yet, but the document could be searched before (reindexed, or read again for its pictures)
  vectors text NOT NULL DEFAULT 'made' CHECK (vectors IN ('awaited', 'later', 'made')),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX version_unsettled ON version (workspace_id, state) WHERE NOT settled;
CREATE INDEX version_vectors ON version (workspace_id, vectors) WHERE state = 'live' AND vectors <> 'made';
SELECT isolate_by_workspace('version');

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
) WITH (toast_tuple_target = 4080);
-- The weights stay in the row instead of the TOAST table, so that scoring a chunk reads one page and not five
-- (docs/decisions/0022-search-speed.md): two rows a page, and the text moves out first. Not within CREATE TABLE, which
-- knows STORAGE from PostgreSQL 16 on.
ALTER TABLE chunk ALTER COLUMN lex SET STORAGE MAIN;
CREATE INDEX chunk_id ON chunk (workspace_id, id);
-- Writing 2,414 chunks of 125 terms took the embedded engine 3.0 s without a pending list (a descent for each term) and 1.4 s
-- with one of 512 kB, which is merged in order; its longest statement took 130 ms instead of 400. A query reads up to 512 kB
-- beside the index: 0.7 ms instead of 0.55.
CREATE INDEX chunk_terms ON chunk USING gin (terms) WITH (fastupdate = on, gin_pending_list_limit = 512);
SELECT isolate_by_workspace('chunk');
CREATE VIEW visible_chunk AS SELECT * FROM chunk
  WHERE (SELECT NOT row_security_active('chunk'::regclass)) OR workspace_id = ANY ((SELECT request_workspaces())::uuid[]);

-- A scope that a person made: the named documents, and all documents in the named folders.
CREATE TABLE scope (
  workspace_id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,           -- as typed
  description text NOT NULL,
  folders text[] NOT NULL,                  -- 'Contracts/2024': without a slash at either end
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, name)
);
SELECT isolate_by_workspace('scope');
CREATE TABLE scope_document (
  workspace_id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  document_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, name, document_id),
  FOREIGN KEY (workspace_id, name) REFERENCES scope (workspace_id, name) ON DELETE CASCADE
);
CREATE INDEX scope_document_of ON scope_document (workspace_id, document_id);
SELECT isolate_by_workspace('scope_document');
