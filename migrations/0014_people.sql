-- API keys, invitations, reset links, company sign-in, and who did what (design/auth.md). Secrets are SHA-256 only.

-- Read-only, for chosen workspaces: what it may read is those among its owner's, asked on each request.
CREATE TABLE api_key (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  hash bytea NOT NULL UNIQUE,
  last_four text NOT NULL,
  name text NOT NULL,
  workspace_ids uuid[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz                  -- exact to a minute
);
CREATE INDEX api_key_account ON api_key (account_id);

-- Lets one person make an account, and into a workspace when it names one.
CREATE TABLE invitation (
  id uuid PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  invited_by uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  email text,                               -- good for this address only
  email_key text,
  workspace_id uuid,
  role text CHECK (role IN ('owner', 'editor', 'viewer')),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CHECK ((workspace_id IS NULL) = (role IS NULL)),
  CHECK ((email IS NULL) = (email_key IS NULL))
);
CREATE INDEX invitation_workspace ON invitation (workspace_id);
CREATE INDEX invitation_by ON invitation (invited_by);

-- Taken away when it is used: of two who try, one succeeds.
CREATE TABLE password_reset (
  hash bytea PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX password_reset_account ON password_reset (account_id);

-- Company sign-in: who somebody is at the provider. Such an account need not have a password.
CREATE TABLE account_identity (
  issuer text NOT NULL,
  subject text NOT NULL,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX account_identity_account ON account_identity (account_id);
ALTER TABLE account ALTER COLUMN password_hash DROP NOT NULL;

-- A sign-in that is on its way to the provider and back, of one browser.
CREATE TABLE oidc_start (
  state_hash bytea PRIMARY KEY,
  nonce text NOT NULL,
  verifier text NOT NULL,
  return_to text NOT NULL,
  expires_at timestamptz NOT NULL
);

-- Who did what, to which workspace, when. No text of documents or questions, no secret, no address: people by their id.
CREATE TABLE activity (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid,                        -- null: of the installation
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_type text NOT NULL CHECK (actor_type IN ('user', 'api_key', 'nobody')),
  actor_id uuid,
  action text NOT NULL,
  subject text,                             -- the id of what it was done to
  detail jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX activity_workspace ON activity (workspace_id, id);

-- Appended to only; rows go with their workspace once that is deleted.
CREATE FUNCTION refuse_activity_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT 1 FROM workspace w WHERE w.id = OLD.workspace_id AND w.deleted_at IS NOT NULL) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'activity is appended to only' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER activity_append_only BEFORE UPDATE OR DELETE ON activity
  FOR EACH ROW EXECUTE FUNCTION refuse_activity_change();
CREATE TRIGGER activity_no_truncate BEFORE TRUNCATE ON activity
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_activity_change();
