-- What each document is about (index/subject.ts): the words of its title and name, the names it is full of, its periods.
-- Questions name documents by them.
CREATE TABLE version_subject (
  workspace_id uuid NOT NULL,
  term integer NOT NULL,                    -- number of a stem, or of a period
  weight real NOT NULL,                     -- how much the document is about it, 0 to 1
  version_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, term, weight, version_id)
);
CREATE INDEX version_subject_of ON version_subject (workspace_id, version_id);
SELECT isolate_by_workspace('version_subject');

ALTER TABLE version ADD COLUMN dated date;  -- the last day of the period it is for
