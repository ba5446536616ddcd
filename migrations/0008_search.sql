-- Search by words: how often terms occur, and candidates (docs/decisions/0022-search-speed.md).

-- How many live chunks of the workspace contain a term; counted version by version, in batches ordered by term
-- (docs/decisions/0002-folding-by-version.md).
CREATE TABLE term_stat (
  workspace_id uuid NOT NULL,
  term integer NOT NULL,
  word text NOT NULL,
  df integer NOT NULL,
  PRIMARY KEY (workspace_id, term)
);
-- For spelling correction: a single edit leaves either the first or the last letters of a word unchanged. Pairs of words, and
-- words too short to be corrected, are left out: two thirds of the rows.
CREATE INDEX term_stat_start ON term_stat (workspace_id, (word COLLATE "C"))
  WHERE strpos(word, ' ') = 0 AND char_length(word) >= 3;
CREATE INDEX term_stat_end ON term_stat (workspace_id, (reverse(word) COLLATE "C"))
  WHERE strpos(word, ' ') = 0 AND char_length(word) >= 3;
SELECT isolate_by_workspace('term_stat');
CREATE VIEW visible_term_stat AS SELECT * FROM term_stat
  WHERE (SELECT NOT row_security_active('term_stat'::regclass)) OR workspace_id = ANY ((SELECT request_workspaces())::uuid[]);

-- chunks_holding and chunks_scored: the candidates of one workspace, always by the GIN index. The planner takes && for one
-- cheap comparison; up to some 60,000 chunks it reads the whole table instead and compares 250 terms of each chunk one by
-- one: 640 ms at 8,500 chunks, 41 ms by the index. `one_of`: chunks with any of the terms; `all_of`: with all terms of any of
-- the sets. OFFSET 0 keeps the inner SELECT apart: a planner that sees the condition on the workspace reads all its chunks.

-- For phrases, which are looked up in the text, and for languages.
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

-- Returns each candidate's score for the query's weights in `side`, not its weights: those are 2.7 kB a row, which from 1,500
-- candidates on exceeds work_mem and goes to disk.
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
