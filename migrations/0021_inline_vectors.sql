-- A chunk's terms with their weights stand in its row and not in the table behind it: a score reads one page and not five
-- (docs/decisions/0022-search-speed.md). Two rows a page; the text moves out first. Rows written before are read as they
-- are: a document's next version, or VACUUM FULL chunk, moves them.
ALTER TABLE chunk ALTER COLUMN lex SET STORAGE MAIN;
ALTER TABLE chunk SET (toast_tuple_target = 4080);
