-- Search: a document's own BM25 side, and the words of a workspace by their first and last letters.

-- Term hash -> saturated weight over the whole document, pairs left out; NULL: its chunks are judged by themselves.
ALTER TABLE version ADD COLUMN lex sparsevec;

-- For spelling correction: one edit leaves the first or the last letters of a word as they are. Pairs of words and
-- what is too short to correct stay out (two thirds of the rows).
CREATE INDEX term_stat_start ON term_stat (workspace_id, (word COLLATE "C"))
  WHERE strpos(word, ' ') = 0 AND char_length(word) >= 3;
CREATE INDEX term_stat_end ON term_stat (workspace_id, (reverse(word) COLLATE "C"))
  WHERE strpos(word, ' ') = 0 AND char_length(word) >= 3;
