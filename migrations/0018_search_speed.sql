-- What a search reads of a workspace, whatever its size (docs/decisions/0022-search-speed.md).

-- How many documents and chunks of each language there are: adding up the documents of a workspace grew with it. By a
-- trigger, so that no way of writing forgets it; at the end of the transaction, behind the workspace's own lock, so that
-- publishing and deleting take both in one order.
CREATE TABLE workspace_language (
  workspace_id uuid NOT NULL,
  language text NOT NULL,
  documents integer NOT NULL,
  chunks integer NOT NULL,
  PRIMARY KEY (workspace_id, language)
);
SELECT isolate_by_workspace('workspace_language');
-- What a process of the version before publishes or deletes between the count and its trigger would never be counted.
LOCK TABLE document IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO workspace_language (workspace_id, language, documents, chunks)
SELECT workspace_id, language, count(*), sum(chunk_count) FROM document GROUP BY workspace_id, language;

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

-- Candidates of one workspace, read once: their vectors come along as pointers and are fetched where they are scored.
-- `one_of`: chunks with any of the terms; `all_of`: with all terms of any of the sets. The inner select stands alone: a
-- planner who sees the workspace beside it reads its chunks and compares 340 terms of each, since && counts as cheap.
CREATE FUNCTION chunks_holding(own uuid, one_of integer[], all_of text[])
  RETURNS TABLE (workspace_id uuid, version_id uuid, chunk_no integer, id uuid, lex sparsevec)
  LANGUAGE plpgsql STABLE ROWS 1000 SET enable_seqscan = off
  AS $$
BEGIN
  RETURN QUERY EXECUTE
    'SELECT k.* FROM (
       SELECT c.workspace_id, c.version_id, c.chunk_no, c.id, c.lex FROM visible_chunk c WHERE '
    || concat_ws(' OR ', CASE WHEN one_of IS NOT NULL THEN 'c.terms && $2' END,
      (SELECT string_agg(format('c.terms @> %L::integer[]', held), ' OR ') FROM unnest(all_of) AS held))
    || ' OFFSET 0) k WHERE k.workspace_id = $1'
    USING own, one_of;
END
$$;
-- chunks_holding(integer[]) stays for processes of the version before, which run on while others are replaced.
