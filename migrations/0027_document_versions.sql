-- A name that comes again (docs/decisions/0028-name-conflicts.md): a revision replaces the document, anything else stands
-- beside it; what was replaced can be restored for 30 days.

-- What to do where another document has the name; NULL: the texts decide.
ALTER TABLE job ADD COLUMN on_conflict text CHECK (on_conflict IN ('replace', 'keep_both', 'fail'));
ALTER TABLE job DROP CONSTRAINT job_kind_check;
ALTER TABLE job ADD CONSTRAINT job_kind_check CHECK (kind IN ('upload', 'reindex', 'restore'));

-- What an uploaded or restored file became of its document.
ALTER TABLE job_file ADD COLUMN outcome text
  CHECK (outcome IN ('created', 'unchanged', 'replaced', 'kept_both', 'superseded'));

-- The name it came with, where another document had that already.
ALTER TABLE document ADD COLUMN uploaded_as text;
CREATE INDEX document_uploaded_as ON document (workspace_id, uploaded_as) WHERE uploaded_as IS NOT NULL;
CREATE OR REPLACE VIEW visible_document AS SELECT * FROM document
  WHERE (SELECT NOT row_security_active('document'::regclass)) OR workspace_id = ANY ((SELECT request_workspaces())::uuid[]);

-- The files a document was read from, the one of today and those before it. Their originals are kept while a row names them.
CREATE TABLE document_version (
  workspace_id uuid NOT NULL,
  document_id uuid NOT NULL,
  content_hash text NOT NULL,               -- SHA-256: what a version is known by
  filename text NOT NULL,                   -- as uploaded, folders kept
  kind text NOT NULL,
  size bigint,                              -- NULL: not known
  uploaded_at timestamptz NOT NULL,
  uploaded_by uuid,                         -- NULL: not known
  forced boolean NOT NULL DEFAULT false,    -- asked for by name: whatever was uploaded before it is replaced by it
  replaced_at timestamptz,                  -- NULL: the document's own
  PRIMARY KEY (workspace_id, document_id, content_hash)
);
CREATE INDEX document_version_hash ON document_version (content_hash);
CREATE INDEX document_version_replaced ON document_version (replaced_at) WHERE replaced_at IS NOT NULL;
SELECT isolate_by_workspace('document_version');

-- Whatever gives a document other bytes, those before them can be restored.
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
