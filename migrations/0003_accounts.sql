-- People and how they sign in (docs/decisions/0016-accounts.md). Secrets are stored as SHA-256 only, passwords as argon2id.

-- Facts about this installation: the cursor key, the hash of the setup token, the admin seeded from the settings.
CREATE TABLE installation (
  key text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE account (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL UNIQUE,           -- case-folded by Kenning
  password_hash text,                       -- argon2id, PHC string; NULL: signs in through the company only
  admin boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Company sign-in (OpenID Connect): who an account is at the provider.
CREATE TABLE account_identity (
  issuer text NOT NULL,
  subject text NOT NULL,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX account_identity_account ON account_identity (account_id);

CREATE TABLE session (
  hash bytea PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX session_account ON session (account_id);

-- Deleted when it is used: of two who try at once, one succeeds.
CREATE TABLE password_reset (
  hash bytea PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX password_reset_account ON password_reset (account_id);

-- Lets one person create an account, and join a workspace if it names one.
CREATE TABLE invitation (
  id uuid PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  invited_by uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  email text,                               -- valid for this address only; NULL: for anybody
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
SELECT isolate_by_workspace('invitation');

-- Failed sign-ins, for throttling by account and by address.
CREATE TABLE sign_in_failure (
  subject text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sign_in_failure_subject ON sign_in_failure (subject, at);

-- Networks from which an account has signed in: wrong passwords sent from elsewhere do not lock its owner out there. The
-- network is a keyed hash of account and network, so no address is stored.
CREATE TABLE sign_in_network (
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  network bytea NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, network)
);
CREATE INDEX sign_in_network_seen ON sign_in_network (seen_at);
