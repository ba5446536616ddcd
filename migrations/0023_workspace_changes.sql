-- How often the documents of a workspace have changed, so that a process knows whether what it keeps of them in memory is what the
-- database has (docs/decisions/0022-search-speed.md). The counts of languages do not tell: a new version may have as many chunks.
ALTER TABLE workspace_language ADD COLUMN changes bigint NOT NULL DEFAULT 0;
CREATE OR REPLACE FUNCTION count_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE workspace_language SET documents = documents - 1, chunks = chunks - OLD.chunk_count, changes = changes + 1
    WHERE workspace_id = OLD.workspace_id AND language = OLD.language;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO workspace_language AS held (workspace_id, language, documents, chunks, changes)
    VALUES (NEW.workspace_id, NEW.language, 1, NEW.chunk_count, 1)
    ON CONFLICT (workspace_id, language)
    DO UPDATE SET documents = held.documents + 1, chunks = held.chunks + excluded.chunks, changes = held.changes + 1;
  END IF;
  RETURN NULL;
END
$$;
