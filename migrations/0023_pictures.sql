-- The words of pictures inside documents, read in a task of its own after a document is searchable (docs/decisions/0025).
ALTER TABLE task DROP CONSTRAINT task_kind_check;
ALTER TABLE task ADD CONSTRAINT task_kind_check
  CHECK (kind IN ('ingest', 'graph', 'fold', 'purge', 'embed', 'pictures'));

-- A picture of a file, by the file's bytes: a reindexing has its words at once.
CREATE TABLE picture (
  workspace_id uuid NOT NULL,
  content_hash text NOT NULL,               -- of the file
  picture_no integer NOT NULL,
  reader text NOT NULL,                     -- which reader in which languages; another one looks again
  place jsonb NOT NULL,                     -- name, page, box
  hash text NOT NULL,                       -- of the picture: read once, wherever it comes again
  words jsonb,                              -- texts with their confidence; NULL: not read yet
  PRIMARY KEY (workspace_id, content_hash, picture_no)
);
CREATE INDEX picture_hash ON picture (workspace_id, hash) WHERE words IS NOT NULL;
SELECT isolate_by_workspace('picture');
