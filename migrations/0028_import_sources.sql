-- Which sources of an archive are imported, by their numbers in it: decided once, when its workspace is begun. The operator may change
-- what is allowed before the last rows are written.
ALTER TABLE workspace_import ADD COLUMN allowed_sources integer[] NOT NULL DEFAULT '{}';
