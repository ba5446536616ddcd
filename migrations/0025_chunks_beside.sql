-- How many chunks are in the table that has those of a workspace, as the planner last counted them: what a candidate from the
-- index costs depends on how much of the index is of other workspaces. A function, since on Citus that table is a shard, whose
-- number its node knows (src/operator/distribute/distribute.sql.ts): a table of the catalogue in a statement makes Citus take
-- it apart, into as many as it has subselects (docs/decisions/0039-citus.md).
CREATE FUNCTION chunks_beside(own uuid) RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT greatest(c.reltuples, 0) FROM pg_class c WHERE c.oid = 'chunk'::regclass);
END
$$;
