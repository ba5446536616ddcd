-- The count begins anywhere: a workspace that is deleted and imported again under its id has as many changes as before, and what a
-- process keeps in memory of the one before would count as the documents of now.
CREATE OR REPLACE FUNCTION count_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE workspace_language SET documents = documents - 1, chunks = chunks - OLD.chunk_count, changes = changes + 1
    WHERE workspace_id = OLD.workspace_id AND language = OLD.language;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO workspace_language AS held (workspace_id, language, documents, chunks, changes)
    VALUES (NEW.workspace_id, NEW.language, 1, NEW.chunk_count, floor(random() * 2 ^ 40)::bigint)
    ON CONFLICT (workspace_id, language)
    DO UPDATE SET documents = held.documents + 1, chunks = held.chunks + excluded.chunks, changes = held.changes + 1;
  END IF;
  RETURN NULL;
END
$$;
