-- Accounts, sessions and the grants behind access tokens (design/auth.md). Secrets are stored as SHA-256 only.

-- Facts about this installation: the cursor key, the hash of the setup token, the admin seeded from the settings.
CREATE TABLE installation (
  key text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE account (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL UNIQUE,           -- case-folded by us
  password_hash text NOT NULL,              -- argon2id, PHC string
  admin boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE session (
  hash bytea PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX session_account ON session (account_id);

-- A family of tokens: one consent, or one browser session (then without a client, and gone with the session).
CREATE TABLE token_grant (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  client_id text,
  session_hash bytea REFERENCES session (hash) ON DELETE CASCADE,
  scopes text[] NOT NULL,
  resource text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
CREATE INDEX token_grant_account ON token_grant (account_id);
CREATE INDEX token_grant_session ON token_grant (session_hash);

CREATE TABLE access_token (
  hash bytea PRIMARY KEY,
  grant_id uuid NOT NULL REFERENCES token_grant (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX access_token_grant ON access_token (grant_id);
CREATE INDEX access_token_expiry ON access_token (expires_at);

-- Failed sign-ins, for throttling by account and by address.
CREATE TABLE sign_in_failure (
  subject text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sign_in_failure_subject ON sign_in_failure (subject, at);
