-- import: the originals of an imported workspace are read (docs/export.md).
ALTER TABLE job DROP CONSTRAINT job_kind_check;
ALTER TABLE job ADD CONSTRAINT job_kind_check CHECK (kind IN ('upload', 'reindex', 'restore', 'import'));
