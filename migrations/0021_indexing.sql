-- Pairs of neighbouring words are counted in a sample of the chunks (docs/decisions/0037-indexing.md): for how many chunks those
-- of this one count. 1: of all chunks, as it was before; 8: it is in the sample; 0: it is not, and its pairs are in `lex` only.
-- A frequency in term_stat is the sum of these, so rows of both kinds stand beside each other.
ALTER TABLE chunk ADD COLUMN pairs smallint NOT NULL DEFAULT 1;
CREATE OR REPLACE VIEW visible_chunk AS SELECT * FROM chunk
  WHERE (SELECT NOT row_security_active('chunk'::regclass)) OR workspace_id = ANY ((SELECT request_workspaces())::uuid[]);
-- Publishing a document looks for its other versions, twice: without an index it read those of all documents. Not by workspace
-- first: where most workspaces have one document the planner takes any such index for as good as the primary key.
CREATE INDEX version_document ON version (document_id);
