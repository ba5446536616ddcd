-- Candidates with their scores (docs/decisions/0022-search-speed.md). chunks_holding gave the weights of each along, 2.7 kB
-- in its row: copied for nothing but the score, and on disk from 1,500 candidates on, past work_mem. That one stays for
-- processes of the version before, and for phrases, which are looked for in the text.
CREATE FUNCTION chunks_scored(own uuid, one_of integer[], all_of text[], side sparsevec)
  RETURNS TABLE (version_id uuid, chunk_no integer, id uuid, distance float8)
  LANGUAGE plpgsql STABLE ROWS 1000 SET enable_seqscan = off
  AS $$
BEGIN
  RETURN QUERY EXECUTE
    'SELECT k.version_id, k.chunk_no, k.id, k.lex <#> $3 FROM (
       SELECT c.workspace_id, c.version_id, c.chunk_no, c.id, c.lex FROM visible_chunk c WHERE '
    || concat_ws(' OR ', CASE WHEN one_of IS NOT NULL THEN 'c.terms && $2' END,
      (SELECT string_agg(format('c.terms @> %L::integer[]', held), ' OR ') FROM unnest(all_of) AS held))
    || ' OFFSET 0) k WHERE k.workspace_id = $1'
    USING own, one_of, side;
END
$$;

-- For statements whose plan is kept: behind a policy the planner counts the workspace twice, takes any for a row or two, and
-- every index that begins with it for as good as the one that leads to the row (src/ports/db/kept.sql.ts).
CREATE VIEW visible_document AS SELECT * FROM document
  WHERE (SELECT NOT row_security_active('document'::regclass)) OR workspace_id = ANY ((SELECT request_workspaces())::uuid[]);
