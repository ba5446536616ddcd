-- How often documents are found, cited and opened, by day, and by whom they are opened: for owners. Counts only, no questions.
CREATE TABLE document_use (
  workspace_id uuid NOT NULL,
  document_id uuid NOT NULL,
  day date NOT NULL,
  found integer NOT NULL,
  cited integer NOT NULL,
  opened integer NOT NULL,
  PRIMARY KEY (workspace_id, document_id, day)
);
SELECT isolate_by_workspace('document_use');

-- Kept for 90 days, the counts above for 400.
CREATE TABLE document_reader (
  workspace_id uuid NOT NULL,
  document_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  opened integer NOT NULL,
  PRIMARY KEY (workspace_id, document_id, account_id, day)
);
SELECT isolate_by_workspace('document_reader');
