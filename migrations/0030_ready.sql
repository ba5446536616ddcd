-- `ready` tells the truth: a workspace is ready once what was uploaded is searchable, counted, in the graph and in the
-- meaning space, and a job knows when its own files are (docs/decisions/0009-jobs.md).

-- awaited: published, and no round of embedding has gone over it since it was counted; `ready` waits for that.
-- later: the same for a document that was readable before (reindexed, or read again with its pictures' words): nobody waits.
-- made: a round that began after it was counted has ended, with whatever space that round fitted or changed to.
-- A version that was live before this column is as complete as its workspace's tasks say.
ALTER TABLE version ADD COLUMN vectors text NOT NULL DEFAULT 'made' CHECK (vectors IN ('awaited', 'later', 'made'));
UPDATE version v SET vectors = 'awaited' WHERE v.state = 'live' AND EXISTS (
  SELECT 1 FROM task t WHERE t.workspace_id = v.workspace_id AND t.kind IN ('fold', 'embed'));
CREATE INDEX version_vectors ON version (workspace_id, vectors) WHERE state = 'live' AND vectors <> 'made';

-- The version that the file became, or that its bytes were already; NULL before, and for files of former releases.
ALTER TABLE job_file ADD COLUMN version_id uuid;
CREATE INDEX job_file_version ON job_file (workspace_id, version_id) WHERE version_id IS NOT NULL;

-- Graph tasks that `ready` waits for, and those of a document. One of a document that was readable before says so.
CREATE INDEX task_graph_awaited ON task (workspace_id) WHERE kind = 'graph' AND subject ->> 'awaited' IS NULL;
CREATE INDEX task_graph_document ON task ((subject ->> 'document_id')) WHERE kind = 'graph';

-- The last three rounds of embedding failed, as they do while the server of a model is away: queries are searched by words
-- alone then, so what has no vectors is as findable as it will be until the model is back.
CREATE FUNCTION model_is_away(asked uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM task WHERE workspace_id = asked AND kind = 'embed' AND failures >= 3)
$$;
