-- Who did what, to which workspace, when. It holds no text of documents or questions, no secret and no address; people are
-- named by their account's id.

CREATE TABLE activity (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid,                        -- NULL: it concerns the installation
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_type text NOT NULL CHECK (actor_type IN ('user', 'api_key', 'nobody')),
  actor_id uuid,
  action text NOT NULL,
  subject text,                             -- the id of what it was done to
  detail jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX activity_workspace ON activity (workspace_id, id);
CREATE INDEX activity_failed_sign_ins ON activity (at) WHERE action = 'sign_in_failed';
SELECT isolate_by_workspace('activity');
-- A request may record, but not read, what concerns no workspace.
CREATE POLICY of_no_workspace ON activity FOR INSERT WITH CHECK (workspace_id IS NULL);

-- Append-only, with two exceptions: rows of a deleted workspace, and failed sign-ins after 90 days. Anybody on the network
-- can cause those, so they must not be kept for ever.
CREATE FUNCTION refuse_activity_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.action = 'sign_in_failed' AND OLD.at < now() - interval '90 days' THEN
      RETURN OLD;
    END IF;
    IF EXISTS (SELECT 1 FROM workspace w WHERE w.id = OLD.workspace_id AND w.deleted_at IS NOT NULL) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'activity is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER activity_append_only BEFORE UPDATE OR DELETE ON activity
  FOR EACH ROW EXECUTE FUNCTION refuse_activity_change();
CREATE TRIGGER activity_no_truncate BEFORE TRUNCATE ON activity
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_activity_change();
